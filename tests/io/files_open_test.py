#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Snapshots and states as other programs open them: h5py, xarray, netCDF4, ncdump; XDMF resolved."""

import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import support

h5py, numpy, xarray, netCDF4 = support.need("h5py", "numpy", "xarray", "netCDF4")

CELLS = (13, 11, 7)
CENTRES = {"x": -1 + 0.5 * (numpy.arange(13) + 0.5), "y": 0.25 * (numpy.arange(11) + 0.5),
           "z": 2 + 2.0 * (numpy.arange(7) + 0.5)}
VARIABLES = {"density": ("f4", 0, "kg m-3"), "velocity_x": ("f8", 1, "m s-1"), "solid": ("u1", 0, "1")}


class Snapshots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        ranks = support.RANKS[-1]
        support.probe(ranks, "snapshots", cls.path / "plain", *CELLS)
        support.probe(ranks, "snapshots", cls.path / "packed", *CELLS, "compress")
        support.probe(1, "snapshots", cls.path / "flat", 5, 4, 1)
        cls.names = [cls.path / f"{kind}_0000000{n}.h5" for kind in ("plain", "packed")
                     for n in ("00", "10", "20")]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_h5py(self):
        for name in self.names:
            with h5py.File(name) as file:
                for variable, (dtype, component, units) in VARIABLES.items():
                    data = file[variable]
                    self.assertEqual(data.dtype, numpy.dtype("<" + dtype))
                    self.assertTrue(data.fletcher32)
                    self.assertEqual(data.shuffle, "packed" in name.name)
                    self.assertEqual([d.label or d.keys()[0] for d in data.dims],
                                     ["time", "z", "y", "x"])
                    expected = support.values(numpy, CELLS, component, dtype)
                    numpy.testing.assert_array_equal(data[0], expected)
                self.assertEqual(len(file.attrs["configuration"]), 100000)

    def test_xarray(self):
        times = ["2000-01-01T00:00:00", "2000-01-02T00:00:00", "2000-01-03T00:00:00.25"]
        for name, time in zip(self.names, times * 2):
            with xarray.open_dataset(name) as data:
                self.assertEqual(data.density.dims, ("time", "z", "y", "x"))
                self.assertEqual(data.time.values[0], numpy.datetime64(time))
                for axis, centres in CENTRES.items():
                    numpy.testing.assert_array_equal(data[axis], centres)
                    self.assertEqual(data[axis].attrs["axis"], axis.upper())
                    self.assertEqual(data[axis].attrs["units"], "m")
                self.assertEqual(data.attrs["Conventions"], "CF-1.10")
                self.assertEqual(data.attrs["title"], "A test")
                self.assertEqual(data.attrs["viscosity"], 1.5e-5)
                self.assertEqual(data.attrs["seed"], 42)
                self.assertRegex(data.attrs["helicity_version"], r"^\d+\.\d+\.\d+$")
                self.assertIn("helicity_git_hash", data.attrs)
                for variable, (dtype, component, units) in VARIABLES.items():
                    self.assertEqual(data[variable].attrs["units"], units)
                    self.assertIn("long_name", data[variable].attrs)
                    expected = support.values(numpy, CELLS, component, dtype)
                    numpy.testing.assert_array_equal(data[variable].values[0], expected)

    def test_xarray_joins_the_times(self):
        with xarray.open_dataset(self.names[0]) as a, xarray.open_dataset(self.names[1]) as b:
            both = xarray.concat([a, b], dim="time")
            self.assertEqual(both.density.shape, (2, 7, 11, 13))

    def test_netcdf4(self):
        with netCDF4.Dataset(self.names[0]) as data:
            self.assertEqual(list(data.dimensions), ["time", "z", "y", "x"])
            self.assertTrue(data.dimensions["time"].isunlimited())
            self.assertEqual(list(data.variables), ["time", "z", "y", "x", *VARIABLES])
            for variable, (dtype, _, _) in VARIABLES.items():
                self.assertEqual(data[variable]._FillValue.dtype, numpy.dtype(dtype))
                self.assertEqual(numpy.ndim(data[variable]._FillValue), 0)
            self.assertEqual(data["time"].calendar, "standard")
            self.assertEqual(data["z"].positive, "up")

    @unittest.skipUnless(shutil.which("ncdump"), "ncdump (netcdf-bin) is missing")
    def test_ncdump(self):
        for name in self.names:
            text = subprocess.run(["ncdump", "-h", name], capture_output=True, text=True,
                                  check=True).stdout
            self.assertIn("time = UNLIMITED ; // (1 currently)", text)
            self.assertIn("double velocity_x(time, z, y, x) ;", text)
            self.assertNotIn("phony", text)

    def test_xdmf(self):
        for kind, cells in (("plain", CELLS), ("packed", CELLS), ("flat", (5, 4, 1))):
            root = ElementTree.parse(self.path / f"{kind}.xmf").getroot()
            collection = root.find("Domain/Grid")
            self.assertEqual(collection.get("CollectionType"), "Temporal")
            grids = collection.findall("Grid")
            self.assertEqual([float(g.find("Time").get("Value")) for g in grids],
                             [0, 86400, 172800.25])
            for grid in grids:
                self.check_mesh(grid, cells)
                attributes = grid.findall("Attribute")
                self.assertEqual([a.get("Name") for a in attributes], list(VARIABLES))
                for attribute in attributes:
                    self.check_attribute(attribute, cells)

    def check_mesh(self, grid, cells):
        topology = grid.find("Topology")
        self.assertEqual(topology.get("TopologyType"), "3DCoRectMesh")
        points = [int(n) for n in topology.get("Dimensions").split()]
        self.assertEqual(points, [n + 1 for n in cells[::-1]])
        origin, spacing = ([float(v) for v in item.text.split()]
                           for item in grid.findall("Geometry/DataItem"))
        self.assertEqual(origin, [2, 0, -1])  # z, y, x
        self.assertEqual(spacing, [2, 0.25, 0.5])

    def check_attribute(self, attribute, cells):
        """Every reference leads to a dataset of the size and type that it claims."""
        self.assertEqual(attribute.get("Center"), "Cell")
        slab = attribute.find("DataItem")
        shape = [int(n) for n in slab.get("Dimensions").split()]
        self.assertEqual(shape, list(cells[::-1]))
        choice, heavy = slab.findall("DataItem")
        start, stride, count = numpy.array(choice.text.split(), int).reshape(3, 4)
        file, dataset = heavy.text.split(":")
        self.assertFalse(Path(file).is_absolute())
        with h5py.File(self.path / file) as opened:
            data = opened[dataset]
            self.assertEqual(list(data.shape), [int(n) for n in heavy.get("Dimensions").split()])
            kind = {"f": "Float", "u": "UChar", "i": "Int"}[data.dtype.kind]
            self.assertEqual(heavy.get("NumberType"), kind)
            self.assertEqual(int(heavy.get("Precision")), data.dtype.itemsize)
            self.assertEqual([list(start), list(stride), list(count)],
                             [[0] * 4, [1] * 4, [1, *shape]])


class States(unittest.TestCase):
    def test_h5py(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state.h5"
            support.probe(support.RANKS[-1], "write-state", path, *CELLS)
            with h5py.File(path) as file:
                self.assertEqual(file.attrs["kind"], b"helicity state")
                self.assertEqual(list(file.attrs["cells"]), list(CELLS))
                self.assertEqual(file["attributes"].attrs["step"], 7)
                self.assertEqual(sorted(file), ["attributes", "population", "solid", "theta"])
                self.assertEqual(file["theta"].attrs["checksum"].dtype, numpy.dtype("u8"))
                for c in range(3):
                    numpy.testing.assert_array_equal(file["population"][c],
                                                     support.values(numpy, CELLS, c, "f4"))


if __name__ == "__main__":
    unittest.main()
