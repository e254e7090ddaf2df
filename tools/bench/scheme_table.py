# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The tables by which an operator chooses a scheme of reconfiguration, from the results of experiments such as
conf/experiments/reconfiguration-faults.toml:

    python3 -m tools.bench.scheme_table RESULTS.sqlite...

One table a fabric, one row a scheme, a column for each number of faults: packets lost, the time from the first fault
to the last loss, the longest time that a packet took, and the time to the end of the last change. A cell is the mean over the draws of the
faults, with the half-width of its 95 % interval by Student's t. Behind it, points that deadlocked (d), and points whose
switches did not hold the target tables at the end (t).
"""
import argparse
import contextlib
import sqlite3
import statistics

# Two-sided 95 % quantiles of Student's t, by degrees of freedom.
STUDENT = (0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
FIGURES = {"lost": "lost_by_fault + lost_by_recovery + lost_by_vl15 + lost_by_lifetime", "for µs": "coalesce(outage_us, 0)",
           "stall µs": "stall_us", "change µs": "reconfiguration_us"}
SCHEMES = ("static", "naive", "opensm", "guarded", "rftr", "rftr-readdress", "ebr", "ebrd", "ebr-hoq", "ds", "sr-pda",
           "sr-la")
FEW = ("lost", "stall µs")  # of more than one fault
KEYS = ("fabric.spec", "traffic.load", "reconfiguration.scheme", "faults.random", "faults.apart_us")


def number(value):
    return f"{value:,.0f}" if value >= 9.95 else f"{value:.2g}"


def cell(values):
    """The mean and its interval; a change that was not over has no time."""
    values = [value for value in values if value is not None]
    if not values:
        return "–"
    mean = statistics.fmean(values)
    if len(values) < 2:
        return number(mean)
    half = STUDENT[min(len(values) - 1, len(STUDENT) - 1)] * statistics.stdev(values) / len(values) ** 0.5
    return f"{number(mean)} ± {number(half)}" if half > 0 else number(mean)


def read(paths):
    """{fabric and load: {scheme: {faults: [(figures, deadlocked, missed)]}}}"""
    found = {}
    for path in paths:
        with contextlib.closing(sqlite3.connect(path)) as database:
            rows = database.execute(f"SELECT digest, state, target_reached, {', '.join(FIGURES.values())} FROM plan "
                                    "JOIN points USING (digest) JOIN reconfiguration USING (digest) "
                                    "ORDER BY plan.position").fetchall()
            for digest, state, reached, *figures in rows:
                keys = dict(database.execute("SELECT key, value FROM point_keys WHERE digest = ?", (digest,)))
                fabric, load, scheme, faults, apart = (keys[key] for key in KEYS)
                when = f"{faults} faults" if faults != "1" else "1 fault"
                if float(apart) > 0 and faults != "1":
                    when += f", {float(apart):g} µs apart"
                table = found.setdefault(f"{fabric}, load {load}", {})
                table.setdefault(scheme, {}).setdefault(when, []).append((figures, state == "deadlocked", reached != 1))
    return found


def flags(points):
    counts = {"d": sum(deadlocked for _, deadlocked, _ in points), "t": sum(missed for _, _, missed in points)}
    return "".join(f", {count} {letter}" for letter, count in counts.items() if count)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+")
    for title, table in read(parser.parse_args().results).items():
        columns = sorted({when for row in table.values() for when in row})
        shown = {when: FIGURES if when == columns[0] else FEW for when in columns}
        print(f"\n{title}\n\n| scheme | " + " | ".join(f"{when}: {', '.join(shown[when])}" for when in columns) + " |")
        print("|---" * (len(columns) + 1) + "|")
        for scheme, row in sorted(table.items(), key=lambda one: SCHEMES.index(one[0])):
            cells = []
            for when in columns:
                points = row.get(when, [])
                figures = dict(zip(FIGURES, zip(*(figures for figures, _, _ in points))))
                cells.append("; ".join(cell(figures[name]) for name in shown[when] if figures) + flags(points))
            print(f"| `{scheme}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
