"""Colours of blocks, and hatches of skipped ones."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from wavediff.app.draw.painter import Pixels
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.record.playback import Playback

STATE_SKIPS = {BlockState.OUTSIDE_BAND: SkipReason.BAND, BlockState.MONOTONE: SkipReason.MONOTONE}
KNOWN_BORDERS = frozenset({SkipReason.MONOTONE})  # whose blocks hand their borders on: their hatch falls


def skip_brush(theme: Theme, reason: SkipReason) -> QBrush:
    """Return the hatch of skipped cells, drawn over the colour ``outside``."""
    falls = reason in KNOWN_BORDERS
    return QBrush(theme.hatch, Qt.BrushStyle.FDiagPattern if falls else Qt.BrushStyle.BDiagPattern)


def paint_skip(painter: QPainter, box: QRectF, theme: Theme, reason: SkipReason) -> None:
    painter.fillRect(box, theme.outside)
    painter.setRenderHint(QPainter.RenderHint.NonCosmeticBrushPatterns)  # as wide on every screen and in pictures
    painter.fillRect(box, skip_brush(theme, reason))


Levels = npt.NDArray[np.uint8]
N_LEVELS = 256
NONE = 0  # level of a block of which nothing is known; the others begin at 1
_FINE = 1 << 16  # parts of the run in which blocks are counted for their turn

# From little to much: pale to dark on a light ground and the other way round on a dark one, so that much stands out.
# Equal steps in Oklab (Ottosson, "A perceptual color space for image processing", 2020): they look equally large.
_RAMPS = {
    False: "#f6eaa6 #bfd9a1 #83c89b #60ae9f #3f93a0 #3c759b #3c5695 #3c387b #371a5e",
    True: "#33245a #3c3d7c #41589d #3f77a1 #3e95a3 #61af9e #82c997 #bfda9f #f6eaa6",
}
# Okabe and Ito's set without black, which colour-blind eyes tell apart; in pairs that are far from each other.
_LANES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999")
N_LANES = len(_LANES)  # from there on the colours come again


class ColourBy(StrEnum):
    """Quantity shown by the colours of the map."""

    STATE = "state"
    DURATION = "duration"
    LANE = "lane"
    ORDER = "order"


NAMES = {by: by.capitalize() for by in ColourBy}


@dataclass(frozen=True, slots=True, eq=False)
class BlockColours:
    """Colour levels of the blocks of a record, with the ends of the scale.

    Attributes:
        levels: uint8, shape of the map; ``NONE``: unknown.
        low, high: seconds of the shortest and longest block; 0 for other colours than durations.
    """

    by: ColourBy
    levels: Levels
    low: float = 0.0
    high: float = 0.0

    @classmethod
    def of(cls, playback: Playback, by: ColourBy) -> BlockColours:
        """Return the levels of a run; durations on a logarithmic scale, as some blocks wait for a core."""
        record, over = playback.record, playback.record.ended > 0
        if by is ColourBy.LANE:
            return cls(by, np.where(over, 1 + record.by % N_LANES, NONE).astype(np.uint8))
        if by is ColourBy.ORDER:
            return cls(by, _scaled(_turns(record), over))
        took = np.maximum(playback.took, np.uint32(1))
        low, high = int(took.min(where=over, initial=2**32 - 1)), int(took.max(where=over, initial=1))
        share = np.log(took / max(1, low)) / np.log(high / low) if low < high else np.ones(took.shape)
        return cls(by, _scaled(share, over), low * record.seconds_per_tick, high * record.seconds_per_tick)


def _scaled(share: npt.NDArray[np.float64], over: npt.NDArray[np.bool_]) -> Levels:
    levels = 1 + np.round(np.clip(share, 0, 1) * (N_LEVELS - 2))
    return np.where(over, levels, NONE).astype(np.uint8)


def _turns(record: RunRecord) -> npt.NDArray[np.float64]:
    """Return for each block the fraction of blocks that ended no later; ties count as one."""
    part = (record.ended.astype(np.float64) * ((_FINE - 1) / max(1, int(record.ended.max(initial=0))))).astype(np.intp)
    counts = np.bincount(part.ravel(), minlength=_FINE)
    counts[0] = 0
    before = np.cumsum(counts)
    shares: npt.NDArray[np.float64] = before[part] / max(1, int(before[-1]))
    return shares


def level_colours(by: ColourBy, *, dark: bool) -> Pixels:
    """Return the colour of each level as 0xffrrggbb; ``NONE`` is never drawn."""
    if by is ColourBy.LANE:
        lanes = [0xFF000000 | int(lane[1:], 16) for lane in _LANES]
        return np.array([0, *(lanes[k % N_LANES] for k in range(N_LEVELS - 1))], np.uint32)
    from wavediff.app.draw.plot import colour_table

    stops = [QColor(stop) for stop in _RAMPS[dark].split()]
    return np.concatenate([np.zeros(1, np.uint32), colour_table(stops, N_LEVELS - 1)])
