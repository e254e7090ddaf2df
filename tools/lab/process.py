# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Child processes that cannot outlive the lab, and log files that can be waited on.

Every child is ended by its pid and by nothing broader. Should the lab itself be killed with -9, the
kernel ends its children (PR_SET_PDEATHSIG). That signal is KILL: an opensm whose ibsim is gone hangs
on TERM.
"""
import ctypes
import os
import re
import signal
import subprocess
import time

from tools.lab.errors import LabError

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)
_POLL_S = 0.005


def _die_with_parent(parent):
    # Runs between fork and exec. The parent may have died before the prctl took effect.
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(127)


def spawn(argv, **kwargs):
    """subprocess.Popen of a child in a session of its own (so that a Ctrl-C at the terminal reaches
    the lab alone, which then ends its children in order) that dies when this process does."""
    parent = os.getpid()
    return subprocess.Popen(argv, start_new_session=True,
                            preexec_fn=lambda: _die_with_parent(parent), **kwargs)


class Child:
    """A long-running process of the lab with its output in a file."""

    def __init__(self, name, argv, *, cwd, env, output, stdin=subprocess.DEVNULL):
        self.name, self.output = name, output
        with open(output, "wb") as sink:
            self._popen = spawn([str(a) for a in argv], cwd=cwd, env=env, stdin=stdin,
                                stdout=sink, stderr=subprocess.STDOUT)

    @property
    def pid(self):
        return self._popen.pid

    @property
    def stdin(self):
        return self._popen.stdin

    @property
    def running(self):
        return self._popen.poll() is None

    @property
    def status(self):
        """Exit status, or None while it runs; negative: the signal that ended it."""
        return self._popen.poll()

    def send_signal(self, number):
        if self.running:
            self._popen.send_signal(number)

    def kill(self):
        """Kills the process (SIGKILL) and waits for its end."""
        self.send_signal(signal.SIGKILL)
        self._popen.wait()

    def terminate(self, timeout_s=3.0):
        """Sends SIGTERM, and SIGKILL if the process has not ended in time. Returns its exit status."""
        self.send_signal(signal.SIGTERM)
        try:
            self._popen.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.kill()
        if self._popen.stdin:
            try:
                self._popen.stdin.close()
            except OSError:
                pass  # the process has closed its input already
        return self.status


class Log:
    """A growing text file, read from any position on."""

    def __init__(self, path):
        self.path = path

    def mark(self):
        """The present end of the file. Pass it as `after` to wait only for later lines."""
        try:
            return os.path.getsize(self.path)
        except FileNotFoundError:
            return 0

    def text(self, after=0):
        try:
            with open(self.path, "rb") as file:
                file.seek(after)
                return file.read().decode("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def tail(self, lines=6):
        return "\n".join(self.text().splitlines()[-lines:])

    def wait(self, pattern, *, after=0, timeout_s=20.0, alive=lambda: True, process_name="the process"):
        """The match of the first line on which the regular expression is found, or LabError."""
        expression = re.compile(pattern)
        end = time.monotonic() + timeout_s
        while True:
            alive_now = alive()  # checked before the file is read, so that its last lines are seen
            for line in self.text(after).splitlines():
                match = expression.search(line)
                if match:
                    return match
            if not alive_now:
                raise LabError(f"{process_name} ended before it logged /{pattern}/", str(self.path),
                               f"read the log; it ends with:\n{self.tail()}")
            if time.monotonic() > end:
                raise LabError(f"{process_name} did not log /{pattern}/ within {timeout_s:g} s",
                               str(self.path), f"read the log; it ends with:\n{self.tail()}")
            time.sleep(_POLL_S)

    def wait_quiet(self, quiet_s=0.3, timeout_s=20.0):
        """Returns when the file has not grown for quiet_s."""
        end = time.monotonic() + timeout_s
        size, since = self.mark(), time.monotonic()
        while time.monotonic() - since < quiet_s:
            if time.monotonic() > end:
                raise LabError(f"the log kept growing for {timeout_s:g} s", str(self.path),
                               f"look for sweeps without end; it ends with:\n{self.tail()}")
            time.sleep(_POLL_S)
            if self.mark() != size:
                size, since = self.mark(), time.monotonic()
