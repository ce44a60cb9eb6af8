# SPDX-License-Identifier: Apache-2.0
"""What the tests of files share: the probe on any number of ranks, and the values it writes."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

BIN = Path(os.environ.get("HELICITY_BIN_DIR", "build/bin")).resolve()
PROBE = BIN / "io_probe"
MPIEXEC = os.environ.get("HELICITY_MPIEXEC", "")  # empty: one rank only
RANKS = [1, 2, 3, 4] if MPIEXEC else [1]


def need(*names):
    """Modules by name; ends the test as skipped if one is missing."""
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError as error:
        print(f"skipped: {error}; Debian: python3-h5py python3-xarray python3-netcdf4")
        sys.exit(77)


def command(ranks, *arguments):
    start = [MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    return [*start, str(PROBE), *map(str, arguments)]


def probe(ranks, *arguments, code=0, timeout=60, environment=None):
    """Runs the probe on so many ranks. Returns what it wrote to both outputs."""
    done = subprocess.run(command(ranks, *arguments), capture_output=True, text=True,
                          timeout=timeout, env={**os.environ, **(environment or {})})
    assert done.returncode == code, f"{arguments} on {ranks}: {done.returncode}\n{done.stderr}"
    return done.stdout + done.stderr


def values(numpy, cells, component=0, dtype="f8"):
    """value_of() of values.hpp over a grid (i, j, k), as an array (k, j, i)."""
    k, j, i = numpy.meshgrid(*(numpy.arange(n, dtype=numpy.uint64) for n in cells[::-1]),
                             indexing="ij")
    mixed = i * numpy.uint64(7) + j * numpy.uint64(131) + k * numpy.uint64(1009)
    mixed += numpy.uint64(component * 65537 + 1)
    return ((mixed * numpy.uint64(0x9E3779B97F4A7C15)) >> numpy.uint64(57)).astype(dtype)
