# SPDX-License-Identifier: Apache-2.0
"""helicity-fluid lbm run: its files are right, and the same on any ranks, threads and CPUs."""

import itertools
import json
import math
import xml.etree.ElementTree as ElementTree

from fluid_support import (FLOW_2D, FLOW_3D, FLUID, FluidTest, datasets, h5py, instruction_sets, main,
                           mpi_prefix, needs_mpi)

FLOWS = {"2d": FLOW_2D, "3d": FLOW_3D}
# (flow, precision, ranks, how they are split): the rest varies along.
ON_RANKS = [
    ("2d", "float", 1, "0,0,0"), ("2d", "double", 2, "2,1,1"), ("2d", "float", 2, "1,2,1"),
    ("2d", "double", 3, "3,1,1"), ("2d", "float", 3, "1,3,1"), ("2d", "double", 4, "2,2,1"),
    ("2d", "float", 4, "0,0,0"), ("2d", "float", 6, "3,2,1"), ("2d", "double", 8, "4,2,1"),
    ("2d", "float", 8, "1,8,1"), ("3d", "double", 1, "0,0,0"), ("3d", "float", 2, "1,1,2"),
    ("3d", "double", 2, "2,1,1"), ("3d", "float", 3, "1,3,1"), ("3d", "double", 4, "2,1,2"),
    ("3d", "float", 4, "1,2,2"), ("3d", "double", 6, "1,2,3"), ("3d", "float", 8, "2,2,2"),
    ("3d", "double", 8, "0,0,0")]


class Files(FluidTest):
    COUETTE = ["--case", "couette", "--grid.cells", "4,16,1", "--time.end", "0", "--time.steps", "12000",
               "--fluid.precision", "double", "--output.every", "6000"]

    def test_couette_is_the_exact_line(self):
        self.metrics(*self.COUETTE, "--output.directory", self.dir)
        with h5py().File(self.dir / "couette_000012000.h5", "r") as file:
            self.assertEqual(file["velocity_x"].shape, (1, 1, 16, 4))
            y = file["y"][()]
            for j, row in enumerate(file["velocity_x"][0, 0]):
                self.assertAlmostEqual(y[j], (j + 0.5) / 16, places=14)
                for u in row:
                    self.assertAlmostEqual(u, y[j], places=12)
            self.assertLess(abs(file["velocity_y"][()]).max(), 1e-12)
            self.assertLess(abs(file["density"][()] - 1).max(), 1e-12)
            self.assertAlmostEqual(file["time"][0], 12000 * 0.05 / 16, places=12)
            self.assertEqual(file["velocity_x"].attrs["units"], b"m s-1")
            self.assertEqual(file.attrs["step"], 12000)

    def test_units_of_output(self):
        """A box of 2 m of water that moves at 3 m/s has that speed and density in its files."""
        self.metrics("--case", "custom", "--grid.cells", "4,4,4", "--flow.length", "2 m", "--flow.speed",
                     "300 cm/s", "--fluid.density", "1 g/cm3", "--initial.kind", "uniform",
                     "--initial.velocity", "3,0,0", "--time.steps", "2", "--output.every", "2",
                     "--output.directory", self.dir)
        found = datasets(self.dir / "custom_000000002.h5")
        self.assertTrue((abs(found["velocity_x"] - 3) < 1e-5).all())
        self.assertTrue((abs(found["density"] - 1000) < 1e-3).all())
        self.assertEqual(found["x"].tolist(), [0.25, 0.75, 1.25, 1.75])

    def test_names_of_files(self):
        folder = self.dir / "a" / "new folder"
        self.metrics(self.flow(), "--time.steps", "20", "--output.every", "10", "--output.image_every",
                     "20", "--output.name", "w\u00e4rme 1", "--output.directory", folder)
        self.assertEqual(sorted(p.name for p in folder.iterdir()), sorted(
            ["w\u00e4rme 1.xmf"] + [f"w\u00e4rme 1_{n:09}.h5" for n in (0, 10, 20)]
            + [f"w\u00e4rme 1_speed_{n:09}.png" for n in (0, 20)]))

    def test_variables(self):
        self.metrics(self.flow(), "--time.steps", "5", "--output.every", "5", "--output.variables",
                     "pressure,solid", "--output.compress", "--output.directory", self.dir)
        names = set(datasets(self.dir / "custom_000000005.h5"))
        self.assertEqual(names, {"time", "x", "y", "z", "pressure", "solid"})
        for option in ("--output.variables", "--output.image_variable"):
            self.assert_fails(2, "presure", "did you mean 'pressure'", cwd=self.dir,
                              arguments=["lbm", "run", self.flow(), "--time.steps", "5",
                                         "--output.every", "5",
                                         "--output.image_every", "5", option, "presure"])

    def test_images(self):
        self.metrics(self.flow(), "--time.steps", "5", "--output.image_every", "5",
                     "--output.image_variable", "velocity_x", "--output.directory", self.dir)
        data = (self.dir / "custom_velocity_x_000000005.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreaterEqual(int.from_bytes(data[16:20], "big"), 37)

    def test_xdmf_names_what_is_there(self):
        self.metrics(*self.COUETTE[:-1], "4000", "--output.directory", self.dir)
        grids = ElementTree.parse(self.dir / "couette.xmf").findall(".//Grid[@GridType='Uniform']")
        self.assertEqual(len(grids), 4)
        for grid in grids:
            for item in grid.findall(".//DataItem[@Format='HDF']"):
                name, _, dataset = item.text.strip().partition(":/")
                shape = [int(n) for n in item.get("Dimensions").split()]
                with h5py().File(self.dir / name, "r") as file:
                    self.assertEqual(list(file[dataset].shape), shape)

    def test_metrics(self):
        found = self.metrics(self.flow(), "--time.steps", "40", "--output.every", "20",
                             "--checkpoint.every",
                             "20", "--output.image_every", "40", "--output.directory", self.dir)
        self.assertEqual(found["exit"], {"code": 0, "reason": "done"})
        for key, value in (("cells", 37 * 23), ("steps", 40), ("ranks", 1), ("checkpoints", 2),
                           ("snapshots", 3), ("images", 2), ("first_step", 0), ("last_step", 40)):
            self.assertEqual(found[key], value, key)
        self.assertTrue(found["last_checkpoint"].endswith("custom_restart_000000040.h5"))
        self.assertRegex(found["state_hash"], "^[0-9a-f]{16}$")
        self.assertGreater(found["speed"]["updates_per_second"], 0)
        self.assertTrue(math.isclose(found["time"], 40 * 0.1 / 23))

    def test_the_state_depends_on_the_case(self):
        flow = self.flow()
        hashes = [self.hash_of(flow, "--time.steps", "9", *more)
                  for more in ([], ["--fluid.acceleration", "0.06,0.1,0"],
                               ["--boundary.y_high_velocity", "0.6,0,0"],
                               ["--fluid.magic", "0.25"], ["--time.steps", "10"])]
        self.assertEqual(len(set(hashes)), len(hashes))


class SameBits(FluidTest):
    def reference(self, flow, precision):
        folder = self.dir / f"{flow}-{precision}"
        return folder, self.run_in(folder, flow, precision)

    def run_in(self, folder, flow, precision, *more, **options):
        return self.hash_of(self.flow(FLOWS[flow]), "--fluid.precision", precision, "--time.steps", "31",
                            "--output.every", "31", "--checkpoint.every", "20", "--output.directory",
                            folder,
                            *more, **options)

    def assert_same_files(self, a, b):
        names = sorted(p.name for p in a.glob("*.h5"))
        self.assertEqual(names, [f"custom_{n}.h5" for n in (
            "000000000", "000000031", "restart_000000020", "restart_000000031")])
        self.assertEqual(sorted(p.name for p in b.glob("*.h5")), names)
        for name in names:
            self.assert_same_data(datasets(a / name), datasets(b / name), name)

    def assert_same_data(self, a, b, name):
        self.assertEqual(list(a), list(b), name)
        for key, values in a.items():
            self.assertEqual(values.dtype, b[key].dtype, (name, key))
            self.assertEqual(values.shape, b[key].shape, (name, key))
            self.assertEqual(values.tobytes(), b[key].tobytes(), (name, key))

    def test_on_any_threads_and_instructions(self):
        isas = [isa for isa in ("scalar", "avx2", "avx512") if isa in instruction_sets()]
        for flow, precision in itertools.product(FLOWS, ("float", "double")):
            folder, expected = self.reference(flow, precision)
            for isa, threads in itertools.product(isas, (1, 2, 3)):
                with self.subTest(flow=flow, precision=precision, isa=isa, threads=threads):
                    found = self.run_in(self.dir / f"{flow}-{precision}-{isa}-{threads}", flow,
                                        precision, "--threads", threads, env={"HELICITY_ISA": isa})
                    self.assertEqual(found, expected)
            self.assert_same_files(folder, self.dir / f"{flow}-{precision}-{isas[-1]}-3")

    @needs_mpi
    def test_on_any_ranks(self):
        expected = {(flow, precision): self.reference(flow, precision)
                    for flow, precision in itertools.product(FLOWS, ("float", "double"))}
        isas = itertools.cycle(isa for isa in ("scalar", "avx2", "avx512") if isa in instruction_sets())
        for n, (flow, precision, ranks, split) in enumerate(ON_RANKS):
            with self.subTest(flow=flow, precision=precision, ranks=ranks, split=split):
                there, state = expected[flow, precision]
                here = self.dir / f"ranks-{n}"
                found = self.run_in(here, flow, precision, "--ranks", split, "--threads", 1 + n % 2,
                                    ranks=ranks, env={"HELICITY_ISA": next(isas)})
                self.assertEqual(found, state)
                self.assert_same_files(there, here)

    @needs_mpi
    def test_metrics_say_how_it_was_split(self):
        found = self.metrics(self.flow(), "--time.steps", "2", "--ranks", "2,3,1", ranks=6)
        self.assertEqual((found["ranks"], found["decomposition"]), (6, "2 x 3 x 1"))


class Validation(FluidTest):
    def validate(self, ranks=0):
        program, *rest = [*mpi_prefix(ranks), FLUID, "lbm", "validate", "--quick", "-q", "--json",
                          self.path("gates.json")]
        result = self.run_program(*rest, program=program)
        self.assertEqual(result.returncode, 0, result.stdout.decode() + result.stderr.decode())
        return json.loads((self.dir / "gates.json").read_text())

    def check(self, gates):
        for gate in gates:
            self.assertLessEqual({"case", "quantity", "value", "target", "tolerance", "pass"}, set(gate))
            self.assertIs(gate["pass"], True, gate)
        for case in ("couette", "poiseuille", "taylor-green", "cavity"):
            self.assertTrue(any(gate["case"].startswith(case) for gate in gates), case)

    def test_on_one_process(self):
        self.check(self.validate())

    @needs_mpi
    def test_on_two_ranks(self):
        gates = self.validate(ranks=2)
        self.check(gates)
        self.assertEqual(gates, self.validate())


if __name__ == "__main__":
    main()
