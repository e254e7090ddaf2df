#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Mutants of a room (a source folder): one place of one file is changed, and the room's unit tests must
notice.

    tools/mutate/mutate.py --build-dir build --room protocol --limit 100 --seed 1

Draws mutants by the seed, builds and runs the room's tests for each, and reports those that
survived with file, line and change. Results are kept in BUILD_DIR/mutants/ROOM.jsonl: a stopped run
resumes, and a mutant is tested again only if its file has changed or with --again. Sources are changed
in place and restored at the end, also on Ctrl-C; after a SIGKILL the next run restores them.

equal.txt lists mutants that behave as the original does, each with its reason. They are neither tested
nor counted. An entry that does not fit exactly one mutant is an error.

Exit status: 0 if none survived, 1 if some did, 2 if nothing could be measured.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
EQUAL = pathlib.Path(__file__).resolve().parent / "equal.txt"
sys.path.insert(0, str(ROOT))

from tools.mutate.operators import Mutation, mutations  # noqa: E402


class Room(NamedTuple):
    folder: str
    tests: tuple[str, ...]  # test programs, the quicker ones first
    first: str = "-*"  # a --gtest_filter of quick tests that find most mutants; they run first


ROOMS = {
    "verify": Room("plugin/verify", ("unit_verify",)),
    "transition": Room("plugin/transition", ("unit_transition",), "*Twin*:Arbitrary*"),
    "repair": Room("plugin/repair", ("unit_repair",),
                   "RepairFigures*:LiveRoutes*:Remains*:DependencyOrder*:UpDirections*:OnlyLost*"),
    "control": Room("plugin/control", ("unit_control", "unit_opensm", "unit_sim_control")),
    "protocol": Room("daemon/protocol", ("unit_protocol",)),
}
# Every mutant gets the same tests: properties draw from one seed, the control room from few seeds.
SETTINGS = {"RC_PARAMS": "seed=1", "SELVEDGE_SEEDS": "10", "ASAN_OPTIONS": "detect_leaks=0"}
BUILD_LIMIT_S = 900
KILLED, SURVIVED, NOT_BUILT, TIMED_OUT = "killed", "survived", "did not compile", "timed out"


class Stop(Exception):
    """Nothing can be measured; the text says why."""


def end_group(process: subprocess.Popen) -> None:
    """Ends a test's whole process group, since a test may have started programs of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def run(command: list[str], limit_s: float, folder: pathlib.Path) -> tuple[int | None, str]:
    """Exit status (None: out of time) and output."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", cwd=folder, env=os.environ | SETTINGS,
                          start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=limit_s)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            end_group(process)


class Source:
    """A file that is mutated, and always restored. A copy of the original is in the build folder."""

    def __init__(self, path: pathlib.Path, keep: pathlib.Path):
        self.path, self.keep, self.text = path, keep, path.read_text(encoding="utf-8")

    def __enter__(self) -> "Source":
        self.keep.write_text(json.dumps({"path": str(self.path), "text": self.text}))
        return self

    def write(self, mutation: Mutation) -> None:
        self.path.write_text(mutation.apply(self.text), encoding="utf-8")

    def __exit__(self, *_: object) -> None:
        self.path.write_text(self.text, encoding="utf-8")
        self.keep.unlink()


def restore_leftover(keep: pathlib.Path) -> None:
    if keep.exists():
        left = json.loads(keep.read_text())
        pathlib.Path(left["path"]).write_text(left["text"], encoding="utf-8")
        keep.unlink()
        print(f"restored {left['path']}, which a run that was killed had left mutated")


class Bench:
    """Builds a room's tests and runs them."""

    def __init__(self, room: Room, build: pathlib.Path, jobs: int):
        self.room, self.build, self.jobs = room, build, jobs
        self.limits_s: dict[str, float] = {}

    def make(self) -> bool:
        status, output = run(["cmake", "--build", str(self.build), f"-j{self.jobs}", "--target",
                              *self.room.tests], BUILD_LIMIT_S, ROOT)
        self.output = output
        return status == 0

    def test(self, program: str, limit_s: float, tests: str = "*") -> int | None:
        return run([str(self.build / "bin" / program), "--gtest_brief=1", "--gtest_fail_fast",
                    f"--gtest_filter={tests}"], limit_s, ROOT)[0]

    def measure(self) -> None:
        """Runs the tests without a mutation: all must pass. A mutant's time limit is a multiple of the
        time that they take."""
        if not self.make():
            raise Stop(f"the tests do not build:\n{self.output[-2000:]}")
        for program in self.room.tests:
            began = time.monotonic()
            if (status := self.test(program, 1200)) != 0:
                raise Stop(f"{program} does not pass without a mutation (status {status})")
            took = time.monotonic() - began
            self.limits_s[program] = 20 + 4 * took
            print(f"{program}: {took:.1f} s without a mutation", flush=True)

    def judge(self) -> str:
        if not self.make():
            return NOT_BUILT
        for tests in (self.room.first, "*"):
            for program in self.room.tests:
                status = self.test(program, self.limits_s[program], tests)
                if status != 0:
                    return TIMED_OUT if status is None else KILLED
        return SURVIVED


def one_line(text: str) -> str:
    return " ".join(text.split())


class Place(NamedTuple):
    """A mutant as equal.txt names it: without a line number, which would change with the file."""
    file: str
    line: str  # the line, with «…» around the changed text; perhaps the line above and ⏎ before it
    new: str


class Mutant(NamedTuple):
    file: str
    mutation: Mutation
    key: str  # identifies this mutation of this version of the file
    places: tuple[Place, Place]  # the mutant's names without and with the line above

    def words(self) -> str:
        old, new = one_line(self.mutation.old), one_line(self.mutation.new)
        return f"{self.file}:{self.mutation.line}: {self.mutation.operator}: {old} → {new}"


def places_of(file: str, text: str, m: Mutation) -> tuple[Place, Place]:
    above, before = ["", *text[:m.begin].split("\n")][-2:]
    after = text[m.end:].split("\n", 1)[0]
    line = one_line(f"{before}«{one_line(m.old)}»{after}")
    return tuple(Place(file, told, one_line(m.new))
                 for told in (line, f"{one_line(above)} ⏎ {line}"))


def enumerate_mutants(files: list[str]) -> list[Mutant]:
    mutants = []
    for file in files:
        text = (ROOT / file).read_text(encoding="utf-8")
        for m in mutations(text):
            identity = f"{file}\0{m.begin}\0{m.new}\0{text}".encode()
            mutants.append(Mutant(file, m, hashlib.sha256(identity).hexdigest()[:16],
                                  places_of(file, text, m)))
    return mutants


def read_equal(path: pathlib.Path) -> dict[Place, str]:
    """Reads equal.txt. An entry has three lines: FILE: LINE, `becomes` and `because` (which may be
    continued in lines that are indented further). Blank lines between entries, and lines that begin
    with #, are ignored."""
    equal: dict[Place, str] = {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()
             if not line.startswith("#")]
    for entry in "\n".join(lines).strip().split("\n\n"):
        match = re.fullmatch(r"(\S+): (.*)\n  becomes: (.*)\n  because: (.*)", entry.strip("\n"),
                             re.DOTALL)
        if not match:
            raise Stop(f"{path.name}: not an entry:\n{entry}")
        place = Place(match[1], one_line(match[2]), one_line(match[3]))
        if place in equal:
            raise Stop(f"{path.name}: twice:\n{entry}")
        equal[place] = one_line(match[4])
    return equal


def reason(equal: dict[Place, str], mutant: Mutant) -> str | None:
    """The listed reason why the mutant behaves as the original; None if it is not listed."""
    return next((equal[place] for place in mutant.places if place in equal), None)


def wrong_entries(equal: dict[Place, str], mutants: list[Mutant]) -> list[str]:
    """The entries about the files of these mutants that fit none of the mutants, or several."""
    files = {m.file for m in mutants}
    fits = collections.Counter(place for m in mutants for place in m.places)
    return [f"{place.file}: {place.line} → {place.new}: fits {fits[place]} mutants"
            for place in equal if place.file in files and fits[place] != 1]


def draw(mutants: list[Mutant], limit: int | None, seed: int) -> list[Mutant]:
    """Draws mutants at random. Those of one file stay together, so that each build compiles few
    files."""
    drawn = list(mutants)
    random.Random(seed).shuffle(drawn)
    return sorted(drawn[:limit], key=lambda m: (m.file, m.mutation.begin))


def read_results(path: pathlib.Path) -> dict[str, str]:
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["key"]: row["result"] for row in rows}


def judge_all(bench: Bench, drawn: list[Mutant], results: dict[str, str],
              log: pathlib.Path, keep: pathlib.Path) -> None:
    todo = [m for m in drawn if m.key not in results]
    if not todo:
        return
    bench.measure()
    for n, mutant in enumerate(todo, 1):
        began = time.monotonic()
        with Source(ROOT / mutant.file, keep) as source:
            source.write(mutant.mutation)
            result = bench.judge()
        results[mutant.key] = result
        with log.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"key": mutant.key, "result": result, "what": mutant.words()},
                                 ensure_ascii=False) + "\n")
        print(f"{n}/{len(todo)} {result} ({time.monotonic() - began:.0f} s) {mutant.words()}",
              flush=True)


def report(name: str, drawn: list[Mutant], equal: dict[Place, str],
           results: dict[str, str]) -> int:
    alike = [m for m in drawn if reason(equal, m)]
    for m in alike:
        print(f"equal in behaviour: {m.words()}: {reason(equal, m)}")
    drawn = [m for m in drawn if not reason(equal, m)]
    judged = [m for m in drawn if m.key in results]
    counts = {kind: sum(results[m.key] == kind for m in judged)
              for kind in (KILLED, TIMED_OUT, SURVIVED, NOT_BUILT)}
    for m in judged:
        if results[m.key] == SURVIVED:
            print(f"survived: {m.words()}")
    built = len(judged) - counts[NOT_BUILT]
    found = counts[KILLED] + counts[TIMED_OUT]
    share = f" ({100 * found / built:.0f} % of those that compile)" if built else ""
    print(f"{name}: {len(judged)} of {len(drawn)} drawn judged; {counts[KILLED]} killed, "
          f"{counts[TIMED_OUT]} timed out{share}, {counts[SURVIVED]} survived, "
          f"{counts[NOT_BUILT]} did not compile; {len(alike)} equal in behaviour not counted")
    return counts[SURVIVED]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--room", choices=sorted(ROOMS), required=True)
    parser.add_argument("--files", nargs="+", metavar="FILE", help="of the room, instead of all")
    parser.add_argument("--headers", action="store_true",
                        help="mutate headers too: everything that includes them is built again")
    parser.add_argument("--limit", type=int, metavar="N", help="draw N mutants (all without it)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again", action="store_true", help="forget results of earlier runs")
    parser.add_argument("--list", action="store_true", help="tell the mutants drawn, judge none")
    args = parser.parse_args()
    room = ROOMS[args.room]
    build = args.build_dir.resolve()
    if not (build / "CMakeCache.txt").exists():
        print(f"{build}: no build folder", file=sys.stderr)
        return 2
    kept = build / "mutants"
    kept.mkdir(exist_ok=True)
    keep, log = kept / "restore.json", kept / f"{args.room}.jsonl"
    restore_leftover(keep)
    endings = {".cpp", ".hpp"} if args.headers else {".cpp"}
    files = args.files or sorted(str(p.relative_to(ROOT)) for p in (ROOT / room.folder).iterdir()
                                 if p.suffix in endings)
    mutants = enumerate_mutants(files)
    drawn = draw(mutants, args.limit, args.seed)
    try:
        equal = read_equal(EQUAL)
        if wrong := wrong_entries(equal, mutants):
            raise Stop("\n".join(f"{EQUAL.name}: {entry}" for entry in wrong))
    except Stop as e:
        print(e, file=sys.stderr)
        return 2
    if args.list:
        for m in drawn:
            why = reason(equal, m)
            print(m.words() + (f" (equal in behaviour: {why})" if why else ""))
        return 0
    if args.again:
        log.unlink(missing_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: files are restored
    results = read_results(log)
    bench = Bench(room, build, args.jobs)
    try:
        judge_all(bench, [m for m in drawn if not reason(equal, m)], results, log, keep)
    except KeyboardInterrupt:
        print("stopped; the next run goes on from here")
    except Stop as e:
        print(e, file=sys.stderr)
        return 2
    survivors = report(args.room, drawn, equal, results)
    if not bench.make():  # so that no mutant stays in the build folder
        return 2
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
