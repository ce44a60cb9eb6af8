#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Static budget of the score kernels on sm_90: registers, spills, and the instructions of the main
loop for each pair of cells, by pipe.

    python3 -m pip install --target DIR nvidia-cuda-nvdisasm
    PATH=$PATH:DIR/nvidia/cu13/bin python3 benchmarks/align/budget/budget.py [--check]

Needs nvcc, nvdisasm and c++filt. With --check the exit status is 1 if a bound is missed."""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SOURCES = ("score_packed_local.cu", "score_packed_global.cu")
BOUNDS = {"local": (8.1, 7.5), "global": (6.6, 6.6)}  # issue slots, ALU cycles: at 24 rows
FMA = re.compile(r"^(VIADD|IMAD|FFMA|FMUL|FADD|IDP)")
ALU = re.compile(r"^(VIADDMNMX|VIMNMX|LOP3|PRMT|SHF|IADD3|SEL|ISETP|LEA|PLOP3|MOV|LOP|VHMNMX)")
MEMORY = re.compile(r"^(LDS|STS|SHFL|LDG|STG|LDL|STL|ATOM|LDSM)")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout + done.stderr


def demangled(name):
    found = re.search(r"packed_kernel<(\d+), (\d+), (true|false)>", run("c++filt", name))
    return (found[3] == "true", int(found[1]), int(found[2])) if found else None


def compiled(source, folder):
    """The cubin, and for each kernel its registers and spilled bytes."""
    cubin = os.path.join(folder, source + ".cubin")
    log = run("nvcc", "-std=c++20", "-O3", "--expt-relaxed-constexpr", f"-I{ROOT}/lib",
              f"-I{ROOT}/kernels", "-gencode", "arch=compute_90,code=sm_90", "-Xptxas", "-v",
              "-cubin", f"{ROOT}/kernels/align/{source}", "-o", cubin)
    numbers, name = {}, None
    for line in log.splitlines():
        if found := re.search(r"Compiling entry function '(\S+)'", line):
            name = demangled(found[1])
        elif found := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spilled = int(found[1]) + int(found[2])
        elif found := re.search(r"Used (\d+) registers", line):
            numbers[name] = (int(found[1]), spilled)
    return cubin, numbers


def functions(cubin):
    """Instructions and labels of each kernel."""
    code, name = {}, None
    for line in run("nvdisasm", "-c", cubin).splitlines():
        if found := re.match(r"\.text\.(\S+):", line):
            name = demangled(found[1])
            code[name] = []
        elif name and (found := re.match(r"\s*(\.L_x_\d+):", line)):
            code[name].append((found[1], None))
        elif name and (found := re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;", line)):
            code[name].append((None, found[1]))
    return code


def parsed(instruction):
    """Predicate, opcode and branch target."""
    words = instruction.split()
    predicate = words.pop(0) if words[0].startswith("@") else ""
    target = re.search(r"`\((\.L_x_\d+)\)", instruction)
    return predicate, words[0], target[1] if target else None


def main_loop(code):
    """The innermost loop with the most packed maxima: what runs in it if no column is kept."""
    where = {label: k for k, (label, _) in enumerate(code) if label}
    loops = []
    for k, (_, instruction) in enumerate(code):
        if instruction is None:
            continue
        _, opcode, target = parsed(instruction)
        if opcode.startswith("BRA") and target in where and where[target] < k:
            loops.append((where[target], k))
    maxima = lambda loop: sum("VIMNMX3.S16x2" in (code[k][1] or "") for k in range(*loop))
    loops = [loop for loop in loops if maxima(loop) > 0]
    inner = [a for a in loops if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    begin, end = max(inner, key=maxima)
    path, k = [], begin
    while k <= end:
        instruction = code[k][1]
        if instruction is None:
            k += 1
            continue
        predicate, opcode, target = parsed(instruction)
        path.append(opcode)
        ahead = target in where and k < where[target] <= end
        skipped = opcode.startswith("BRA") and ahead and sum(
            "STS" in (code[j][1] or "") for j in range(k, where[target])) >= 8
        k = where[target] if skipped else k + 1
    return path


def counted(path, rows, local):
    counts = collections.Counter(op.split(".")[0] for op in path)
    maxima = sum(n for op, n in collections.Counter(path).items() if op.startswith("VIMNMX3"))
    pairs = maxima / (1.5 if local else 1.0)
    share = lambda pattern: sum(n for op, n in counts.items() if pattern.match(op)) / pairs
    alu, fma = share(ALU), sum(n for op, n in counts.items()
                               if FMA.match(op) and not ALU.match(op)) / pairs
    return len(path) / pairs, 2 * alu, 2 * fma, share(MEMORY), counts, pairs


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true", help="fail where a bound is missed")
    options.add_argument("--opcodes", action="store_true", help="print the main loops' opcodes")
    chosen = options.parse_args()
    missed = []
    print("| mode | lanes | rows | registers | spilled bytes | issue slots | ALU cycles "
          "| FMA cycles | memory instructions | ceiling TCUPS |\n|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            cubin, numbers = compiled(source, folder)
            for kernel, code in sorted(functions(cubin).items()):
                local, lanes, rows = kernel
                mode = "local" if local else "global"
                registers, spilled = numbers[kernel]
                issue, alu, fma, memory, counts, pairs = counted(main_loop(code), rows, local)
                ceiling = 66.9 / max(issue, alu, fma, 4 * memory)
                print(f"| {mode} | {lanes} | {rows} | {registers} | {spilled} | {issue:.2f} | "
                      f"{alu:.2f} | {fma:.2f} | {memory:.2f} | {ceiling:.1f} |")
                if chosen.opcodes:
                    print(f"    {pairs:.0f} pairs: {dict(counts.most_common())}")
                most_issue, most_alu = BOUNDS[mode]
                spills = any(op.startswith(("LDL", "STL")) for op in counts)
                if spills or (rows == 24 and (round(issue, 1) > most_issue or alu > most_alu)):
                    missed.append(kernel)
    if missed:
        print(f"missed: {missed}", file=sys.stderr)
    return 1 if missed and chosen.check else 0


if __name__ == "__main__":
    sys.exit(main())
