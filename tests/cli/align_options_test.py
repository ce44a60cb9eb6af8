# SPDX-License-Identifier: Apache-2.0
"""What the options of helicity-align mean."""

import json
import random

from support import ProgramTest, Score, best_score, main, mutate, random_dna, reverse_complement

FREE_ENDS = {
    "target": ("target_begin", "target_end"),
    "query": ("query_begin", "query_end"),
    "query-begin,target-end": ("query_begin", "target_end"),
    "target-begin": ("target_begin",),
    "overlap": ("target_begin", "target_end", "query_begin", "query_end"),
}


class Options(ProgramTest):
    def related_pairs(self, count=40):
        rng = random.Random(7)
        targets = [random_dna(rng, rng.randint(1, 80)) for _ in range(count)]
        queries = [mutate(rng, t[len(t) // 5:], 0.2) + "A" for t in targets]
        return queries, targets

    def check_scores(self, mode, score, arguments, free=()):
        queries, targets = self.related_pairs()
        rows = self.table("--mode", mode, *score.arguments(), *arguments,
                          self.fasta("q.fa", queries), self.fasta("t.fa", targets))
        self.assertEqual(len(rows), len(queries))
        for row, query, target in zip(rows, queries, targets):
            self.assertEqual(int(row["score"]), best_score(query, target, mode, score, free))
            if row["status"] == "ok":
                self.assert_row_is_sound(row, query, target, score)

    def test_global(self):
        self.check_scores("global", Score(), [])

    def test_local(self):
        self.check_scores("local", Score(1, 3, 5, 2), [])

    def test_linear_gaps(self):
        self.check_scores("global", Score(1, 1, 0, 2), [])

    def test_every_free_end(self):
        for words, free in FREE_ENDS.items():
            with self.subTest(words):
                self.check_scores("semi-global", Score(), ["--free-ends", words], free)

    def test_semi_global_frees_the_target_ends(self):
        self.check_scores("semi-global", Score(), [], FREE_ENDS["target"])

    def test_blast_gaps_name_the_cost_of_the_first_letter(self):
        files = [self.fasta("q.fa", ["ACGTACGTAA"]), self.fasta("t.fa", ["ACGTAACGTAA"])]
        ours = self.table("--gap-open", 4, "--gap-extend", 2, *files)
        other = self.table("--gap-open", 6, "--gap-extend", 2, "--blast-gaps", *files)
        self.assertEqual(ours, other)
        self.assertEqual(ours[0]["score"], "14")  # 10 matches of 2, a gap of 4 + 1 * 2

    def test_blast_gaps_leave_the_defaults_alone(self):
        files = [self.fasta("q.fa", ["ACGTACGTAA"]), self.fasta("t.fa", ["ACGTAACGTAA"])]
        self.assertEqual(self.table(*files), self.table("--blast-gaps", *files))

    def test_both_strands(self):
        rng = random.Random(3)
        target = random_dna(rng, 60)
        query = reverse_complement(target[10:40]) + "GG"
        rows = self.table("--mode", "local", "--both-strands", self.fasta("q.fa", [query, target]),
                          self.fasta("t.fa", [target, target]))
        self.assertEqual([row["strand"] for row in rows], ["-", "+"])
        first = rows[0]
        self.assertEqual([int(first[c]) for c in ("target_begin", "target_end")], [10, 40])
        self.assertEqual([int(first[c]) for c in ("query_begin", "query_end")], [0, 30])
        self.assert_row_is_sound(first, query, target, Score())

    def test_forward_wins_a_tie(self):
        row, = self.table("--both-strands", self.fasta("q.fa", ["ACGT"]), self.fasta("t.fa", ["ACGT"]))
        self.assertEqual(row["strand"], "+")

    def test_n_is_a_mismatch_by_default(self):
        files = [self.fasta("q.fa", ["ACGNA"]), self.fasta("t.fa", ["ACGNA"])]
        row, = self.table(*files)
        self.assertEqual((row["score"], row["cigar"], row["nm"]), ("4", "3=1X1=", "1"))
        row, = self.table("--n-score", -1, *files)
        self.assertEqual(row["score"], "7")

    def test_case_and_u(self):
        row, = self.table(self.fasta("q.fa", ["acgu"]), self.fasta("t.fa", ["ACGT"]))
        self.assertEqual((row["score"], row["cigar"]), ("8", "4="))

    def test_protein_takes_blosum62_with_11_and_1(self):
        files = [self.fasta("q.fa", ["MKVLAW"]), self.fasta("t.fa", ["MKVAW"])]
        rows = self.table("--protein", *files)
        # M 5, K 5, V 4, A 4, W 11, and a gap of 11 + 1
        self.assertEqual((rows[0]["score"], rows[0]["cigar"]), ("17", "3=1I2="))
        for same in (["--alphabet", "protein"], ["--matrix", "blosum62"],
                     ["--matrix", "BLOSUM62", "--gap-open", 12, "--gap-extend", 1, "--blast-gaps"]):
            self.assertEqual(self.table(*same, *files), rows)

    def test_matrix_file(self):
        matrix = self.write("m.txt", "# mine\n   A  C  G  T\nA  5 -4 -1 -4\nC -4  5 -4 -1\n"
                                     "G -1 -4  5 -4\nT -4 -1 -4  5\n")
        row, = self.table("--matrix", matrix, self.fasta("q.fa", ["ACGT"]),
                          self.fasta("t.fa", ["GCGC"]))
        self.assertEqual(row["score"], "8")

    def test_score_only(self):
        row, = self.table("--score-only", self.fasta("q.fa", ["ACGT"]), self.fasta("t.fa", ["ACGT"]))
        self.assertEqual(row["score"], "8")
        for column in ("query_begin", "target_end", "cigar", "identity", "nm"):
            self.assertEqual(row[column], ".", column)

    def test_all_goes_by_query_then_target(self):
        rows = self.table("--all", self.fasta("q.fa", [("a", "ACGT"), ("b", "GGGG")]),
                          self.fasta("t.fa", [("x", "ACGT"), ("y", "GGG"), ("z", "TT")]))
        self.assertEqual([row["query"] + row["target"] for row in rows],
                         ["ax", "ay", "az", "bx", "by", "bz"])

    def test_metrics(self):
        metrics = self.path("m.json")
        self.align("--metrics", metrics, "--threads", 1, "--device", "cpu",
                   self.fasta("q.fa", ["ACGT", "A"]), self.fasta("t.fa", ["ACGTA", "CC"]))
        with open(metrics, encoding="utf-8") as file:
            values = json.load(file)
        self.assertEqual((values["pairs"], values["cells"], values["threads"]), (2, 22, 1))
        for phase in ("total", "read", "align", "write"):
            self.assertGreaterEqual(values["seconds"][phase], 0)
        self.assertGreater(values["peak_memory_bytes"], 1 << 20)
        self.assertIn("cpu", values["device"])
        self.assertIn("instruction_set", values)

    def test_environment_gives_way_to_flags(self):
        metrics = self.path("m.json")
        files = [self.fasta("q.fa", ["ACGT"]), self.fasta("t.fa", ["ACGT"])]
        for flags, threads in (([], 3), (["-t", 2], 2)):
            self.align("--metrics", metrics, *flags, *files, env={"HELICITY_THREADS": "3"})
            with open(metrics, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["threads"], threads)

    def test_help_tells_the_defaults(self):
        text = self.run_program("--help").stdout.decode()
        for part in ("global", "--gap-open N=dna 4, protein 11", "--match N=2", "BLOSUM62", "tsv"):
            self.assertIn(part, text)

    def test_version(self):
        self.assertRegex(self.run_program("--version").stdout.decode(), r"^helicity \d+\.\d+\.\d+\n$")

    def test_messages(self):
        files = [self.fasta("q.fa", ["ACGT"]), self.fasta("t.fa", ["ACGT"])]
        said = self.run_program(*files).stderr.decode()
        self.assertRegex(said, r"^helicity-align: 1 pairs, 16 cells in .* s \(.* GCUPS\), .+\n$")
        self.assertEqual(self.run_program("-q", *files).stderr, b"")
        self.assertIn("1 pairs", self.run_program("--progress", *files).stderr.decode())


if __name__ == "__main__":
    main()
