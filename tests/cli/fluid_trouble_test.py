# SPDX-License-Identifier: Apache-2.0
"""helicity-fluid lbm run where something goes wrong: blow-ups, lost ranks, folders and disks that fail."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path

from fluid_support import SMALL, FluidTest, datasets, main, needs_mpi, own_lines

UNSTABLE = ["--case", "cavity", "--grid.cells", "32,32,1", "--fluid.viscosity", "1e-9",
            "--flow.lattice_speed",
            "0.45", "--checkpoint.every", "20", "--health.every", "10"]


class BlowUp(FluidTest):
    def report(self, folder, *more, ranks=0):
        result = self.lbm(*UNSTABLE, "--output.directory", folder, *more, ranks=ranks)
        text = result.stderr.decode()
        self.assertEqual(result.returncode, 3, text)
        begin = text.index("helicity-fluid: warning: the simulation blew up")
        return text[begin:text.index("advice:", begin)]

    def test_report(self):
        text = self.report(self.path("out"))
        step = int(re.search(r"blew up at step (\d+), t = [\d.]+ s", text)[1])
        self.assertRegex(text,
                         r"velocity is [\d.]+ cells a step \(CFL\), above 0.5 in cell \(\d+, \d+, 0\)")
        self.assertRegex(text, r"density = [\d.]+")
        last = re.search(r"last good checkpoint: (.*)", text)[1]
        self.assertEqual(last, str(self.states(self.dir / "out")[-1]))
        self.assertLess(int(Path(last).stem.rpartition("_")[2]), step)

    def test_no_checkpoint_yet(self):
        self.assertIn("last good checkpoint: none",
                      self.report(self.path("out"), "--checkpoint.every", "0"))
        self.assertEqual(self.all_files(), [])

    def test_no_checkpoint_or_output_of_a_broken_state(self):
        """Health is looked at before a state is written, also where nobody asked for it then."""
        text = self.report(self.path("out"), "--health.every", "0", "--checkpoint.every", "25",
                           "--output.every", "25")
        step = int(re.search(r"blew up at step (\d+)", text)[1])
        self.assertEqual(self.states(self.dir / "out")[-1].name, f"cavity_restart_{step - 25:09}.h5")
        self.assertFalse((self.dir / "out" / f"cavity_{step:09}.h5").exists())

    def test_not_finite(self):
        text = self.report(self.path("out"), "--health.every", "0", "--checkpoint.every", "5000")
        self.assertIn("is not finite", text)

    def test_metrics(self):
        found = self.metrics(*UNSTABLE, "--output.directory", self.dir, code=3, warns=True)
        self.assertEqual(found["exit"], {"code": 3, "reason": "blew up"})

    @needs_mpi
    def test_the_same_report_on_three_ranks(self):
        alone = self.report("out")
        for path in self.states(self.dir / "out"):
            path.unlink()
        self.assertEqual(self.report("out", ranks=3), alone)


@needs_mpi
class LostRank(FluidTest):
    @staticmethod
    def processes(pid):
        """Descendants of a process."""
        found = []
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in children.read_text().split():
                found += [int(child), *LostRank.processes(child)]
        return found

    def pid_of_rank(self, mpirun, rank):
        for pid in self.processes(mpirun):
            with contextlib.suppress(OSError):
                if f"\0OMPI_COMM_WORLD_RANK={rank}\0" in Path(f"/proc/{pid}/environ").read_text():
                    return pid
        raise self.skipTest("this mpirun does not tell ranks by OMPI_COMM_WORLD_RANK")

    def test_a_killed_rank_ends_the_job(self):
        running = self.start("-q", *SMALL, "--time.steps", 10**12, "--checkpoint.every", 20, ranks=3)
        running.wait_until(self.states, "the first checkpoint")
        os.kill(self.pid_of_rank(running.process.pid, 1), signal.SIGKILL)
        self.assertNotEqual(running.finish(10), 0)
        self.assertRegex(running.text, r"rank 1\b")
        end = int(self.states()[-1].stem.rpartition("_")[2]) + 30
        found = self.metrics(*SMALL, "--time.steps", end, "--output.directory", self.dir, "--restart",
                             "latest", ranks=2)
        self.assertEqual(found["first_step"], end - 30)
        self.assertEqual(found["state_hash"], self.hash_of(*SMALL, "--time.steps", end))


class Folders(FluidTest):
    """Output that cannot be written: one line, no hang, nothing half done."""

    KINDS = (["--checkpoint.every", "5"], ["--output.every", "5"], ["--output.image_every", "5"])

    def arguments(self, folder, more):
        return [*SMALL, "--time.steps", "10", "--output.directory", folder, *more]

    def fails(self, folder, cause, code=1):
        for more in self.KINDS:
            with self.subTest(more):
                self.assert_refuses(folder, cause, arguments=["-q", *self.arguments(folder, more)],
                                    code=code)

    def test_a_file_is_in_the_way(self):
        self.fails(self.write("plain", "precious\n"), "Not a directory")
        self.fails(self.path("plain/below"), "Not a directory")

    def test_a_folder_that_cannot_be_made(self):
        self.fails("/proc/nowhere", "No such file")

    @needs_mpi
    def test_all_ranks_stop(self):
        plain = self.write("plain", "precious\n")
        for more in self.KINDS:
            with self.subTest(more):
                self.assert_ranks_fail(1, plain, "Not a directory",
                                       arguments=self.arguments(plain, more))

    def test_metrics_that_cannot_be_written(self):
        text = self.assert_refuses("nowhere/m.json",
                                   arguments=["-q", *SMALL, "--time.steps", "10", "--metrics",
                                                                self.path("nowhere/m.json")], code=1)
        self.assertIn("No such file", text)

    @needs_mpi
    def test_metrics_that_cannot_be_written_on_ranks(self):
        self.assert_ranks_fail(1, "nowhere/m.json", arguments=[*SMALL, "--time.steps", "10", "--metrics",
                                                               self.path("nowhere/m.json")])


class Disks(FluidTest):
    """Small file systems of their own, where the user may mount some."""

    @contextlib.contextmanager
    def mounted(self, options):
        folder = self.dir / "disk"
        folder.mkdir(exist_ok=True)
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", folder],
                               stderr=subprocess.PIPE, check=False)
        if mount.returncode != 0:
            self.skipTest(f"no file system can be mounted: {mount.stderr.decode().strip()}")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "-l", folder], check=True)

    CASE = ["-q", "--case", "cavity", "--grid.cells", "64,64,1", "--time.end", "0", "--time.steps",
            "100"]
    KINDS = (["--checkpoint.every", "10"], ["--output.every", "10"],
             ["--output.every", "10", "--output.compress"],
             ["--output.image_every", "1"])

    def check_full(self, more, ranks=0):
        with self.subTest(more), self.mounted("size=256k") as folder:
            self.run_until_full(folder, [*more, "--checkpoint.keep", "99"], ranks)

    def run_until_full(self, folder, more, ranks):
        """What has its name is whole."""
        result = self.lbm(*self.CASE, "--output.directory", folder, *more, ranks=ranks)
        text = result.stderr.decode()
        self.assertEqual(result.returncode, 1, text)
        self.assertEqual(len(own_lines(text)), 1, text)
        self.assertIn(str(folder), own_lines(text)[0])
        self.assertEqual(list(folder.glob("*.tmp*")), [])
        with tempfile.TemporaryDirectory(dir=self.dir) as whole:
            self.metrics(*self.CASE, "--output.directory", whole, *more)
            for path in folder.iterdir():
                if path.suffix == ".png":
                    self.assertEqual(path.read_bytes(), Path(whole, path.name).read_bytes())
                elif path.suffix == ".h5":
                    self.assert_equal_data(path, Path(whole, path.name))

    def assert_equal_data(self, a, b):
        a, b = datasets(a), datasets(b)
        self.assertEqual(list(a), list(b))
        for name, values in a.items():
            self.assertEqual(values.tobytes(), b[name].tobytes())

    def test_full(self):
        for more in self.KINDS:
            self.check_full(more)

    @needs_mpi
    def test_full_on_ranks(self):
        for more in self.KINDS:
            self.check_full(more, ranks=3)

    def test_an_old_checkpoint_survives_a_full_disk(self):
        with self.mounted("size=256k") as folder:
            result = self.lbm(*self.CASE, "--output.directory", folder, "--checkpoint.every", "10",
                              "--checkpoint.keep", "99")
            self.assertEqual(result.returncode, 1)
            found = self.metrics(*self.CASE[1:], "--output.directory", folder, "--restart", "latest")
            self.assertGreater(found["first_step"], 0)
            self.assertEqual(found["state_hash"], self.hash_of(*self.CASE[1:]))

    def read_only(self, ranks):
        with self.mounted("ro") as folder:
            for more in Folders.KINDS:
                with self.subTest(more):
                    result = self.lbm("-q", *SMALL, "--time.steps", "10", "--output.directory", folder,
                                      *more, ranks=ranks)
                    text = result.stderr.decode()
                    self.assertEqual(result.returncode, 1, text)
                    self.assertEqual(len(own_lines(text)), 1, text)
                    self.assertRegex(own_lines(text)[0], f"error: .*{folder}.*Read-only file system")

    def test_read_only(self):
        self.read_only(0)

    @needs_mpi
    def test_read_only_on_ranks(self):
        self.read_only(3)


if __name__ == "__main__":
    main()
