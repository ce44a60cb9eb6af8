#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files do not depend on how many ranks wrote them, nor on the run; any number reads them."""

import itertools
import tempfile
import unittest
from pathlib import Path

import support

h5py, numpy = support.need("h5py", "numpy")

GRIDS = [(13, 11, 7), (150, 61, 31)]  # one chunk, several that no split of ranks meets


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
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def write(self, kind, ranks, cells, run):
        """Writes a file; garbage in fresh memory differs from run to run."""
        name = self.path / f"{kind}_{ranks}_{run}"
        noise = {"MALLOC_PERTURB_": str(60 + 37 * run)}
        if kind == "state":
            support.probe(ranks, "write-state", name, *cells, environment=noise)
            return name
        extra = ["compress"] if kind == "packed" else []
        support.probe(ranks, "snapshots", name, *cells, *extra, environment=noise)
        return Path(f"{name}_000000010.h5")

    def test_same_data_for_any_ranks(self):
        for cells, kind in itertools.product(GRIDS, ("state", "plain", "packed")):
            files = [self.write(kind, ranks, cells, 0) for ranks in support.RANKS]
            first = payload(files[0])
            for file in files[1:]:
                self.assertTrue(payload(file) == first, f"{file.name} differs from {files[0].name}")

    def test_same_bytes_again(self):
        for ranks, kind in itertools.product((1, support.RANKS[-1]), ("state", "plain", "packed")):
            a, b = (self.write(kind, ranks, GRIDS[1], run) for run in (0, 1))
            self.assertEqual(a.read_bytes(), b.read_bytes(), f"{kind} on {ranks}")

    def test_any_ranks_read(self):
        for writers in support.RANKS:
            state = self.write("state", writers, GRIDS[0], 0)
            for readers in support.RANKS:
                support.probe(readers, "check-state", state, *GRIDS[0])


if __name__ == "__main__":
    unittest.main()
