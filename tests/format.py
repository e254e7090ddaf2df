#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Fails where the house's style is broken: clang-format-19 disagrees, a source file lacks the SPDX
line."""
import pathlib
import shutil
import subprocess
import sys

SPDX = "SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only"
CODE = {".cpp", ".hpp", ".h", ".c"}
# Files without an SPDX line: their format has no comments, or they are recorded output. LICENSES and
# REUSE.toml say which licence they have.
BARE = {".json", ".txt", ".html", ".svg", ".net", ".png"}
BARE_FOLDERS = ("LICENSES/", "tests/fuzz/corpus/", "debian/changelog", "debian/source/format")


def files(root):
    """The files that git tracks; without git (in a tarball) all files outside of build folders."""
    if (root / ".git").exists():
        out = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], check=True,
                             capture_output=True).stdout
        return [root / name for name in out.decode().split("\0") if name]
    return [p for p in root.rglob("*") if p.is_file() and
            not p.relative_to(root).parts[0].startswith("build")]


def main(root):
    formatter = shutil.which("clang-format-19")
    if not formatter:
        print("clang-format-19 is not installed: ./run deps")
        return 1
    present = [p for p in files(root) if p.is_file()]
    code = [p for p in present if p.suffix in CODE]
    faults = []
    done = subprocess.run([formatter, "--dry-run", "--Werror", *map(str, code)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        faults += [line for line in done.stderr.splitlines() if ": error:" in line]
    for path in present:
        name = path.relative_to(root).as_posix()
        if path.suffix in BARE and path.name != "CMakeLists.txt" or "/data/" in name \
                or name.startswith(BARE_FOLDERS):
            continue
        if SPDX not in "\n".join(path.read_text(encoding="utf-8").splitlines()[:9]):
            faults.append(f"{name}: no SPDX line at the top")
    for fault in faults:
        print(fault)
    print(f"{len(code)} C++ files formatted, {len(present)} files looked at, {len(faults)} faults")
    return 1 if faults or not code else 0


sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
