#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files do not depend on how many ranks wrote them, nor on the run; any number reads them."""

import tempfile
import unittest
from pathlib import Path

import support

h5py, numpy = support.need("h5py", "numpy")

CELLS = (150, 61, 31)  # several chunks that no split of ranks meets
KINDS = ("state", "plain", "packed")


def payload(path):
    """Every dataset with its values, attributes and chunks."""
    found = {}
    with h5py.File(path) as file:
        def visit(name, item):
            attributes = {k: repr(v) for k, v in item.attrs.items() if k not in
                          ("REFERENCE_LIST", "DIMENSION_LIST")}
            data = isinstance(item, h5py.Dataset)
            found[name] = (attributes, item.chunks if data else None,
                           item[()].tobytes() if data else b"")
        file.visititems(visit)
        found["/"] = {k: repr(v) for k, v in file.attrs.items()}
    return found


class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        cls.files = {(kind, ranks): cls.write(kind, ranks, 0)
                     for kind in KINDS for ranks in cls.ranks_of(kind)}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def ranks_of(kind):
        return support.RANKS if kind != "plain" else sorted({1, support.RANKS[-1]})

    @classmethod
    def write(cls, kind, ranks, run):
        """Writes a file; garbage in fresh memory differs from run to run."""
        name = cls.path / f"{kind}_{ranks}_{run}"
        noise = {"MALLOC_PERTURB_": str(60 + 37 * run)}
        verb = "write-state" if kind == "state" else "snapshots"
        extra = ["compress"] if kind == "packed" else []
        support.probe(ranks, verb, name, *CELLS, *extra, environment=noise)
        return name if kind == "state" else Path(f"{name}_000000010.h5")

    def test_same_data_for_any_ranks(self):
        for kind in KINDS:
            first = payload(self.files[kind, 1])
            for ranks in self.ranks_of(kind)[1:]:
                self.assertTrue(payload(self.files[kind, ranks]) == first, f"{kind} on {ranks}")

    def test_same_bytes_again(self):
        for kind in KINDS:
            for ranks in {1, support.RANKS[-1]}:
                again = self.write(kind, ranks, 1)
                self.assertEqual(again.read_bytes(), self.files[kind, ranks].read_bytes(),
                                 f"{kind} on {ranks}")

    def test_any_ranks_read(self):
        for readers, writers in zip(support.RANKS, support.RANKS[1:] + [1]):
            support.probe(readers, "check-state", self.files["state", writers], *CELLS)
            support.probe(1, "check-state", self.files["state", writers], *CELLS)


if __name__ == "__main__":
    unittest.main()
