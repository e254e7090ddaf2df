# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Kinds of fabric of which selvedge-route writes none: the text of an ibsim .net file for each."""
import random

from opensm_case import net
from tests.support.draw import SEED


def irregular_net(switches=12, extra=10, doubled=4):
    """A random tree of switches with extra cables; some cables are doubled. Two hosts a switch."""
    draw = random.Random(f"{SEED} irregular")
    pairs = [(draw.randrange(i), i) for i in range(1, switches)]
    while len(pairs) < switches - 1 + extra:
        a, b = sorted(draw.sample(range(switches), 2))
        pairs.append((a, b))
    pairs += draw.sample(pairs, doubled)
    used = {i: 2 for i in range(switches)}  # ports 1 and 2 are for hosts

    def port(switch):
        used[switch] += 1
        return f"S-{switch}", used[switch]
    cables = [(*port(a), *port(b)) for a, b in pairs]
    return net({f"S-{i}": used[i] for i in range(switches)}, cables,
               {f"H-{i}-{k}": [(f"S-{i}", 1 + k)] for i in range(switches) for k in range(2)})


def dragonfly_net(groups=5, size=4):
    """Groups whose switches are all cabled with each other, and one cable between any two groups."""
    def name(group, i):
        return f"S-{group}-{i}"
    cables = []
    for g in range(groups):
        for i in range(size):
            for k in range(i + 1, size):
                cables.append((name(g, i), 1 + k, name(g, k), 1 + i))  # port 1 + i would lead to itself
        for h in range(g + 1, groups):
            cables.append((name(g, h - 1), size + 1, name(h, g), size + 1))
    return net({name(g, i): size + 2 for g in range(groups) for i in range(size)}, cables,
               {f"H-{g}-{i}": [(name(g, i), size + 2)] for g in range(groups) for i in range(size)})


def two_port_net(rows=3, columns=3):
    """A torus whose hosts have two ports, at neighbouring switches."""
    grid = [(y, x) for y in range(rows) for x in range(columns)]
    cables = []
    for y, x in grid:
        cables += [(f"S-{y}-{x}", 1, f"S-{(y + 1) % rows}-{x}", 2),
                   (f"S-{y}-{x}", 3, f"S-{y}-{(x + 1) % columns}", 4)]
    return net({f"S-{y}-{x}": 6 for y, x in grid}, cables,
               {f"H-{y}-{x}": [(f"S-{y}-{x}", 5), (f"S-{y}-{(x + 1) % columns}", 6)] for y, x in grid})


def pair_net():
    """Two switches, A and B, with two cables between them and three hosts each, from port 3 on."""
    return net({"A": 5, "B": 5}, [("A", 1, "B", 1), ("A", 2, "B", 2)],
               {f"{s}-{i}": [(s, 3 + i)] for s in "AB" for i in range(3)})
