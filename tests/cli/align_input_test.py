# SPDX-License-Identifier: Apache-2.0
"""Whatever holds the sequences, the results are the same."""

import random
import shutil
import subprocess
import unittest

from support import ProgramTest, main, random_dna, reverse_complement

rng = random.Random(11)
TARGETS = [random_dna(rng, 90) for _ in range(12)]
QUERIES = [t[10:70] for t in TARGETS]


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


class Input(ProgramTest):
    def setUp(self):
        super().setUp()
        self.queries = self.fasta("q.fa", QUERIES)
        self.targets = self.fasta("t.fa", TARGETS)
        self.expected = self.align("--mode", "semi-global", self.queries, self.targets)

    def check(self, queries, targets=None, **options):
        self.assertEqual(
            self.align("--mode", "semi-global", queries, targets or self.targets, **options),
            self.expected)

    def fastq(self, name, end="\n"):
        return self.write(name, "".join(f"@s{i}{end}{s}{end}+{end}{'I' * len(s)}{end}"
                                        for i, s in enumerate(QUERIES)))

    def test_fastq(self):
        self.check(self.fastq("q.fq"))

    def test_gzip(self):
        self.check(self.fastq("q.fq.gz"))

    def test_windows_line_ends(self):
        self.check(self.fastq("q.fq", "\r\n"))

    def test_wrapped_lines_lower_case_no_final_newline(self):
        text = "\n".join(f">s{i}\n" + "\n".join(s[k:k + 7] for k in range(0, len(s), 7)).lower()
                         for i, s in enumerate(QUERIES))
        self.check(self.write("w.fa", text))

    def test_rna(self):
        self.check(self.fasta("rna.fa", [s.replace("T", "U") for s in QUERIES]))

    def test_query_from_standard_input(self):
        with open(self.queries, encoding="utf-8") as file:
            self.check("-", stdin=file.read())

    def test_target_from_standard_input(self):
        with open(self.targets, encoding="utf-8") as file:
            self.check(self.queries, "-", stdin=file.read())

    def test_all_and_sam_from_standard_input(self):
        with open(self.targets, encoding="utf-8") as file:
            text = file.read()
        for format_name in ("tsv", "sam"):
            arguments = ("--all", "--mode", "local", "--format", format_name, self.queries)
            records = [line for line in self.align(*arguments, self.targets).splitlines()
                       if not line.startswith(b"@PG")]
            piped = [line for line in self.align(*arguments, "-", stdin=text).splitlines()
                     if not line.startswith(b"@PG")]
            self.assertEqual(piped, records)

    def test_named_pipe(self):
        out = subprocess.run(
            ["bash", "-c", f"'{self.program}' -q --mode semi-global <(cat {self.queries}) "
                           f"<(cat {self.targets})"], stdout=subprocess.PIPE, check=True)
        self.assertEqual(out.stdout, self.expected)

    @needs("bgzip")
    def test_bgzf(self):
        subprocess.run(["bgzip", "-f", self.fastq("q.fq")], check=True)
        self.check(self.path("q.fq.gz"))

    @needs("samtools")
    def test_unaligned_bam(self):
        subprocess.run(["samtools", "import", "-0", self.fastq("q.fq"), "-o", self.path("q.bam")],
                       check=True, stderr=subprocess.DEVNULL)
        self.check(self.path("q.bam"))

    def test_reads_of_sam_are_taken_as_sequenced(self):
        lines = ["@SQ\tSN:x\tLN:1000\n"]
        for i, s in enumerate(QUERIES):
            flag, shown = (16, reverse_complement(s)) if i % 2 else (0, s)
            lines.append(f"s{i}\t{flag}\tx\t1\t0\t60M\t*\t0\t0\t{shown}\t*\n")
        self.check(self.write("q.sam", "".join(lines)))

    def test_spaces_and_comments_in_names(self):
        row, = self.table(self.fasta("c.fa", [("a b c", "AC")]), self.fasta("d.fa", [("x\ty", "AC")]))
        self.assertEqual((row["query"], row["target"]), ("a", "x"))

    def test_empty_sequences(self):
        rows = self.table(self.fasta("e.fa", ["", "ACG", ""]), self.fasta("f.fa", ["ACG", "", ""]))
        self.assertEqual([(r["score"], r["cigar"], r["status"]) for r in rows],
                         [("-10", "3D", "ok"), ("-10", "3I", "ok"), ("0", ".", "unaligned")])


if __name__ == "__main__":
    main()
