#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bundle.sh DIR: puts the headers and libraries that a build for scripts/gpu_check.sh needs into DIR,
# a prefix that needs nothing of the system that it is carried to but a C++ runtime as new as ours.
# Reads the packages of Debian or Ubuntu that scripts/install_deps.sh --test installs.
set -euo pipefail

fail() { echo "gpu_check.sh: error: $*" >&2; exit 1; }

bundle=${1:?DIR}
multiarch=$(g++ -print-multiarch 2> /dev/null || gcc -dumpmachine)
libraries=/usr/lib/$multiarch

# copy_headers NAME ...: files or folders of /usr/include.
copy_headers() {
  local name
  for name in "$@"; do
    if [ -e "/usr/include/$name" ]; then
      cp -RL "/usr/include/$name" "$bundle/include/"
    elif [ -e "/usr/include/$multiarch/$name" ]; then
      cp -RL "/usr/include/$multiarch/$name" "$bundle/include/"
    else
      fail "no header $name here: scripts/install_deps.sh --test installs it"
    fi
  done
}

# copy_static NAME, copy_shared NAME: a library; a shared one under the names that linkers and that
# programs look for. No links: not everything that copies folders keeps them.
copy_static() {
  [ -f "$libraries/lib$1.a" ] || fail "no library $1 here: scripts/install_deps.sh --test installs it"
  cp -L "$libraries/lib$1.a" "$bundle/lib/"
}
copy_shared() {
  local file=$libraries/lib$1.so
  [ -e "$file" ] || fail "no library $1 here: scripts/install_deps.sh --test installs it"
  cp -L "$file" "$bundle/lib/"
  cp -L "$file" "$bundle/lib/$(objdump -p "$file" | awk '$1 == "SONAME" { print $2 }')"
}

# config PACKAGE TARGET VERSION [FILE] [PROPERTY VALUE]: what find_package(PACKAGE CONFIG) reads.
config() {
  local package=$1 target=$2 version=$3 library=${4:-} property=${5:-} value=${6:-}
  local folder=$bundle/lib/cmake/$package kind=INTERFACE
  mkdir -p "$folder"
  [ -z "$library" ] || kind="UNKNOWN"
  {
    echo "get_filename_component(prefix \"\${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)"
    echo "if(NOT TARGET $target)"
    echo "  add_library($target $kind IMPORTED)"
    echo "  set_target_properties($target PROPERTIES"
    echo "    INTERFACE_INCLUDE_DIRECTORIES \"\${prefix}/include\")"
    if [ -n "$library" ]; then
      echo "  set_target_properties($target PROPERTIES IMPORTED_LOCATION \"\${prefix}/lib/$library\""
      echo "    INTERFACE_LINK_LIBRARIES pthread)"
    fi
    [ -z "$property" ] || echo "  set_property(TARGET $target PROPERTY $property $value)"
    echo "endif()"
  } > "$folder/${package}Config.cmake"
  {
    echo "set(PACKAGE_VERSION $version)"
    echo "if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)"
    echo "  set(PACKAGE_VERSION_COMPATIBLE TRUE)"
    echo "endif()"
  } > "$folder/${package}ConfigVersion.cmake"
}

# version_of PACKAGE: its upstream version.
version_of() { dpkg-query -W -f '${Version}' "$1" | sed 's/^[0-9]*://; s/[+-].*//'; }

mkdir -p "$bundle/include" "$bundle/lib"
copy_headers gtest benchmark fmt hwy CLI nlohmann toml++ zlib.h zconf.h png.h pngconf.h pnglibconf.h
copy_static gtest
# Debian has no static library of the first two, and none for shared libraries of the others.
for name in benchmark hwy png16 z; do copy_shared "$name"; done

config GTest GTest::gtest "$(version_of libgtest-dev)" libgtest.a
config benchmark benchmark::benchmark "$(version_of libbenchmark-dev)" libbenchmark.so
config hwy hwy::hwy "$(version_of libhwy-dev)" libhwy.so
config fmt fmt::fmt "$(version_of libfmt-dev)" "" INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1
config CLI11 CLI11::CLI11 "$(version_of libcli11-dev)"
config nlohmann_json nlohmann_json::nlohmann_json "$(version_of nlohmann-json3-dev)"
config tomlplusplus tomlplusplus::tomlplusplus "$(version_of libtomlplusplus-dev)" "" \
  INTERFACE_COMPILE_DEFINITIONS TOML_HEADER_ONLY=1
for package in libgtest-dev libbenchmark-dev libfmt-dev libhwy-dev libcli11-dev nlohmann-json3-dev \
  libtomlplusplus-dev zlib1g-dev libpng-dev; do
  dpkg-query -W -f '${Package} ${Version}\n' "$package"
done > "$bundle/versions.txt"
