# SPDX-License-Identifier: Apache-2.0
# What examples/heat_stencil computes, however it was built and started.

# heat(where command...): runs 20 steps; the line with sum and hash in ${heat}.
function(heat where)
  run(${ARGN})
  expect("ranks on ${where}")
  string(REGEX MATCH "step [0-9]+ heat [^\n]*" line "${output}")
  set(heat "${line}" PARENT_SCOPE)
endfunction()

# expect_heat(what wanted): the last ${heat} is this one.
function(expect_heat what wanted)
  if(NOT heat STREQUAL wanted)
    message(FATAL_ERROR "${what} gave\n${heat}\ninstead of\n${wanted}")
  endif()
endfunction()
