# SPDX-License-Identifier: Apache-2.0
"""The same bytes, whatever the threads, memory, batches and instruction set."""

import json
import random

from support import BIN, ProgramTest, main, mutate, random_dna, reverse_complement

rng = random.Random(23)


def mixed_pairs():
    """Reads of all sizes, some unrelated, some long: batches of every kind."""
    pairs = []
    for i in range(3000):
        target = random_dna(rng, rng.choice((0, 5, 60, 150, 300)))
        query = mutate(rng, target, rng.choice((0, 0.02, 0.2))) if i % 5 else random_dna(rng, 100)
        pairs.append((reverse_complement(query) if i % 4 == 0 else query, target))
    for length in (3000, 7000):
        target = random_dna(rng, length)
        pairs.append((mutate(rng, target, 0.1), target))
    return pairs


PAIRS = mixed_pairs()


class SameBits(ProgramTest):
    def setUp(self):
        super().setUp()
        self.q = self.fasta("q.fa", [q for q, _ in PAIRS])
        self.t = self.fasta("t.fa", [t for _, t in PAIRS])

    def test_threads_and_memory(self):
        for mode in ("global", "local", "semi-global"):
            arguments = ["--mode", mode, "--both-strands", self.q, self.t]
            expected = self.align("-t", 1, *arguments)
            self.assertEqual(expected.count(b"\n"), len(PAIRS) + 1)
            for more in (["-t", 2], ["-t", 4, "--memory", "16MiB"], ["-t", 1, "--memory", "1GiB"]):
                with self.subTest(mode=mode, more=more):
                    self.assertEqual(self.align(*more, *arguments), expected)

    def test_all_with_targets_in_memory_or_read_again(self):
        few = self.fasta("few.fa", [q for q, _ in PAIRS[:40]])
        for format_name in ("tsv", "paf", "pretty"):
            arguments = ["--all", "--mode", "local", "--format", format_name, few, self.t]
            expected = self.align("--memory", "1GiB", *arguments)
            self.assertEqual(self.align("--memory", "1MiB", "-t", 3, *arguments), expected)

    def test_instruction_sets(self):
        info = json.loads(self.run_program("--json", program=BIN / "helicity-info").stdout)
        names = [isa["name"] for isa in info["cpu"]["instruction_sets"] if isa["usable"]]
        arguments = ["--mode", "semi-global", self.q, self.t]
        expected = self.align(*arguments)
        self.assertIn("scalar", names)
        for name in names:
            with self.subTest(name):
                self.assertEqual(self.align(*arguments, env={"HELICITY_ISA": name}), expected)

    def test_again(self):
        self.assertEqual(self.align(self.q, self.t), self.align(self.q, self.t))


if __name__ == "__main__":
    main()
