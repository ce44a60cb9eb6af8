# SPDX-License-Identifier: Apache-2.0
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
run(pkg-config --cflags --libs helicity)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${CXX} -std=c++20 ${sanitize} ${consumer}/consumer.cpp -o ${work}/consumer ${flags}
  -Wl,-rpath,${prefix}/${LIBDIR})
run(${work}/consumer)
expect("helicity ${VERSION}")
