# SPDX-License-Identifier: Apache-2.0
"""Every wrong input ends with one line that says what and where, a fitting exit code, and no output."""

import json
import os
import signal
import subprocess
import unittest

from support import ALIGN, BIN, ProgramTest, main


class Errors(ProgramTest):
    def setUp(self):
        super().setUp()
        self.q = self.fasta("q.fa", ["ACGT", "GGTT"])
        self.t = self.fasta("t.fa", ["ACGT", "GGTT"])

    def fails(self, code, *expected, arguments, **options):
        """Fails, and leaves no output file behind, whole or half."""
        before = set(os.listdir(self.dir))
        text = self.assert_fails(code, *expected, arguments=["-o", self.path("out"), *arguments],
                                 **options)
        self.assertEqual(set(os.listdir(self.dir)), before)
        return text

    # --- the command line

    def test_unknown_option(self):
        self.fails(2, "--formt", "did you mean '--format'", arguments=["--formt", "sam", self.q, self.t])

    def test_missing_argument(self):
        self.fails(2, "TARGET", arguments=[self.q])

    def test_one_file_too_many(self):
        self.fails(2, "extra", arguments=[self.q, self.t, "extra"])

    def test_unknown_words(self):
        for option, word, nearest in (("--format", "sma", "sam"), ("--mode", "semiglobal", "semi-global"),
                                      ("--free-ends", "querry", "query"),
                                      ("--alphabet", "protien", "protein"), ("--device", "cudaa", "cuda")):
            with self.subTest(option):
                mode = ["--mode", "semi-global"] if option == "--free-ends" else []
                self.fails(2, option, word, f"did you mean '{nearest}'",
                           arguments=[*mode, option, word, self.q, self.t])

    def test_values_that_are_no_numbers(self):
        for option in ("--match", "--gap-open", "--threads"):
            self.fails(2, option, arguments=[option, "two", self.q, self.t])
        self.fails(2, "--memory", "much", arguments=["--memory", "much", self.q, self.t])

    def test_contradictions(self):
        for arguments, part in ((["--score-only", "--format", "sam"], "--score-only"),
                                (["--free-ends", "query"], "semi-global"),
                                (["--protein", "--both-strands"], "--both-strands"),
                                (["--protein", "--match", "1"], "--match"),
                                (["--protein", "--alphabet", "dna"], "--protein"),
                                (["--blast-gaps", "--gap-open", "1"], "--blast-gaps")):
            with self.subTest(arguments):
                self.fails(2, part, arguments=[*arguments, self.q, self.t])

    def test_costs_out_of_range(self):
        self.fails(2, "gap", arguments=["--gap-open", "-1", self.q, self.t])
        self.fails(2, "40000", arguments=["--match", "40000", self.q, self.t])

    def test_both_from_standard_input(self):
        self.fails(2, "standard input", arguments=["-", "-"], stdin="")

    def test_cuda_where_there_is_none(self):
        info = json.loads(self.run_program("--json", program=BIN / "helicity-info").stdout)
        if info["cuda"]["devices"]:
            self.skipTest("there is a CUDA device")
        self.fails(2, info["cuda"]["why_none"], arguments=["--device", "cuda", self.q, self.t])

    def test_output_that_is_an_input(self):
        for path in (self.q, self.t):
            self.assert_fails(2, "would replace an input", arguments=["-o", path, self.q, self.t])

    # --- files

    def test_missing_file(self):
        for arguments in (["nowhere.fa", self.t], [self.q, "nowhere.fa"],
                          ["--all", self.q, "nowhere.fa"], ["--format", "sam", self.q, "nowhere.fa"]):
            with self.subTest(arguments):
                self.fails(2, "nowhere.fa", "No such file", arguments=arguments)

    def test_wrong_letter(self):
        bad = self.write("bad.fa", ">s1\nACGT\n>s2\nAC\nG!T\n")
        for more in ([], ["--all"], ["--format", "sam"]):
            with self.subTest(more):
                self.fails(2, f"{bad}:record 2 (s2)", "line 5", "!", arguments=[*more, self.q, bad])
        self.fails(2, f"{bad}:record 2 (s2)", "line 5", "!", arguments=[bad, self.t])

    def test_protein_taken_for_dna(self):
        self.fails(2, "record 1 (s0)", "line 2", "L",
                   arguments=[self.fasta("p.fa", ["MKVLL", "A"]), self.t])

    def test_no_sequence_file(self):
        self.fails(2, "what.txt", arguments=[self.write("what.txt", "dear diary\n"), self.t])

    def test_numbers_differ(self):
        one = self.fasta("one.fa", ["ACGT"])
        self.fails(2, f"{one} has 1 sequences", f"{self.t} has 2", "--all", arguments=[one, self.t])
        self.fails(2, f"{self.q} has 2 sequences", f"{one} has 1", arguments=[self.q, one])

    def test_truncated_gzip(self):
        whole = self.write("w.fa.gz", "".join(f">s{i}\n{'ACGT' * 50}\n" for i in range(500)))
        with open(whole, "rb") as file:
            cut = self.write("cut.bin", file.read()[:-300])
        self.fails(2, "cut.bin", "truncated", arguments=["--all", cut, self.t])

    def test_fastq_with_qualities_too_short(self):
        self.fails(2, "bad.fq:record 1 (r)", arguments=[self.write("bad.fq", "@r\nACGT\n+\nII\n"), self.t])

    def test_matrix(self):
        self.fails(2, "BLOSUM62", arguments=["--matrix", "BLOSUM26", self.q, self.t])
        bad = self.write("m.txt", "   A  C\nA  1  x\nC 1 1\n")
        self.fails(2, "m.txt", "line 2", arguments=["--matrix", bad, "--protein", self.q, self.t])

    def test_targets_of_one_name_and_two_lengths(self):
        twice = self.fasta("twice.fa", [("x", "ACGT"), ("x", "ACG")])
        self.fails(2, "twice.fa:record 2 (x)", "4", arguments=["--format", "sam", self.q, twice])
        same = self.fasta("same.fa", [("x", "ACGT"), ("x", "GCGT")])
        out = self.align("--format", "sam", self.q, same)
        self.assertEqual(out.count(b"@SQ"), 1)

    def test_broken_input_on_standard_input(self):
        self.fails(2, "record 1", arguments=["-", self.t], stdin=">a\nAC?\n")

    # --- output

    def test_output_folder_is_missing(self):
        self.assert_fails(1, "nowhere/out", arguments=["-o", self.path("nowhere/out"), self.q, self.t])

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_disk_full(self):
        for format_name in ("tsv", "paf", "pretty", "sam", "bam"):
            with self.subTest(format_name):
                self.assert_fails(1, "No space left",
                                  arguments=["-q", "--format", format_name, "-o", "/dev/full",
                                             self.q, self.t],
                                  env={"ASAN_OPTIONS": "detect_leaks=0"})  # htslib's bgzf_close leaks
        with open("/dev/full", "wb") as full:
            self.assert_fails(1, arguments=["-q", self.q, self.t], stdout=full)

    def test_a_failure_keeps_the_output_that_was_there(self):
        out = self.write("out.tsv", "precious\n")
        bad = self.write("bad.fa", ">s1\nACGT\n>s2\nA!\n")
        self.assert_fails(2, "bad.fa", arguments=["-o", out, self.q, bad])
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious\n")

    def test_closed_pipe_ends_the_program_as_head_expects(self):
        many = self.fasta("many.fa", ["ACGTACGTAC"] * 200000)
        with subprocess.Popen([ALIGN, "-q", many, many], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdout.read(100)
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.wait(timeout=60), -signal.SIGPIPE)


if __name__ == "__main__":
    main()
