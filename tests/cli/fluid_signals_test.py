# SPDX-License-Identifier: Apache-2.0
"""helicity-fluid lbm run: signals, wall time, kill -9; the run goes on from there bit for bit."""

import json
import random
import signal
import time

from fluid_support import SMALL, FluidTest, main, needs_mpi, own_lines

ENDLESS = 10**12
KILLS = 24


class Stops(FluidTest):
    def begin(self, *more, ranks=0):
        """An endless run that has written its first checkpoint."""
        running = self.start("-q", *SMALL, "--time.steps", ENDLESS, "--metrics",
                             self.path("stopped.json"), "--checkpoint.every", 500, *more, ranks=ranks)
        running.wait_until(self.states, "the first checkpoint")
        return running

    def reached(self):
        return json.loads((self.dir / "stopped.json").read_text())

    def check_resumes(self, ranks=0):
        """Some steps more from the last checkpoint are those of an uninterrupted run."""
        end = self.reached()["last_step"] + 137
        found = self.metrics(*SMALL, "--time.steps", end, "--output.directory", self.dir, "--restart",
                             "latest", ranks=ranks)
        self.assertEqual(found["first_step"], end - 137)
        self.assertEqual(found["state_hash"], self.hash_of(*SMALL, "--time.steps", end))

    def check_stopped(self, code, reason):
        found = self.reached()
        self.assertEqual(found["exit"], {"code": code, "reason": reason})
        self.assertTrue(self.states()[-1].name.endswith(f"_{found['last_step']:09}.h5"))
        self.assertEqual(list(self.dir.glob("*.tmp*")), [])

    def test_signals(self):
        for number, code, reason in ((signal.SIGTERM, 75, "signal"), (signal.SIGUSR1, 75, "signal"),
                                     (signal.SIGINT, 130, "interrupted")):
            with self.subTest(number.name):
                for path in self.states():
                    path.unlink()
                running = self.begin()
                running.send(number)
                self.assertEqual(running.finish(10), code, running.text)
                self.check_stopped(code, reason)
                self.check_resumes()

    def test_what_it_says(self):
        running = self.start(*SMALL, "--time.steps", ENDLESS, "--checkpoint.every", 500)
        running.wait_until(self.states, "the first checkpoint")
        running.send(signal.SIGTERM)
        self.assertEqual(running.finish(10), 75)
        self.assertIn(self.states()[-1].name, running.text)
        self.assertIn("--restart latest", running.text)

    def test_without_checkpoints_asked_for(self):
        running = self.start("-q", *SMALL, "--time.steps", ENDLESS, "--metrics",
                             self.path("stopped.json"), "--output.every", 1000)
        running.wait_until(lambda: list(self.dir.glob("*_000001000.h5")), "a snapshot")
        running.send(signal.SIGTERM)
        self.assertEqual(running.finish(10), 75)
        self.assertEqual(len(self.states()), 1)
        self.check_stopped(75, "signal")

    def test_walltime(self):
        begin = time.monotonic()
        self.metrics(*SMALL, "--time.steps", ENDLESS, "--output.directory", self.dir, "--walltime", "2s",
                     code=75)
        self.assertLess(time.monotonic() - begin, 4)
        (self.dir / "metrics.json").rename(self.dir / "stopped.json")
        self.check_stopped(75, "walltime")
        self.assertGreater(self.reached()["last_step"], 1000)

    @needs_mpi
    def test_usr1_to_mpirun(self):
        running = self.begin(ranks=2)
        running.send(signal.SIGUSR1)
        self.assertEqual(running.finish(20), 75, running.text)
        self.assertEqual(own_lines(running.text), [])
        self.check_stopped(75, "signal")
        self.check_resumes(ranks=3)

    @needs_mpi
    def test_walltime_on_ranks(self):
        self.metrics(*SMALL, "--time.steps", ENDLESS, "--output.directory", self.dir, "--walltime", "1s",
                     code=75, ranks=2)
        (self.dir / "metrics.json").rename(self.dir / "stopped.json")
        self.check_stopped(75, "walltime")


class Killed(FluidTest):
    """kill -9 while checkpoints are written without a pause."""

    def killed_run(self, delay, *more):
        """Goes on from the last state if there is one, until it is killed; the last state's step."""
        running = self.start(*SMALL, "--time.steps", ENDLESS, "--checkpoint.every", 3, *more)
        before = self.states()
        running.wait_until(lambda: self.states() != before, "a checkpoint")
        time.sleep(delay)
        running.send(signal.SIGKILL)
        self.assertEqual(running.finish(), -signal.SIGKILL)
        self.assertNotIn("warning", running.text)  # a file that has its name is whole
        return int(self.states()[-1].stem.rpartition("_")[2])

    def test_goes_on_after_every_kill(self):
        rng = random.Random(time.time_ns())
        reached = self.killed_run(0.05)
        half_written = 0
        for _ in range(KILLS):
            step = self.killed_run(rng.uniform(0, 0.06), "--restart", "latest")
            self.assertGreater(step, reached)
            reached = step
            half_written += bool(list(self.dir.glob("*.tmp")))
        self.assertGreater(half_written, 0, "no kill came while a file was written")
        found = self.hash_of(*SMALL, "--time.steps", reached + 50, "--output.directory", self.dir,
                             "--restart", "latest")
        self.assertEqual(found, self.hash_of(*SMALL, "--time.steps", reached + 50))


if __name__ == "__main__":
    main()
