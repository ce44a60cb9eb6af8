# SPDX-License-Identifier: Apache-2.0
"""helicity-fluid lbm run --restart: goes on bit for bit, on any ranks; what is refused, and how."""

import random
import shutil

from fluid_support import FLOW_3D, SMALL, FluidTest, h5py, main, needs_mpi, own_lines


class GoesOn(FluidTest):
    def setUp(self):
        super().setUp()
        self.case = self.flow()

    def two_parts(self, middle, end, first, second):
        """Hash after `end` steps of which the first `middle` were another run's."""
        folder = ["--output.directory", self.dir]
        self.metrics(self.case, *folder, "--time.steps", middle, "--checkpoint.every", middle, **first)
        found = self.metrics(self.case, *folder, "--time.steps", end, "--restart", "latest", **second)
        self.assertEqual((found["first_step"], found["last_step"]), (middle, end))
        for path in self.states():
            path.unlink()
        return found["state_hash"]

    def check(self, middle, end, first=None, second=None):
        with self.subTest(middle=middle, end=end, first=first, second=second):
            self.assertEqual(self.two_parts(middle, end, first or {}, second or {}),
                             self.hash_of(self.case, "--time.steps", end))

    def test_after_odd_and_even_steps(self):
        for middle, end in ((10, 20), (11, 22), (11, 20), (10, 21), (1, 2)):
            self.check(middle, end)

    def test_in_three_dimensions_and_doubles(self):
        self.case = self.flow(FLOW_3D.replace("[fluid]", '[fluid]\nprecision = "double"'))
        self.check(9, 18)

    def test_with_other_threads_and_instructions(self):
        self.check(9, 20, {"env": {"HELICITY_THREADS": "3"}}, {"env": {"HELICITY_ISA": "scalar"}})

    @needs_mpi
    def test_on_other_ranks(self):
        self.check(11, 22, {"ranks": 3}, {})
        self.check(10, 21, {}, {"ranks": 4})
        self.check(11, 20, {"ranks": 2}, {"ranks": 6})

    def test_more_often_than_once(self):
        folder = ["--output.directory", self.dir]
        self.metrics(self.case, *folder, "--time.steps", 7, "--checkpoint.every", 7)
        for end in (14, 20, 33):
            found = self.hash_of(self.case, *folder, "--time.steps", end, "--checkpoint.every", 7,
                                 "--restart", "latest")
        self.assertEqual(found, self.hash_of(self.case, "--time.steps", 33))

    def test_from_a_named_file(self):
        folder = ["--output.directory", self.dir]
        self.metrics(self.case, *folder, "--time.steps", 30, "--checkpoint.every", 10,
                     "--checkpoint.keep", 9)
        moved = shutil.move(self.states()[1], self.dir / "kept state.h5")
        found = self.metrics(self.case, *folder, "--time.steps", 30, "--restart", moved)
        self.assertEqual(found["first_step"], 20)
        self.assertEqual(found["state_hash"], self.hash_of(self.case, "--time.steps", 30))

    def test_what_does_not_change_the_state_may_change(self):
        folder = ["--output.directory", self.dir]
        self.metrics(self.case, *folder, "--time.steps", 10, "--checkpoint.every", 10)
        found = self.hash_of(self.case, *folder, "--time.steps", 20, "--restart", "latest",
                             "--output.every", 3,
                             "--checkpoint.keep", 5, "--health.every", 4, "--output.compress")
        self.assertEqual(found, self.hash_of(self.case, "--time.steps", 20))

    def test_a_finished_run_has_nothing_to_do(self):
        folder = ["--output.directory", self.dir]
        self.metrics(self.case, *folder, "--time.steps", 10, "--checkpoint.every", 10)
        result = self.lbm(self.case, *folder, "--time.steps", 10, "--restart", "latest")
        self.assertEqual(result.returncode, 0)
        self.assertIn("nothing to do", result.stderr.decode())

    def test_keep(self):
        for keep in (1, 3):
            folder = self.dir / f"keep-{keep}"
            self.metrics(self.case, "--output.directory", folder, "--time.steps", 50,
                         "--checkpoint.every", 10, "--checkpoint.keep", keep)
            self.assertEqual([p.name for p in self.states(folder)],
                             [f"custom_restart_{n:09}.h5" for n in (10, 20, 30, 40, 50)][-keep:])


class Damage(FluidTest):
    """States after 10, 20 and 30 steps of a small cavity."""

    STEPS = [*SMALL, "--time.steps", 30]

    def setUp(self):
        super().setUp()
        self.folder = ["--output.directory", self.dir]
        self.expected = self.hash_of(*self.STEPS, *self.folder, "--checkpoint.every", 10,
                                     "--checkpoint.keep", 3)
        (self.dir / "metrics.json").unlink()

    def refuses(self, *expected, restart, more=()):
        return self.assert_refuses(*expected,
                                   arguments=["-q", *self.STEPS, *self.folder, "--restart", restart,
                                                         *more])

    @staticmethod
    def truncate(path):
        path.write_bytes(path.read_bytes()[:-700])

    @staticmethod
    def flip(path, position, bit=3):
        data = bytearray(path.read_bytes())
        data[position] ^= 1 << bit
        path.write_bytes(data)

    def flip_population(self, path):
        with h5py().File(path, "r") as file:
            offset = file["population"].id.get_chunk_info(0).byte_offset
        self.flip(path, offset + 100)

    def test_other_physics(self):
        state = self.states()[-1]
        for key, option in (("flow.reynolds", ["--flow.reynolds", "99"]),
                            ("fluid.viscosity", ["--fluid.viscosity", "0.02"]),
                            ("boundary.y_high_velocity", ["--boundary.y_high_velocity", "0.9,0,0"]),
                            ("fluid.collision", ["--fluid.collision", "srt"]),
                            ("fluid.precision", ["--fluid.precision", "double"])):
            for restart in ("latest", state):
                with self.subTest(key, restart=restart):
                    self.refuses(state.name, key, "there", "here", restart=restart, more=option)

    def test_another_grid(self):
        state = self.states()[-1]
        text = self.refuses(state.name, "16", "18", restart=state, more=["--grid.cells", "18,16,1"])
        self.assertIn("cells", text)

    def test_another_body(self):
        flow = self.flow()
        self.metrics(flow, *self.folder, "--time.steps", 10, "--checkpoint.every", 10)
        other = self.write("other.toml", (self.dir / "flow.toml").read_text().replace("0.15", "0.16"))
        self.assert_refuses("custom_restart_000000010.h5", "solid", "radius",
                            arguments=[other, *self.folder, "--time.steps", 20, "--restart", "latest"])

    def falls_back(self, damage, first_step, *names, ranks=0):
        damage(self.states()[-1])
        found = self.metrics(*self.STEPS, *self.folder, "--restart", "latest", warns=True, ranks=ranks)
        self.assertEqual((found["first_step"], found["state_hash"]), (first_step, self.expected))
        self.assertEqual(len(self.said), len(names), self.said)
        for line, name in zip(self.said, names):
            self.assertIn("warning", line)
            self.assertIn(name, line)

    def test_latest_falls_back_from_a_truncated_file(self):
        self.falls_back(self.truncate, 20, "_000000030.h5")

    def test_latest_falls_back_from_flipped_bits(self):
        self.falls_back(self.flip_population, 20, "_000000030.h5")

    def test_latest_falls_back_twice(self):
        self.flip_population(self.states()[-2])
        self.falls_back(self.truncate, 10, "_000000030.h5", "_000000020.h5")

    @needs_mpi
    def test_all_ranks_fall_back(self):
        self.falls_back(self.flip_population, 20, "_000000030.h5", ranks=3)

    def all_damaged(self):
        first, second, third = self.states()
        self.truncate(first)
        second.write_text("dear diary\n")
        self.flip_population(third)
        return first.name, second.name, third.name

    def check_all_damaged(self, result):
        names = self.states()
        self.assertEqual(result.returncode, 2)
        *warnings, last = own_lines(result.stderr.decode())
        self.assertEqual(len(warnings), 3)
        self.assertTrue(all(": warning: " in line for line in warnings), warnings)
        self.assertTrue(last.startswith("helicity-fluid: error: there is no state"), last)
        for part in (*(p.name for p in names), "truncated", "not an HDF5 file", "checksum"):
            self.assertIn(part, last)

    def test_all_damaged(self):
        self.all_damaged()
        self.check_all_damaged(self.lbm("-q", *self.STEPS, *self.folder, "--restart", "latest"))

    @needs_mpi
    def test_all_damaged_on_ranks(self):
        self.all_damaged()
        self.check_all_damaged(self.lbm("-q", *self.STEPS, *self.folder, "--restart", "latest", ranks=3))

    def test_no_state_at_all(self):
        self.assert_refuses("there is no state", "cavity_restart_",
                            arguments=[*self.STEPS, "--output.directory", "elsewhere", "--restart",
                                       "latest"])

    def test_files_that_are_no_states(self):
        self.metrics(*SMALL, *self.folder, "--time.steps", 1, "--output.every", 1)
        self.refuses("cavity_000000001.h5", "not a state", restart=self.dir / "cavity_000000001.h5")
        with h5py().File(self.dir / "foreign.h5", "w") as file:
            file["population"] = [1.0, 2.0]
        self.refuses("foreign.h5", "not a state", restart=self.path("foreign.h5"))
        self.refuses("text.h5", "not an HDF5 file", restart=self.write("text.h5", "dear diary\n"))
        self.refuses("empty.h5", "not an HDF5 file", restart=self.write("empty.h5", ""))
        self.refuses("nowhere.h5", "No such file", restart=self.path("nowhere.h5"))
        self.refuses("not a file", restart=self.dir)

    def test_truncated_files(self):
        whole = self.states()[-1].read_bytes()
        for length in (0, 1, 8, 100, 2000, len(whole) // 2, len(whole) - 1):
            with self.subTest(length):
                self.refuses("cut.h5", restart=self.write("cut.h5", whole[:length]))

    def test_one_flipped_bit_is_found_or_harmless(self):
        rng = random.Random(5)
        whole = self.states()[-2].read_bytes()
        refused = 0
        for _ in range(60):
            path = self.dir / "flipped.h5"
            path.write_bytes(whole)
            position, bit = rng.randrange(len(whole)), rng.randrange(8)
            self.flip(path, position, bit)
            with self.subTest(position=position, bit=bit):
                result = self.lbm("-q", *self.STEPS, "--restart", path, "--metrics", "m.json")
                text = result.stderr.decode()
                refused += result.returncode != 0
                if result.returncode == 0:
                    self.assertIn(self.expected, (self.dir / "m.json").read_text())
                else:
                    self.assertEqual((result.returncode, text.count("\n")), (2, 1), text)
                    self.assertIn("flipped.h5", text)
        self.assertGreater(refused, 20)


if __name__ == "__main__":
    main()
