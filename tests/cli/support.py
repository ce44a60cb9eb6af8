# SPDX-License-Identifier: Apache-2.0
"""What the tests of the programs share: running them, writing inputs, reading and checking results."""

import gzip
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BIN = Path(os.environ.get("HELICITY_BIN_DIR", "build/bin")).resolve()
DATA = Path(os.environ.get("HELICITY_DATA_DIR", Path(__file__).parents[2] / "data")).resolve()
ALIGN = BIN / "helicity-align"

COLUMNS = ("query target score query_begin query_end target_begin target_end strand cigar identity "
           "nm status").split()
COMPLEMENT = str.maketrans("ACGTUNacgtun", "TGCAANtgcaan")


def reverse_complement(sequence):
    return sequence.translate(COMPLEMENT)[::-1]


def cigar_runs(text):
    return [(int(n), op) for n, op in re.findall(r"(\d+)([MIDSX=])", text)]


def random_dna(rng, length):
    return "".join(rng.choices("ACGT", k=length))


def mutate(rng, sequence, rate):
    """Substitutions, insertions and deletions, a third each."""
    out = []
    for letter in sequence:
        kind = rng.random() / rate * 3 if rate else 3
        if kind < 1:
            out.append(rng.choice("ACGT"))
        elif kind < 2:
            out.append(letter + rng.choice("ACGT"))
        elif kind >= 3:
            out.append(letter)
    return "".join(out)


class ProgramTest(unittest.TestCase):
    """Each test has an empty folder, self.dir."""

    program = ALIGN

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="helicity-cli-")
        self.addCleanup(folder.cleanup)
        self.dir = Path(folder.name)

    def path(self, name):
        return str(self.dir / name)

    def write(self, name, text):
        data = text if isinstance(text, bytes) else text.encode()
        opener = gzip.open if name.endswith(".gz") else open
        with opener(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def fasta(self, name, records):
        """records: sequences, or (header, sequence)."""
        pairs = [r if isinstance(r, tuple) else (f"s{i}", r) for i, r in enumerate(records)]
        return self.write(name, "".join(f">{header}\n{seq}\n" for header, seq in pairs))

    def run_program(self, *arguments, program=None, stdin=None, env=None, **options):
        if isinstance(stdin, str):
            stdin = stdin.encode()
        return subprocess.run([str(program or self.program), *map(str, arguments)], input=stdin,
                              stdout=options.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                              env={**os.environ, **(env or {})},
                              timeout=options.pop("timeout", 500), **options)

    def align(self, *arguments, **options):
        """Runs helicity-align, which must succeed; what it wrote to standard output."""
        result = self.run_program("-q", *arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual(result.stderr, b"")
        return result.stdout

    def table(self, *arguments, **options):
        """Rows of a tsv run, as dictionaries of strings."""
        lines = self.align(*arguments, **options).decode().splitlines()
        self.assertEqual(lines[0].split("\t"), COLUMNS)
        rows = [line.split("\t") for line in lines[1:]]
        for row in rows:
            self.assertEqual(len(row), len(COLUMNS), row)
        return [dict(zip(COLUMNS, row)) for row in rows]

    def assert_fails(self, code, *expected, arguments, **options):
        """A one-line error that names all of `expected`."""
        result = self.run_program(*arguments, **options)
        text = result.stderr.decode()
        self.assertEqual(result.returncode, code, text)
        self.assertTrue(text.startswith(f"{self.program.name}: error: "), text)
        self.assertEqual(text.count("\n"), 1, text)
        for part in expected:
            self.assertIn(part, text)
        return text

    def assert_row_is_sound(self, row, query, target, score):
        """The path spans what the row says, and earns its score; NM and identity follow from it."""
        if row["cigar"] == ".":  # all of both sequences left out at free ends
            self.assertEqual(row["score"], "0")
            return
        begin, end = int(row["query_begin"]), int(row["query_end"])
        letters = query[begin:end].upper().replace("U", "T")
        if row["strand"] == "-":
            letters = reverse_complement(letters)
        opposite = target[int(row["target_begin"]):int(row["target_end"])].upper().replace("U", "T")
        i = j = total = equal = columns = 0
        for length, op in cigar_runs(row["cigar"]):
            columns += length
            if op in "=X":
                for a, b in zip(letters[i:i + length], opposite[j:j + length], strict=True):
                    self.assertEqual(op == "=", a == b and a in "ACGT", row)
                    total += score.match if op == "=" else -score.mismatch
                equal += length if op == "=" else 0
                i, j = i + length, j + length
            else:
                total -= score.gap_open + length * score.gap_extend
                i, j = (i + length, j) if op == "I" else (i, j + length)
        self.assertEqual((i, j), (len(letters), len(opposite)), row)
        self.assertEqual(total, int(row["score"]), row)
        self.assertEqual(columns - equal, int(row["nm"]), row)
        self.assertAlmostEqual(equal / columns, float(row["identity"]), places=4)


class Score:
    """A scoring scheme for DNA; the defaults are the program's."""

    def __init__(self, match=2, mismatch=4, gap_open=4, gap_extend=2):
        self.match, self.mismatch = match, mismatch
        self.gap_open, self.gap_extend = gap_open, gap_extend

    def arguments(self):
        return ["--match", self.match, "--mismatch", self.mismatch, "--gap-open", self.gap_open,
                "--gap-extend", self.gap_extend]


def best_score(query, target, mode, score, free=("target_begin", "target_end")):
    """Gotoh's recurrence, row by row: the slow and obvious way to the score."""
    low = -10**9
    local = mode == "local"
    free = free if mode == "semi-global" else ()
    edge = lambda length, is_free: 0 if local or is_free else \
        -(score.gap_open + length * score.gap_extend) if length else 0
    above = [edge(j, "target_begin" in free) for j in range(len(target) + 1)]
    insertion = [low] * (len(target) + 1)
    ends = [above[-1]] if "query_end" in free or not query else []
    best = max(above) if local else low
    for i, a in enumerate(query, 1):
        row = [edge(i, "query_begin" in free)]
        deletion = low
        for j, b in enumerate(target, 1):
            deletion = max(deletion, row[j - 1] - score.gap_open) - score.gap_extend
            insertion[j] = max(insertion[j], above[j] - score.gap_open) - score.gap_extend
            same = a == b and a in "ACGT"
            cell = max(above[j - 1] + (score.match if same else -score.mismatch), deletion,
                       insertion[j])
            row.append(max(cell, 0) if local else cell)
        above = row
        best = max(best, *row) if local else best
        if "query_end" in free:
            ends.append(row[-1])
    if local:
        return best
    if "target_end" in free:
        ends += above
    return max(ends + [above[-1]])


def main(program=ALIGN):
    if not program.exists():
        print(f"{program} is not there", file=sys.stderr)
        sys.exit(77)
    random.seed(1)
    unittest.main(verbosity=1)
