"""The program on a terminal of its own."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.cli.helpers import ROOT
from tests.processes import KILLED_SECONDS, spawned


def on_terminal(
    *words: object, rows: int, keys: bytes = b"", after: bytes = b"", env: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run the command line with a terminal for its streams; return exit code and all that the terminal got.

    Args:
        rows: of the terminal. keys: typed once it got ``after``.
    """
    import pty
    import termios

    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (rows, 100))
    command = [sys.executable, str(ROOT / "main.py"), *map(str, words)]
    environment = {**os.environ, "TERM": "xterm-256color", **(env or {})}
    for name in {"PAGER", "LESS", "NO_COLOR", "COLUMNS", "LINES", "COLORTERM"} - {*(env or {})}:
        environment.pop(name, None)
    streams = {"stdin": slave, "stdout": slave, "stderr": slave}
    got, typed = bytearray(), False
    with spawned(command, cwd=Path.home(), env=environment, **streams) as running:
        os.close(slave)
        with contextlib.suppress(OSError):  # the end, as Linux tells of it
            while piece := os.read(master, 1 << 16):
                got += piece
                if keys and not typed and after in got:
                    typed = os.write(master, keys) > 0
        os.close(master)
        running.wait(KILLED_SECONDS)
    return running.returncode, got.decode(errors="replace").replace("\r\n", "\n")


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
