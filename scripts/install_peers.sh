#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the benchmarks compare with:
#   scripts/install_peers.sh           Debian packages of the aligners
#   scripts/install_peers.sh PREFIX    also builds CM1, miniWeather, pocketfft and ducc0, into PREFIX
# HELICITY_PEER_SOURCES  folder with clones CM1, miniWeather, pocketfft (its branch cpp) and ducc;
#                        else they are cloned from GitHub
# Newer aligners that you built yourself: see HELICITY_PEERS in benchmarks/README.md.
set -euo pipefail

prefix=${1:-}
root=$(cd "$(dirname "$0")/.." && pwd)
packages=(libparasail-dev libseqan2-dev libseqan3-dev libwfa2-dev libssw-dev libedlib-dev)
[ -z "$prefix" ] || packages+=(gfortran git make)

if ! command -v apt-get > /dev/null; then
  echo "install_peers.sh: needs apt-get; the peers are: ${packages[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -q
failed=()
for package in "${packages[@]}"; do
  "${as_root[@]}" apt-get install -y -q --no-install-recommends "$package" || failed+=("$package")
done
if [ "${#failed[@]}" -gt 0 ]; then
  echo "install_peers.sh: not to be had here: ${failed[*]}; their rows run without them" >&2
fi
[ -n "$prefix" ] || exit 0

mkdir -p "$prefix/bin" "$prefix/share/cm1"
prefix=$(cd "$prefix" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# source_of NAME REPOSITORY COMMIT: a copy of the sources in $work/NAME
source_of() {
  if [ -n "${HELICITY_PEER_SOURCES:-}" ]; then
    cp -r "$HELICITY_PEER_SOURCES/$1" "$work/$1"
  else
    git clone -q "https://github.com/$2" "$work/$1"
    git -C "$work/$1" checkout -q "$3"
  fi
}

source_of CM1 NCAR/CM1 a33cd28c206adb010995f3ffb65aada150d9b1b9 # r21.1 and later fixes
mkdir -p "$work/CM1/run"
make -C "$work/CM1/src" -j "$(nproc)" FC=gfortran > "$prefix/cm1-build.log" 2>&1
cp "$work/CM1/run/cm1.exe" "$prefix/bin/"
cp "$work/CM1/run/config_files/supercell/namelist.input" "$prefix/share/cm1/"

source_of miniWeather mrnorman/miniWeather 7bfd5b485b2099d853214f75163022aee1ddefbc
mpicxx -O3 -march=native -I "$root/benchmarks/weather" -DNO_INFORM -D_NX=400 -D_NZ=200 \
  -D_SIM_TIME=400 -D_OUT_FREQ=399.9 -D_DATA_SPEC=DATA_SPEC_THERMAL \
  "$work/miniWeather/c/miniWeather_mpi.cpp" -o "$prefix/bin/miniweather_400x200"
source_of pocketfft mreineck/pocketfft 33ae5dc94c9cdc7f1c78346504a85de87cadaa12 # branch cpp
mkdir -p "$prefix/include" "$prefix/lib"
cp "$work/pocketfft/pocketfft_hdronly.h" "$prefix/include/"

source_of ducc mreineck/ducc b3de68c22c09446d4f04d62a64c7f2d7ddfa8f68
for source in threading string_utils system mav types; do
  g++ -std=c++17 -O3 -march=native -ffast-math -I "$work/ducc/src" \
    -c "$work/ducc/src/ducc0/infra/$source.cc" -o "$work/$source.o"
done
ar rcs "$prefix/lib/libducc0.a" "$work"/{threading,string_utils,system,mav,types}.o
rm -rf "$prefix/include/ducc0"
cp -r "$work/ducc/src/ducc0" "$prefix/include/"
echo "install_peers.sh: CM1, miniWeather, pocketfft and ducc0 are in $prefix: HELICITY_PEERS=$prefix scripts/bench.sh"
