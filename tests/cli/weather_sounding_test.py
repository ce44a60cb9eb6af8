# SPDX-License-Identifier: Apache-2.0
"""helicity-weather sounding: numbers, files it writes, and what it refuses."""

import json
import re
import unittest

from support import BIN, ProgramTest


class Sounding(ProgramTest):
    program = BIN / "helicity-weather"

    def says(self, *arguments):
        result = self.run_program("sounding", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return result.stdout.decode()

    def refuses(self, expected, *arguments):
        result = self.run_program("sounding", *arguments)
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertIn(expected, result.stderr.decode())

    def test_words(self):
        self.assertIn("--storm-motion", self.says("--help"))
        self.assertRegex(self.says("--version"), r"^helicity \d+\.\d+\.\d+\n$")

    def test_numbers_of_weisman_and_klemp(self):
        path = self.path("numbers.json")
        text = self.says("--profile", "weisman-klemp", "--wind", "quarter-circle",
                         "--storm-motion", "12.5,3", "--json", path)
        cape = float(re.search(r"^surface parcel: CAPE +(\S+) J/kg$", text, re.M).group(1))
        with open(path, encoding="ascii") as file:
            numbers = json.load(file)
        self.assertAlmostEqual(numbers["surface_cape"], cape, delta=0.01)
        self.assertAlmostEqual(cape, 1943, delta=19)
        self.assertAlmostEqual(numbers["srh_3km_storm"], 118, delta=1)

    def test_what_is_written_reads_back(self):
        path, png = self.path("input_sounding"), self.path("one.png")
        first = self.says("--profile", "weisman-klemp", "--wind", "tanh", "--wind-velocity", "25,0",
                          "--write-input-sounding", path, "--png", png)
        again = self.says(path)
        numbers = [[float(n) for n in re.findall(r" (-?\d+\.\d+) ", text)]
                   for text in (first, again)]
        self.assertEqual(len(numbers[0]), len(numbers[1]))
        for a, b in zip(*numbers):
            self.assertAlmostEqual(a, b, delta=0.01 * max(10, abs(a)))
        with open(png, "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_what_is_refused(self):
        self.refuses("FILE or --profile")
        self.refuses("did you mean 'weisman-klemp'", "--profile", "weisman-kemp")
        self.refuses("did you mean 'quarter-circle'", "--profile", "neutral", "--wind", "quarter-circl")
        self.refuses("did you mean '--profile'", "--profil", "neutral")
        self.refuses("cannot be opened", self.path("nothing"))
        path = self.path("low")
        with open(path, "w", encoding="ascii") as file:
            file.write("1000 300 5\n500 301 5 0 0\n1000 30x 5 0 0\n")
        self.refuses(f"{path}:3: a number is expected", path)
        with open(path, "w", encoding="ascii") as file:
            file.write("1000 300 5\n500 301 5 0 0\n1000 302 5 0 0\n")
        self.refuses("ends at 1000 m, below the 15000 m", path, "--top", "15000")


if __name__ == "__main__":
    unittest.main()
