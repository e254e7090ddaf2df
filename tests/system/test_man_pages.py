# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The manual pages of the daemon's programs: groff accepts them without a warning, and they document
exactly the options that the programs have."""
import os
import pathlib
import re
import subprocess
import unittest

BIN = pathlib.Path(os.environ["SELVEDGE_BUILD_DIR"]) / "bin"
PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "man"


class Pages(unittest.TestCase):
    def check(self, page, *verbs):
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", PAGES / page],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        program = BIN / page.split(".")[0]
        usage = "".join(subprocess.run([program, *verb, "--help"], capture_output=True, text=True,
                                       timeout=60, check=True).stdout
                        for verb in ([], *([verb] for verb in verbs)))
        options = r"(?<![\w-])--[a-z]+"
        self.assertEqual(set(re.findall(options, done.stdout)), set(re.findall(options, usage)))

    def test_selvedged(self):
        self.check("selvedged.8")

    def test_selvedgectl(self):
        self.check("selvedgectl.1")

    def test_selvedge_perf(self):
        self.check("selvedge-perf.1", "serve", "send", "latency")

    def test_selvedge_sim(self):
        self.check("selvedge-sim.1", "run", "report", "reproduce", "emulate", "console",
                   "compare-sm")


if __name__ == "__main__":
    unittest.main()
