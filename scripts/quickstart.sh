#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to aligned sequences and a flow: installs what is missing, builds, runs.
# Safe to run again.
#   HELICITY_BUILD_DIR  where to build (build)
set -euo pipefail
cd "$(dirname "$0")/.."

build=${HELICITY_BUILD_DIR:-build}
out=$build/quickstart
bin=$build/bin
unset CMAKE_BUILD_TYPE

say() { printf '\n== %s\n' "$*"; }
# Shows a command, then runs it.
show() { printf '$ %s\n' "$*"; "$@"; }
# Sets a table with tabs in columns.
columns() {
  awk -F '\t' '{ for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
    END { for (r = 1; r <= NR; r++) { line = ""
      for (i = 1; i <= NF; i++) line = line sprintf("%-" (width[i] + 2) "s", cell[r, i])
      sub(/ +$/, "", line); print line } }'
}
# The record of a FASTA file that bears a name.
record() { awk -v name=">$1" '/^>/ { found = $1 == name } found' "$2"; }

say "What is needed"
scripts/install_deps.sh

say "Building in $build"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHELICITY_TESTS=OFF
cmake --build "$build" -j "$(nproc)"
mkdir -p "$out"

say "This machine"
show "$bin/helicity-info"

say "300 reads of phage lambda, each with the part of the genome that it comes from"
show "$bin/helicity-align" --mode semi-global -o "$out/reads.tsv" \
  data/lambda_reads.fq.gz data/lambda_windows.fa
head -n 6 "$out/reads.tsv" | cut -f 1,3,6-8,10,11 | columns
awk -F '\t' 'NR > 1 { n++; identity += $10; nm += $11 }
  END { printf "...\n%d reads, mean identity %.2f %%, %d differences in all\n", n, 100 * identity / n, nm }' \
  "$out/reads.tsv"

say "The first of them, letter by letter"
show "$bin/helicity-align" -q --mode semi-global --format pretty -o "$out/reads.txt" \
  data/lambda_reads.fq.gz data/lambda_windows.fa
head -n 15 "$out/reads.txt"

say "The same reads with the whole genome, both strands, as SAM"
show "$bin/helicity-align" --all --both-strands --mode semi-global --format sam \
  -o "$out/reads.sam" data/lambda_reads.fq.gz data/lambda.fa.gz
grep -v '^@' "$out/reads.sam" | sed -n 1,4p | cut -f 1-6,12-

say "Two genomes: the mitochondria of human and orangutan"
show "$bin/helicity-align" --mode local -o "$out/genomes.tsv" \
  data/mt_human.fa.gz data/mt_orang.fa.gz
cut -f 1-8,10,11 "$out/genomes.tsv" | columns

say "Two proteins: myoglobin of a whale and haemoglobin of the orangutan"
record MYG_ESCGI data/globins.fa > "$out/myoglobin.fa"
record HBA_PONPY data/globins.fa > "$out/haemoglobin.fa"
show "$bin/helicity-align" -q --protein --format pretty "$out/myoglobin.fa" "$out/haemoglobin.fa"

say "A vortex street behind a cylinder, by the lattice Boltzmann method"
show "$bin/helicity-fluid" lbm run examples/cases/cylinder.toml --output.directory "$out" \
  --output.every 10000
ls "$out"/cylinder*

say "Cold air falls and spreads: the density current of Straka et al."
show "$bin/helicity-weather" storm run --case density-current --output.directory "$out" \
  --output.image_every 900
ls "$out"/density-current*

say "Published and exact flows, and ours"
show "$bin/helicity-fluid" lbm validate -q --quick

say "Done. The programs are in $bin, these results in $out; $bin/helicity-align --help tells more."
