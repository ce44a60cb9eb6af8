#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds where reads lie on a genome, by exact seeds, and writes the reads that were found together
with a window of the genome around each: the i-th window belongs to the i-th read. A window is named
as samtools names a region, with /rc if it is the reverse complement, which the read then resembles.
A read whose window is one already written is left out.

make_windows.py GENOME.fa READS.fq OUT_READS OUT_WINDOWS [--count N] [--seed K] [--flank B]
Names that end in .gz are gzip files.
"""
import argparse
import collections
import gzip
import io

COMPLEMENT = str.maketrans("ACGTN", "TGCAN")


def open_text(path, mode):
    if not path.endswith(".gz"):
        return open(path, mode)
    if mode == "r":
        return gzip.open(path, "rt")
    raw = gzip.GzipFile(path, "wb", compresslevel=9, mtime=0)
    return io.TextIOWrapper(raw, newline="\n")


def read_genome(path):
    with open_text(path, "r") as file:
        name = file.readline()[1:].split()[0]
        if name.startswith("gi|"):
            name = name.split("|")[3]
        sequence = ""
        for line in file:
            if line.startswith(">"):
                break
            sequence += line.strip().upper()
    return name, sequence


def read_reads(path):
    with open_text(path, "r") as file:
        while header := file.readline():
            sequence = file.readline().strip()
            file.readline()
            yield header[1:].strip(), sequence, file.readline().strip()


def seed_index(sequence, size):
    index = collections.defaultdict(list)
    for i in range(len(sequence) - size + 1):
        index[sequence[i : i + size]].append(i)
    return index


def place(read, index, size):
    """Start of the read on the strand of the index and the seeds that say so; None if unclear."""
    votes = collections.Counter()
    for i in range(len(read) - size + 1):
        for position in index.get(read[i : i + size], ()):
            votes[(position - i + 4) // 8] += 1
    best = votes.most_common(1)
    if not best:
        return None
    bin_, count = best[0]
    rivals = [n for b, n in votes.items() if abs(b - bin_) > 1]
    return (bin_ * 8, count) if count >= 2 and 2 * max(rivals, default=0) < count else None


def main():
    parser = argparse.ArgumentParser()
    for name in ("genome", "reads", "out_reads", "out_windows"):
        parser.add_argument(name)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--flank", type=int, default=30)
    args = parser.parse_args()

    name, forward = read_genome(args.genome)
    reverse = forward.translate(COMPLEMENT)[::-1]
    indices = [seed_index(strand, args.seed) for strand in (forward, reverse)]
    found = 0
    names = set()
    with open_text(args.out_reads, "w") as reads, open_text(args.out_windows, "w") as windows:
        for header, read, quality in read_reads(args.reads):
            places = [place(read, index, args.seed) for index in indices]
            if found == args.count or (places[0] is None) == (places[1] is None):
                continue
            backward = places[0] is None
            start = places[backward][0]
            begin = max(0, start - args.flank)
            end = min(len(forward), start + len(read) + args.flank)
            window = (reverse if backward else forward)[begin:end]
            if backward:
                begin, end = len(forward) - end, len(forward) - begin
            region = f"{name}:{begin + 1}-{end}{'/rc' if backward else ''}"
            if region in names:  # SAM wants names that differ
                continue
            names.add(region)
            reads.write(f"@{header}\n{read}\n+\n{quality}\n")
            windows.write(f">{region}\n{window}\n")
            found += 1
    print(f"{found} reads placed on {name} ({len(forward)} letters)")


if __name__ == "__main__":
    main()
