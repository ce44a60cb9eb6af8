# SPDX-License-Identifier: Apache-2.0

# helicity_add_gpu_variant(TEST SUFFIX A=B ...): the GPU test TEST once more, as TEST_SUFFIX, with
# variables that the stand-in in HELICITY_GPU_RUNNER reads; left out where no stand-in is set.
function(helicity_add_gpu_variant test suffix)
  if(NOT HELICITY_GPU_RUNNER)
    return()
  endif()
  separate_arguments(runner UNIX_COMMAND "${HELICITY_GPU_RUNNER}")
  add_test(NAME ${test}_${suffix} COMMAND ${runner} $<TARGET_FILE:test_${test}>)
  set_tests_properties(${test}_${suffix} PROPERTIES
    LABELS gpu TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT "${ARGN}")
endfunction()
