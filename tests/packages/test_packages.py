# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The Debian packages in the folder SELVEDGE_PACKAGES, which ./run packages has filled: what lintian says, what
they depend on, and (installed.py) what they do in a fresh Debian 12, beside Debian's own opensm; there too, what
cmake --install puts below /usr/local.

The fresh Debian is made by debootstrap, as root, in a folder that goes away. Whatever runs in it has mount and
process namespaces of its own: nothing is mounted where another process could see it, and nothing is left.

  SELVEDGE_DEBIAN_MIRROR=URL   where Debian comes from (http://deb.debian.org/debian)
  SELVEDGE_BOOKWORM=FOLDER     a fresh Debian that is there already: copied, not made
  SELVEDGE_INSTALLED=NAME      only that test of installed.py
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build")).resolve()
MIRROR = os.environ.get("SELVEDGE_DEBIAN_MIRROR") or "http://deb.debian.org/debian"
NAMES = {"libselvedge-dev", "libselvedge0", "opensm-plugin-selvedge", "selvedge-tools", "selvedged"}
# Beside Debian's opensm: ibsim, what the tests of installed.py look at files with, and a C compiler.
BESIDE = ("opensm", "ibsim-utils", "libumad2sim0", "python3", "man-db", "groff-base", "bash-completion", "systemd",
          "procps", "gcc", "libc6-dev", "pkg-config")
# One process and all of its children, which end with it; their mounts are theirs alone.
ALONE = ("unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child=KILL")


def output(*command, timeout_s=120, **kwargs):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=timeout_s, stdin=subprocess.DEVNULL, check=False, **kwargs)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout[-20000:]}")
    return done.stdout


def mounts_below(folder):
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        return [line.split()[4] for line in file if line.split()[4].startswith(f"{folder}/")]


class Bookworm:
    """A fresh Debian 12 in a folder."""

    def __init__(self, folder):
        self.root = folder / "bookworm"
        given = os.environ.get("SELVEDGE_BOOKWORM")
        if given:
            output("cp", "--archive", "--one-file-system", given, self.root, timeout_s=600)
        else:
            output(*ALONE, "debootstrap", "--variant=minbase", "bookworm", self.root, MIRROR, timeout_s=1800)
        (self.root / "etc/apt/sources.list").write_text(
            f"deb {MIRROR} bookworm main\n"
            f"deb {MIRROR} bookworm-updates main\n"
            f"deb {re.sub('debian$', 'debian-security', MIRROR)} bookworm-security main\n", encoding="ascii")
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        # No service starts on installation: there is no init.
        policy = self.root / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n", encoding="ascii")
        policy.chmod(0o755)

    def run(self, *command, timeout_s=600):
        script = 'mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm" && exec chroot "$0" "$@"'
        return output(*ALONE, "sh", "-c", script, self.root, *command, timeout_s=timeout_s,
                      env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                           "DEBIAN_FRONTEND": "noninteractive", "PYTHONDONTWRITEBYTECODE": "1",
                           **{k: v for k, v in os.environ.items() if k.endswith("_proxy")}})


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(os.environ["SELVEDGE_PACKAGES"]).resolve()
        cls.debs = {path.name.partition("_")[0]: path for path in cls.folder.glob("*.deb")
                    if not path.name.partition("_")[0].endswith("-dbgsym")}
        if set(cls.debs) != NAMES or len(list(cls.folder.glob("*.changes"))) != 1:
            raise AssertionError(f"{cls.folder} should hold the packages of one build: {sorted(cls.debs)}")
        for program in ("lintian", "debootstrap", "unshare"):
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
        if os.geteuid() != 0:
            raise AssertionError("a fresh Debian is made by root: run this as root")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="selvedge-bookworm-"))
        try:
            debian = Bookworm(folder)
            debian.run("apt-get", "update", "-q", timeout_s=600)
            debian.run("apt-get", "install", "-q", "-y", "--no-install-recommends", *BESIDE, timeout_s=1800)
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
        finally:
            self.assertEqual(mounts_below(folder), [], "nothing is deleted below a mount")
            shutil.rmtree(folder)


if __name__ == "__main__":
    unittest.main()
