"""Ctrl+C as a request that a job hears."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from core.cancel import CancelToken


@contextmanager
def interruptible() -> Iterator[CancelToken]:
    """Turn the first Ctrl+C into a request that the job hears between two pieces; the second one ends at once."""
    token = CancelToken()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if token.cancelled:
            raise KeyboardInterrupt
        token.cancel()

    old: dict[signal.Signals, Any] = {}
    # Elsewhere than in the main thread whoever embeds this handles signals.
    if threading.current_thread() is threading.main_thread():
        old = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield token
        token.raise_if_cancelled()
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
