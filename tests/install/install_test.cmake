# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD_DIR=... -DHOW=find_package|pkg_config ... -P install_test.cmake

set(work ${BUILD_DIR}/tests/install/${HOW})
set(prefix ${work}/moved)  # installed to one place and moved to another: it must not matter
set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
file(REMOVE_RECURSE ${work})

# run(command...): stops with the output unless it ends well; output in ${output}.
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
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
endif()

if(HOW STREQUAL "find_package")
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${consumer} -B ${work}/build -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_FLAGS=${sanitize})
  run(${CMAKE_COMMAND} --build ${work}/build)
  run(${work}/build/consumer)
else()
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  run(pkg-config --cflags --libs helicity)
  separate_arguments(flags UNIX_COMMAND "${output}")
  file(MAKE_DIRECTORY ${work}/build)
  run(${CXX} -std=c++20 ${sanitize} ${consumer}/consumer.cpp -o ${work}/build/consumer ${flags}
    -Wl,-rpath,${prefix}/${LIBDIR})
  run(${work}/build/consumer)
endif()
expect("helicity ${VERSION}")
message(STATUS "${output}")
