#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the files of data/ again, from the example packages of Debian 12, and checks their sums.
# Needs apt-get, dpkg-deb, python3 and gzip; installs nothing. scripts/fetch_data.sh [FOLDER]
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
data=$(mkdir -p "${1:-$root/data}" && cd "${1:-$root/data}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$work"
for package in bowtie2-examples minimap2 hmmer-examples r-bioc-biostrings; do
  apt-get download -q -o APT::Sandbox::User=root "$package" >/dev/null
  dpkg-deb -x "$package"_*.deb "$work"
done
examples=$work/usr/share/doc/bowtie2/examples

pack() { gzip -n9 > "$data/$1"; }
zcat "$examples/reference/lambda_virus.fa.gz" | pack lambda.fa.gz
python3 "$root/scripts/make_windows.py" "$examples/reference/lambda_virus.fa.gz" \
  "$examples/reads/reads_1.fq.gz" "$data/lambda_reads.fq.gz" "$data/lambda_windows.fa" --count 300

python3 "$root/scripts/extract_phix.py" "$work/usr/lib/R/site-library/Biostrings/data" \
  "$data/phix174.fa.gz" "$data/phix_reads.fq.gz"

for name in human orang; do
  zcat "usr/share/doc/minimap2/test/MT-$name.fa.gz" | pack "mt_$name.fa.gz"
done
cat usr/share/doc/hmmer/examples/tutorial/globins45.fa > "$data/globins.fa"

cd "$data"
sha256sum --check --quiet "$root/data/SHA256SUMS" && echo "data: all files as recorded"
