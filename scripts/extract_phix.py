#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the phiX174 genomes and reads out of the R data files of Bioconductor's Biostrings.

extract_phix.py BIOSTRINGS_DATA_FOLDER OUT_GENOMES.fa.gz OUT_READS.fq.gz

In these files a DNAStringSet is one run of bytes, A C G T = 1 2 4 8. phiX174Phage holds 6 genomes
of 5386 letters, srPhiX174 1113 Illumina reads of 35 with qualities on Solexa's scale at offset 64,
which become Phred at offset 33.
"""
import gzip
import math
import re
import sys

GENOMES = ["Genbank", "RF70s", "SS78", "Bull", "G97", "NEB03"]
LETTERS = bytes.maketrans(b"\x01\x02\x04\x08", b"ACGT")
READS, WIDTH = 1113, 35


def dna_run(data, size):
    runs = [r for r in re.findall(rb"[\x01\x02\x04\x08]{1000,}", data) if len(r) == size]
    assert len(runs) == 1, "the file is not laid out as expected"
    return runs[0].translate(LETTERS).decode()


def phred(solexa):
    return round(10 * math.log10(10 ** (solexa / 10) + 1))


def main():
    folder, out_genomes, out_reads = sys.argv[1:]
    data = gzip.open(f"{folder}/phiX174Phage.rda").read()
    text = dna_run(data, 5386 * len(GENOMES))
    for name in GENOMES:  # in this order in the file
        assert name.encode() in data
    with gzip.GzipFile(out_genomes, "wb", compresslevel=9, mtime=0) as file:
        for i, name in enumerate(GENOMES):
            genome = text[i * 5386 : (i + 1) * 5386]
            lines = "\n".join(genome[k : k + 70] for k in range(0, 5386, 70))
            file.write(f">phiX174_{name}\n{lines}\n".encode())

    data = gzip.open(f"{folder}/srPhiX174.rda").read()
    text = dna_run(data, READS * WIDTH)
    match = re.search(rb"[;-~]{%d}" % (READS * WIDTH), data)
    with gzip.GzipFile(out_reads, "wb", compresslevel=9, mtime=0) as file:
        for i in range(READS):
            part = slice(i * WIDTH, (i + 1) * WIDTH)
            quality = "".join(chr(phred(q - 64) + 33) for q in match.group()[part])
            file.write(f"@phix{i + 1}\n{text[part]}\n+\n{quality}\n".encode())


if __name__ == "__main__":
    main()
