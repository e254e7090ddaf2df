# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Runs Chromium without a screen, for tests of HTML reports: opens a page, evaluates JavaScript in it,
and collects the page's complaints. The browser is driven over its debugging pipe, which carries the
DevTools protocol: JSON messages, with a zero byte after each.

    with Browser() as browser:
        browser.open(path)
        browser.ask("document.title")
        browser.complaints  # console errors, exceptions, and whatever the page tried to load
"""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

_ARGUMENTS = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    # These two let WebGL work without a graphics card.
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]


class Browser:
    def __init__(self):
        self.complaints = []
        self._next, self._rest, self._answers = 0, b"", {}

    def __enter__(self):
        program = shutil.which("chromium")
        if program is None:
            raise FileNotFoundError("chromium is not installed: ./run deps")
        self._folder = tempfile.TemporaryDirectory(prefix="selvedge-browser-",
                                                   ignore_cleanup_errors=True)
        pipes = [*os.pipe(), *os.pipe()]
        # Chromium uses file descriptors 3 and 4 for the pipe. Our ends get numbers from 10 on, so that
        # they do not collide with these two in the child.
        to_read, self._write, self._read, to_write = (
            fcntl.fcntl(pipe, fcntl.F_DUPFD_CLOEXEC, 10) for pipe in pipes)
        for pipe in pipes:
            os.close(pipe)
        extra = ["--no-sandbox"] if os.geteuid() == 0 else []
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write} {to_read}<&- {to_write}>&-', "-",
             program, *_ARGUMENTS, *extra, f"--user-data-dir={self._folder.name}", "about:blank"],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target,
                                   flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        try:
            self._call("Browser.close", browser=True)
        except (OSError, TimeoutError):
            pass
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._folder.cleanup()

    def open(self, path, query="", width=1280, height=900):
        """Opens a file and waits until it is loaded. `complaints` starts empty for this page."""
        self._loaded, self.complaints = False, []
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                   deviceScaleFactor=1, mobile=False)
        self._call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + query)
        end = time.monotonic() + 60
        while not self._loaded:
            self._receive(end)

    def ask(self, expression):
        """The value of a JavaScript expression; a promise is awaited. RuntimeError if it throws."""
        done = self._call("Runtime.evaluate", expression=expression, returnByValue=True,
                          awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(_words(done["exceptionDetails"]))
        return done["result"].get("value")

    def press(self, key):
        """Presses and releases a key: "Tab", "Enter" or " "."""
        code = {"Tab": 9, "Enter": 13, " ": 32}[key]
        text = {"Enter": "\r", " ": " "}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                       **({"text": text} if text and kind == "keyDown" else {}))

    def look(self, path, selector=None):
        """Writes a screenshot (PNG) of the whole page, or of the element `selector`, to `path`."""
        self.ask("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)))")
        box = self.ask(f"""(() => {{
            const e = {json.dumps(selector)} ? document.querySelector({json.dumps(selector)})
                                             : document.documentElement;
            const r = e.getBoundingClientRect();
            return [r.left + scrollX, r.top + scrollY, r.width, r.height]; }})()""")
        shot = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                          clip=dict(zip(("x", "y", "width", "height"), box), scale=1))
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    # -- the protocol ------------------------------------------------------------------------------

    def _call(self, method, browser=False, **parameters):
        self._next += 1
        number = self._next
        message = {"id": number, "method": method, "params": parameters}
        if hasattr(self, "_session") and not browser:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + 60
        while number not in self._answers:
            self._receive(end)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _receive(self, end):
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            piece = os.read(self._read, 1 << 20) if ready else b""
            if not piece:
                raise TimeoutError("the browser has ended" if ready else "the browser says nothing")
            self._rest += piece
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        if "id" in message:
            self._answers[message["id"]] = message
            return
        what, told = message["method"], message.get("params", {})
        if what == "Page.loadEventFired":
            self._loaded = True
        elif what == "Runtime.exceptionThrown":
            self.complaints.append(_words(told["exceptionDetails"]))
        elif what == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            words = [str(a.get("value", a.get("description", ""))) for a in told["args"]]
            self.complaints.append(f"console.{told['type']}: {' '.join(words)}")
        elif what == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{told['entry']['level']}: {told['entry']['text']}")
        elif what == "Network.requestWillBeSent":
            url = told["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.complaints.append(f"it asks for {url[:200]}")


def _words(details):
    thrown = details.get("exception", {})
    return f"{details.get('text', '')} {thrown.get('description', thrown.get('value', ''))}".strip()
