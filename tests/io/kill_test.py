#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Killed at any moment, a run leaves no file with a final name that is not whole."""

import os
import random
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import support

h5py, numpy = support.need("h5py", "numpy")

CELLS = (48, 32, 20)


def children(pid):
    """Processes started by a process."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(entry.parent.name))
    return found


class Kill(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.checked = 0

    def run_and_kill(self, ranks, seconds):
        collection = self.path / "flow.xmf"
        collection.unlink(missing_ok=True)
        process = subprocess.Popen(support.command(ranks, "loop", self.path, *CELLS),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.time() + 20
        while not collection.exists() and time.time() < deadline:
            time.sleep(0.002)
        time.sleep(seconds)
        self.assertIsNone(process.poll(), "the writer ended by itself")
        for victim in children(process.pid) if ranks > 1 else [process.pid]:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait(timeout=30)

    def check(self):
        for path in self.path.glob("*.h5"):
            with h5py.File(path) as file:
                names = [n for n in file if isinstance(file[n], h5py.Dataset) and file[n].ndim == 4]
                self.assertEqual(len(names), 3, path)
                for name in names:  # h5py verifies fletcher32
                    component = int(name == "velocity_x")
                    expected = support.values(numpy, CELLS, component, file[name].dtype)
                    numpy.testing.assert_array_equal(file[name][0], expected)
            if path.name.startswith("state"):
                support.probe(1, "check-state", path, *CELLS)
            self.checked += 1

    def test_one_rank(self):
        rng = random.Random(3)
        for _ in range(20):
            self.run_and_kill(1, rng.uniform(0, 0.08))
        self.check()
        self.assertGreater(self.checked, 5)

    def test_checked_each_time(self):
        rng = random.Random(4)
        for _ in range(4):
            self.run_and_kill(1, rng.uniform(0, 0.05))
            self.check()

    @unittest.skipUnless(support.MPIEXEC, "no MPI")
    def test_two_ranks(self):
        rng = random.Random(5)
        for _ in range(4):
            self.run_and_kill(2, rng.uniform(0, 0.2))
            self.check()


if __name__ == "__main__":
    unittest.main()
