# SPDX-License-Identifier: Apache-2.0
"""On GPUs a flow has the bits it has on CPUs, one rank or several; without a GPU the program says so."""

import json
import os
import subprocess
import sys

from fluid_support import BIN, FLOW_2D, FLOW_3D, FLUID, FluidTest, datasets, main, needs_mpi

CUDA = ["--device", "cuda"]
CPU = ["--device", "cpu"]


TWO_GPUS = {"GOC_DEVICES": "2"}  # for the stand-in, where there are no GPUs


def devices(env=None):
    text = subprocess.run([BIN / "helicity-info", "--json"], stdout=subprocess.PIPE, check=True,
                          env={**os.environ, **(env or {})}).stdout
    info = json.loads(text)["cuda"]
    return info["devices"], info.get("why_none")


class Cuda(FluidTest):
    STEPS = ["--time.steps", 9]

    def test_the_same_bits_as_the_cpu(self):
        for text in (FLOW_2D, FLOW_3D):
            for precision in ("float", "double"):
                with self.subTest(text.split("cells = ")[1][:12], precision=precision):
                    arguments = [self.flow(text), *self.STEPS, "--fluid.precision", precision]
                    self.assertEqual(self.hash_of(*arguments, *CUDA), self.hash_of(*arguments, *CPU))

    def test_the_same_files_as_the_cpu(self):
        arguments = [self.flow(), *self.STEPS, "--output.every", 9, "--checkpoint.every", 9,
                     "--output.directory"]
        self.metrics(*arguments, self.path("cuda"), *CUDA)
        self.metrics(*arguments, self.path("cpu"), *CPU)
        for name in ("custom_000000009.h5", "custom_restart_000000009.h5"):
            here, there = datasets(self.dir / "cuda" / name), datasets(self.dir / "cpu" / name)
            self.assertEqual(list(here), list(there))
            for key, values in here.items():
                self.assertEqual(values.tobytes(), there[key].tobytes(), (name, key))

    def test_restart_on_the_other_device(self):
        flow = self.flow()
        expected = self.hash_of(flow, "--time.steps", 16, *CPU)
        for first, second in ((CUDA, CPU), (CPU, CUDA), (CUDA, CUDA)):
            with self.subTest(first=first, second=second):
                folder = ["--output.directory", self.dir]
                self.metrics(flow, *folder, "--time.steps", 7, "--checkpoint.every", 7, *first)
                self.assertEqual(self.hash_of(flow, *folder, "--time.steps", 16, "--restart", "latest",
                                              *second),
                                 expected)
                self.states()[0].unlink()

    def test_it_tells_the_device(self):
        result = self.lbm(self.flow(), *self.STEPS, *CUDA)
        self.assertIn("cuda:0", result.stderr.decode())

    def test_a_device_that_is_not_there(self):
        self.assert_refuses("99", arguments=[self.flow(), *self.STEPS, "--device", "cuda:99"])

    def test_blow_up(self):
        unstable = ["--case", "cavity", "--grid.cells", "16,16,1", "--fluid.viscosity", "1e-9",
                    "--flow.lattice_speed", "0.45", "--health.every", "10", "-q"]
        here, there = self.lbm(*unstable, *CUDA), self.lbm(*unstable, *CPU)
        self.assertEqual((here.returncode, here.stderr), (3, there.stderr))


@needs_mpi
class CudaOnRanks(FluidTest):
    RUN = ["--time.steps", 9, "--device", "cuda"]

    def test_one_gpu_is_not_shared_by_chance(self):
        env = {"CUDA_VISIBLE_DEVICES": "0"}
        result = self.lbm(self.flow(), *self.RUN, ranks=2, env=env)
        text = result.stderr.decode()
        self.assertEqual(result.returncode, 2, text)
        self.assertIn("ranks 0 and 1 would share one GPU", text)
        self.assertIn("--share-gpu", text)
        flow = self.flow()
        shared = self.hash_of(flow, *self.RUN, "--share-gpu", ranks=2, env=env)
        self.assertEqual(shared, self.hash_of(flow, "--time.steps", 9, *CPU))

    def need_two_gpus(self):
        if len(devices(TWO_GPUS)[0]) < 2:
            self.skipTest("there is one GPU")

    def test_a_gpu_for_each_rank(self):
        self.need_two_gpus()
        flow = self.flow(FLOW_3D)
        expected = self.hash_of(flow, "--time.steps", 9, *CPU)
        self.assertEqual(self.hash_of(flow, *self.RUN, ranks=2, env=TWO_GPUS), expected)
        text = self.lbm(flow, *self.RUN, ranks=2, env=TWO_GPUS).stderr.decode()
        for part in ("cuda:0", "cuda:1", "halos travel"):
            self.assertIn(part, text)

    def test_transport(self):
        self.need_two_gpus()
        flow = self.flow()
        text = self.lbm(flow, *self.RUN, "--gpu-aware-mpi", "off", ranks=2, env=TWO_GPUS).stderr.decode()
        self.assertIn("halos travel staged: device memory is not handed to MPI, as asked", text)


if __name__ == "__main__":
    found, why = devices() if FLUID.exists() else ([], f"{FLUID} is not there")
    if not found:
        print(f"no CUDA device: {why}")
        sys.exit(77)
    main()
