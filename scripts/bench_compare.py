#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of ours on rows of the performance table: interleaved rounds, medians.

A change that claims speed carries the table this prints (Markdown):
    scripts/bench_compare.py BASE_BUILD NEW_BUILD [--rounds N] [--pairs N] [ROW...]
"""

import argparse
import pathlib
import statistics
import subprocess
import sys


def find_program(build):
    """The row_bench of a build folder, or the path itself if it is a program."""
    path = pathlib.Path(build)
    if path.is_file():
        return path
    for program in sorted(path.rglob("row_bench")):
        if program.is_file():
            return program
    sys.exit(f"bench_compare.py: error: no row_bench below {build}")


def run_once(program, pairs, rows):
    """GCUPS of ours in one round, as {row: value}."""
    command = [program, "--ours-only", "--tsv", "--rounds=1", f"--pairs={pairs}", *rows]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench_compare.py: error: {program}: {done.stderr.strip()}")
    fields = (line.split("\t") for line in done.stdout.splitlines())
    return {row: float(gcups) for row, name, gcups in fields if name == "helicity"}


def describe(values):
    return f"{statistics.median(values):.2f} [{min(values):.2f} .. {max(values):.2f}]"


def print_table(rows, base, new):
    print("| row | base GCUPS | new GCUPS | new / base | round by round |")
    print("|---|---:|---:|---:|---:|")
    for row in rows:
        ratios = [after[row] / before[row] for before, after in zip(base, new)]
        before = [values[row] for values in base]
        after = [values[row] for values in new]
        ratio = statistics.median(after) / statistics.median(before)
        print(f"| {row} | {describe(before)} | {describe(after)} | {ratio:.2f} "
              f"| {min(ratios):.2f} .. {max(ratios):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="build folder (or row_bench) to compare with")
    parser.add_argument("new", help="build folder (or row_bench) of the change")
    parser.add_argument("rows", nargs="*", help="rows such as A1; default: all")
    parser.add_argument("--rounds", type=int, default=7, help="default: %(default)s")
    parser.add_argument("--pairs", type=int, default=20000, help="default: %(default)s")
    arguments = parser.parse_intermixed_args()

    programs = [find_program(arguments.base), find_program(arguments.new)]
    base, new = [], []
    for _ in range(arguments.rounds):
        base.append(run_once(programs[0], arguments.pairs, arguments.rows))
        new.append(run_once(programs[1], arguments.pairs, arguments.rows))
    rows = [row for row in new[0] if row in base[0]]
    if not rows:
        sys.exit("bench_compare.py: error: the two builds have no row in common")
    print_table(rows, base, new)


if __name__ == "__main__":
    main()
