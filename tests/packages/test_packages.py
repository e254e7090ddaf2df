# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The Debian packages in the folder SELVEDGE_PACKAGES, which ./run packages has filled: what lintian says, what
they depend on, and (installed.py) what they do in a fresh Debian 12, beside Debian's own opensm; there too, what
cmake --install puts below /usr/local; and (booted.sh) their units under a systemd that has booted.

debian.py says how that is made.

  SELVEDGE_INSTALLED=NAME      only that test of installed.py
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from debian import fresh_debian, output
from documented import documented

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build")).resolve()
NAMES = {"libfabric-provider-selvedge", "libselvedge-apm0", "libselvedge-dev", "libselvedge0", "opensm-plugin-selvedge",
         "selvedge-tools", "selvedged"}
# Beside Debian's opensm: ibsim, what the tests of installed.py look at files with, and a C compiler.
BESIDE = ("opensm", "ibsim-utils", "libumad2sim0", "python3", "man-db", "groff-base", "bash-completion", "systemd",
          "procps", "gcc", "libc6-dev", "pkg-config")


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(os.environ["SELVEDGE_PACKAGES"]).resolve()
        cls.debs = {path.name.partition("_")[0]: path for path in cls.folder.glob("*.deb")
                    if not path.name.partition("_")[0].endswith("-dbgsym")}
        if set(cls.debs) != NAMES or len(list(cls.folder.glob("*.changes"))) != 1:
            raise AssertionError(f"{cls.folder} should hold the packages of one build: {sorted(cls.debs)}")
        for program in ("lintian", "debootstrap", "unshare", "systemd-nspawn"):
            if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
                raise AssertionError(f"{program} is not installed: ./run campaign packages installs it")

    def field(self, package, name):
        return output("dpkg-deb", "--field", self.debs[package], name).strip()

    def test_lintian_finds_nothing(self):
        said = output("lintian", "--fail-on", "error,warning", next(self.folder.glob("*.changes")), timeout_s=600)
        self.assertEqual([line for line in said.splitlines() if line[:2] in ("E:", "W:")], [])

    def test_the_plugin_wants_the_opensm_that_it_was_built_for(self):
        header = pathlib.Path("/usr/include/infiniband/opensm/osm_version.h").read_text(encoding="utf-8")
        version = re.search(r'OSM_VERSION "OpenSM ([\d.]+)"', header)[1]
        wanted = self.field("opensm-plugin-selvedge", "Depends").split(", ")
        self.assertLess({f"opensm (>= {version})", f"opensm (<< {version}.0~)"}, set(wanted))
        installed = output("dpkg-query", "-W", "-f", "${Version}", "opensm")
        for other, fits in ((installed, True), (f"{version}-9+deb12u1", True), (f"{version}+dfsg-1", True),
                            (f"{version}.1-1", False), (f"{version}~rc1-1", False)):
            both = all(subprocess.run(["dpkg", "--compare-versions", other, relation, bound], check=False).returncode == 0
                       for relation, bound in ((">=", version), ("<<", f"{version}.0~")))
            self.assertEqual(both, fits, other)

    def test_packages_of_one_build_belong_together(self):
        version = self.field("libselvedge0", "Version")
        for package in NAMES:
            self.assertEqual(self.field(package, "Version"), version)
        self.assertIn(f"libselvedge0 (= {version})", self.field("libselvedge-dev", "Depends"))
        self.assertIn(f"libselvedge-apm0 (= {version})", self.field("libselvedge-dev", "Depends"))
        self.assertRegex(self.field("selvedged", "Depends"), r"libselvedge0 \(>= 0\.1\.0~\)")
        for package in NAMES - {"libselvedge0"}:
            self.assertNotIn("openmpi", self.field(package, "Depends"))

    def test_the_cmake_package(self):
        with tempfile.TemporaryDirectory(prefix="selvedge-debs-") as name:
            folder = pathlib.Path(name)
            for package in ("libselvedge0", "libselvedge-dev"):
                output("dpkg-deb", "--extract", self.debs[package], folder)
            output("cmake", "-S", ROOT / "daemon/client/examples", "-B", folder / "build", "-G", "Ninja",
                   f"-DCMAKE_PREFIX_PATH={folder}/usr")
            output("cmake", "--build", folder / "build")
            self.assertIn(f"{folder}/usr/lib", output("ldd", folder / "build/send"))

    def test_installed_in_a_fresh_debian(self):
        with fresh_debian("bookworm") as debian:
            debian.install(*BESIDE)
            there = debian.root / "selvedge"
            (there / "debs").mkdir(parents=True)
            for deb in self.debs.values():
                shutil.copy(deb, there / "debs")
            for name in ("tests", "tools", "docs", "conf", "daemon/client/examples"):
                shutil.copytree(ROOT / name, there / name, ignore=shutil.ignore_patterns("__pycache__"))
            output("cmake", "--install", BUILD, "--prefix", "/usr/local", env={**os.environ, "DESTDIR": there / "from-source"})
            chosen = os.environ.get("SELVEDGE_INSTALLED")
            said = debian.run("sh", "-c", 'cd /selvedge/tests/packages && exec python3 -m unittest -v "$@"', "sh",
                              f"installed.Installed.{chosen}" if chosen else "installed", timeout_s=1800)
            print(said)
            self.assertRegex(said, r"\nRan [1-9]\d* tests? in .*\n\nOK\n")

    def test_units_under_a_booted_systemd(self):
        """booted.sh in a container of its own, which has no network."""
        with fresh_debian("bookworm") as debian:
            debian.install("systemd", "systemd-sysv", "dbus", "procps", "opensm", "libumad2sim0", "infiniband-diags")
            there = debian.root / "selvedge"
            (there / "debs").mkdir(parents=True)
            for deb in self.debs.values():
                shutil.copy(deb, there / "debs")
            debian.install(*(f"/selvedge/debs/{deb.name}" for name, deb in self.debs.items()
                             if name in ("opensm-plugin-selvedge", "selvedge-tools", "selvedged", "libselvedge0")))
            (debian.root / "usr/sbin/policy-rc.d").unlink()
            shutil.copy(ROOT / "tests/packages/booted.sh", there)
            for name, lines in (("opensm.conf", documented("Install", "conf")),
                                ("opensm-without.conf", documented("Upgrade and remove", "text"))):
                (there / name).write_text(f"{lines}force_log_flush TRUE\n", encoding="utf-8")
            units = debian.root / "etc/systemd/system"
            (units / "booted.service").write_text(
                "[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\nTimeoutStartSec=600\n"
                "ExecStart=/bin/sh -c '/selvedge/booted.sh >/selvedge/said 2>&1; systemctl poweroff'\n", encoding="ascii")
            (units / "multi-user.target.wants").mkdir(exist_ok=True)
            (units / "multi-user.target.wants/booted.service").symlink_to("../booted.service")
            output("unshare", "--mount", "--propagation", "private", "systemd-nspawn", "--quiet", "--boot", "--register=no",
                   "--keep-unit", "--private-network", f"--directory={debian.root}", timeout_s=900)
            said = (there / "said").read_text(encoding="utf-8")
            self.assertTrue(said.endswith("\nall holds\n"), said[-4000:])


if __name__ == "__main__":
    unittest.main()
