#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds, tests and measures everything that runs on a GPU.
#   scripts/gpu_check.sh --bundle DIR               on a machine with our packages: collects in DIR
#                                                   the headers and libraries that a build needs
#   scripts/gpu_check.sh quick|full [--bundle DIR]  on one with a GPU, CUDA >= 12.4, CMake and g++:
#                                                   needs no network; quick takes 8 minutes at most
# Options of quick and full:
#   --bundle DIR   what the first form made (default: the system's packages)
#   --build DIR    build folder (default build/gpu_check)
#   --out DIR      where gpu_check.json and the logs go (default: the build folder)
#   --tests REGEX  only GPU tests whose name matches
# Exit code: 0 if what was built passed its tests and measurements; 1 if not; 77 without a GPU.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
mode="" bundle="" build=$root/build/gpu_check out="" tests=. runner="" size=""
failures=()

say() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }
die() { echo "gpu_check.sh: error: $*" >&2; exit 2; }
failed() { failures+=("$1"); echo "FAILED: $1"; }
have() { command -v "$1" > /dev/null; }

read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      quick | full) mode=$1 ;;
      --bundle | --build | --out | --tests | --runner | --size)
        [ $# -ge 2 ] || die "$1 needs a value"
        printf -v "${1#--}" '%s' "$2"
        shift ;;
      -h | --help) sed -n '3,14s/^# \{0,1\}//p' "$root/scripts/gpu_check.sh"; exit 0 ;;
      *) die "unknown option '$1' (try --help)" ;;
    esac
    shift
  done
}

find_nvcc() {
  have nvcc || PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
  export PATH
  have nvcc || die "no nvcc on PATH or in /usr/local/cuda/bin"
  local version
  version=$(nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
  [ "$(printf '%s\n12.4\n' "$version" | sort -V | head -n 1)" = 12.4 ] ||
    die "nvcc is of CUDA $version; 12.4 or newer is needed"
}

# One figure that nvidia-smi knows of the first device, or nothing.
smi() {
  ! have nvidia-smi || nvidia-smi --id=0 "--query-gpu=$1" --format=csv,noheader,nounits 2> /dev/null |
    head -n 1 || true
}

# Compute capability of the first device as CMake writes it (90), from a program if need be.
architecture() {
  local found
  found=$(smi compute_cap | tr -d '. ')
  if ! [[ $found =~ ^[0-9]+$ ]]; then
    cat > "$build/architecture.cu" << 'EOF'
#include <cstdio>
int main()
{
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 1;
  std::printf("%d%d", p.major, p.minor);
}
EOF
    found=$(nvcc -o "$build/architecture" "$build/architecture.cu" > /dev/null 2>&1 &&
      "$build/architecture") || found=""
  fi
  echo "$found"
}

# Release, for this device only. A runner (a stand-in for a GPU) needs PTX and the shared runtime.
configure() {
  local arch=90-virtual cudart=Shared
  if [ -z "$runner" ]; then
    cudart=Static arch=$(architecture)
    if [ -z "$arch" ]; then
      echo "gpu_check.sh: no CUDA device answers here"
      exit 77
    fi
    arch+=-real
  fi
  local options=(-DCMAKE_BUILD_TYPE=Release -DHELICITY_CUDA=ON
    "-DHELICITY_CUDA_ARCHITECTURES=$arch" "-DCMAKE_CUDA_RUNTIME_LIBRARY=$cudart"
    -DHELICITY_TESTS=ON -DHELICITY_BENCHMARKS=ON -DHELICITY_APPS=OFF -DHELICITY_MPI=AUTO
    -DHELICITY_HDF5=AUTO -DHELICITY_HTS=AUTO "-DHELICITY_SKIP_ROOMS=cli;install;slurm;fuzz"
    "-DHELICITY_GPU_RUNNER=$runner" "-DCMAKE_PREFIX_PATH=$bundle")
  [ -f "$build/CMakeCache.txt" ] || ! have ninja || options+=(-G Ninja)
  if have ccache; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  cmake -S "$root" -B "$build" "${options[@]}"
}

# left LIMIT: seconds that a step may take, so that quick ends within its 8 minutes.
left() {
  local rest=$((470 - SECONDS))
  if [ "$mode" = quick ] && [ -z "$runner" ] && [ $rest -lt "$1" ]; then
    echo $((rest > 1 ? rest : 1))
  else
    echo "$1"
  fi
}

# step NAME SECONDS COMMAND...: its output in NAME.log; the end of that, and its status, if it fails.
step() {
  local name=$1 limit=$2 status=0
  shift 2
  timeout -k 10 "$limit" "$@" > "$out/$name.log" 2>&1 || status=$?
  [ $status -ne 0 ] || return 0
  tail -n 25 "$out/$name.log"
  [ $status -ne 124 ] || echo "(ended after $limit s)"
  return $status
}

build_all() {
  say "Configuring in $build"
  (configure) > "$out/configure.log" 2>&1 || {
    local status=$?
    tail -n 25 "$out/configure.log"
    [ $status -eq 77 ] || echo "FAILED: configuring (all of it: $out/configure.log)"
    exit $status
  }
  sed -n '/Helicity [0-9]/,/BENCHMARKS/p' "$out/configure.log"
  say "Building with $(nproc) cores"
  local before=$SECONDS
  step build "$(left 3000)" cmake --build "$build" -j "$(nproc)" --target gpu_tests gpu_rows || {
    echo "FAILED: building (all of it: $out/build.log)"
    exit 1
  }
  build_seconds=$((SECONDS - before))
  echo "built in $build_seconds s"
}

run_tests() {
  say "Tests labelled gpu"
  local jobs=$(($(nproc) / 2)) limit=150 long=(-LE long) before=$SECONDS
  [ $jobs -ge 1 ] || jobs=1
  [ $jobs -le 8 ] || jobs=8
  if [ "$mode" = full ]; then
    limit=3600 long=()
    export HELICITY_SCORE_PAIRS=${HELICITY_SCORE_PAIRS:-5000}
    export HELICITY_TRACE_PAIRS=${HELICITY_TRACE_PAIRS:-5000}
  fi
  [ -z "$runner" ] || limit=3600
  limit=$(left "$limit")
  step tests "$limit" ctest --test-dir "$build" -L gpu "${long[@]}" -R "$tests" -j "$jobs" \
    --timeout "$limit" --output-on-failure --no-tests=error || failed "GPU tests (tests.log)"
  tests_passed=$(grep -c ' Passed ' "$out/tests.log" || true)
  tests_failed=$(grep -c -E '\*\*\*(Failed|Timeout|Exception|Not Run)' "$out/tests.log" || true)
  local skipped
  skipped=$(grep -c '\*\*\*Skipped' "$out/tests.log" || true)
  grep -E '\*\*\*' "$out/tests.log" | sed 's/^/  /' || true
  echo "$tests_passed passed, $tests_failed failed, $skipped skipped in $((SECONDS - before)) s"
  [ "$tests_passed" -gt 0 ] || failed "no GPU test ran"
}

# sanitize TOOL PROGRAM [FILTER]: one program under compute-sanitizer. Being slow is no failure.
sanitize() {
  local name=$1-$2 limit status=0 options=(--tool "$1" --error-exitcode 9)
  limit=$(left 60)
  if [ "$limit" -lt 15 ]; then
    echo "  $1 $2: left out, time is up"
    return
  fi
  [ "$1" != memcheck ] || options+=(--report-api-errors no)
  HELICITY_SCORE_PAIRS=4 HELICITY_TRACE_PAIRS=4 step "$name" "$limit" compute-sanitizer \
    "${options[@]}" "$build/bin/$2" "--gtest_filter=${3:-*}" || status=$?
  case $status in
    0) echo "  $1 $2: $(grep -E -o '(ERROR|RACECHECK) SUMMARY: .*' "$out/$name.log" | tail -n 1)" ;;
    124 | 137) echo "  $1 $2: not done in $limit s" ;;
    *) failed "compute-sanitizer $1 $2 ($name.log)" ;;
  esac
}

run_sanitizer() {
  say "compute-sanitizer"
  if [ -n "$runner" ] || ! have compute-sanitizer; then
    echo "left out: it is not on PATH, or a stand-in runs the tests"
    return
  fi
  if ! compute-sanitizer "$build/bin/test_grid_gpu" --gtest_list_tests > "$out/sanitizer.log" 2>&1 ||
     grep -q 'Device not supported' "$out/sanitizer.log"; then
    echo "left out: it does not work here (sanitizer.log)"
    return
  fi
  sanitize memcheck test_core_gpu
  sanitize memcheck test_grid_gpu
  sanitize memcheck test_fluid_gpu '*force*'
  sanitize memcheck test_align_score_packed 'Variants/*'
  sanitize memcheck test_align_trace_batch '*Borders*'
  sanitize racecheck test_grid_gpu
  sanitize racecheck test_align_score_packed 'Variants/*/0:Variants/*/4'
  sanitize racecheck test_align_trace_batch '*Borders*'
  [ "$mode" = full ] || return 0
  sanitize memcheck test_comm_gpu
  sanitize memcheck test_align_score_batch
  sanitize memcheck test_weather_gpu '*slabs*'
  sanitize racecheck test_fluid_gpu '*force*'
}

# Clocks, power and temperature every second while the benchmarks run.
watch_clocks() {
  have nvidia-smi || return 0
  nvidia-smi --id=0 --query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu \
    --format=csv,noheader,nounits -lms 1000 > "$out/clocks.csv" 2> /dev/null &
  watcher=$!
}

stop_watching() {
  [ -n "$watcher" ] || return 0
  kill "$watcher" 2> /dev/null || true
  wait "$watcher" 2> /dev/null || true
  watcher=""
  awk -F ', *' 'NR == 1 || $1 < low { low = $1 } $1 > high { high = $1 } $2 > memory { memory = $2 }
    $3 > power { power = $3 } $4 > heat { heat = $4 }
    END { if (NR) printf "clocks seen: %d to %d MHz, memory %d MHz; %d W, %d C at most\n",
      low, high, memory, power, heat }' "$out/clocks.csv"
}

run_benchmarks() {
  say "Kernels at sizes that fill the chip"
  local limit=120 status=0 command=("$build/bin/gpu_rows" "--size=${size:-$mode}"
    "--json=$out/rows.json")
  [ "$mode" = quick ] || limit=1800
  [ -z "$runner" ] || limit=3600
  limit=$(left "$limit")
  # shellcheck disable=SC2206  # a runner is a command with its options
  [ -z "$runner" ] || command=($runner "${command[@]}" --clock=1980)
  watch_clocks
  timeout -k 10 "$limit" "${command[@]}" 2>&1 | tee "$out/table.txt" || status=$?
  stop_watching
  [ $status -ne 124 ] || failed "benchmarks took more than $limit s"
  [ $status -eq 0 ] || [ $status -eq 124 ] || failed "benchmarks (exit code $status)"
}

write_json() {
  local lines=""
  [ ${#failures[@]} -eq 0 ] || lines=$(printf '"%s",' "${failures[@]//\"/}")
  {
    printf '{\n"mode": "%s", "seconds": %d, "build_seconds": %d,\n' "$mode" "$SECONDS" "$build_seconds"
    printf '"cuda": "%s", "driver": "%s", "max_sm_clock_mhz": "%s", "cores": %d,\n' \
      "$(nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')" "$(smi driver_version)" \
      "$(smi clocks.max.sm)" "$(nproc)"
    printf '"tests_passed": %d, "tests_failed": %d, "failures": [%s],\n"kernels": ' \
      "$tests_passed" "$tests_failed" "${lines%,}"
    if [ -s "$out/rows.json" ]; then cat "$out/rows.json"; else echo null; fi
    echo '}'
  } > "$out/gpu_check.json"
}

read_options "$@"
if [ -z "$mode" ]; then
  [ -n "$bundle" ] || die "quick, full or --bundle DIR? (try --help)"
  bash "$root/scripts/gpu_check/bundle.sh" "$bundle"
  echo "gpu_check.sh: $(du -sh "$bundle" | cut -f 1) in $bundle"
  exit 0
fi
[ -z "$bundle" ] || bundle=$(cd "$bundle" 2> /dev/null && pwd) || die "no such folder: --bundle"
build_seconds=0 tests_passed=0 tests_failed=0 watcher=""
out=${out:-$build}
mkdir -p "$build" "$out"
rm -f "$out/rows.json" "$out/gpu_check.json"
trap stop_watching EXIT
find_nvcc
have cmake || die "no cmake on PATH"
build_all
run_tests
run_benchmarks
run_sanitizer
write_json
say "Done: $out/gpu_check.json"
if [ ${#failures[@]} -gt 0 ]; then
  printf 'FAILED: %s\n' "${failures[@]}"
  exit 1
fi
echo "all passed"
