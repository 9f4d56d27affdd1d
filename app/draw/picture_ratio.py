"""Pixels of the device in one of a widget: those of the screen, or of the picture into which it is painted just now."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QWidget

LINES_RATIO = 4.0  # pixels of what stays pixels in a picture of lines, in one of the widget


class _Ratios(threading.local):
    """Ratios of the pictures that this thread paints, one inside the other."""

    def __init__(self) -> None:
        self.every: list[float] = []


_ratios = _Ratios()


@contextmanager
def in_picture(ratio: float) -> Iterator[None]:
    """Mark what this thread paints as part of a picture, ``ratio`` times as fine as the screen."""
    _ratios.every.append(ratio)
    try:
        yield
    finally:
        _ratios.every.pop()


def picture_ratio() -> float:
    """Return how fine the picture is that is being painted; 0 while it is the screen."""
    return _ratios.every[-1] if _ratios.every else 0.0


def pixel_ratio(widget: QWidget) -> float:
    return picture_ratio() or widget.devicePixelRatioF()
