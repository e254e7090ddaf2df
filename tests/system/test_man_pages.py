# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The manual pages: groff has no complaint, and the options are those that the programs have. What the
shell completes is compared likewise."""
import os
import pathlib
import re
import subprocess
import unittest

BIN = pathlib.Path(os.environ["SELVEDGE_BUILD_DIR"]) / "bin"
COMPLETION = pathlib.Path(__file__).resolve().parents[2] / "sim" / "experiment" / "completion.bash"
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

    def test_selvedge_apm(self):
        """The functions are those of the header."""
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", PAGES / "selvedge_apm.3"],
                              capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(done.stderr, "")
        header = (PAGES.parents[1] / "daemon/apm/selvedge_apm.h").read_text(encoding="utf-8")
        shown = done.stdout.partition("SYNOPSIS")[2].partition("DESCRIPTION")[0]
        self.assertCountEqual(re.findall(r"int (selvedge_apm_\w+)\(", shown),
                              re.findall(r"int (selvedge_apm_\w+)\(", header))

    def test_selvedge(self):
        """Likewise."""
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", PAGES / "selvedge.3"],
                              capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(done.stderr, "")
        header = (PAGES.parents[1] / "daemon/client/selvedge.h").read_text(encoding="utf-8")
        shown = done.stdout.partition("SYNOPSIS")[2].partition("DESCRIPTION")[0]
        declared = re.findall(r"(?s)SELVEDGE_API [^;(]*?(selvedge_\w+)\(", header)
        self.assertGreater(len(declared), 30)
        self.assertCountEqual(re.findall(r"(selvedge_\w+)\(", shown), declared)

    def test_selvedged(self):
        self.check("selvedged.8")

    def test_selvedgectl(self):
        self.check("selvedgectl.1")

    def test_selvedge_perf(self):
        self.check("selvedge-perf.1", "serve", "send", "latency", "many")

    def test_fi_selvedge(self):
        """No program: the environment is what the provider reads, the limits are those of its source."""
        page = PAGES / "fi_selvedge.7"
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", page], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        source = "".join(path.read_text() for path in (PAGES.parents[1] / "daemon" / "provider").glob("*.cpp"))
        read = set(re.findall(r'getenv\("(\w+)"\)', source))
        self.assertEqual(set(re.findall(r"\bSELVEDGE_\w+", done.stdout)), read)
        self.assertEqual(len(read), 3)

    def test_selvedge_sim(self):
        self.check("selvedge-sim.1", "run", "report", "reproduce", "emulate", "console",
                   "compare-sm", "vlarb", "clos")

    def test_completion_of_selvedge_sim(self):
        for verb in ("run", "report", "reproduce", "emulate", "console", "compare-sm", "vlarb", "clos"):
            usage = subprocess.run([BIN / "selvedge-sim", verb, "--help"], capture_output=True, text=True,
                                   timeout=60, check=True).stdout
            words = f"selvedge-sim {verb} --"
            done = subprocess.run(
                ["bash", "-c", f"source {COMPLETION}; COMP_WORDS=({words}); COMP_CWORD=2; _selvedge_sim; "
                               "printf '%s\\n' \"${COMPREPLY[@]}\""],
                capture_output=True, text=True, timeout=60, check=True)
            # At the beginning of a line of --help, after the short form if there is one.
            options = re.findall(r"(?m)^ +(?:-\w,? *)?(--[a-z-]+)", usage)
            self.assertEqual(sorted(done.stdout.split()), sorted(set(options)), verb)


if __name__ == "__main__":
    unittest.main()
