# SPDX-License-Identifier: Apache-2.0
# Writes version.cpp: the version, the commit and how this library was built.

set(HELICITY_GIT_HASH "")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE HELICITY_GIT_HASH OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE rc)
  if(NOT rc EQUAL 0)
    set(HELICITY_GIT_HASH "")
  elseif(EXISTS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
  endif()
endif()

set(HELICITY_FEATURES "")
foreach(name CUDA MPI HDF5 HTS FFTW)
  set(on false)
  if(HELICITY_HAVE_${name})
    set(on true)
  endif()
  string(TOLOWER ${name} key)
  string(APPEND HELICITY_FEATURES "      {\"${key}\", ${on}, \"${HELICITY_WHY_${name}}\"},\n")
endforeach()

configure_file(${CMAKE_CURRENT_SOURCE_DIR}/version.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/version.cpp @ONLY)
