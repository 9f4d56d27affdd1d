"""Cooperative cancellation, shared by the thread that asks and the thread that works."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator

from core.errors import Cancelled


class CancelToken:
    """Set once, read often; safe from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def raise_if_cancelled(self) -> None:
        if self._event.is_set():
            raise Cancelled("stopped")


def heeding(cancel: CancelToken, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield ``ranges`` until ``cancel`` is set, which raises ``Cancelled``."""
    for piece in pieces:
        cancel.raise_if_cancelled()
        yield piece
