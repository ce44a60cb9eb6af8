#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what Helicity needs from Debian or Ubuntu packages. Safe to run again.
#   scripts/install_deps.sh [--test] [--dry-run]
#   --test     also what the tests and checks need
#   --dry-run  print what is missing, install nothing
set -euo pipefail

build=(ca-certificates g++ cmake make ninja-build pkg-config git zlib1g-dev libcli11-dev libfmt-dev
  libhwy-dev nlohmann-json3-dev libhts-dev libtomlplusplus-dev libpng-dev libopenmpi-dev openmpi-bin
  libhdf5-openmpi-dev)
test=(libgtest-dev libbenchmark-dev libparasail-dev samtools python3 clang-format-14 netcdf-bin
  hdf5-tools python3-h5py python3-xarray python3-netcdf4 slurm-wlm munge)

packages=("${build[@]}")
dry_run=no
for argument in "$@"; do
  case $argument in
    --test) packages+=("${test[@]}") ;;
    --dry-run) dry_run=yes ;;
    -h | --help) sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "install_deps.sh: error: unknown option '$argument' (try --help)" >&2; exit 2 ;;
  esac
done

if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
  echo "install_deps.sh: error: this system has no apt-get. Install what these Debian packages" \
    "hold, by your own means: ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "install_deps.sh: all ${#packages[@]} packages are installed"
  exit 0
fi
if [ "$dry_run" = yes ]; then
  echo "missing: ${missing[*]}"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "install_deps.sh: error: neither root nor sudo; ask for: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "install_deps.sh: installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${missing[@]}"
