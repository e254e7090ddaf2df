# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The daemon over kernel verbs: runs guest/verbs_cases.py in the soft-RoCE guest, which boots once.

What the guest needs is installed by ./run deps. Where that cannot be, SELVEDGE_GUEST=skip leaves
this test out; .ci/run does not.
"""
import os
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from tools.guest import Guest  # noqa: E402

BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build")).resolve()
CASES = re.findall(r"def (test_\w+)", (HERE / "guest" / "verbs_cases.py").read_text(encoding="utf-8"))


@unittest.skipIf(os.environ.get("SELVEDGE_GUEST") == "skip", "SELVEDGE_GUEST=skip")
class InGuest(unittest.TestCase):
    def test_cases(self):
        # For debugging, SELVEDGE_GUEST_CASES names the cases to run; a case may be named several times.
        wanted = os.environ.get("SELVEDGE_GUEST_CASES", "")
        command = f"python3 -m unittest -v {wanted or 'verbs_cases'}"
        result = Guest().run(command, cwd=HERE / "guest", show=[BUILD, ROOT], timeout_s=1740,
                             env={"SELVEDGE_BUILD_DIR": str(BUILD), "PYTHONDONTWRITEBYTECODE": "1"})
        print(result.output, f"the guest ran for {result.seconds:.0f} s", sep="\n", file=sys.stderr)
        self.assertEqual(result.status, 0, "see the guest's output above")
        ran = re.search(r"^Ran (\d+) tests?", result.output, re.M)
        self.assertTrue(ran and "skipped" not in result.output, "cases were left out")
        if not wanted:
            self.assertEqual(int(ran[1]), len(CASES))


if __name__ == "__main__":
    unittest.main()
