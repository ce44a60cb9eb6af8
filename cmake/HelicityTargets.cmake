# SPDX-License-Identifier: Apache-2.0
# The functions every CMakeLists.txt of this project is written with.

# helicity_set_flags(TARGET): warnings, floating point without contraction, hidden symbols.
function(helicity_set_flags target)
  set(warnings -Wall -Wextra -Wshadow -Wno-missing-field-initializers)  # {.a = 1} is our style
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
    $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>
    $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
    $<$<AND:$<BOOL:${HELICITY_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
  if(HELICITY_HAVE_CUDA)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers,-ffp-contract=off>
      $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>
      $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>
      $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
      $<$<AND:$<BOOL:${HELICITY_WERROR}>,$<COMPILE_LANGUAGE:CUDA>>:-Werror=all-warnings>)
  endif()
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# helicity_add_rooms(ROOM ...): the rooms that exist below this folder, but HELICITY_SKIP_ROOMS.
function(helicity_add_rooms)
  foreach(room IN LISTS ARGN)
    get_filename_component(name ${room} NAME)
    if(NOT name IN_LIST HELICITY_SKIP_ROOMS AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/CMakeLists.txt)
      add_subdirectory(${room})
    endif()
  endforeach()
endfunction()

# helicity_add_kernel(a.cpp ...): CPU loops left to the compiler, each compiled once per instruction
# set with HELICITY_ISA naming its namespace (kernels/support/isa.hpp).
function(helicity_add_kernel)
  set(flags_isa_baseline)
  set(isas isa_baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
    set(flags_isa_avx2 -march=x86-64-v3)
    set(flags_isa_avx512 -march=x86-64-v4 -mprefer-vector-width=512)
    list(APPEND isas isa_avx2 isa_avx512)
  endif()
  foreach(isa IN LISTS isas)
    get_filename_component(room ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    set(objects helicity_${room}_${isa})
    add_library(${objects} OBJECT ${ARGN})
    helicity_set_flags(${objects})
    target_compile_features(${objects} PRIVATE cxx_std_20)
    target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/kernels)
    target_compile_definitions(${objects} PRIVATE HELICITY_ISA=${isa} helicity_EXPORTS
      $<$<NOT:$<BOOL:${BUILD_SHARED_LIBS}>>:HELICITY_STATIC>)
    target_compile_options(${objects} PRIVATE -O3 ${flags_${isa}} -fno-math-errno -fno-trapping-math)
    target_sources(helicity PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
endfunction()

# helicity_add_app(NAME SOURCES a.cpp ... [LIBRARIES ...] [OUTPUT_NAME file]): a program, installed.
# Programs only parse, and CLI11 is dear to optimise: they are compiled at -O1.
function(helicity_add_app name)
  cmake_parse_arguments(ARG "" "OUTPUT_NAME" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE helicity_app_support ${ARG_LIBRARIES})
  helicity_set_flags(${name})
  target_compile_options(${name} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
  if(ARG_OUTPUT_NAME)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME ${ARG_OUTPUT_NAME})
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# helicity_add_test(NAME SOURCES a.cpp ... [LIBRARIES ...] [LABELS ...] [TIMEOUT s] [PROCESSORS n]
#                   [ENVIRONMENT A=B ...] [GPU])
# A GoogleTest program test_<NAME>, one CTest entry. If all its tests skip, CTest says "Skipped".
# GPU: label gpu, run under HELICITY_GPU_RUNNER if that is set; built by the target gpu_tests too.
function(helicity_add_test name)
  cmake_parse_arguments(ARG "GPU" "TIMEOUT;PROCESSORS" "SOURCES;LIBRARIES;LABELS;ENVIRONMENT" ${ARGN})
  set(target test_${name})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE helicity::helicity helicity_test_support ${ARG_LIBRARIES})
  helicity_set_flags(${target})
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)  # g++ 12 sees ghosts in std::string
  set(runner)
  if(ARG_GPU)
    list(APPEND ARG_LABELS gpu)
    separate_arguments(runner UNIX_COMMAND "${HELICITY_GPU_RUNNER}")
    if(NOT TARGET gpu_tests)
      add_custom_target(gpu_tests)
    endif()
    add_dependencies(gpu_tests ${target})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)
  endif()
  if(NOT ARG_PROCESSORS)
    set(ARG_PROCESSORS 1)
  endif()
  add_test(NAME ${name} COMMAND ${runner} $<TARGET_FILE:${target}>)
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    PROCESSORS ${ARG_PROCESSORS} SKIP_RETURN_CODE 77
    ENVIRONMENT "HELICITY_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};${ARG_ENVIRONMENT}")
endfunction()

# helicity_add_mpi_test(NAME TEST RANKS n [ARGUMENTS ...] [ENVIRONMENT ...] [LABELS ...] [TIMEOUT s]
#                       [GPU]): the program of the test TEST once more, as NAME, on n ranks.
function(helicity_add_mpi_test name test)
  cmake_parse_arguments(ARG "GPU" "RANKS;TIMEOUT" "ARGUMENTS;ENVIRONMENT;LABELS" ${ARGN})
  if(NOT HELICITY_HAVE_MPI)
    return()
  endif()
  set(runner)
  if(ARG_GPU)
    list(APPEND ARG_LABELS gpu)
    separate_arguments(runner UNIX_COMMAND "${HELICITY_GPU_RUNNER}")
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ARG_RANKS}
    ${runner} $<TARGET_FILE:test_${test}> ${ARG_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "mpi;${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    PROCESSORS 2 SKIP_RETURN_CODE 77 ENVIRONMENT
    "HELICITY_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};${helicity_mpi_environment};${ARG_ENVIRONMENT}")
endfunction()

# What makes Open MPI start more ranks than cores, also for root.
set(helicity_mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none)

# helicity_add_benchmark(NAME SOURCES a.cpp ... [LIBRARIES ...]): a Google Benchmark program.
function(helicity_add_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE helicity::helicity benchmark::benchmark ${ARG_LIBRARIES})
  helicity_set_flags(${name})
endfunction()

# helicity_check_headers(DIR): every public header below DIR compiles alone (a target and a test).
function(helicity_check_headers dir)
  file(GLOB_RECURSE headers RELATIVE ${dir} CONFIGURE_DEPENDS ${dir}/helicity/*.hpp)
  list(FILTER headers EXCLUDE REGEX /detail/)  # private to a room, not installed
  set(sources)
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} stem)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n#include <${header}>\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()
  add_library(check_headers OBJECT EXCLUDE_FROM_ALL ${sources})
  target_include_directories(check_headers PRIVATE ${dir})  # and nothing else: std and own only
  helicity_set_flags(check_headers)
  target_compile_options(check_headers PRIVATE -O0)
  add_test(NAME check_headers
    COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target check_headers)
  set_tests_properties(check_headers PROPERTIES LABELS checks TIMEOUT 600 RUN_SERIAL ON)
endfunction()

# helicity_print_summary(): what is on, and why not.
function(helicity_print_summary)
  set(lines)
  foreach(name CUDA MPI HDF5 HTS FFTW)
    if(HELICITY_HAVE_${name})
      set(state "on ")
    else()
      set(state "off")
    endif()
    string(SUBSTRING "${name}          " 0 10 padded)
    string(APPEND lines "\n  ${padded}  ${state}  ${HELICITY_WHY_${name}}")
  endforeach()
  foreach(name APPS TESTS BENCHMARKS)
    if(HELICITY_${name})
      set(state "on")
    else()
      set(state "off")
    endif()
    string(SUBSTRING "${name}          " 0 10 padded)
    string(APPEND lines "\n  ${padded}  ${state}")
  endforeach()
  message(STATUS "Helicity ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, "
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}${lines}")
endfunction()
