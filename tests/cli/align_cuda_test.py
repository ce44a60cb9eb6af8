# SPDX-License-Identifier: Apache-2.0
"""On a GPU the program writes the same bytes as on the CPU; without one it says so."""

import json
import random
import sys

from support import BIN, ProgramTest, main, mutate, random_dna, reverse_complement

rng = random.Random(41)
TARGETS = [random_dna(rng, rng.choice((0, 1, 20, 45, 70))) for _ in range(24)]
QUERIES = [mutate(rng, t, 0.15)[len(t) // 4:] + "NA" for t in TARGETS]
QUERIES[::3] = [reverse_complement(q) for q in QUERIES[::3]]


def devices():
    info = json.loads(ProgramTest().run_program("--json", program=BIN / "helicity-info").stdout)
    return info["cuda"]["devices"], info["cuda"].get("why_none")


class Cuda(ProgramTest):
    def test_the_same_bytes_as_the_cpu(self):
        files = [self.fasta("q.fa", QUERIES), self.fasta("t.fa", TARGETS)]
        for arguments in (["--mode", "global"], ["--mode", "local", "--both-strands"],
                          ["--mode", "semi-global", "--free-ends", "overlap"],
                          ["--score-only"], ["--memory", "1MiB"]):
            with self.subTest(arguments):
                self.assertEqual(self.align("--device", "cuda", *arguments, *files),
                                 self.align("--device", "cpu", *arguments, *files))

    def test_automatic_takes_the_gpu(self):
        metrics = self.path("m.json")
        self.align("--metrics", metrics, self.fasta("q.fa", ["ACGT"]), self.fasta("t.fa", ["ACGT"]))
        with open(metrics, encoding="utf-8") as file:
            self.assertIn("cuda", json.load(file)["device"])

    def test_a_device_that_is_not_there(self):
        self.assert_fails(2, "99", arguments=["--device", "cuda:99", self.fasta("q.fa", ["A"]),
                                              self.fasta("t.fa", ["A"])])


if __name__ == "__main__":
    found, why = devices()
    if not found:
        print(f"no CUDA device: {why}")
        sys.exit(77)
    main()
