# SPDX-License-Identifier: Apache-2.0
# The examples of simulations, built by the C++ compiler: the same bits on any number of ranks, and
# across a restart.
include(${CMAKE_CURRENT_LIST_DIR}/heat.cmake)
separate_arguments(ranks UNIX_COMMAND "${RANKS}")  # empty without MPI

build(${examples}/lbm_channel channel)
run(${work}/channel/channel 200)
string(REGEX MATCH "step 200 mean speed [0-9.e-]+" speed "${output}")
expect("step 200 mean speed 0.0")
if(ranks)
  run(${ranks} 3 ${work}/channel/channel 200)
  expect("${speed}")
endif()

if(HDF5)
  build(${examples}/heat_stencil heat)
  set(program ${work}/heat/heat)
  heat(CPUs ${program} 40 whole.h5)
  set(whole "${heat}")
  if(NOT whole MATCHES "^step 40 heat 20[0-9][0-9]\\.[0-9]+ hash [0-9a-f]+$")
    message(FATAL_ERROR "not what the ball's heat is: ${whole}")  # 2103 less what the ends took
  endif()
  heat(CPUs ${program} 20 half.h5)
  heat(CPUs ${program} 20 again.h5 half.h5)
  expect_heat("20 steps and 20 more" "${whole}")
  if(ranks AND HDF5_PARALLEL)
    heat(CPUs ${ranks} 3 ${program} 40 whole3.h5)
    expect_heat("3 ranks" "${whole}")
    heat(CPUs ${ranks} 3 ${program} 20 again3.h5 half.h5)
    expect_heat("3 ranks from a file of 1" "${whole}")
    heat(CPUs ${program} 0 same.h5 whole3.h5)
    expect_heat("1 rank from a file of 3" "${whole}")
  endif()
endif()
