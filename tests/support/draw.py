# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Draws test cases at random from sets that are too long to be run whole in ./run test.

./run test runs a few cases of such a set. SELVEDGE_WHOLE=1 runs all cases, but of the longest sets only a
larger draw; ./run check (SELVEDGE_WHOLE=drawn) does so in a third of the test programs. ./run campaign
(SELVEDGE_WHOLE=campaign) always runs all cases. The draws' seed is SELVEDGE_SEED (default 1): another seed
draws other cases; the log names the seed."""
import os
import random
import re
import sys
import unittest

ASKED = os.environ.get("SELVEDGE_WHOLE", "")
SEED = int(os.environ.get("SELVEDGE_SEED", "1"))
CAMPAIGN = ASKED == "campaign"
WHOLE = bool(ASKED) and (ASKED != "drawn" or random.Random(f"{SEED} {sys.argv[1:]}").randrange(3) == 0)


def scaled(test, check, campaign):
    """The one of three amounts that belongs to what runs: ./run test, a program that ./run check drew, or ./run campaign."""
    return campaign if CAMPAIGN else check if WHOLE else test


def one_in(share, name):
    """Whether the case `name` is drawn: one case in `share` is. ./run campaign runs all cases."""
    return CAMPAIGN or random.Random(f"{SEED} {name}").randrange(share) == 0


def drawn(cases, few, many=None):
    """The cases to run, in their order: ./run test runs `few` of them, a program that ./run check drew
    `many` (all if `many` is None), and ./run campaign all."""
    cases = list(cases)
    wanted = scaled(few, len(cases) if many is None else many, len(cases))
    if len(cases) <= wanted:
        return cases
    print(f"{wanted} of {len(cases)} cases, SELVEDGE_SEED={SEED}", flush=True)
    return [cases[i] for i in sorted(random.Random(SEED).sample(range(len(cases)), wanted))]


def a_few(few):
    """Decorates a test class: ./run test runs `few` of its tests, SELVEDGE_WHOLE all."""
    def decorate(case):
        names = sorted(name for name in vars(case) if name.startswith("test_"))
        for name in set(names) - set(drawn(names, few)):
            setattr(case, name, unittest.skip(f"not drawn by SELVEDGE_SEED={SEED}; SELVEDGE_WHOLE=1 runs all")(
                getattr(case, name)))
        return case
    return decorate


def add_cases(case, cases, chosen, run):
    """Adds to a test class a test for each pair (what, how) of `cases`: run(self, what, how) if it is in `chosen`."""
    def test_of(pair):
        @unittest.skipUnless(pair in chosen, f"not drawn by SELVEDGE_SEED={SEED}; ./run campaign runs all")
        def test(self):
            run(self, *pair)
        return test
    for what, how in cases:
        name = re.sub(r"\W+", "_", f"test_{how}_{what}")
        setattr(case, name, test_of((what, how)))
