# SPDX-License-Identifier: Apache-2.0
"""helicity-fluid under Slurm: srun on two nodes, the hint where ranks are strangers, requeueing."""

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fluid_support import FLUID, SMALL, FluidTest, main

HERE = Path(__file__).resolve().parent
NEEDED = ("munged", "slurmctld", "slurmd", "srun", "sbatch")
ENVIRONMENT = {"OMPI_MCA_btl": "self,tcp",
               "OMPI_MCA_btl_tcp_if_include": "lo"}  # nodes share one /dev/shm

JOB = """#!/bin/bash
#SBATCH --nodes=2 --ntasks=4 --time=1
#SBATCH --signal=USR1@55 --requeue --open-mode=append
run="--time.steps 1000000000"
if [ "${{SLURM_RESTART_COUNT:-0}}" -gt 0 ]; then
  last=$(ls {folder}/cavity_restart_*.h5 | tail -n 1 | grep -o '[0-9]*\\.h5')
  last=${{last%.h5}}
  run="--time.steps $((10#$last + 137)) --restart latest"
fi
srun --mpi=pmix {program} lbm run {case} --output.directory {folder} --metrics {folder}/metrics.json $run
"""


def start_slurm():
    """Exports SLURM_CONF of a Slurm that ends with this process."""
    folder = tempfile.mkdtemp(prefix="helicity-slurm-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(subprocess.run, [HERE / "stop.sh", folder])
    try:
        subprocess.run([HERE / "start.sh", folder, str(os.getpid())], check=True, timeout=60,
                       stdout=subprocess.DEVNULL)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(f"a private Slurm cannot be started here: {error}", file=sys.stderr)
        sys.exit(77)
    ENVIRONMENT["SLURM_CONF"] = f"{folder}/slurm.conf"


class Slurm(FluidTest):
    def srun(self, *arguments):
        return self.run_program(*arguments, program="srun", env=ENVIRONMENT, cwd=self.dir, timeout=60)

    def slurm(self, *command):
        result = subprocess.run([str(word) for word in command], env={**os.environ, **ENVIRONMENT},
                                stdout=subprocess.PIPE, timeout=60, check=True)
        return result.stdout.decode()

    def test_two_nodes(self):
        result = self.srun("--mpi=pmix", "-N2", "-n4", FLUID, "lbm", "run", *SMALL, "--time.steps", 40,
                           "--checkpoint.every", 25, "--metrics", self.path("m.json"))
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        found = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(found["ranks"], 4)
        self.assertEqual(found["state_hash"], self.hash_of(*SMALL, "--time.steps", 40))
        self.assertEqual(len(self.states()), 2)

    def test_ranks_that_do_not_find_each_other(self):
        for option in ([], ["--mpi=none"]):
            with self.subTest(option):
                result = self.srun(*option, "-N2", "-n4", FLUID, "lbm", "run", *SMALL, "--time.steps",
                                   40,
                                   "--checkpoint.every", 25)
                text = result.stderr.decode()
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("Slurm runs 4 tasks, but they do not see each other", text)
                self.assertIn("srun --mpi=pmix", text)
                self.assertEqual(self.states(), [])

    def job(self, number):
        """What Slurm knows of a job."""
        words = self.slurm("scontrol", "show", "job", number, "-o").split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def wait_for_end(self, number):
        deadline = time.monotonic() + 80
        while time.monotonic() < deadline:
            job = self.job(number)
            if job["JobState"] in ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"):
                return job
            time.sleep(0.3)
        self.fail(f"the job does not end: {job}")

    def test_a_job_is_requeued_before_its_time_is_up(self):
        script = self.write("job.sh", JOB.format(folder=self.dir, program=FLUID, case=" ".join(SMALL)))
        log = self.dir / "job.log"
        number = self.slurm("sbatch", "--parsable", f"--output={log}", script).strip()
        job = self.wait_for_end(number)
        text = log.read_text()
        self.assertEqual((job["JobState"], job["Restarts"]), ("COMPLETED", "1"), text)
        self.assertIn("(exit 75)", text)
        self.assertIn("resumed from", text)
        found = json.loads((self.dir / "metrics.json").read_text())
        self.assertEqual(found["last_step"] - found["first_step"], 137)
        self.assertGreater(found["first_step"], 0)
        self.assertEqual(found["state_hash"], self.hash_of(*SMALL, "--time.steps", found["last_step"]))


if __name__ == "__main__":
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing or os.geteuid() != 0:
        print(f"left out: {', '.join(missing)} missing" if missing else "left out: slurmd wants root")
        sys.exit(77)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    start_slurm()
    main()
