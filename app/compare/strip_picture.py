"""Picture of one level of the zoom strip: a lane for each kind of difference, one pixel column for some columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from app.compare.strip_levels import Window
from app.ui.glyphs import Pixels, pixel
from core.base.arrays import Counts
from core.jobs.column_counts import column_counts
from core.jobs.difference_index import DifferenceIndex

MIN_BAR_PX = 2  # device pixels: as high is a single difference at least, where the lane has room


@dataclass(frozen=True, slots=True)
class Lane:
    """One lane: the kind it counts, a row of ``column_counts``, its colour, and whether that kind is switched off."""

    kind: int
    colour: QColor
    off: bool = False


def window_counts(index: DifferenceIndex, window: Window, n: int) -> Counts:
    """Return the columns of each kind behind each of ``n`` pixels of ``window``, shape (5, n)."""
    first, end = window.pixels(n)
    if window.span < n:  # a column is wider than a pixel: neighbours show the same one
        col0 = int(first[0])
        return column_counts(index, np.arange(col0, int(end[-1]) + 1))[:, first - col0]
    return column_counts(index, np.append(first, end[-1]))


def bar_heights(different: Counts, columns: Counts, room: int) -> npt.NDArray[np.int64]:
    """Return the height of each bar in pixels, on a logarithmic scale.

    Args:
        different: columns of the kind behind each pixel.
        columns: all columns behind each pixel.
        room: height of a bar where all of them are of that kind.
    """
    share = np.log1p(different) / np.log1p(np.maximum(1, columns))
    bars = np.maximum(min(MIN_BAR_PX, room), np.ceil(share * room - 1e-9)).astype(np.int64)
    return np.where(different > 0, bars, 0)


def draw_lanes(counts: Counts, lanes: Sequence[Lane], heights: tuple[int, int], paper: QColor, line: QColor) -> Pixels:
    """Return the lanes as pixels, one under the other.

    Args:
        counts: of ``window_counts``.
        heights: of a lane, and of the line at its foot, device pixels.
    """
    lane_height, foot = heights
    room = max(1, lane_height - foot)
    pixels = np.full((lane_height * len(lanes), counts.shape[1]), pixel(paper), np.uint32)
    columns = counts.sum(axis=0)
    distance = np.arange(room)[:, None]
    for at, lane in enumerate(lanes):
        end = (at + 1) * lane_height
        pixels[end - foot : end] = pixel(line)
        bars = bar_heights(counts[lane.kind], columns, room)
        inked = distance < bars
        if lane.off:  # the outline alone: what has a pixel of paper beside or above it
            beside = np.minimum(np.append(bars[1:], 0), np.append(0, bars[:-1]))
            inked &= (distance == bars - 1) | (distance >= beside)
        np.copyto(pixels[end - foot - room : end - foot][::-1], pixel(lane.colour), where=inked)
    return pixels
