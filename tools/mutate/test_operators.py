# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Tests of the operators on a toy file; that a mutated file is always restored; and that the list of
mutants that behave as the original is up to date."""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from tools.mutate.mutate import (EQUAL, ROOT, Place, Source, Stop, draw, enumerate_mutants,  # noqa: E402
                                 places_of, read_equal, reason, restore_leftover,
                                 wrong_entries)
from tools.mutate.operators import mutations  # noqa: E402

TOY = """\
// if (a < 1) a comment says nothing
#include <vector>
template <class T>
int toy(const std::vector<T>& v, T&& other, int n) {
  const char* text = "n < 7; ++n;";
  std::size_t declared = v.size();
  if (n <= 0x10 && !v.empty()) return n - 1;
  for (int i = 0; i < n; ++i) take(v[i]);
  n += 2;
  v.clear();
  while (n == 3) --n;
  return n;
}
"""


def made(text):
    return {(m.line, m.operator, " ".join(m.old.split()), " ".join(m.new.split()))
            for m in mutations(text)}


class Operators(unittest.TestCase):
    def test_each_finds_its_place(self):
        found = made(TOY)
        for wanted in [(7, "comparison", "<=", "<"), (7, "comparison", "<=", ">"),
                       (7, "operator", "&&", "||"), (7, "operator", "-", "+"),
                       (7, "constant + 1", "0x10", "17"), (7, "constant - 1", "0x10", "15"),
                       (7, "condition true", "n <= 0x10 && !v.empty()",
                        "(n <= 0x10 && !v.empty()) || true"),
                       (7, "return value", "n - 1", "{}"),
                       (8, "comparison", "<", "<="), (8, "operator", "++", "--"),
                       (8, "statement deleted", "take(v[i]);", "(void)0;"),
                       (9, "operator", "+=", "-="), (9, "statement deleted", "n += 2;", "(void)0;"),
                       (10, "statement deleted", "v.clear();", "(void)0;"),
                       (11, "condition false", "n == 3", "(n == 3) && false"),
                       (11, "statement deleted", "--n;", "(void)0;"),
                       (12, "return value", "n", "{}")]:
            self.assertIn(wanted, found)

    def test_comments_strings_templates_and_declarations_stay(self):
        self.assertFalse([m for m in mutations(TOY) if m.line in (1, 2, 3, 4, 5, 6)])
        self.assertNotIn("condition true", {m.operator for m in mutations(TOY) if m.line == 11})

    def test_one_place_changes(self):
        for m in mutations(TOY):
            changed = m.apply(TOY)
            self.assertNotEqual(changed, TOY)
            self.assertEqual(changed, TOY[:m.begin] + m.new + TOY[m.end:])
            self.assertEqual(TOY.count("\n", 0, m.begin) + 1, m.line)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.toy, self.keep = self.folder / "toy.cpp", self.folder / "restore.json"
        self.toy.write_text(TOY)

    def test_an_error_leaves_no_mutant(self):
        with self.assertRaises(KeyboardInterrupt), Source(self.toy, self.keep) as source:
            source.write(mutations(TOY)[0])
            self.assertNotEqual(self.toy.read_text(), TOY)
            raise KeyboardInterrupt
        self.assertEqual(self.toy.read_text(), TOY)
        self.assertFalse(self.keep.exists())

    def test_the_next_run_restores_what_a_killed_one_left(self):
        self.toy.write_text("mutant")
        self.keep.write_text(json.dumps({"path": str(self.toy), "text": TOY}))
        restore_leftover(self.keep)
        self.assertEqual(self.toy.read_text(), TOY)

    def test_a_seed_draws_the_same_again_and_another_others(self):
        mutants = enumerate_mutants([str(self.toy)])
        self.assertEqual(len({m.key for m in mutants}), len(mutants))
        self.assertEqual(draw(mutants, 5, 1), draw(mutants, 5, 1))
        self.assertNotEqual(draw(mutants, 5, 1), draw(mutants, 5, 2))
        self.assertEqual(len(draw(mutants, None, 1)), len(mutants))

    def test_an_entry_of_the_list_names_one_place_and_is_missed_when_that_is_gone(self):
        mutants = enumerate_mutants([str(self.toy)])
        listed = self.folder / "equal.txt"
        listed.write_text(f"""# comment
{self.toy}: if (n «<=» 0x10 && !v.empty()) return n - 1;
  becomes: <
  because: of this
    and that

{self.toy}: «v.clear();»
  becomes: (void)0;
  because: why not
""")
        equal = read_equal(listed)
        self.assertEqual(len(equal), 2)
        self.assertEqual(equal[Place(str(self.toy), "if (n «<=» 0x10 && !v.empty()) return n - 1;",
                                     "<")], "of this and that")
        self.assertEqual(sum(reason(equal, m) is not None for m in mutants), 2)
        self.assertFalse(wrong_entries(equal, mutants))
        gone = [m for m in mutants if m.mutation.old != "v.clear();"]
        self.assertEqual(wrong_entries(equal, gone),
                         [f"{self.toy}: «v.clear();» → (void)0;: fits 0 mutants"])
        self.assertEqual(wrong_entries(equal, mutants + mutants[-1:] * 2 + [
            m for m in mutants if m not in gone]),
            [f"{self.toy}: «v.clear();» → (void)0;: fits 2 mutants"])
        clear = next(m for m in mutations(TOY) if m.old == "v.clear();")
        self.assertEqual(places_of("f", TOY, clear)[1].line, "n += 2; ⏎ «v.clear();»")
        listed.write_text("no entry")
        self.assertRaises(Stop, read_equal, listed)


class Equal(unittest.TestCase):
    def test_each_entry_fits_a_mutant(self):
        equal = read_equal(EQUAL)
        mutants = enumerate_mutants(sorted({place.file for place in equal}))
        self.assertEqual(wrong_entries(equal, mutants), [])
        self.assertTrue(all((ROOT / place.file).exists() for place in equal))


if __name__ == "__main__":
    unittest.main()
