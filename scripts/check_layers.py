#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who includes whom against the tables below: prints each breach, exits 1 if there is one."""
import pathlib
import re
import sys

# Rooms of lib/helicity, and the rooms each may include besides itself.
ROOMS = {
    "core": set(),
    "grid": {"core"},
    "comm": {"grid", "core"},
    "fft": {"comm", "grid", "core"},
    "fluid": {"fft", "job", "io", "comm", "grid", "core"},
    "weather": {"fluid", "fft", "job", "io", "comm", "grid", "core"},
    "seq": {"core"},
    "align": {"seq", "core"},
    "search": {"align", "seq", "core"},
    "map": {"align", "seq", "core"},
    "io": {"comm", "grid", "seq", "core"},
    "job": {"io", "comm", "grid", "core"},
}

# Heavy headers, and the only places that may include them.
HOMES = [
    (r"mpi(-ext)?\.h", r"(lib/helicity/comm/|benchmarks/|tests/)"),
    (r"hdf5(_hl)?\.h", r"(lib/helicity/io/.*\.cpp$|lib/helicity/io/detail/|tests/)"),
    (r"toml.*", r"lib/helicity/job/.*\.cpp$"),
    (r"png\.h", r"lib/helicity/io/.*\.cpp$"),
    (r"htslib/.*", r"(lib/helicity/seq/.*\.cpp|lib/helicity/seq/detail/.*|tests/.*|apps/helicity-info/.*)$"),
    (r"CLI/.*", r"(apps|benchmarks|tests)/"),
    (r"nlohmann/.*", r".*\.cpp$"),
    (r"fmt/.*", r"(.*\.cpp$|apps/)"),
    (r"hwy/.*", r"(kernels/|lib/helicity/core/simd\.cpp|tests/)"),
    (r"(thrust|cub)/.*", r".*\.cu$"),
    (r"cu(da|fft|blas|rand).*", r"(kernels/|tests/|benchmarks/|lib/helicity/core/.*\.(cu|cuh)$|lib/helicity/grid/.*\.cuh$)"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef)\b")
CONDITIONAL_HOMES = re.compile(
    r"(lib/helicity/core/(macros|exec)\.hpp|kernels/|tests/|benchmarks/|lib/helicity/grid/((for|reduce)_cells|simd_loop))")
SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh"}
PARTS = ("lib", "kernels", "apps", "tests", "benchmarks", "examples")


def owner(path):
    """The part and room of a file: ("lib", "core"), ("kernels", "align"), ("apps", None)."""
    parts = path.split("/")
    room = parts[2] if parts[0] == "lib" else parts[1] if parts[0] == "kernels" else None
    return parts[0], room


def breach(path, header):
    """Why this file may not include this header, or None."""
    part, room = owner(path)
    for name, home in HOMES:
        if re.fullmatch(name, header) and not re.match(home, path):
            return f"{header} has its home in {home}"
    parts = header.split("/")
    if parts[0] == "helicity" and len(parts) > 2 and room in ROOMS:
        if parts[1] != room and parts[1] not in ROOMS[room]:
            return f"{room} may not see {parts[1]}"
    if part == "lib" and parts[0] in ("kernels", "apps", "tests", "support", "benchmarks"):
        return f"lib may not see {parts[0]}"
    if part == "apps" and parts[0] == "kernels":
        return "only kernels include kernels"
    return None


def check_file(root, path):
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        reason = breach(path, found.group(1)) if found else None
        if reason is None and CONDITIONAL.match(line) and not CONDITIONAL_HOMES.match(path):
            reason = "#if belongs in core/macros.hpp, core/exec.hpp or kernels"
        if reason:
            yield f"{path}:{number}: {reason}"


def files(root):
    for part in PARTS:
        for path in sorted((root / part).rglob("*")):
            if path.suffix in SUFFIXES:
                yield path.relative_to(root).as_posix()


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    breaches = [text for path in files(root) for text in check_file(root, path)]
    unknown = [d.name for d in (root / "lib/helicity").iterdir() if d.is_dir() and d.name not in ROOMS]
    breaches += [f"lib/helicity/{name}: a room that check_layers.py does not know" for name in unknown]
    print("\n".join(breaches) if breaches else "layers: in order")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
