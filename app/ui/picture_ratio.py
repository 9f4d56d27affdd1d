"""Pixels of the device in one of a widget: those of the screen, or of the picture into which it is painted just now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QWidget

LINES_RATIO = 4.0  # pixels of what stays pixels in a picture of lines, in one of the widget

_ratios: list[float] = []  # of the pictures that are being painted, on the window's thread


@contextmanager
def in_picture(ratio: float) -> Iterator[None]:
    """Let widgets know that they are painted into a picture, ``ratio`` times as fine as they are."""
    _ratios.append(ratio)
    try:
        yield
    finally:
        _ratios.pop()


def picture_ratio() -> float:
    """Return how fine the picture is that is being painted; 0 while it is the screen."""
    return _ratios[-1] if _ratios else 0.0


def pixel_ratio(widget: QWidget) -> float:
    """Return the pixels of the device in one of ``widget``."""
    return picture_ratio() or widget.devicePixelRatioF()
