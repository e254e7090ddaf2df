# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Sets that are too long for ./run test: there a seed draws a few of their cases; ./run check and
./run campaign (SELVEDGE_WHOLE=1) run them all. SELVEDGE_SEED draws others; the log names it."""
import os
import random

WHOLE = bool(os.environ.get("SELVEDGE_WHOLE"))
SEED = int(os.environ.get("SELVEDGE_SEED", "1"))


def drawn(cases, few):
    """`few` of the cases, in their order, or all of them."""
    cases = list(cases)
    if WHOLE or len(cases) <= few:
        return cases
    print(f"{few} of {len(cases)} cases, SELVEDGE_SEED={SEED}", flush=True)
    return [cases[i] for i in sorted(random.Random(SEED).sample(range(len(cases)), few))]
