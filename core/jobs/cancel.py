"""Cooperative cancellation between threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from wavediff.core.base.errors import Cancelled

T = TypeVar("T")


class CancelToken:
    """Flag set once and polled often; safe from any thread.

    Attributes:
        cancelled: whether it is set.
    """

    __slots__ = ("cancelled",)

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def raise_if_cancelled(self) -> None:
        if self.cancelled:
            raise Cancelled("stopped")


def heeding(cancel: CancelToken, pieces: Iterable[T]) -> Iterator[T]:
    """Yield ``pieces``; raise ``Cancelled`` once ``cancel`` is set."""
    for piece in pieces:
        cancel.raise_if_cancelled()
        yield piece
