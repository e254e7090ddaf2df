# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Sets that are too long for ./run test: there a seed draws a few of their cases; ./run check
(SELVEDGE_WHOLE=1) and ./run campaign (SELVEDGE_WHOLE=campaign) run them all. Of the longest sets
./run check draws many. SELVEDGE_SEED draws others; the log names it."""
import os
import random

WHOLE = bool(os.environ.get("SELVEDGE_WHOLE"))
CAMPAIGN = os.environ.get("SELVEDGE_WHOLE") == "campaign"
SEED = int(os.environ.get("SELVEDGE_SEED", "1"))


def scaled(test, check, campaign):
    """How much of something: in ./run test, in ./run check, in ./run campaign."""
    return campaign if CAMPAIGN else check if WHOLE else test


def one_in(share, name):
    """Whether a case is among the share that is drawn. ./run campaign runs all."""
    return CAMPAIGN or random.Random(f"{SEED} {name}").randrange(share) == 0


def drawn(cases, few, many=None):
    """`few` of the cases, in their order; in ./run check `many`, else all of them."""
    cases = list(cases)
    wanted = scaled(few, len(cases) if many is None else many, len(cases))
    if len(cases) <= wanted:
        return cases
    print(f"{wanted} of {len(cases)} cases, SELVEDGE_SEED={SEED}", flush=True)
    return [cases[i] for i in sorted(random.Random(SEED).sample(range(len(cases)), wanted))]
