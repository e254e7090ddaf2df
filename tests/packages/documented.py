# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The lines of opensm.conf that docs/operators.md gives."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def documented(heading, language):
    """Those of a section, which has one block in this language."""
    text = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^## {heading}\n(.*?)(?=^## |\Z)", text)[1]
    lines, = re.findall(rf"(?ms)^```{language}\n(.*?)^```$", section)
    return lines
