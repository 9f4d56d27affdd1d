"""Bar charts as pixel lanes on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from wavediff.app.ui.glyphs import Pixels, pixel
from wavediff.core.base.arrays import Counts

MIN_BAR_PX = 2  # device pixels: as high is a single one at least, where the lane has room


Ink = tuple[QColor, bool]  # of a lane, and whether it is switched off: then its outline is drawn


def bar_heights(counts: Counts, most: Counts, room: int) -> npt.NDArray[np.int64]:
    """Return the height of each bar in pixels, on a logarithmic scale.

    Args:
        counts: per pixel. most: count of a full bar.
        room: height of a full bar.
    """
    share = np.minimum(1, np.log1p(counts) / np.log1p(np.maximum(1, most)))
    bars = np.maximum(min(MIN_BAR_PX, room), np.ceil(share * room - 1e-9)).astype(np.int64)
    return np.where(counts > 0, bars, 0)


def draw_lanes(
    counts: Counts, most: Counts, inks: Sequence[Ink], heights: tuple[int, int], paper: QColor, line: QColor
) -> Pixels:
    """Return the stacked lanes as pixels.

    Args:
        counts: of each lane, shape (lanes, pixels). most: count of a full bar, per pixel.
        heights: of a lane, and of its base line, device pixels.
    """
    lane_height, foot = heights
    room = max(1, lane_height - foot)
    pixels = np.full((lane_height * len(inks), counts.shape[1]), pixel(paper), np.uint32)
    distance = np.arange(room)[:, None]
    for at, (colour, off) in enumerate(inks):
        end = (at + 1) * lane_height
        pixels[end - foot : end] = pixel(line)
        bars = bar_heights(counts[at], most, room)
        inked = distance < bars
        if off:  # the outline alone: pixels next to the background
            neighbours = np.minimum(np.append(bars[1:], 0), np.append(0, bars[:-1]))
            inked &= (distance == bars - 1) | (distance >= neighbours)
        np.copyto(pixels[end - foot - room : end - foot][::-1], pixel(colour), where=inked)
    return pixels
