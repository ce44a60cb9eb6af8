# SPDX-License-Identifier: Apache-2.0
"""What a run may take of memory, from its own metrics."""

import json
import os
import random
import unittest

from support import ProgramTest, cigar_runs, main, mutate, random_dna

rng = random.Random(31)


@unittest.skipIf(os.environ.get("HELICITY_SANITIZE"), "sanitizers take memory of their own")
class Memory(ProgramTest):
    def peak_mib(self, *arguments):
        metrics = self.path("metrics.json")
        self.align("--device", "cpu", "--metrics", metrics, "-o", self.path("out"), *arguments)
        with open(metrics, encoding="utf-8") as file:
            return json.load(file)["peak_memory_bytes"] / 2**20

    def test_a_million_short_pairs_stay_below_300_mib(self):
        windows = [random_dna(rng, 120) for _ in range(1000)]
        reads = [mutate(rng, w[10:110], 0.03) for w in windows]
        q = self.fasta("q.fa", [(f"read{i}", r) for i, r in enumerate(reads * 1000)])
        t = self.fasta("t.fa", [(f"window{i}", w) for i, w in enumerate(windows * 1000)])
        peak = self.peak_mib("--mode", "semi-global", q, t)
        with open(self.path("out"), "rb") as file:
            self.assertEqual(sum(1 for _ in file), 1000001)
        self.assertLess(peak, 300)

    def test_a_pair_of_200_kb_with_cigar_stays_below_1_gib(self):
        target = random_dna(rng, 200000)
        query = mutate(rng, target, 0.1)
        peak = self.peak_mib(self.fasta("q.fa", [query]), self.fasta("t.fa", [target]))
        with open(self.path("out"), encoding="utf-8") as file:
            runs = cigar_runs(file.read().splitlines()[1].split("\t")[8])
        self.assertEqual(sum(n for n, op in runs if op != "D"), len(query))
        self.assertLess(peak, 1024)


if __name__ == "__main__":
    main()
