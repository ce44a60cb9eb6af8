#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of the aligners that the benchmarks compare with.
# Newer ones that you built yourself: see HELICITY_PEERS in benchmarks/README.md.
set -euo pipefail

packages=(libparasail-dev libseqan2-dev libseqan3-dev libwfa2-dev libssw-dev libedlib-dev)

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
