# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A fresh Debian in a folder, made by debootstrap, as root. Whatever runs in it has mount and process namespaces of
its own: nothing is mounted where another process could see it, and nothing is left.

  SELVEDGE_DEBIAN_MIRROR=URL   where Debian comes from (http://deb.debian.org/debian)
  SELVEDGE_BOOKWORM=FOLDER     a fresh Debian 12 that is there already: copied, not made (likewise _TRIXIE, _SID)
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

MIRROR = os.environ.get("SELVEDGE_DEBIAN_MIRROR") or "http://deb.debian.org/debian"
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


class Debian:
    def __init__(self, folder, suite):
        self.root = folder / suite
        given = os.environ.get(f"SELVEDGE_{suite.upper()}")
        if given:
            output("cp", "--archive", "--one-file-system", given, self.root, timeout_s=600)
        else:
            output(*ALONE, "debootstrap", "--variant=minbase", suite, self.root, MIRROR, timeout_s=1800)
        sources = [f"deb {MIRROR} {suite} main"]
        if suite != "sid":
            sources += [f"deb {MIRROR} {suite}-updates main",
                        f"deb {re.sub('debian$', 'debian-security', MIRROR)} {suite}-security main"]
        (self.root / "etc/apt/sources.list").write_text("\n".join(sources) + "\n", encoding="ascii")
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        # A mirror that stands still is good enough.
        (self.root / "etc/apt/apt.conf.d/standing-still").write_text('Acquire::Check-Valid-Until "false";\n', encoding="ascii")
        # No service starts on installation: there is no init.
        policy = self.root / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n", encoding="ascii")
        policy.chmod(0o755)

    def run(self, *command, timeout_s=600, **environment):
        script = 'mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm" && exec chroot "$0" "$@"'
        return output(*ALONE, "sh", "-c", script, self.root, *command, timeout_s=timeout_s,
                      env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                           "DEBIAN_FRONTEND": "noninteractive", "PYTHONDONTWRITEBYTECODE": "1",
                           **{k: v for k, v in os.environ.items() if k.endswith("_proxy")}, **environment})

    def install(self, *packages):
        self.run("apt-get", "update", "-q", timeout_s=600)
        self.run("apt-get", "install", "-q", "-y", "--no-install-recommends", *packages, timeout_s=1800)


@contextlib.contextmanager
def fresh_debian(suite):
    """A Debian that goes away with its folder."""
    if os.geteuid() != 0:
        raise AssertionError("a fresh Debian is made by root: run this as root")
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"selvedge-{suite}-"))
    try:
        yield Debian(folder, suite)
    finally:
        if mounts_below(folder):
            raise AssertionError(f"nothing is deleted below a mount: {mounts_below(folder)}")
        shutil.rmtree(folder)
