# SPDX-License-Identifier: Apache-2.0
# The same stencil built by nvcc and by the C++ compiler: the same bits on GPU and CPU.
include(${CMAKE_CURRENT_LIST_DIR}/heat.cmake)
separate_arguments(ranks UNIX_COMMAND "${RANKS}")
separate_arguments(runner UNIX_COMMAND "${RUNNER}")

build(${examples}/heat_stencil cpu)
heat(CPUs ${work}/cpu/heat 40 whole.h5)
set(whole "${heat}")
heat(CPUs ${work}/cpu/heat 20 half.h5)

build(${examples}/heat_stencil cuda -DHEAT_CUDA=ON -DCMAKE_CUDA_COMPILER=${NVCC}
  -DCMAKE_CUDA_ARCHITECTURES=80-virtual -DCMAKE_CUDA_RUNTIME_LIBRARY=${CUDART})
set(program ${work}/cuda/heat)
run(${CMAKE_COMMAND} -E env CUDA_VISIBLE_DEVICES= GOC_DEVICES=0 ${runner} ${program} 40 host.h5)
expect("ranks on CPUs")
expect("${whole}")

run(${runner} ${program} 40 device.h5)
if(output MATCHES "ranks on CPUs")
  message(STATUS "skipped: no CUDA device")
  return()
endif()
heat(GPUs ${runner} ${program} 40 device.h5)
expect_heat("the device" "${whole}")
heat(GPUs ${runner} ${program} 20 again.h5 half.h5)
expect_heat("the device, from a file of the CPU" "${whole}")
if(runner AND ranks AND HDF5_PARALLEL)  # the stand-in has a device for each rank
  set(ENV{GOC_DEVICES} 3)
  heat(GPUs ${ranks} 3 ${runner} ${program} 40 device3.h5)
  expect_heat("3 devices" "${whole}")
endif()

build(${examples}/lbm_channel channel)
run(${work}/channel/channel 40)
string(REGEX MATCH "step 40 mean speed [0-9.e-]+" speed "${output}")
run(${runner} ${work}/channel/channel 40)
expect("${speed}")
