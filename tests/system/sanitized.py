# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""With which sanitizers the programs of this tree are built, and what those need that load its libraries."""
import os
import subprocess

SANITIZE = os.environ.get("SELVEDGE_SANITIZE", "")


def runtime():
    """The path of the library that a sanitizer of the tree needs, of the clang that built it. AddressSanitizer's
    holds UndefinedBehaviorSanitizer's too."""
    name = "tsan" if "thread" in SANITIZE else "asan"
    return subprocess.run([os.environ["SELVEDGE_CXX"], f"-print-file-name=libclang_rt.{name}-{os.uname().machine}.so"],
                          check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
