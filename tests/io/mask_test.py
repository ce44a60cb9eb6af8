#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Masks that users make: any type of whole numbers, HDF5 and netCDF-4, two and three dimensions."""

import tempfile
import unittest
from pathlib import Path

import support

h5py, numpy, netCDF4 = support.need("h5py", "numpy", "netCDF4")

CELLS = (13, 11, 7)


class Masks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "mask.h5"

    def read(self, name, cells=CELLS, code=0, ranks=1):
        return support.probe(ranks, "mask", self.path, *cells, name, code=code)

    def test_types(self):
        values = support.values(numpy, CELLS, 0, "u1")
        with h5py.File(self.path, "w") as file:
            for kind in ("u1", "i1", "<i2", ">i4", "<u8"):
                file[kind] = values.astype(kind)
            file.create_dataset("deep/packed", data=values, chunks=(2, 3, 4), compression="gzip")
        for name in ("u1", "i1", "<i2", ">i4", "<u8", "/deep/packed"):
            self.assertIn("wrong 0", self.read(name), name)
        for ranks in support.RANKS:
            self.assertIn("wrong 0", self.read("deep/packed", ranks=ranks))

    def test_bool_of_h5py(self):
        with h5py.File(self.path, "w") as file:
            file["solid"] = support.values(numpy, CELLS, 0, "u1") > 63
        self.assertIn("sum %d" % (support.values(numpy, CELLS) > 63).sum(), self.read("solid"))

    def test_netcdf(self):
        with netCDF4.Dataset(self.path, "w") as file:
            for name, n in zip("xyz", CELLS):
                file.createDimension(name, n)
            file.createVariable("solid", "i2", ("z", "y", "x"))[:] = support.values(numpy, CELLS)
        self.assertIn("wrong 0", self.read("solid"))

    def test_two_dimensions(self):
        with h5py.File(self.path, "w") as file:
            file["flat"] = support.values(numpy, (13, 11, 1), 0, "u1")[0]
            file["thin"] = support.values(numpy, (13, 11, 1), 0, "u1")
        self.assertIn("wrong 0", self.read("flat", (13, 11, 1)))
        self.assertIn("wrong 0", self.read("thin", (13, 11, 1)))
        self.assertIn("is 11 x 13; wanted 7 x 11 x 13 (z, y, x)", self.read("flat", code=2))

    def test_refusals(self):
        values = support.values(numpy, CELLS, 0, "i4")
        with h5py.File(self.path, "w") as file:
            file["turned"] = values.T
            file["real"] = values.astype("f4")
            file["negative"] = -values
            file["large"] = values + 200
            file.create_group("group")
        for name, text in (("turned", "is 13 x 11 x 7; wanted 7 x 11 x 13"),
                           ("real", "holds no whole numbers"), ("negative", "wanted 0 to 255"),
                           ("large", "wanted 0 to 255"), ("none", "has no dataset none"),
                           ("group", "has no dataset group"), ("none/such", "has no dataset")):
            self.assertIn(text, self.read(name, code=2))
        self.assertIn("turned is 13", self.read("turned", code=2, ranks=support.RANKS[-1]))
        self.path.write_text("text")
        self.assertIn("not an HDF5 file", self.read("none", code=2))
        self.path.unlink()
        self.assertIn("No such file", self.read("none", code=2))


if __name__ == "__main__":
    unittest.main()
