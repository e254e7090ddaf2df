#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The main job of `./run demo`. Our plugin inside the unmodified OpenSM routes a fabric and proves its
tables; a cable is cut, the recovery is timed and the lost packets are counted. OpenSM's minhop does
the same for comparison.

The exit status is 0 only if all pairs were reachable before the cut and after the repair, as read back
from the switches, also under traffic, and the proofs of our tables held.
"""
import argparse
import os
import pathlib
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.demo import case, report, traffic  # noqa: E402
from tools.lab import InputError, LabError, MissingError  # noqa: E402

DONE, DOES_NOT_HOLD, BAD_USAGE, MISSING = 0, 1, 2, 3
DEFAULT_FABRIC = ROOT / "conf" / "fabrics" / "torus-6x6.net"
RUNS_MAX = 50


class Parser(argparse.ArgumentParser):
    """A parser whose usage errors are one line, as those of our programs."""

    def error(self, message):
        print(f"error: {message}: demo.py: see --help", file=sys.stderr)
        sys.exit(BAD_USAGE)


def parse(argv):
    parser = Parser(prog="demo.py", formatter_class=argparse.RawDescriptionHelpFormatter,
                    description=__doc__,
                    epilog="exit status: 0 every pair was reachable before and after, and the proofs "
                           "held; 1 not so;\n2 bad usage or input; 3 opensm, libumad2sim or the build "
                           "is missing")
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build", metavar="DIR",
                        help="where bin/ and lib/ are (default: %(default)s)")
    parser.add_argument("--fabric", type=pathlib.Path, default=DEFAULT_FABRIC, metavar="FILE",
                        help="an ibsim .net file (default: %(default)s)")
    parser.add_argument("--lmc", type=int, default=0, choices=range(0, 4), metavar="0..3",
                        help="each host port gets 2^LMC LIDs (default: 0)")
    parser.add_argument("--load", type=float, default=traffic.LOAD, metavar="SHARE",
                        help="what each host sends, as a share of its link's data rate, where lost "
                             "packets are counted (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5, metavar="N",
                        help="runs of each side, each on a fresh subnet; the medians are printed "
                             "(default: %(default)s)")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE",
                        help="the report (default: demo/report.html in the build folder)")
    parser.add_argument("--json", action="store_true",
                        help="print the figures as one JSON document instead of the table")
    parser.add_argument("--keep", action="store_true",
                        help="keep the logs and what was read back, and say where")
    args = parser.parse_args(argv)
    if not 1 <= args.runs <= RUNS_MAX:
        parser.error(f"--runs {args.runs} is not within 1 to {RUNS_MAX}")
    if not 0 < args.load <= 1:
        parser.error(f"--load {args.load:g} is not above 0 and up to 1")
    if not args.fabric.is_file():
        parser.error(f"no such fabric file: {args.fabric}")
    args.out = args.out or args.build_dir / "demo" / "report.html"
    return args


def run_all(args):
    """Runs both sides in turn, so that other load of the machine affects both alike. Returns (the
    lab's runs, the runs under traffic), each a dict Setting → [run]."""
    started = time.monotonic()

    def say(text):
        print(f"[{time.monotonic() - started:5.1f} s] {text}", file=sys.stderr, flush=True)
    settings, cut = (case.SELVEDGE, case.MINHOP), None
    runs, under_traffic = {s: [] for s in settings}, {s: [] for s in settings}
    for turn in range(1, args.runs + 1):
        for setting in settings:
            prefix = f"run {turn} of {args.runs}, {setting.title}: "
            done = case.run(setting, args.fabric, args.build_dir, cut=cut, lmc=args.lmc,
                            keep=args.keep, say=lambda text, p=prefix: say(p + text))
            cut = done.cut  # the same fault for every setting
            runs[setting].append(done)
            say(f"{prefix}cutting {cut.name} under traffic")
            under_traffic[setting].append(traffic.run(
                setting, args.fabric, args.build_dir, link=cut.link, seed=turn, load=args.load,
                lmc=args.lmc))
    return runs, under_traffic


def main(argv=None):
    args = parse(argv)
    try:
        load_average = os.getloadavg()[0]
        runs, under_traffic = run_all(args)
        facts = report.facts(runs, traffic.facts(under_traffic, args.load), args, load_average)
        path = report.write(facts, args.out)
    except MissingError as error:
        print(f"error: {error}", file=sys.stderr)
        return MISSING
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_USAGE
    except LabError as error:
        print(f"error: {error}", file=sys.stderr)
        return DOES_NOT_HOLD
    except OSError as error:
        print(f"error: {error.strerror or error}: {error.filename or args.out}: is the folder "
              "writable?", file=sys.stderr)
        return BAD_USAGE
    except KeyboardInterrupt:
        return 130
    print(report.as_json(facts) if args.json else report.as_text(facts))
    for complaint in facts["complaints"]:
        print(f"does not hold: {complaint}", file=sys.stderr)
    print(f"report: {path}", file=sys.stderr if args.json else sys.stdout, flush=True)
    return DOES_NOT_HOLD if facts["complaints"] else DONE


if __name__ == "__main__":
    # A plain SIGTERM would end Python without the clean-up.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    sys.exit(main())
