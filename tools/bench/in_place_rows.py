# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""In-place repair, compared with computing anew and with the thesis (Montañana 2008, §8.3 and §8.4):
the time of a repair (Fig. 8.11), the entries that it changes (Fig. 8.15), and the memory of the
indexes (Tab. 8.10)."""
import statistics

from tools.bench.rows import benchmark_ms, note, route, row

SIDE, FAULTS = 14, (1, 2, 3, 4, 6, 8)  # as in tests/bench/bench_repair.cpp
CHANGED_SIDE = 7
THESIS_KB = {7: 38, 8: 75, 10: 232, 12: 584}  # side of the torus: KB of DRT and IRT


def in_place_rows(build, runs):
    rows = []
    for make in (time_rows, changed_rows, memory_rows):
        note(f"repair in place: {make.__doc__}")
        rows += make(build, runs)
    return rows


def unexplained(xs, ys):
    """1 − R² of the line fitted to the points."""
    slope, height = statistics.linear_regression(xs, ys)
    mean = statistics.fmean(ys)
    return (sum((y - slope * x - height) ** 2 for x, y in zip(xs, ys)) /
            sum((y - mean) ** 2 for y in ys))


def time_rows(build, runs):
    """updn on 14x14 with two hosts a switch: one fault, and several at once"""
    ms = benchmark_ms(build, "bench_repair", "updn", runs)
    repair = {n: next(t for name, t in ms.items()
                      if name.startswith(f"repair_updn/side:{SIDE}/faults:{n}/"))
              for n in FAULTS}
    anew = {what: ms[f"{what}/side:{SIDE}"] for what in ("updn_anew", "updn_anew_proved")}
    proved = next(t for name, t in ms.items() if name.startswith("repair_updn_proved/"))
    where = f"updn {SIDE}x{SIDE}, 2 hosts a switch"
    return [row(f"one cable repaired in place, {where}", repair[1], "ms", anew["updn_anew"],
                "computing anew", 0.05),
            row("  the same, both proved", proved, "ms", anew["updn_anew_proved"],
                "computing and proving anew", None),
            row("  the same", repair[1], "ms", 1.0, "limit (aim)", 1),
            row(f"  {FAULTS[0]} to {FAULTS[-1]} cables at once: 1 - R2 of a line",
                unexplained(FAULTS, [repair[n] for n in FAULTS]), "", 0.05, "limit", 1)]


def changed_rows(build, _runs):
    """every cable of a 7x7 torus, one at a time"""
    size, shares = CHANGED_SIDE, []
    for i in range(size):
        for j in range(size):
            for k, m in (((i + 1) % size, j), (i, (j + 1) % size)):
                done = route(build, "repair", "--fabric", f"torus:{size}x{size}", "--engine", "updn",
                             "--fail", f"S-{i}-{j}/S-{k}-{m}", "--json")["json"]
                entries = size**2 * 2 * size**2  # switches times LIDs, of hosts and of switches
                shares.append(100 * done["lft_entries_changed"] / entries)
    where = f"LFT entries changed in place, updn {size}x{size}"
    return [row(f"{where}, worst of {len(shares)} cables", max(shares), "%", 25,
                "limit (thesis 19.83 %)", 1),
            row(f"{where}, mean over the cables", statistics.fmean(shares), "%", 19.83,
                "thesis, worst cable", None)]


def memory_rows(build, _runs):
    """the thesis' two tables for one path a pair, and the further indexes"""
    rows = []
    for side, thesis in THESIS_KB.items():
        held = route(build, "repair", "--fabric", f"torus:{side}x{side}", "--engine", "updn",
                     "--fail", "S-0-0/S-0-1", "--json")["json"]["index_bytes"]
        rows += [row(f"what DRT and IRT tell, updn {side}x{side}", held["reachability"] / 1e3, "KB",
                     thesis, "thesis, DRT and IRT", 1),
                 row("  further indexes", held["further"] / 1e3, "KB", thesis,
                     "thesis, DRT and IRT", None)]
    return rows
