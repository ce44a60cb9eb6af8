# SPDX-License-Identifier: Apache-2.0
# What a user may set: build type, language level, options.

include(GNUInstallDirs)

get_property(helicity_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT helicity_multi_config)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
file(RELATIVE_PATH helicity_bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/${helicity_bin_to_lib}")

if(CMAKE_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)
  set(helicity_top_level ON)
else()
  set(helicity_top_level OFF)
endif()

option(BUILD_SHARED_LIBS "Build helicity as a shared library" ON)
option(HELICITY_APPS "Build the helicity-* programs" ON)
option(HELICITY_TESTS "Build the tests" ${helicity_top_level})
option(HELICITY_BENCHMARKS "Build the benchmarks" OFF)
option(HELICITY_WERROR "Treat warnings as errors" OFF)
set(HELICITY_SANITIZE "" CACHE STRING "Sanitizers for everything built here, e.g. address,undefined")
set(HELICITY_GPU_RUNNER "$ENV{HELICITY_GPU_RUNNER}" CACHE STRING
  "Command that GPU tests run under, on a machine without a GPU")
set(HELICITY_CUDA_ARCHITECTURES dev CACHE STRING
  "dev (PTX of 80 and 90), release (code for every architecture served), or a CMake list")

# helicity_option(NAME default help): an option that may be AUTO, where what is found decides.
function(helicity_option name default help)
  set(HELICITY_${name} ${default} CACHE STRING "${help}: AUTO, ON or OFF")
  set_property(CACHE HELICITY_${name} PROPERTY STRINGS AUTO ON OFF)
  string(TOUPPER "${HELICITY_${name}}" value)
  if(NOT value MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
    message(FATAL_ERROR "HELICITY_${name} is '${HELICITY_${name}}'; it takes AUTO, ON or OFF")
  endif()
endfunction()

helicity_option(CUDA AUTO "Kernels for NVIDIA GPUs")
helicity_option(MPI AUTO "Runs on many nodes")
helicity_option(HDF5 AUTO "Snapshots and restart files")
helicity_option(HTS AUTO "FASTA, FASTQ, SAM, BAM and CRAM through htslib")
helicity_option(FFTW OFF "FFTW as a backend (GPL)")

if(HELICITY_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${HELICITY_SANITIZE}>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  add_link_options($<$<LINK_LANGUAGE:CXX>:-fsanitize=${HELICITY_SANITIZE}>
    $<$<LINK_LANGUAGE:CUDA>:-Xcompiler=-fsanitize=${HELICITY_SANITIZE}>)
endif()
