# SPDX-License-Identifier: Apache-2.0
"""What the tests of helicity-fluid share: runs on one process or many, and looks into their files."""

import json
import os
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

from support import BIN, ProgramTest, main as run_tests

FLUID = BIN / "helicity-fluid"
MPIEXEC = os.environ.get("HELICITY_MPIEXEC", "")
# Seconds after which a run is taken for hung.
HANG = 300 if os.environ.get("HELICITY_SANITIZE") else 60

needs_mpi = unittest.skipUnless(MPIEXEC, "built without MPI")

# A flow with all there is in two and in three dimensions: walls at rest and moving, force, bodies.
FLOW_2D = """
case = "custom"
[grid]
cells = [37, 23, 1]
[fluid]
acceleration = [0.05, 0.1, 0]
[flow]
length = 1
reynolds = 60
[boundary]
y = "wall"
y_low_velocity = [-0.2, 0, 0]
y_high_velocity = [0.7, 0, 0]
[[solid]]
shape = "cylinder"
centre = [0.5, 0.4, 0]
radius = 0.15
velocity = [0, 0.3, 0]
[[solid]]
shape = "box"
low = [1.1, 0, 0]
high = [1.25, 0.3, 1]
"""

FLOW_3D = """
case = "custom"
[grid]
cells = [14, 11, 9]
[fluid]
acceleration = [0.05, 0, 0.1]
[flow]
length = 1
reynolds = 60
[boundary]
y = "wall"
z = "wall"
y_high_velocity = [0.5, 0, 0.2]
z_low_velocity = [-0.2, 0.3, 0]
[[solid]]
shape = "sphere"
centre = [0.4, 0.5, 0.4]
radius = 0.2
"""

# The same in small: quick to step, quick to write.
SMALL = ["--case", "cavity", "--grid.cells", "16,16,1", "--time.end", "0"]


def h5py():
    """The module, or a skipped test."""
    try:
        import h5py as module
    except ImportError as error:
        raise unittest.SkipTest("no h5py") from error
    return module


def datasets(path):
    """All datasets of an HDF5 file, as arrays by name."""
    with h5py().File(path, "r") as file:
        return {name: item[()] for name, item in file.items() if hasattr(item, "shape")}


def mpi_prefix(ranks):
    return [MPIEXEC, "-n", str(ranks)] if ranks else []


def own_lines(text):
    """What the program itself wrote to standard error, without mpirun's and the table of ranks."""
    return [line for line in text.splitlines() if line.startswith(f"{FLUID.name}: ")]


class Running:
    """A run in the background. Its standard error is gathered as it comes."""

    def __init__(self, command, env=None):
        self.process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
        self.text = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.text += line.decode(errors="replace")

    def wait_until(self, condition, what):
        deadline = time.monotonic() + HANG
        while not condition():
            if self.process.poll() is not None:
                raise AssertionError(f"ended before {what}: {self.finish()}\n{self.text}")
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {what}\n{self.text}")
            time.sleep(0.002)

    def send(self, number):
        self.process.send_signal(number)

    def finish(self, timeout=HANG):
        """The exit code."""
        code = self.process.wait(timeout)
        self._reader.join()
        self.process.stderr.close()
        return code

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        if not self.process.stderr.closed:
            self.finish()


class FluidTest(ProgramTest):
    program = FLUID

    def flow(self, text=FLOW_2D):
        """Path of a case file."""
        return self.write("flow.toml", text)

    def states(self, folder=None):
        """Restart files, the oldest first."""
        return sorted(Path(folder or self.dir).glob("*_restart_*.h5"))

    def command(self, *arguments, ranks=0):
        return [*mpi_prefix(ranks), FLUID, "lbm", "run", *arguments]

    def lbm(self, *arguments, ranks=0, **options):
        program, *rest = self.command(*arguments, ranks=ranks)
        return self.run_program(*rest, program=program, cwd=options.pop("cwd", self.dir),
                                timeout=HANG, **options)

    def start(self, *arguments, ranks=0, folder=None):
        """A run in the background, ended with the test."""
        running = Running(self.command("--output.directory", folder or self.dir, *arguments,
                                       ranks=ranks))
        self.addCleanup(running.stop)
        return running

    def metrics(self, *arguments, code=0, warns=False, **options):
        """Runs quietly; what the metrics file then holds. self.said: its lines on standard error."""
        path = self.dir / "metrics.json"
        path.unlink(missing_ok=True)
        result = self.lbm("-q", "--metrics", path, *arguments, **options)
        text = result.stderr.decode()
        self.said = own_lines(text)
        self.assertEqual(result.returncode, code, text)
        self.assertEqual(bool(self.said), warns, text)
        return json.loads(path.read_text())

    def hash_of(self, *arguments, **options):
        return self.metrics(*arguments, **options)["state_hash"]

    def assert_refuses(self, *expected, arguments, code=2, **options):
        """lbm run ends with one line, naming all of `expected`, and writes nothing."""
        before = self.all_files()
        text = self.assert_fails(code, *expected, cwd=self.dir, timeout=HANG,
                                 arguments=["lbm", "run", *arguments], **options)
        self.assertEqual(self.all_files(), before)
        return text

    def assert_ranks_fail(self, code, *expected, arguments, ranks=3):
        """All ranks end, and one of them says why in one line."""
        result = self.lbm("-q", *arguments, ranks=ranks)
        text = result.stderr.decode()
        self.assertEqual(result.returncode, code, text)
        self.assertEqual(len(own_lines(text)), 1, text)
        self.assertTrue(own_lines(text)[0].startswith("helicity-fluid: error: "), text)
        for part in expected:
            self.assertIn(part, own_lines(text)[0])

    def all_files(self):
        return sorted(str(p.relative_to(self.dir)) for p in self.dir.rglob("*"))


def instruction_sets():
    """Names of those that work here."""
    text = subprocess.run([BIN / "helicity-info", "--json"], stdout=subprocess.PIPE,
                          check=True).stdout
    return [isa["name"] for isa in json.loads(text)["cpu"]["instruction_sets"] if isa["usable"]]


def main():
    if not FLUID.exists():
        print(f"{FLUID} is not there", file=sys.stderr)
        sys.exit(77)
    run_tests(FLUID)
