# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""./run as a newcomer meets it: help that installs and builds nothing, and words that it does not know."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERBS = ("deps", "build", "test", "check", "campaign", "demo", "bench", "lint", "install", "packages", "clean")
FORBIDDEN = ("apt-get", "sudo", "cmake", "ctest", "ninja", "npm", "dpkg-query")


class RunScript(unittest.TestCase):
    def setUp(self):
        """Sets a PATH in which every program that installs or builds leaves a trace and fails."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="selvedge-run-")))
        self.trace = folder / "trace"
        for name in FORBIDDEN:
            (folder / name).write_text(f"#!/bin/sh\necho {name} >>{self.trace}\nexit 9\n", encoding="ascii")
            (folder / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}

    def run_it(self, *arguments):
        return subprocess.run([ROOT / "run", *arguments], capture_output=True, text=True, timeout=60,
                              env=self.environment, cwd="/", check=False)

    def untouched(self, arguments):
        self.assertFalse(self.trace.exists(),
                         f"./run {' '.join(arguments)} called {self.trace.exists() and self.trace.read_text()}")

    def test_help_of_each_verb_installs_and_builds_nothing(self):
        for verb in VERBS:
            for arguments in ((verb, "--help"), (verb, "-h"), (verb, "something", "--help")):
                with self.subTest(arguments):
                    done = self.run_it(*arguments)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertTrue(done.stdout.startswith(f"usage: ./run {verb}"), done.stdout)
                    self.untouched(arguments)
        self.assertIn("--only", self.run_it("bench", "--help").stdout)
        self.assertIn("--runs", self.run_it("demo", "--help").stdout)

    def test_alone_it_lists_the_verbs(self):
        for arguments in ((), ("--help",), ("help",)):
            done = self.run_it(*arguments)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(tuple(re.findall(r"^  (\w+) ", done.stdout, re.M)), VERBS)
            self.untouched(arguments)

    def test_unknown_words_are_refused_in_one_line(self):
        for arguments, words in (
                (("tset",), "no such verb: 'tset': did you mean test?"),
                (("chekc",), "no such verb: 'chekc': did you mean check?"),
                (("fly",), "no such verb: 'fly': ./run alone tells what each does"),
                (("test", "attic"), "no such room: 'attic': choose one of: apm base "),
                (("check", "fabric"), "./run check takes no arguments: 'fabric': ./run test does"),
                (("campaign", "none"), "no such set: 'none': choose one of: whole-sets "),
                (("build", "fast"), "no such preset: 'fast': choose release, ")):
            with self.subTest(arguments):
                done = self.run_it(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith(f"error: {words}"), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.untouched(arguments)

    def test_rooms_and_sets_are_listed(self):
        rooms = self.run_it("test", "--help").stdout
        for room in (*(p.name for p in (ROOT / "tests" / "unit").iterdir()), "system", "docs", "fuzz"):
            self.assertRegex(rooms, rf"\b{room}\b")
        sets = self.run_it("campaign", "--help").stdout
        rows = [line.split("|") for line in (ROOT / "tests" / "campaign.txt").read_text(encoding="utf-8").splitlines()
                if line and not line.startswith("#")]
        self.assertGreater(len(rows), 5)
        for row in rows:
            self.assertGreaterEqual(len(row), 4, row)
            self.assertRegex(sets, rf"(?m)^  {row[0]} +{row[1]} min  ")
            done = subprocess.run(["bash", "-n", "-c", "|".join(row[3:])], capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, row[0])

    def test_demo_builds_the_agent_that_the_plugin_starts(self):
        """The demonstration builds only a few targets, and a fresh clone has no others: the agent must
        be among them."""
        build = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build"))
        demo = re.search(r"^verb_demo\(\) \{.*?^\}", (ROOT / "run").read_text(encoding="utf-8"), re.M | re.S)
        targets = re.search(r"build release ([^>\n]+)", demo[0])[1].split()
        inputs = subprocess.run(["ninja", "-C", build, "-t", "inputs", *targets],
                                capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertIn("bin/selvedge-smp-agent", inputs.splitlines())

    def test_the_packages_are_built_with_what_is_installed_for_building(self):
        """debian/control and ./run name the same packages; npm's libraries are fetched before a package build."""
        control = (ROOT / "debian" / "control").read_text(encoding="utf-8")
        wanted = re.search(r"^Build-Depends:\n((?: .*\n)+)", control, re.M)[1]
        wanted = {line.strip(" ,").partition(" ")[0] for line in wanted.splitlines()}
        script = (ROOT / "run").read_text(encoding="utf-8")
        installed = set(re.search(r"DEPS_BUILD=\((.*?)\)", script, re.S)[1].split())
        self.assertEqual(wanted - {"debhelper-compat"}, installed - {"g++", "git", "ca-certificates"})
        version = re.search(r"project\(selvedge VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        changes = (ROOT / "debian" / "changelog").read_text(encoding="utf-8")
        self.assertTrue(changes.startswith(f"selvedge ({version}) "), changes.partition("\n")[0])
        # Each library in the report is named with its licence.
        libraries = json.loads((ROOT / "sim" / "report" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
        licences = (ROOT / "debian" / "copyright").read_text(encoding="utf-8")
        for library in filter(None, libraries):
            self.assertRegex(licences, rf"(?m)^(Files:)? build-npm/{re.escape(library)}/\*$")

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_shellcheck_has_no_complaint(self):
        done = subprocess.run(["shellcheck", "run", ".ci/run", "sim/report/fetch.sh", *ROOT.glob("debian/*.postinst"),
                               *ROOT.glob("debian/*.prerm"), *ROOT.glob("debian/*.postrm")], cwd=ROOT,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
