# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The plugin is built against libopensm-dev of other releases of Debian, with the compiler and libraries of each, and
routes ibsim's fabrics under that release's opensm. debian.py says how a fresh Debian is made.

  SELVEDGE_SUITES="trixie sid"   only these
"""
import contextlib
import os
import pathlib
import subprocess
import unittest

from debian import fresh_debian

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITES = os.environ.get("SELVEDGE_SUITES", "bookworm trixie sid").split()
# As `./run deps` has them, with the Boost that a release has (at least 1.81).
BOOST = {"bookworm": "libboost1.81-dev"}
BUILD = ("g++", "cmake", "ninja-build", "pkg-config", "git", "ca-certificates", "libopensm-dev", "libibumad-dev",
         "libibverbs-dev", "libfabric-dev", "libcli11-dev", "libtomlplusplus-dev", "nlohmann-json3-dev", "libfmt-dev",
         "libsodium-dev", "libssl-dev", "libsqlite3-dev", "libpcg-cpp-dev", "npm")
BESIDE = ("opensm", "ibsim-utils", "libumad2sim0", "infiniband-diags", "python3", "procps")
TARGETS = ("selvedge_opensm", "selvedge-smp-agent", "selvedge-route")
TESTS = ("test_bringup", "test_wrong_setup", "test_takeover")


@contextlib.contextmanager
def shown():
    """Prints a failure at once: the other releases take half an hour."""
    try:
        yield
    except (AssertionError, subprocess.SubprocessError) as error:
        print(error, flush=True)
        raise


class Suites(unittest.TestCase):
    def test_the_plugin_routes_under_the_opensm_of_each_release(self):
        for suite in SUITES:
            with self.subTest(suite), shown(), fresh_debian(suite) as debian:
                boost = BOOST.get(suite, "libboost-dev")
                debian.install(*BUILD, boost, *BESIDE)
                there = debian.root / "selvedge"
                there.mkdir()
                archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
                subprocess.run(["tar", "-x", "-C", there], input=archive, check=True)
                debian.run("cmake", "--preset", "release", "-S", "/selvedge", "-DSELVEDGE_TESTS=OFF")
                debian.run("cmake", "--build", "/selvedge/build", "--target", *TARGETS, "-j", os.environ.get("JOBS", "2"),
                           timeout_s=3600)
                # Only a tree with tests builds it, and that wants more packages.
                debian.run("g++", "-O1", "-std=c++20", "-I/selvedge", "/selvedge/tests/system/subnet_client.cpp", "-libumad",
                           "-o", "/selvedge/build/bin/subnet_client")
                print(suite, debian.run("dpkg-query", "-W", "opensm", "g++", "libfmt-dev", boost), sep="\n")
                said = debian.run("sh", "-c", 'cd /selvedge/tests/system && exec python3 -m unittest -v "$@"', "sh", *TESTS,
                                  timeout_s=1800, SELVEDGE_BUILD_DIR="/selvedge/build", SELVEDGE_LAB_SUBNET="ibsim")
                self.assertRegex(said, r"\nRan [1-9]\d* tests? in .*\n\nOK( \(skipped=\d+\))?\n")


if __name__ == "__main__":
    unittest.main()
