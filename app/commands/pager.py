"""Pager for answers longer than the terminal."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import chain, islice
from typing import TextIO

USUAL = "less -FRX"  # leave if all fits on the screen, pass colours on, leave the text on the screen at the end


def tell(lines: Iterable[str], stream: TextIO, *, paged: bool) -> None:
    """Write lines; ``paged``: through the pager if ``stream`` is a terminal on standard output."""
    if paged and stream is sys.stdout and stream.isatty():
        _write_paged(lines, stream, os.environ)
        return
    stream.writelines(f"{line}\n" for line in lines)
    stream.flush()


def _write_paged(lines: Iterable[str], stream: TextIO, environment: Mapping[str, str]) -> None:
    """Write lines to a terminal, through the pager ``PAGER`` (empty or ``cat``: none) if they exceed its rows."""
    rest, rows = iter(lines), shutil.get_terminal_size().lines
    screen = list(islice(rest, rows))
    pager = _start(environment) if len(screen) == rows else None
    whole = (f"{line}\n" for line in chain(screen, rest))
    if pager is None or pager.stdin is None:
        stream.writelines(whole)
        stream.flush()
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the pager
    try:
        with suppress(BrokenPipeError), pager.stdin as typed:  # left before the end
            typed.writelines(line.encode(stream.encoding, "backslashreplace") for line in whole)
    finally:
        pager.wait()
        signal.signal(signal.SIGINT, before)


def _start(environment: Mapping[str, str]) -> subprocess.Popen[bytes] | None:
    """Return the running pager; None without a pager or on a terminal without cursor control."""
    words = shlex.split(environment.get("PAGER", USUAL), posix=os.name == "posix")
    if words in ([], ["cat"]) or environment.get("TERM") == "dumb" or shutil.which(words[0]) is None:
        return None
    return subprocess.Popen(words, stdin=subprocess.PIPE, env={"LESS": USUAL.removeprefix("less -"), **environment})
