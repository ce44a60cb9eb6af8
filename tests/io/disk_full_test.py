#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A full disk: an error on all ranks that ends, and no file with a final name."""

import os
import subprocess
import sys
import unittest

import support

CELLS = (150, 131, 71)
SCRIPT = 'mount -t tmpfs -o size=1M tmpfs /mnt && "$@"; code=$?; ls -A /mnt; exit $code'
UNSHARE = ["unshare", "--mount", "sh", "-c", SCRIPT, "sh"]


def on_small_disk(*command):
    return subprocess.run([*UNSHARE, *command], capture_output=True, text=True, timeout=60)


class DiskFull(unittest.TestCase):
    def refused(self, ranks, *arguments):
        done = on_small_disk(*support.command(ranks, *arguments))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotRegex(done.stdout, r"(?m)\.(h5|tmp)$")
        return done.stderr

    def test_noticed_before(self):
        for ranks in support.RANKS:
            self.assertIn("more are needed", self.refused(ranks, "write-state", "/mnt/s.h5", *CELLS))

    def test_noticed_while_writing(self):
        for ranks in support.RANKS:
            text = self.refused(ranks, "snapshots", "/mnt/s", *CELLS, "compress")
            self.assertRegex(text, "s_000000000.h5: (file write failed|.*disk full)")


if __name__ == "__main__":
    if os.geteuid() != 0 or on_small_disk("true").returncode != 0:
        print("skipped: a small disk can be mounted by root only, outside most containers")
        sys.exit(77)
    unittest.main()
