"""Chromium without a window, by its own protocol over two pipes: real keys, its accessibility tree, its paper."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.processes import spawned

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATH = next(filter(None, map(shutil.which, NAMES)), None)
WAIT_SECONDS = 60
CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "PageDown": 34, "End": 35, "Home": 36, "ArrowRight": 39}


class Browser:
    """A page of Chromium."""

    def __init__(self, to: int, answers: int) -> None:
        self._to, self._answers, self._kept, self._n = to, answers, b"", 0
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        self._n += 1
        message = {"id": self._n, "method": method, "params": parameters}
        os.write(
            self._to, json.dumps(message | ({"sessionId": self._session} if self._session else {})).encode() + b"\0"
        )
        while True:
            answer = self._read()
            if answer.get("id") == self._n:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _read(self) -> Any:
        while b"\0" not in self._kept:
            piece = os.read(self._answers, 1 << 16)
            assert piece, "the browser ended"
            self._kept += piece
        line, _, self._kept = self._kept.partition(b"\0")
        return json.loads(line)

    def open(self, page: Path, size: tuple[int, int] = (1280, 800)) -> None:
        wide, high = size
        self.call("Emulation.setDeviceMetricsOverride", width=wide, height=high, deviceScaleFactor=1, mobile=wide < 600)
        self.call("Page.navigate", url=page.as_uri())
        self.until("document.readyState === 'complete' && location.protocol === 'file:'")

    def value(self, expression: str) -> Any:
        made = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in made, made["exceptionDetails"]
        return made["result"].get("value")

    def until(self, expression: str) -> None:
        end = time.monotonic() + WAIT_SECONDS
        while not self.value(expression):
            assert time.monotonic() < end, expression
            time.sleep(0.02)

    def press(self, key: str, *, shift: bool = False) -> None:
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        about = {"key": key, "windowsVirtualKeyCode": CODES.get(key, 0), "modifiers": 8 * shift}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **about)
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def paper(self) -> bytes:
        return base64.b64decode(self.call("Page.printToPDF")["data"])

    def named(self) -> list[tuple[str, str]]:
        """Return role and name of what a screen reader finds."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Start Chromium with its profile in ``folder``; it ends with the block."""
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()

    def pipes() -> None:
        for place, copy in enumerate([os.dup(to_read), os.dup(from_write)], 3):
            os.dup2(copy, place)

    command = [
        PATH, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
        f"--user-data-dir={folder}", "about:blank",
    ]  # fmt: skip
    with spawned(command, preexec_fn=pipes, close_fds=False, stderr=subprocess.DEVNULL):
        os.close(to_read)
        os.close(from_write)
        try:
            yield Browser(to_write, from_read)
        finally:
            os.close(to_write)
            os.close(from_read)
