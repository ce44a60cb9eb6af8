#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats every C++ and CUDA file with clang-format 14; --check only says what it would change.
set -euo pipefail
cd "$(dirname "$0")/.."

tool=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$tool" ]; then
  echo "format.sh: error: no clang-format (apt-get install clang-format-14)" >&2
  exit 77
fi
mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run -Werror)
find lib kernels apps tests benchmarks examples -type f \
  \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
  xargs -0 -r "$tool" "${mode[@]}"
