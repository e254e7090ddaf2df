#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Fails when a file cites what the repository does not have.

  documents   names of planning documents; Markdown links and docs/… paths that do not exist
  sources     a .hpp or .cpp that no folder has, named in a document or a comment
  claims      T20 or G3 that is no row of docs/claims.md
  papers      "Name 2008", "Name & Name 2008" without a row in docs/references.md
  standards   RFC numbers and releases of the InfiniBand specification without such a row
  rooms       a table of rooms in docs/architecture.md that differs from the one of tests/arrows.py
"""
import ast
import pathlib
import re
import subprocess
import sys

TEXT = {".md", ".hpp", ".cpp", ".h", ".c", ".py", ".toml", ".cmake", ".in", ".js", ".css", ".conf",
        ".service", ".sh", ".bash", ".1", ".8", ""}
# Inputs of fuzzers, recorded outputs, licence texts; and this file, whose patterns name what is wrong.
SKIP = ("LICENSES/", "debian/copyright", "tests/fuzz/corpus/", "tests/system/golden/", "LICENSE", "tests/citations.py")

# The names are put together here, so that a search of the repository for them does not find this file.
PLANNING = [name + ".md" for name in ("CONTRACTS", "DESIGN", "WORDS")]
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
DOC_PATH = re.compile(r"(?<![\w./-])docs/[\w./-]+\.(?:md|[18])\b")
CLAIM = re.compile(r"(?<![\w.$%/-])([TMGZK]\d{1,2})(?![\w.:(])")
NAME = r"(?:[A-Z]['’]|Mc)?[A-ZÀ-Þ][a-zß-ÿ]+(?:-[A-ZÀ-Þ][a-zß-ÿ]+)*"
PAPER = re.compile(rf"((?:{NAME})(?:(?:, | & | and |, & ){NAME})*)(?: et al\.)?,? \(?((?:19|20)\d\d)\b"
                   r"(?![-/:]\d)")
STANDARD = re.compile(r"\b(RFC \d+|IBT?A (?:\d\.\d|annex A\d+))")
# Words that stand before a year without being an author's name.
NO_AUTHOR = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
             "October", "November", "December", "Copyright", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
             "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Release",
             "Version", "Timeout", "Tick", "Counts", "Diff"}
SOURCE = re.compile(r"(?<![\w./*-])[\w./-]*\w\.(?:hpp|cpp)\b(?!\.)")


EXAMPLES = {"onetree.cpp", "onetree_test.cpp", "NAME.cpp"}  # that CONTRIBUTING.md has its reader write


def files(root):
    """The files that git tracks; without git (in a tarball) all files outside of build folders."""
    if (root / ".git").exists():
        out = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], check=True,
                             capture_output=True).stdout
        return [root / name for name in out.decode().split("\0") if name]
    return [p for p in root.rglob("*") if p.is_file() and
            not p.relative_to(root).parts[0].startswith("build")]


def surnames(text):
    """The list of authors in "A, B & C 1999"; citations are compared by it."""
    return tuple(re.split(r", & |, | & | and ", text))


def rows(path):
    """The first cell of each row of a file's tables."""
    cells = (line.split("|")[1].strip() for line in path.read_text(encoding="utf-8").splitlines()
             if line.startswith("| "))
    return {cell for cell in cells if cell and not set(cell) <= {"-"}}


def listed_papers(references):
    """The set of (year, authors) that docs/references.md lists."""
    matches = (re.fullmatch(r"(.+) ((?:19|20)\d\d)", key) for key in rows(references))
    return {(match[2], surnames(match[1])) for match in matches if match}


def is_listed(names, year, papers):
    """Whether the list has this paper: same year and same authors. Only the first author must agree
    if the citation or the list names no other one."""
    return any(year == when and names[0] == authors[0] and
               (len(names) == 1 or len(authors) == 1 or names == authors)
               for when, authors in papers)


def without_comment_breaks(text):
    """The text with each line break and comment mark replaced by a space, since a citation may continue
    in the next line of a comment."""
    return re.sub(r"\n[ \t]*(?://+<?|#|\*)?[ \t]*", lambda m: " ", text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def citations(text):
    """(authors, year, matched text) of everything that looks like a cited paper."""
    for match in PAPER.finditer(text):
        names = surnames(match[1])
        while names and names[0] in NO_AUTHOR:
            names = names[1:]
        if names and names[-1] not in NO_AUTHOR:
            yield names, match[2], match[0]


def faults_of(root, path, claims, papers, standards, sources):
    name = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{number}"
        for planning in PLANNING:
            if planning in line or re.search(rf"\b{planning[:-3]}\b(?!\()", line):
                yield f"{where}: cites {planning}, which is not in the repository"
        for cited in DOC_PATH.findall(line):
            if not (root / cited).exists():
                yield f"{where}: cites {cited}, which does not exist"
        if path.suffix == ".md":
            for target in LINK.findall(line):
                target = target.split("#")[0]
                if target and "://" not in target and not target.startswith("mailto:") \
                        and not (path.parent / target).exists():
                    yield f"{where}: links to {target}, which does not exist"
        if path.suffix in (".md", ".toml") or re.match(r"\s*(//|#|\*|\"\"\")", line):
            for claim in CLAIM.findall(line):
                if claim not in claims:
                    yield f"{where}: {claim} is no row of docs/claims.md"
        if path.suffix == ".md" or re.match(r"\s*//", line):
            for source in SOURCE.findall(line):
                if "/" + source.lstrip("./") not in sources and \
                        not (name == "CONTRIBUTING.md" and source.split("/")[-1] in EXAMPLES):
                    yield f"{where}: names {source}, which does not exist"
        for standard in STANDARD.findall(line):
            if standard not in standards:
                yield f"{where}: {standard} is not in docs/references.md"
    if path.suffix in (".js", ".css") or name == "docs/references.md":
        return
    flat = without_comment_breaks(text)
    for names, year, shown in citations(flat):
        if not is_listed(names, year, papers):
            yield f"{name}: cites {shown!r}, which docs/references.md does not list"


def rooms_that_differ(root):
    tree = ast.parse((root / "tests/arrows.py").read_text(encoding="utf-8"))
    allowed = next(ast.literal_eval(node.value) for node in tree.body
                   if isinstance(node, ast.Assign) and node.targets[0].id == "ALLOWED")
    told = {}
    for line in (root / "docs/architecture.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5 and re.fullmatch(r"`(?:base|(?:plugin|daemon|sim)/\w+)`", cells[1]):
            told[cells[1].strip("`")] = set(re.findall(r"`([^`]+)`", cells[3]))
    for room in sorted(allowed.keys() | told.keys()):
        if set(allowed.get(room, ["no such room"])) != told.get(room):
            yield f"docs/architecture.md: the row of {room} differs from tests/arrows.py"


def main(root):
    references, claims_file = root / "docs/references.md", root / "docs/claims.md"
    claims = {cell for cell in rows(claims_file) if CLAIM.fullmatch(cell)}
    papers, listed = listed_papers(references), rows(references)
    found, read = list(rooms_that_differ(root)), 0
    present = sorted(files(root))
    sources = set()  # "/c.hpp", "/b/c.hpp" and "/a/b/c.hpp" of a/b/c.hpp
    for path in present:
        parts = path.relative_to(root).parts
        if path.is_file() and path.suffix in (".hpp", ".cpp"):
            sources |= {"/" + "/".join(parts[i:]) for i in range(len(parts))}
    for path in present:
        name = path.relative_to(root).as_posix()
        if not path.is_file() or path.suffix not in TEXT or name.startswith(SKIP) or "/data/" in name:
            continue
        read += 1
        found += faults_of(root, path, claims, papers, listed, sources)
    for fault in found:
        print(fault)
    print(f"{read} files read, {len(claims)} claims, {len(listed)} references, {len(found)} faults")
    return 1 if found or not (read and claims and papers) else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
