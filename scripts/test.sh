#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and runs every test but the long ones; the last line is
# "N passed, N failed". Arguments go to ctest (-R NAME, -L LABEL, ...).
#   HELICITY_BUILD_DIR   where to build (build/test)
#   HELICITY_GPU_RUNNER  command that GPU tests run under where no GPU is
set -euo pipefail
cd "$(dirname "$0")/.."

build=${HELICITY_BUILD_DIR:-build/test}
jobs=$(nproc)
unset CMAKE_BUILD_TYPE

scripts/install_deps.sh --test

launcher=()
if command -v ccache > /dev/null; then
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
fi
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHELICITY_TESTS=ON \
  -DHELICITY_APPS=ON -DHELICITY_WERROR=ON \
  -DHELICITY_GPU_RUNNER="${HELICITY_GPU_RUNNER:-}" "${launcher[@]}"
cmake --build "$build" -j "$jobs"

results=$build/results.xml
rm -f "$results"
status=0
ctest --test-dir "$build" --output-on-failure -j "$jobs" -LE long \
  --output-junit results.xml "$@" || status=$?

# CTest's own counts: <testsuite ... tests="N" failures="N" disabled="N" skipped="N" ...>
count() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$results" | head -n 1; }
total=$(count tests) failed=$(count failures) skipped=$(count skipped)
summary="$((total - failed - skipped)) passed, $failed failed"
[ "$skipped" -eq 0 ] || summary+=", $skipped skipped"
echo "$summary"
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$total" -gt 0 ]
