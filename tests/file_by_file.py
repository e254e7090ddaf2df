#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""usage: file_by_file.py BUILD-FOLDER [--one-in N] [--seed S] [--jobs J]

Does each source file include what it uses? Compiles files one by one, without their objects: all that the
compile_commands.json of BUILD-FOLDER names, or with --one-in a drawn part of them."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys


def check_only(entry):
    """The entry's command without its output, and what the compiler says."""
    command = shlex.split(entry["command"])
    at = command.index("-o")
    del command[at:at + 2]
    command.insert(1, "-fsyntax-only")
    return subprocess.run(command, cwd=entry["directory"], stderr=subprocess.PIPE, text=True, check=False)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--one-in", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    entries = json.loads((args.folder / "compile_commands.json").read_text(encoding="utf-8"))
    # What the build makes is there only once it is built.
    made = str(args.folder.resolve()) + "/"
    entries = sorted((e for e in entries if not e["file"].startswith(made)), key=lambda e: e["file"])
    if not entries:
        sys.exit(f"error: {args.folder} names no source files: set it up by cmake --preset separate")
    drawn = random.Random(args.seed).sample(entries, -(-len(entries) // args.one_in))
    failed = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for entry, done in zip(drawn, pool.map(check_only, drawn)):
            if done.returncode != 0:
                failed.append(entry["file"])
                sys.stderr.write(done.stderr)
    print(f"{len(drawn)} of {len(entries)} files compiled by themselves, {len(failed)} failed")
    for file in failed:
        print(f"  {file}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
