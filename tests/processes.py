"""Processes that tests start: none outlives its time limit, nor the test that started it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

LIMIT_SECONDS = 240.0
KILLED_SECONDS = 10.0  # from the kill to the end of both outputs


def begin(command: Sequence[Any], **options: Any) -> subprocess.Popen[Any]:
    """Start a process as ``subprocess.Popen`` does, in a session of its own; ``finish`` is to be called for it."""
    return subprocess.Popen(command, start_new_session=True, **options)


@contextmanager
def spawned(command: Sequence[Any], seconds: float = LIMIT_SECONDS, **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a process as ``begin`` does; kill it, with its children, when the time or the block is over.

    So a line that is read from it comes, or its output ends.
    """
    with begin(command, **options) as process:
        timer = threading.Timer(seconds, kill, [process])
        timer.daemon = True
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            kill(process)


def kill(process: subprocess.Popen[Any]) -> None:
    """Kill a process that started a session, with its children; nothing once its end was waited for."""
    if process.returncode is None:  # else its number may be another's
        with suppress(ProcessLookupError):
            if os.name == "nt":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)


def finish(process: subprocess.Popen[str], seconds: float) -> tuple[str, str]:
    """Return what a process wrote to both outputs; one that does not end is killed, with its children."""
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        kill(process)
        said, wrong = process.communicate(timeout=KILLED_SECONDS)
        return f"{said}\nkilled after {seconds:.0f} s", wrong


def heed_signals() -> None:
    """Let children hear the signals that this process ignores, as under ``nohup`` or in the background of a script.

    A child inherits that a signal is ignored, and not a handler; this process goes on ignoring it, by one.
    """
    for name in ("SIGINT", "SIGHUP", "SIGQUIT"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _ignore)


def _ignore(number: int, frame: object) -> None:
    pass
