#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs rows of the performance table with the peers in the same run:
#   scripts/bench.sh [--pairs=N] [--rounds=N] [--peers-only | --ours-only] [ROW...]
# HELICITY_BUILD  build folder (default build/bench)
# HELICITY_PEERS  prefix of peers built from source (benchmarks/README.md)
# HELICITY_ISA    limits ours to an instruction set; with avx2 the header-only peers too
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=${HELICITY_BUILD:-$root/build/bench}
arch=native
if [ "${HELICITY_ISA:-}" = avx2 ]; then
  build=$build-avx2
  arch=x86-64-v3
fi

case "${1:-}" in
  -h | --help)
    sed -n '3,8s/^# //p' "$0"
    exit 0
    ;;
esac

options=(-DCMAKE_BUILD_TYPE=Release -DHELICITY_BENCHMARKS=ON -DHELICITY_TESTS=OFF
         -DHELICITY_APPS=OFF -DHELICITY_CUDA=OFF "-DHELICITY_PEER_ARCH=$arch"
         "-DHELICITY_PEERS=${HELICITY_PEERS:-}")
if [ ! -f "$build/CMakeCache.txt" ] && command -v ninja > /dev/null; then
  options+=(-G Ninja)
fi
log=$build/bench-build.log
mkdir -p "$build"
if ! { cmake -S "$root" -B "$build" "${options[@]}" &&
       cmake --build "$build" --target row_bench align_bench -j "$(nproc)"; } > "$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "bench.sh: the build failed; all of it is in $log" >&2
  exit 1
fi

program=$(find "$build" -name row_bench -type f -perm -u+x | head -n 1)
grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: /CPU: /' || true
exec "$program" "$@"
