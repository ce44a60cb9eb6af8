# SPDX-License-Identifier: Apache-2.0
"""The example is a project of its own: built against an installation, it agrees with the program."""

import os
import subprocess
from pathlib import Path

from support import DATA, ProgramTest, main

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "align_reads"


class Examples(ProgramTest):
    def run_tool(self, *command):
        result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, check=False)
        self.assertEqual(result.returncode, 0, result.stdout.decode())
        return result.stdout.decode()

    def test_align_reads(self):
        cmake = os.environ.get("HELICITY_CMAKE", "cmake")
        prefix, build = self.dir / "prefix", self.dir / "build"
        self.run_tool(cmake, "--install", os.environ["HELICITY_BUILD_DIR"], "--prefix", prefix)
        options = [f"-DCMAKE_CXX_COMPILER={os.environ.get('HELICITY_CXX', 'c++')}",
                   f"-DCMAKE_PREFIX_PATH={prefix}"]
        if os.environ.get("HELICITY_SANITIZE"):
            options.append(f"-DCMAKE_CXX_FLAGS=-fsanitize={os.environ['HELICITY_SANITIZE']}")
        self.run_tool(cmake, "-S", EXAMPLE, "-B", build, *options)
        self.run_tool(cmake, "--build", build)

        files = [DATA / "lambda_reads.fq.gz", DATA / "lambda_windows.fa"]
        said = self.run_tool(build / "align_reads", *files)
        rows = self.table("--mode", "semi-global", *files)
        self.assertEqual(said, "".join(
            f"{i}\t{row['score']}\t{row['target_begin']}\t{row['cigar']}\n"
            for i, row in enumerate(rows)))
        wrong = subprocess.run([build / "align_reads", "nowhere.fa", files[1]], check=False,
                               stderr=subprocess.PIPE)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn(b"nowhere.fa", wrong.stderr)

    def test_the_manual_shows_the_same_code(self):
        code = (EXAMPLE / "main.cpp").read_text(encoding="utf-8")
        body = code[code.index("void align_files"):code.index("int main")].strip()
        self.assertIn(body, (ROOT / "README.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
