# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD_DIR=... -DHOW=find_package|pkg_config|examples|... -P install_test.cmake

set(work ${BUILD_DIR}/tests/install/${HOW})
set(prefix ${work}/moved)  # installed to one place and moved to another: it must not matter
set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
set(examples ${CMAKE_CURRENT_LIST_DIR}/../../examples)
file(REMOVE_RECURSE ${work})

# run(command...): stops with the output unless it ends well; output in ${output}.
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${work}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect(text): in the output of the last run.
function(expect text)
  string(FIND "${output}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "expected '${text}' in:\n${output}")
  endif()
endfunction()

# build(SOURCE FOLDER [option ...]): a project that finds the package, built in ${work}/FOLDER.
function(build source folder)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${source} -B ${work}/${folder} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_FLAGS=${sanitize} ${ARGN})
  run(${CMAKE_COMMAND} --build ${work}/${folder})
endfunction()

file(MAKE_DIRECTORY ${work})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/first)
file(RENAME ${work}/first ${prefix})
set(ENV{LD_LIBRARY_PATH} "")

if(APPS)
  run(${prefix}/bin/helicity info --version)
  expect("helicity ${VERSION}")
endif()

set(sanitize)
if(SANITIZE)
  set(sanitize -fsanitize=${SANITIZE})
  set(ENV{ASAN_OPTIONS} detect_leaks=0)  # MPI libraries leak
endif()

include(${CMAKE_CURRENT_LIST_DIR}/${HOW}.cmake)
