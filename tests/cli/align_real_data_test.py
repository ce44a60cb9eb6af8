# SPDX-License-Identifier: Apache-2.0
"""Real sequences of data/: results that must not change, and that hold when checked by hand."""

import gzip
import sys

from support import DATA, ProgramTest, Score, best_score, main

READS, WINDOWS = DATA / "lambda_reads.fq.gz", DATA / "lambda_windows.fa"
LAMBDA, GLOBINS = DATA / "lambda.fa.gz", DATA / "globins.fa"


def read_fasta(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
        return ["".join(record.split("\n")[1:]) for record in file.read().split(">")[1:]]


def read_fastq(path):
    with gzip.open(path, "rt") as file:
        return [line.strip() for i, line in enumerate(file) if i % 4 == 1]


def total(rows, column):
    return sum(int(row[column]) for row in rows if row[column] != ".")


class RealData(ProgramTest):
    def test_reads_and_windows(self):
        rows = self.table("--mode", "semi-global", READS, WINDOWS)
        reads, windows = read_fastq(READS), read_fasta(WINDOWS)
        for row, read, window in zip(rows, reads, windows, strict=True):
            self.assert_row_is_sound(row, read, window, Score())
        for row, read, window in list(zip(rows, reads, windows))[::30]:
            self.assertEqual(int(row["score"]), best_score(read, window, "semi-global", Score(),
                                                           ("target_begin", "target_end")))
        self.assertEqual((total(rows, "score"), total(rows, "nm")), (61478, 789))
        self.assertEqual(list(rows[0].values()),
                         ["r1", "NC_001416.1:18371-18552", "226", "0", "122", "30", "152", "+",
                          "59=1X13=1X21=1X26=", "0.9754", "3", "ok"])

    def test_reads_find_their_windows_in_the_genome(self):
        rows = self.table("--mode", "semi-global", "--both-strands", "--all", READS, LAMBDA)
        self.assertEqual(total(rows, "score"), 61478)
        for row, window in zip(rows, self.table("--mode", "semi-global", READS, WINDOWS)):
            region, _, reverse = window["target"].partition("/")
            begin, end = map(int, region.split(":")[1].split("-"))
            self.assertEqual(row["score"], window["score"], row)
            self.assertEqual(row["strand"], "-" if reverse else "+", row)
            self.assertTrue(begin <= int(row["target_end"]) <= end, row)

    def test_two_genomes(self):
        human, orang = DATA / "mt_human.fa.gz", DATA / "mt_orang.fa.gz"
        for mode, score, nm in (("global", 16102, 3367), ("local", 18198, 2324)):
            row, = self.table("--mode", mode, human, orang)
            self.assert_row_is_sound(row, read_fasta(human)[0], read_fasta(orang)[0], Score())
            self.assertEqual((int(row["score"]), int(row["nm"])), (score, nm))
        self.assertEqual(row["query_begin"], "576")  # where the other genome's file starts

    def test_versions_of_phix174(self):
        path = DATA / "phix174.fa.gz"
        rows = self.table("--all", path, path)
        self.assertEqual(len(rows), 36)
        first = {row["target"]: row for row in rows[:6]}
        self.assertEqual(first["phiX174_Genbank"]["cigar"], "5386=")
        self.assertEqual(first["phiX174_SS78"]["cigar"], "586=1X245=1X1897=1X79=1X2575=")

    def test_globins(self):
        rows = self.table("--protein", "--all", "--score-only", GLOBINS, GLOBINS)
        count = len(read_fasta(GLOBINS))
        self.assertEqual((len(rows), total(rows, "score")), (count**2, 639557))
        score = {(row["query"], row["target"]): int(row["score"]) for row in rows}
        for (query, target), value in score.items():
            self.assertEqual(value, score[target, query])
            self.assertLessEqual(value, score[query, query])


if __name__ == "__main__":
    if not READS.exists():
        print(f"{DATA} has no sequences (scripts/fetch_data.sh)")
        sys.exit(77)
    main()
