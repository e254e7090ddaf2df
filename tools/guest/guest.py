# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A throw-away virtual machine with real kernel verbs, on a machine that has none.

    guest = Guest()
    result = guest.run("ibv_devices")        # result.status, result.output, result.seconds

The guest boots Debian's own kernel in QEMU in some seconds, with two soft-RoCE devices on a virtual
cable (devices.sh). Its root file system is the host's, read-only, so that programs built on the host
run in it. /tmp, /run and /var/tmp are empty and its own, except for the folders given by `show`.

QEMU interprets the guest's code (TCG), since a machine may have KVM that does not work within another
virtual machine. So times in the guest are not meaningful by themselves; ratios within one guest are.

The kernel comes from Debian by the name of its package and stays in a cache
(SELVEDGE_GUEST_CACHE, else ~/.cache/selvedge/guest), with the start-up file system made from it.
"""
import dataclasses
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import time

from tools.lab.errors import LabError, MissingError
from tools.lab.process import spawn

HERE = pathlib.Path(__file__).resolve().parent
KERNEL = "linux-image-amd64"
PROGRAMS = {"qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "cpio": "cpio",
            "modprobe": "kmod", "xz": "xz-utils", "ip": "iproute2", "ibv_devinfo": "ibverbs-utils",
            "ib_send_bw": "perftest"}
# The kernel modules that are loaded, with all that they depend on. rdma_rxe needs crc32_generic only at
# run time, so it is no listed dependency.
MODULES = ("virtio_pci", "9pnet_virtio", "9p", "veth", "sch_prio", "sch_netem", "cls_u32",
           "crc32_generic", "ib_uverbs", "rdma_rxe")
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


@dataclasses.dataclass
class GuestResult:
    status: int
    output: str
    seconds: float


def missing_programs():
    """The Debian packages that the guest needs and this machine lacks."""
    return sorted({package for program, package in PROGRAMS.items()
                   if not shutil.which(program, path=PATH)})


def _run(*command, cwd=None, what):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": PATH, "LC_ALL": "C"})
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()[-1]
        raise MissingError(what, shlex.join(map(str, command)), said)
    return done.stdout


class Guest:
    def __init__(self, *, cores=2, memory_mb=768, cache=None):
        missing = missing_programs()
        if missing:
            raise MissingError("the soft-RoCE guest cannot start", "packages are missing: " +
                               ", ".join(missing), "./run deps installs them")
        self.cores, self.memory_mb = cores, memory_mb
        home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
        self.cache = pathlib.Path(cache or os.environ.get("SELVEDGE_GUEST_CACHE") or
                                  home / "selvedge" / "guest")

    # -- what it boots ---------------------------------------------------------------------------

    def _package(self):
        """The kernel's package by its full name: Debian's newest, or one that is cached when apt
        knows none."""
        output = subprocess.run(["apt-cache", "depends", KERNEL], capture_output=True, text=True,
                              check=False).stdout
        names = re.findall(r"Depends: (linux-image-\S+)", output)
        if names:
            return names[0]
        cached = sorted(self.cache.glob("linux-image-*/kernel"), key=lambda f: f.stat().st_mtime)
        if cached:
            return cached[-1].parent.name
        raise MissingError("no kernel for the guest", f"apt-cache depends {KERNEL}",
                           "run apt-get update, with Debian among the sources")

    def boot_files(self):
        """(kernel, start-up file system), made when they are not in the cache."""
        package = self._package()
        folder = self.cache / package
        recipe = hashlib.sha256((HERE / "init.sh").read_bytes() + repr(MODULES).encode())
        kernel, start = folder / "kernel", folder / f"start-{recipe.hexdigest()[:12]}.gz"
        if kernel.exists() and start.exists():
            return kernel, start
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as work:
            work = pathlib.Path(work)
            _run("apt-get", "download", "-q", package, cwd=work,
                 what="cannot fetch the guest's kernel")
            _run("dpkg", "-x", next(work.glob("*.deb")), work / "root", what="cannot unpack it")
            self._make(work, work / "root", kernel, start)
        return kernel, start

    def _make(self, work, root, kernel, start):
        version = next((root / "lib" / "modules").iterdir()).name
        _run("depmod", "-b", root, version, what="cannot list the kernel's modules")
        tree = work / "tree"
        for name in ("bin", "modules", "host", "proc", "sys", "dev"):
            (tree / name).mkdir(parents=True)
        shutil.copy(shutil.which("busybox", path=PATH), tree / "bin" / "busybox")
        shutil.copy(HERE / "init.sh", tree / "init")
        (tree / "init").chmod(0o755)
        order = []
        for module in MODULES:
            output = _run("modprobe", "-S", version, "-d", root, "--show-depends", module,
                        what=f"the kernel has no module {module}")
            for path in re.findall(r"^insmod (\S+)", output, re.M):
                path = pathlib.Path(path)
                name = path.name.removesuffix(".xz")
                if name in order:
                    continue
                order.append(name)
                shutil.copy(path, tree / "modules" / path.name)
                if path.suffix == ".xz":
                    _run("xz", "-d", tree / "modules" / path.name, what="cannot unpack a module")
        (tree / "modules" / "order").write_text("\n".join(order) + "\n", encoding="utf-8")
        _run("sh", "-c", "find . | cpio -o -H newc --quiet | gzip -1 >../start", cwd=tree,
             what="cannot pack the start-up file system")
        image = root / "boot" / f"vmlinuz-{version}"
        # Files get their final names only when they are complete: several processes may do this at
        # a time.
        (work / "kernel").write_bytes(_unpacked(image.read_bytes()))
        (work / "kernel").rename(kernel)
        (work / "start").rename(start)

    # -- one run ---------------------------------------------------------------------------------

    def run(self, command, *, cwd="/", env=None, show=(), timeout_s=240.0, devices=True):
        """Runs a shell command as root in a new guest. show: folders of /tmp or /run that the
        command may read. Raises LabError if the command has not ended in time or the guest did not
        boot."""
        kernel, start = self.boot_files()
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="selvedge-guest-") as folder:
            out = pathlib.Path(folder) / "out"
            out.mkdir()
            show = {str(pathlib.Path(f).resolve()) for f in (*show, cwd)}
            show = sorted(f for f in show if f.startswith(("/tmp/", "/run/", "/var/tmp/")))
            drives = [("host", "/", "on"), ("out", str(out), "off")]
            lines = ["set -e"]
            for i, path in enumerate(show):
                drives.append((f"show{i}", path, "on"))
                lines += [f"mkdir -p {shlex.quote(path)}",
                          f"mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=262144 "
                          f"show{i} {shlex.quote(path)}"]
            if devices:
                lines.append((HERE / "devices.sh").read_text(encoding="utf-8"))
            lines += [f"export {name}={shlex.quote(value)}" for name, value in (env or {}).items()]
            lines += ["set +e", f"cd {shlex.quote(str(cwd))}", command]
            (out / "command.sh").write_text("\n".join(lines) + "\n", encoding="utf-8")
            console = pathlib.Path(folder) / "console"
            self._boot(kernel, start, drives, console, timeout_s)
            status, log = out / "status", out / "log"
            text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
            if not status.exists():
                tail = console.read_text(encoding="utf-8", errors="replace")[-2000:]
                raise LabError(f"the guest did not end within {timeout_s:.0f} s", command,
                               f"its output:\n{text[-4000:]}\nits console:\n{tail}")
            return GuestResult(int(status.read_text()), text, time.monotonic() - began)

    def _boot(self, kernel, start, drives, console, timeout_s):
        argv = ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max",
                "-smp", str(self.cores), "-m", str(self.memory_mb), "-nodefaults", "-display", "none",
                "-no-reboot", "-serial", f"file:{console}", "-kernel", str(kernel),
                "-initrd", str(start), "-append", "console=ttyS0 quiet panic=-1"]
        for tag, path, readonly in drives:
            argv += ["-fsdev", f"local,id={tag},path={path},security_model=none,readonly={readonly},"
                               "multidevs=remap",
                     "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]
        process = spawn(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT, text=True)
        try:
            said, _ = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return
        if process.returncode != 0:
            raise MissingError(f"QEMU ended with {process.returncode}", argv[0], said.strip()[-500:])


def _unpacked(image):
    """The kernel as an ELF file, which QEMU starts some seconds sooner than the compressed one; the
    image itself when it is packed in another way."""
    at = image.find(b"\xfd7zXZ\x00")
    if at < 0:
        return image
    done = subprocess.run(["xz", "-dcq", "--single-stream"], input=image[at:],
                          capture_output=True, check=False)
    return done.stdout if done.stdout.startswith(b"\x7fELF") else image
