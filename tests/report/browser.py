"""A real browser without a window, for tests of pages: Chromium, spoken to over a pipe in its DevTools protocol.

The law: it sees files of this machine only, every name of the network is unknown to it, and nothing of it stays behind. Source:
https://chromedevtools.github.io/devtools-protocol, `--remote-debugging-pipe` (messages are JSON, each ends with a zero).
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 60.0  # seconds
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
)  # fmt: skip  # no sandbox, since it runs as root in CI; what it opens is our own
REMAP = """
import fcntl, os, sys
reads, writes = (fcntl.fcntl(int(place), fcntl.F_DUPFD, 10) for place in sys.argv[1:3])
os.dup2(reads, 3)
os.dup2(writes, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""  # Chromium reads 3 and writes 4
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), " ": (32, " "), "ArrowRight": (39, ""), "ArrowLeft": (37, ""),
        "Home": (36, ""), "End": (35, "")}  # fmt: skip


def why_no_browser() -> str | None:
    """Why this machine can open no page, or None."""
    if os.name != "posix":
        return "the pipe to the browser is made the way of POSIX"
    if _program() is None:
        return f"no browser is installed (one of {', '.join(PROGRAMS)})"
    return None


class Page:
    """One page of the browser, and all that it asked for or complained of."""

    def __init__(self, told: int, heard: int) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._told, self._heard, self._waiting, self._number = told, heard, b"", 0
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = ""
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self._call(f"{domain}.enable")

    def open(self, file: Path, width: int = 1200, height: int = 900, scheme: str = "light") -> None:
        """Open a file in a window of this size."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._call("Page.navigate", url=file.as_uri())
        limit = time.monotonic() + PATIENCE
        while self.run("document.readyState + location.href") != f"complete{file.as_uri()}":
            assert time.monotonic() < limit, "the page never came"

    def run(self, script: str) -> Any:
        """What a line of script comes to."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key."""
        code, text = KEYS[key]
        names = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": code}
        self._call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **names)
        self._call("Input.dispatchKeyEvent", type="keyUp", **names)

    def script(self, *, on: bool) -> None:
        """Have pages that are opened from here on run their scripts, or not."""
        self._call("Emulation.setScriptExecutionDisabled", value=not on)

    def spoken(self) -> list[tuple[str, str]]:
        """What somebody hears who cannot see the page: role and name of all that is not left out."""
        nodes = self._call("Accessibility.getFullAXTree")["nodes"]
        kept = [node for node in nodes if not node["ignored"]]
        return [(str(node["role"]["value"]), str(node.get("name", {}).get("value", ""))) for node in kept]

    def picture(self, file: Path) -> None:
        """Write what is seen as PNG."""
        file.write_bytes(base64.b64decode(self._call("Page.captureScreenshot")["data"]))

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if getattr(self, "_session", ""):
            message["sessionId"] = self._session
        os.write(self._told, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._hear()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result

    def _hear(self) -> dict[str, Any]:
        limit = time.monotonic() + PATIENCE
        while b"\0" not in self._waiting:
            ready, _, _ = select.select([self._heard], [], [], max(0.0, limit - time.monotonic()))
            chunk = os.read(self._heard, 1 << 16) if ready else b""
            assert chunk, "the browser says nothing"
            self._waiting += chunk
        line, _, self._waiting = self._waiting.partition(b"\0")
        heard: dict[str, Any] = json.loads(line)
        match heard.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(heard["params"]["request"]["url"])
            case "Runtime.exceptionThrown" | "Log.entryAdded" | "Page.javascriptDialogOpening":
                self.complaints.append(json.dumps(heard["params"]))
        return heard


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A browser whose profile lives in this folder; it is gone at the end."""
    theirs, told = os.pipe()
    heard, ours = os.pipe()
    program = [str(_program()), *OPTIONS, f"--user-data-dir={folder / 'profile'}"]
    words = [sys.executable, "-c", REMAP, str(theirs), str(ours), *program]
    process = subprocess.Popen(
        words, pass_fds=(theirs, ours), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    os.close(ours)
    try:
        yield Page(told, heard)
    finally:
        os.close(told)  # it ends when nobody can tell it anything
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(heard)


def _program() -> str | None:
    return next((found for program in PROGRAMS if (found := shutil.which(program))), None)
