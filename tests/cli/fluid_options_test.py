# SPDX-License-Identifier: Apache-2.0
"""helicity-fluid lbm: the command line, case files, units, and what is refused before anything runs."""

import os
import re
import subprocess
import time

from fluid_support import FLUID, SMALL, FluidTest, h5py, main, needs_mpi


class Words(FluidTest):
    def says(self, *arguments):
        result = self.run_program(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return result.stdout.decode()

    def test_help(self):
        for arguments in (["--help"], ["-h"], ["help"], ["lbm", "--help"]):
            self.assertIn("helicity-fluid SOLVER run", self.says(*arguments))
        text = self.says("lbm", "run", "--help")
        for word in ("--restart", "--dry-run", "--grid.cells", "--fluid.viscosity", "--set",
                     "--walltime"):
            self.assertIn(word, text)
        self.assertIn("--quick", self.says("lbm", "validate", "--help"))

    def test_version(self):
        self.assertRegex(self.says("--version"), r"^helicity-fluid \d+\.\d+\.\d+\n$")

    def test_cases(self):
        names = [line.split()[0] for line in self.says("lbm", "cases").splitlines()]
        self.assertEqual(names, ["cavity", "taylor-green", "poiseuille", "couette", "custom"])

    def test_unknown_words(self):
        self.assert_fails(2, "lbn", "did you mean 'lbm'", arguments=["lbn"])
        self.assert_fails(2, "solver", "lbm", arguments=[])
        self.assert_fails(2, "command", "validate", arguments=["lbm"])
        self.assert_fails(2, "runn", "did you mean 'run'", arguments=["lbm", "runn"])
        self.assert_fails(2, "--jsn", "did you mean '--json'", arguments=["lbm", "validate", "--jsn"])
        self.assert_fails(2, "cavty", "did you mean 'cavity'", arguments=["lbm", "validate", "cavty"])

    def test_unknown_words_of_a_run(self):
        for expected, arguments in (
                (["cavty", "did you mean 'cavity'"], ["--case", "cavty"]),
                (["--cas", "did you mean '--case'"], ["--cas", "cavity"]),
                (["--grid.cels", "did you mean '--grid.cells'"],
                 ["--case", "cavity", "--grid.cels", "8,8,1"]),
                (["grid.cels", "did you mean 'grid.cells'"],
                 ["--case", "cavity", "--set", "grid.cels=8,8,1"]),
                (["fluid.lattice", "d2q8", "did you mean 'd2q9'"],
                 ["--case", "cavity", "--fluid.lattice", "d2q8"]),
                (["cudaa", "did you mean 'cuda'"], ["--case", "cavity", "--device", "cudaa"]),
                (["--gpu-aware-mpi", "perhaps"], ["--case", "cavity", "--gpu-aware-mpi", "perhaps"]),
                (["--threads"], ["--case", "cavity", "--threads", "two"]),
                (["one.toml"], ["case.toml", "one.toml"])):
            with self.subTest(arguments):
                self.assert_refuses(*expected, arguments=arguments)

    @needs_mpi
    def test_an_error_of_all_ranks_is_told_once(self):
        self.assert_ranks_fail(2, "did you mean 'cavity'", arguments=["--case", "cavty"])


class Keys(FluidTest):
    def config(self, *arguments):
        result = self.lbm(*arguments, "--print-config")
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return result.stdout.decode()

    def value(self, key, *arguments):
        return re.search(rf"^{key} = (.*)$", self.config(*arguments), re.M)[1]

    def test_units(self):
        self.assertEqual(self.value("length", "--case", "cavity", "--flow.length", "12 cm"), "0.12")
        self.assertEqual(self.value("viscosity", "--case", "cavity", "--fluid.viscosity", "1.5 mm2/s"),
                         "1.5e-06")
        self.assertEqual(self.value("speed", "--case", "cavity", "--set", "flow.speed=36 km/h"), "10.0")

    def test_units_in_files(self):
        flow = self.flow('case = "cavity"\n[flow]\nlength = "57 mm"\n')
        self.assertEqual(self.value("length", flow), "0.057")

    def test_wrong_units(self):
        self.assert_refuses("--flow.speed", "'kg' does not fit", "m/s, km/s",
                            arguments=["--case", "cavity", "--flow.speed", "3 kg"])
        self.assert_refuses("flow.length", "'s' does not fit", "cm",
                            arguments=["--case", "cavity", "--set", "flow.length=3 s"])
        self.assert_refuses("flow.reynolds", "without a unit",
                            arguments=["--case", "cavity", "--flow.reynolds", "100 m"])

    def test_the_command_line_is_above_the_file(self):
        flow = self.flow('case = "cavity"\n[flow]\nreynolds = 7\n')
        self.assertEqual(self.value("reynolds", flow), "7.0")
        self.assertEqual(self.value("reynolds", flow, "--flow.reynolds", "8"), "8.0")
        self.assertEqual(self.value("reynolds", flow, "--set", "flow.reynolds=9"), "9.0")

    def test_set(self):
        arguments = ["--case", "cavity", "--set", "grid.cells=[9, 7, 1]", "--set",
                     "output.compress=true"]
        self.assertEqual(self.value("cells", *arguments), "[9, 7, 1]")
        self.assertEqual(self.value("compress", *arguments), "true")
        self.assert_refuses("--set", "KEY=VALUE", arguments=["--case", "cavity", "--set", "grid.cells"])
        self.assert_refuses("--set", "case", arguments=["--case", "cavity", "--set", "case=couette"])
        self.assert_refuses("--set", "solid", "file", arguments=["--case", "cavity", "--set", "solid=1"])

    def test_a_printed_configuration_prints_itself(self):
        for arguments in (["--case", "poiseuille"], ["--case", "taylor-green"], ["--case", "custom"],
                          [self.flow()]):
            with self.subTest(arguments):
                first = self.config(*arguments)
                self.assertEqual(self.config(self.write("again.toml", first)), first)

    def test_a_printed_configuration_runs_alike(self):
        again = self.write("again.toml", self.config(self.flow(), "--time.steps", "9"))
        self.assertEqual(self.hash_of(again), self.hash_of(self.flow(), "--time.steps", "9"))


class CaseFiles(FluidTest):
    def refuses(self, text, *expected):
        path = self.write("bad.toml", text)
        where, *rest = expected
        self.assert_refuses(f"{path}:{where}: ", *rest, arguments=[path])

    def test_errors_say_where(self):
        self.refuses("case = \n", "1:8")
        self.refuses('case = "cavty"\n', "1:8", "cavty", "did you mean 'cavity'")
        self.refuses("\n[time]\nstepps = 3\n", "3:1", "time.stepps", "did you mean 'time.steps'")
        self.refuses('[flow]\n  length = "3 s"\n', "2:12", "flow.length", "'s' does not fit")
        self.refuses("[grid]\ncells = [8, 8]\n", "2:9", "grid.cells", "3")
        self.refuses("[grid]\ncells = [8, 8, 0]\n", "2:16", "grid.cells", "between 1 and", "found 0")
        self.refuses("[time]\nsteps = -1\n", "2:9", "time.steps", "at least 0")
        self.refuses("[time]\nsteps = 1\nsteps = 2\n", "3:9", "redefine")
        self.refuses("[timme]\nsteps = 1\n", "1:2", "timme", "did you mean 'time'")
        self.refuses('[[solid]]\nshape = "sphere"\nradus = 2\n', "3:1", "solid.radus",
                     "did you mean 'solid.radius'")
        self.refuses('[[solid]]\nshape = "spere"\n', "2:9", "solid.shape", "did you mean 'sphere'")

    def test_a_file_or_a_case(self):
        flow = self.flow()
        self.assert_refuses("--case", "not both", arguments=[flow, "--case", "cavity"])
        self.assert_refuses("--case", arguments=[])
        self.assert_refuses("nowhere.toml", "No such file", arguments=["nowhere.toml"])
        self.assert_refuses("Is a directory", arguments=[self.dir])

    def test_when_a_run_ends(self):
        self.assert_refuses("time.end", "time.steps", arguments=["--case", "custom"])
        self.assert_refuses("time.end", "time.steps", "both",
                            arguments=["--case", "custom", "--time.end", "1", "--time.steps", "3"])
        self.assert_refuses("--walltime", arguments=[*SMALL, "--time.steps", "3", "--walltime", "2 kg"])

    def test_too_fast(self):
        self.assert_refuses("boundary.y_high_velocity", "0.9", "health.speed_limit 0.5",
                            arguments=["--case", "cavity", "--flow.lattice_speed", "0.9"])
        self.assert_refuses("initial.velocity", "health.speed_limit",
                            arguments=["--case", "custom", "--initial.kind", "uniform",
                                       "--initial.velocity", "6,0,0", "--time.steps", "1"])


class Bodies(FluidTest):
    def solid_cells(self, *arguments):
        self.metrics(*arguments, "--output.every", "1", "--output.variables", "solid",
                     "--output.directory", self.dir)
        with h5py().File(self.dir / "custom_000000000.h5", "r") as file:
            return file["solid"][0]

    @staticmethod
    def expected(cells, inside):
        x = lambda n: (n + 0.5) / 12
        return [[[int(inside(x(i), x(j), x(k))) for i in range(cells[0])] for j in range(cells[1])]
                for k in range(cells[2])]

    def flow_with(self, cells, *solids):
        text = f'case = "custom"\n[grid]\ncells = {list(cells)}\nspacing = "{1 / 12} m"\n[time]\nsteps = 1\n'
        return self.write("solid.toml", text + "".join(f"[[solid]]\n{body}\n" for body in solids))

    def check(self, cells, solids, inside):
        found = self.solid_cells(self.flow_with(cells, *solids))
        self.assertEqual(found.tolist(), self.expected(cells, inside))

    def test_sphere(self):
        self.check((12, 10, 8), ['shape = "sphere"\ncentre = ["50 cm", 0.4, 0.3]\nradius = 0.26'],
                   lambda x, y, z: (x - 0.5)**2 + (y - 0.4)**2 + (z - 0.3)**2 <= 0.26**2)

    def test_cylinder_along_x(self):
        self.check((6, 10, 8), ['shape = "cylinder"\naxis = "x"\ncentre = [9, 0.4, 0.3]\nradius = 0.2'],
                   lambda x, y, z: (y - 0.4)**2 + (z - 0.3)**2 <= 0.2**2)

    def test_two_bodies(self):
        self.check((12, 12, 1), ['shape = "box"\nlow = [0.1, 0.2, 0]\nhigh = [0.4, 0.5, 1]',
                                 'shape = "cylinder"\ncentre = [0.75, 0.75, 0]\nradius = 0.2'],
                   lambda x, y, z: (0.1 <= x <= 0.4 and 0.2 <= y <= 0.5)
                   or (x - 0.75)**2 + (y - 0.75)**2 <= 0.2**2)


class Masks(FluidTest):
    CASE = ["--case", "custom", "--grid.cells", "6,5,4", "--time.steps", "1"]

    def setUp(self):
        super().setUp()
        h5py()  # or all are skipped

    def mask(self, values, name="solid"):
        path = self.path("mask.h5")
        with h5py().File(path, "w") as file:
            file[name] = values
        return path

    def refuses(self, path, *expected, more=()):
        self.assert_refuses(*expected, arguments=[*self.CASE, "--mask.file", path, *more])

    def test_mask(self):
        import numpy
        for values in (numpy.random.default_rng(1).integers(0, 2, (4, 5, 6)).astype("u1"),
                       numpy.random.default_rng(2).integers(0, 2, (4, 5, 6)).astype(bool),
                       numpy.random.default_rng(3).integers(0, 3, (4, 5, 6)).astype(">i4")):
            with self.subTest(values.dtype):
                self.metrics(*self.CASE, "--mask.file", self.mask(values, "rock"), "--mask.dataset",
                             "rock", "--output.every", "1", "--output.directory", self.dir)
                with h5py().File(self.dir / "custom_000000001.h5", "r") as file:
                    self.assertTrue((file["solid"][0] == (values != 0)).all())

    def test_flat_mask(self):
        self.assertEqual(self.metrics("--case", "custom", "--grid.cells", "6,5,1", "--time.steps", "1",
                                      "--mask.file", self.mask([[0] * 6] * 5))["cells"], 30)

    def test_masks_that_do_not_fit(self):
        self.refuses(self.mask([[[0] * 4] * 5] * 6), "mask.h5", "6 x 5 x 4", "4 x 5 x 6")
        self.refuses(self.mask([[0] * 6] * 5), "mask.h5", "5 x 6", "4 x 5 x 6")
        self.refuses(self.mask([[[0.5] * 6] * 5] * 4), "mask.h5", "whole numbers")
        self.refuses(self.mask([[[-1] * 6] * 5] * 4), "mask.h5", "-1")

    def test_masks_that_are_not_there(self):
        self.refuses(self.mask([[[0] * 6] * 5] * 4, "rock"), "mask.h5", "no dataset solid")
        self.refuses(self.path("nowhere.h5"), "nowhere.h5", "No such file")
        self.refuses(self.write("text.h5", "dear diary\n"), "text.h5", "not an HDF5 file")
        whole = self.mask([[[0] * 6] * 5] * 4)
        with open(whole, "rb") as file:
            cut = self.write("cut.h5", file.read()[:-100])
        self.refuses(cut, "cut.h5", "truncated")

    @needs_mpi
    def test_all_ranks_refuse(self):
        self.assert_ranks_fail(2, "mask.h5", "4 x 5 x 6",
                               arguments=[*self.CASE, "--mask.file", self.mask([[[0] * 4] * 5] * 6)])


class Plans(FluidTest):
    def test_dry_run(self):
        before = self.all_files()
        result = self.lbm("--case", "cavity", "--dry-run", "--checkpoint.every", "5",
                          "--output.directory", "new", "--metrics", "m.json")
        text = result.stdout.decode()
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn("128 x 128 x 1 = 16384 cells", text)
        self.assertRegex(text, r"memory +[\d.]+ \w+ per rank")
        self.assertIn("checkpoint every 5 steps", text)
        self.assertEqual(self.all_files(), before)

    @needs_mpi
    def test_dry_run_on_ranks(self):
        result = self.lbm("--case", "cavity", "--dry-run", ranks=3)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual(result.stdout.decode().count("grid "), 1)
        self.assertIn("on 3 ranks", result.stdout.decode())

    def peak_of(self, *arguments):
        """Exit code, seconds and resident bytes of a run, and what it says."""
        begin = time.monotonic()
        with subprocess.Popen([FLUID, "lbm", "run", *arguments], cwd=self.dir, stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as process:
            text = process.stderr.read().decode()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, time.monotonic() - begin, usage.ru_maxrss * 1024, text

    def test_a_grid_that_cannot_fit(self):
        code, seconds, resident, text = self.peak_of("--case", "custom", "--time.steps", "1",
                                                     "--grid.cells", "20000,20000,20000")
        self.assertEqual(code, 2, text)
        self.assertRegex(text,
                         r"^helicity-fluid: error: .* needs \d+ TiB .* of which [\d.]+ \w+ can be had.*\n$")
        self.assertLess(seconds, 10)
        if not os.environ.get("HELICITY_SANITIZE"):
            self.assertLess(resident, 300e6)

    def test_cells_that_cannot_be_counted(self):
        for cells in ("16777216,16777216,16777216", "4194304,4194304,4194304",
                      "16777216,16777216,65536"):
            for more in ([], ["--dry-run"]):
                with self.subTest(cells, more=more):
                    self.assert_refuses("grid.cells", arguments=["--case", "custom", "--time.steps", "1",
                                                                 "--grid.cells", cells, *more])

    @needs_mpi
    def test_ranks_that_do_not_fit(self):
        for cells, ranks in (("16,16,1", "3,2,1"), ("2,1,1", "0,0,0")):
            with self.subTest(cells):
                self.assert_ranks_fail(2, "3 ranks", arguments=["--case", "custom", "--time.steps", "1",
                                                                "--grid.cells", cells, "--ranks", ranks])


if __name__ == "__main__":
    main()
