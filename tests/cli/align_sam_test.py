# SPDX-License-Identifier: Apache-2.0
"""SAM and BAM, judged by samtools."""

import random
import shutil
import subprocess
import sys

from support import ProgramTest, cigar_runs, main, mutate, random_dna, reverse_complement

rng = random.Random(5)
GENOME = random_dna(rng, 3000)


def simulated_reads(count):
    reads = []
    for i in range(count):
        begin = rng.randrange(len(GENOME) - 150)
        read = mutate(rng, GENOME[begin:begin + rng.randint(40, 150)], rng.choice((0, 0.03, 0.1)))
        reads.append(reverse_complement(read) if i % 3 == 0 else read)
    return reads + [random_dna(rng, 5) + "NNN", "N" * 8]


READS = simulated_reads(60)


class Sam(ProgramTest):
    def setUp(self):
        super().setUp()
        self.reads = self.write("reads.fq", "".join(
            f"@r{i}\n{s}\n+\n{''.join(chr(33 + (7 * k + i) % 40) for k in range(len(s)))}\n"
            for i, s in enumerate(READS)))
        self.genome = self.fasta("genome.fa", [("genome", GENOME)])

    def samtools(self, *arguments):
        result = subprocess.run(["samtools", *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode()

    def make(self, name, *arguments):
        path = self.path(name)
        self.align("--format", name.rsplit(".", 1)[1], "-o", path, *arguments)
        self.samtools("quickcheck", "-v", path)
        return path

    def records(self, path):
        return self.samtools("view", path).splitlines()

    def test_bam_holds_the_same_records_as_sam(self):
        for mode in ("local", "semi-global", "global"):
            arguments = ["--all", "--both-strands", "--mode", mode, self.reads, self.genome]
            sam = self.records(self.make("out.sam", *arguments))
            self.assertEqual(len(sam), len(READS))
            self.assertEqual(self.records(self.make("out.bam", *arguments)), sam)

    def test_standard_output(self):
        out = self.align("--all", "--format", "bam", self.reads, self.genome)
        self.assertEqual(out[:2], b"\x1f\x8b")
        self.samtools("quickcheck", self.write("o.bam", out))

    def test_nm_and_md_are_those_that_calmd_finds(self):
        for more in ([], ["--cigar-m"]):
            path = self.make("out.sam", "--all", "--both-strands", "--mode", "local", *more,
                             self.reads, self.genome)
            mine = self.records(path)
            plain = self.path("plain.sam")
            with open(path, encoding="utf-8") as file, open(plain, "w", encoding="utf-8") as out:
                for line in file:  # without tags, so that calmd computes all of them
                    fields = line.rstrip("\n").split("\t")
                    out.write(line if line[0] == "@" else "\t".join(fields[:11]) + "\n")
            theirs = [line for line in self.samtools("calmd", plain, self.genome).splitlines()
                      if line[0] != "@"]
            tags = lambda line: sorted(f for f in line.split("\t")[11:] if f[:2] in ("NM", "MD"))
            for a, b in zip(mine, theirs, strict=True):
                self.assertEqual(tags(a), tags(b), a)

    def test_records_agree_with_tsv(self):
        arguments = ["--all", "--both-strands", "--mode", "local", self.reads, self.genome]
        rows = self.table(*arguments)
        for row, line, read in zip(rows, self.records(self.make("o.bam", *arguments)), READS,
                                   strict=True):
            fields = line.split("\t")
            self.assertEqual(fields[0], row["query"])
            if row["status"] != "ok":
                self.assertEqual(fields[1:6], ["4", "*", "0", "255", "*"])
                continue
            reverse = row["strand"] == "-"
            self.assertEqual(int(fields[1]), 16 if reverse else 0)
            self.assertEqual(fields[2:5], ["genome", str(int(row["target_begin"]) + 1), "255"])
            self.assertEqual(fields[9], reverse_complement(read) if reverse else read)
            self.assertIn(f"AS:i:{row['score']}", fields)
            runs = cigar_runs(fields[5])
            clips = [n for n, op in (runs[0], runs[-1]) if op == "S"]
            self.assertEqual(sum(clips), len(read) - int(row["query_end"]) + int(row["query_begin"]))
            self.assertEqual("".join(f"{n}{op}" for n, op in runs if op != "S"), row["cigar"])

    def test_all_marks_one_record_of_a_query_primary(self):
        targets = self.fasta("many.fa", [("a", GENOME[:1000]), ("b", GENOME[1000:]),
                                         ("c", GENOME[500:1500])])
        path = self.make("o.sam", "--all", "--both-strands", "--mode", "local", self.reads, targets)
        hits = {}
        for line in self.records(path):
            fields = line.split("\t")
            score = next((int(f[5:]) for f in fields if f.startswith("AS:i:")), 0)
            hits.setdefault(fields[0], []).append((int(fields[1]), score))
        self.assertEqual(len(hits), len(READS))
        for found in hits.values():
            primary = [score for flag, score in found if not flag & 256]
            self.assertEqual(primary, [max(score for _, score in found)])

    def test_header(self):
        path = self.make("o.bam", "--all", self.reads, self.genome)
        head = self.samtools("view", "-H", "--no-PG", path)
        self.assertIn("@SQ\tSN:genome\tLN:3000\n", head)
        self.assertIn("@PG\tID:helicity-align\tPN:helicity-align\tVN:", head)
        self.assertIn("--all", head)

    def test_sorts_and_indexes(self):
        path = self.make("o.bam", "--all", "--both-strands", "--mode", "local", self.reads, self.genome)
        self.samtools("sort", "-o", self.path("s.bam"), path)
        self.samtools("index", self.path("s.bam"))
        self.assertGreater(int(self.samtools("view", "-c", self.path("s.bam"), "genome:1-1500")), 5)

    def test_long_cigar(self):
        target = random_dna(rng, 150000)
        query = "".join(c + ("A" if i % 2 else "") for i, c in enumerate(target[:140000]))
        path = self.make("long.bam", "--gap-open", 0, "--gap-extend", 1, self.fasta("q.fa", [query]),
                         self.fasta("t.fa", [target]))
        line, = self.records(path)
        self.assertGreater(len(cigar_runs(line.split("\t")[5])), 65535)


if __name__ == "__main__":
    if not shutil.which("samtools"):
        print("samtools is not installed")
        sys.exit(77)
    main()
