#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzers with clang and runs each for SECONDS, one after the other, starting from the
# stored inputs: tests/fuzz/run.sh SECONDS [TARGET...]. Findings and new inputs stay in build/fuzz.
set -euo pipefail

if [[ $# -lt 1 ]]; then
  echo "usage: tests/fuzz/run.sh SECONDS [reader|matrix]..." >&2
  exit 2
fi
seconds=$1
shift
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(reader matrix)

root=$(cd "$(dirname "$0")/../.." && pwd)
build=${HELICITY_FUZZ_BUILD:-$root/build/fuzz}
cmake -S "$root" -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-clang++}" -DHELICITY_FUZZ=ON \
  -DHELICITY_CUDA=OFF -DHELICITY_MPI=OFF -DHELICITY_HDF5=OFF -DHELICITY_APPS=OFF
cmake --build "$build" --target "${targets[@]/#/fuzz_}" -j "$(nproc)"

for target in "${targets[@]}"; do
  mkdir -p "$build/found/$target"
  nice -n 19 "$build/bin/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -print_final_stats=1 -artifact_prefix="$build/found/$target-" \
    "$build/found/$target" "$root/tests/fuzz/corpus/$target" 2>&1 | tail -n 15
done
