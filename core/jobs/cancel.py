"""Cooperative cancellation, shared by the thread that asks and the thread that works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wavediff.core.base.errors import Cancelled


class CancelToken:
    """Set once, read often; safe from any thread, as it only ever changes from False to True and no one waits for it.

    Attributes:
        cancelled: whether it was set.
    """

    __slots__ = ("cancelled",)

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def raise_if_cancelled(self) -> None:
        if self.cancelled:
            raise Cancelled("stopped")


def heeding(cancel: CancelToken, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield ``pieces`` until ``cancel`` is set, which raises ``Cancelled``."""
    for piece in pieces:
        cancel.raise_if_cancelled()
        yield piece
