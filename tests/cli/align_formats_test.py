# SPDX-License-Identifier: Apache-2.0
"""The text formats, letter by letter."""

from support import ProgramTest, main

QUERIES = [("q1 hello world", "ACGTACGTTTGACA"), ("q2", "TTTTGACC"), ("q3", "AAAAAAA"), ("", "")]
TARGETS = [("t1", "ACGTACGTTGACA"), ("t2 second", "GGGGTCAAAACCCC"), ("t3", "CCCC"), ("t4", "ACGT")]

HEADER = ("query\ttarget\tscore\tquery_begin\tquery_end\ttarget_begin\ttarget_end\tstrand\tcigar\t"
          "identity\tnm\tstatus\n")
TSV = HEADER + """\
q1\tt1\t20\t0\t14\t0\t13\t+\t7=1I6=\t0.9286\t1\tok
q2\tt2\t16\t0\t8\t2\t10\t-\t8=\t1.0000\t0\tok
q3\tt3\t0\t0\t0\t0\t0\t.\t.\t.\t.\tunaligned
.\tt4\t0\t0\t0\t0\t0\t.\t.\t.\t.\tunaligned
"""
PAF = """\
q1\t14\t0\t14\t+\tt1\t13\t0\t13\t13\t14\t255\tNM:i:1\tAS:i:20\tcg:Z:7=1I6=
q2\t8\t0\t8\t-\tt2\t14\t2\t10\t8\t8\t255\tNM:i:0\tAS:i:16\tcg:Z:8=
"""
SAM = """\
q1\t0\tt1\t1\t255\t7=1I6=\t*\t0\t0\tACGTACGTTTGACA\t*\tNM:i:1\tAS:i:20\tMD:Z:13
q2\t16\tt2\t3\t255\t8=\t*\t0\t0\tGGTCAAAA\t*\tNM:i:0\tAS:i:16\tMD:Z:8
q3\t4\t*\t0\t255\t*\t*\t0\t0\tAAAAAAA\t*
*\t4\t*\t0\t255\t*\t*\t0\t0\t*\t*
"""
PRETTY = """\
Query   q1 hello world (14 letters)
Target  t1 (13 letters)
Score   20, identity 13/14 (92.9 %), gaps 1, strand +

Query    1 ACGTACGTTTGACA 14
           ||||||| ||||||
Target   1 ACGTACG-TTGACA 13

Query   q2 (8 letters)
Target  t2 second (14 letters)
Score   16, identity 8/8 (100.0 %), gaps 0, strand -

Query    8 GGTCAAAA 1
           ||||||||
Target   3 GGTCAAAA 10

Query   q3 (7 letters)
Target  t3 (4 letters)
No alignment: unaligned

Query   . (0 letters)
Target  t4 (4 letters)
No alignment: unaligned

"""


class Formats(ProgramTest):
    def run_format(self, name, *more):
        return self.align("--mode", "local", "--both-strands", "--format", name, *more,
                          self.fasta("q.fa", QUERIES), self.fasta("t.fa", TARGETS)).decode()

    def test_tsv(self):
        self.assertEqual(self.run_format("tsv"), TSV)

    def test_paf(self):
        self.assertEqual(self.run_format("paf"), PAF)

    def test_sam(self):
        lines = self.run_format("sam").splitlines(keepends=True)
        head = [line for line in lines if line.startswith("@")]
        self.assertEqual("".join(lines[len(head):]), SAM)
        self.assertTrue(head[0].startswith("@HD\tVN:1.6"))
        self.assertEqual([line.split("\t")[1:] for line in head if line.startswith("@SQ")],
                         [["SN:t1", "LN:13\n"], ["SN:t2", "LN:14\n"], ["SN:t3", "LN:4\n"],
                          ["SN:t4", "LN:4\n"]])
        self.assertRegex(head[-1], r"^@PG\tID:helicity-align\tPN:helicity-align\tVN:[\d.]+\tCL:.*sam")

    def test_pretty(self):
        self.assertEqual(self.run_format("pretty"), PRETTY)

    def test_m_in_place_of_equal_and_different(self):
        self.assertEqual(self.run_format("tsv", "--cigar-m"),
                         TSV.replace("7=1I6=", "7M1I6M").replace("8=", "8M"))
        self.assertEqual(self.run_format("paf", "--cigar-m"),
                         PAF.replace("7=1I6=", "7M1I6M").replace("8=", "8M"))
        self.assertIn("\t7M1I6M\t", self.run_format("sam", "--cigar-m"))
        self.assertEqual(self.run_format("tsv", "--eqx"), TSV)

    def test_pretty_marks(self):
        text = self.align("--protein", "--format", "pretty", self.fasta("q.fa", ["MKIWC"]),
                          self.fasta("t.fa", ["MKVWA"])).decode()
        self.assertIn("Query   1 MKIWC 5\n          ||:|.\nTarget  1 MKVWA 5\n", text)

    def test_pretty_blocks_of_60_columns(self):
        query, target = "ACGT" * 32, "ACGT" * 15 + "CCC" + "ACGT" * 17
        text = self.align("--format", "pretty", self.fasta("q.fa", [query]),
                          self.fasta("t.fa", [target])).decode()
        rows = [line.split() for line in text.splitlines()
                if line.startswith(("Query", "Target")) and line.split()[1].isdigit()]
        self.assertEqual("".join(r[2] for r in rows if r[0] == "Query").replace("-", ""), query)
        self.assertEqual("".join(r[2] for r in rows if r[0] == "Target").replace("-", ""), target)
        self.assertEqual(rows[0][1:], ["1", "ACGT" * 15, "60"])
        self.assertEqual(rows[-1][3], str(len(target)))
        self.assertTrue(all(len(r[2]) == 60 for r in rows[:-2]))

    def test_output_file_is_the_same(self):
        out = self.path("out.tsv")
        self.run_format("tsv", "-o", out)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), TSV)

    def test_empty_input_is_an_empty_table(self):
        empty = self.write("e.fa", "")
        self.assertEqual(self.align(empty, empty).decode(), HEADER)


if __name__ == "__main__":
    main()
