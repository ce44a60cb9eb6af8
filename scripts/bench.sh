#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs rows of the performance table with the peers in the same run:
#   scripts/bench.sh [--pairs=N] [--rounds=N] [--peers-only | --ours-only] [ROW...]
# A1 ... A6: pairwise alignment. L1, L1d: lattice Boltzmann, on two threads and on two ranks. HALO:
# halo exchange on two ranks. W1, W2, W3: storms, against CM1 and miniWeather; RATE: a storm on one
# rank with two threads, and on two ranks, by turns. Without rows: all of them.
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
    sed -n '3,11s/^# //p' "$0"
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
       cmake --build "$build" -j "$(nproc)"; } > "$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "bench.sh: the build failed; all of it is in $log" >&2
  exit 1
fi

grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: /CPU: /' || true

# Rows by the program that runs them; options go to all.
options=() align=() lattice=() storm=() halo=no rate=no
for argument in "$@"; do
  case $argument in
    -*) options+=("$argument") ;;
    L*) lattice+=("$argument") ;;
    W*) storm+=("$argument") ;;
    RATE) rate=yes ;;
    HALO) halo=yes ;;
    *) align+=("$argument") ;;
  esac
done
if [ $# -eq ${#options[@]} ]; then
  lattice=(L1 L1d) storm=(W1 W2 W3) rate=yes halo=yes align=(all)
fi
rounds=()
for option in "${options[@]}"; do
  case $option in --rounds=*) rounds=("$option") ;; esac
done

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
bin=$build/bin
if [ ${#lattice[@]} -gt 0 ]; then
  "$bin/lbm_rows" "${rounds[@]}" --threads=2 "${lattice[@]}"
  if command -v mpirun > /dev/null; then
    mpirun -n 2 --bind-to none "$bin/lbm_rows" "${rounds[@]}" --threads=1 "${lattice[@]}"
  fi
fi
if [ $halo = yes ] && command -v mpirun > /dev/null; then
  mpirun -n 2 --bind-to none "$bin/halo_bench"
fi
status=0
if [ ${#storm[@]} -gt 0 ]; then
  "$bin/storm_rows" "${rounds[@]}" "--peers=${HELICITY_PEERS:-}" \
    "--reference=$build/storm_reference.raw" "${storm[@]}" || status=$?
fi
if [ $rate = yes ]; then
  for _ in 1 2 3; do
    "$bin/storm_rows" "${rounds[@]}" --threads=2 RATE
    if command -v mpirun > /dev/null; then
      mpirun -n 2 --bind-to none "$bin/storm_rows" "${rounds[@]}" --threads=1 RATE
    fi
  done
fi
if [ ${#align[@]} -gt 0 ]; then
  [ "${align[0]}" != all ] || align=()
  "$bin/row_bench" "${options[@]}" "${align[@]}" || status=$?
fi
exit $status
