"""Legend of the items currently on the map."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QImage, QPainter, QPen

from wavediff.app.draw.painter import Pixels
from wavediff.app.ui.block_map.block_colours import (
    KNOWN_BORDERS,
    N_LANES,
    STATE_SKIPS,
    ColourBy,
    level_colours,
    paint_skip,
)
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_canvas import NARROW_BAND_PX
from wavediff.app.ui.legend import SWATCH_PX, Legend, Sign
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import duration
from wavediff.core.jobs.alignment import SWAP
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.grid import BlockState

SCALE_PX = 96  # of a scale


class LegendEntry(StrEnum):
    """Kinds of items on the map."""

    DONE = "done"
    RUNNING = "running"
    PATH = "path"
    MOVED = "moved"
    WAITING = "waiting"
    FAILED = "failed"
    EDGE = "edge"
    SKIPPED = "skipped"
    THROUGH = "through"  # skipped too, with borders that are known
    SCALE = "scale"  # of colours that tell more than that a block is done


def skip_reasons(model: BlockMapModel) -> list[SkipReason]:
    """Return the distinct reasons for skipped parts of the map."""
    if model.inner_skip is not None:
        return [model.inner_skip]
    grid = model.grid
    reasons = [reason for state, reason in STATE_SKIPS.items() if model.has(state)]
    if grid is not None and (grid.n_rows, grid.n_cols) != (model.n, model.m):
        reasons.append(SkipReason.ENDS)
    return reasons


def scale_text(model: BlockMapModel) -> str:
    """Return the labels of both ends of the colour scale, or an empty string."""
    colours, record = model.colours, model.record
    if colours is None or record is None:
        return ""
    if colours.by is ColourBy.DURATION:
        return f"{duration(colours.low)} to {duration(colours.high)} a block"
    if colours.by is ColourBy.ORDER:
        return "first to last"
    first, last = record.names[0], record.names[-1]
    return first if len(record.names) == 1 else f"{first} to {last}"


def scale_colours(model: BlockMapModel, theme: Theme) -> Pixels:
    colours, record = model.colours, model.record
    if colours is None or record is None:
        return np.zeros(0, np.uint32)
    every = level_colours(colours.by, dark=theme.dark)[1:]
    return every[: min(N_LANES, len(record.names))] if colours.by is ColourBy.LANE else every


class MapLegend(Legend):
    def __init__(self, theme: Theme) -> None:
        super().__init__("Legend", theme, quiet=True)
        self.entries: list[tuple[LegendEntry, str]] = []
        self._scale: Pixels = np.zeros(0, np.uint32)

    def show_map(
        self, model: BlockMapModel, scale: float, *, has_path: bool, ended: bool = False, has_moved: bool = False
    ) -> None:
        """Show the items of the current map or replay.

        Args:
            scale: pixels per letter. ended: no block is running or waiting.
        """
        band, reasons = model.band, skip_reasons(model)
        moving = (model.is_moving or model.playback is not None) and not ended
        skips = ", ".join(reason.text for reason in reasons if reason not in KNOWN_BORDERS)
        through = ", ".join(reason.text for reason in reasons if reason in KNOWN_BORDERS)
        has_edges = band is not None and band.n_diagonals * scale >= NARROW_BAND_PX and bool(band.edges())
        entries = (
            (LegendEntry.SCALE, scale_text(model), model.colours is not None),
            (LegendEntry.DONE, "done", model.inner_skip is None and model.colours is None),
            (LegendEntry.RUNNING, "running", moving),
            (LegendEntry.PATH, "path", has_path),
            (LegendEntry.MOVED, "moved", has_moved),
            (LegendEntry.WAITING, "waiting", moving),
            (LegendEntry.FAILED, "failed", model.has(BlockState.FAILED)),
            (LegendEntry.EDGE, "edge of the band", has_edges),
            (LegendEntry.SKIPPED, f"skipped: {skips}", bool(skips)),
            (LegendEntry.THROUGH, f"skipped: {through}", bool(through)),
        )
        self.show_scale(model)
        present = [(entry, text) for entry, text, there in entries if there and model.n_cells]
        if present != self.entries:
            self.entries, wide = present, {LegendEntry.SCALE: SCALE_PX}
            self.set_signs([Sign(partial(self._paint, key), text, wide.get(key, SWATCH_PX)) for key, text in present])

    def show_scale(self, model: BlockMapModel) -> None:
        colours = scale_colours(model, self._theme)
        if not np.array_equal(colours, self._scale):
            self._scale = np.ascontiguousarray(colours)
            self.update()

    def _paint(self, entry: LegendEntry, painter: QPainter, box: QRectF) -> None:
        theme, n = self._theme, self._scale.size
        colours = {
            LegendEntry.DONE: theme.done, LegendEntry.RUNNING: theme.accent, LegendEntry.WAITING: theme.waiting,
            LegendEntry.FAILED: theme.state_color(BlockState.FAILED), LegendEntry.SCALE: theme.done,
        }  # fmt: skip
        pens = {
            LegendEntry.PATH: QPen(theme.text, 2), LegendEntry.EDGE: QPen(theme.accent, 1),
            LegendEntry.MOVED: QPen(theme.kind(SWAP).strong, 4),
        }  # fmt: skip
        if entry is LegendEntry.SCALE and n:
            painter.drawImage(box, QImage(self._scale.data, n, 1, 4 * n, QImage.Format.Format_RGB32))
        elif entry in pens:
            painter.setPen(pens[entry])
            painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()))
        else:
            if entry in (LegendEntry.SKIPPED, LegendEntry.THROUGH):
                through = entry is LegendEntry.THROUGH
                paint_skip(painter, box, theme, SkipReason.MONOTONE if through else SkipReason.BAND)
            else:
                painter.fillRect(box, colours[entry])
            painter.setPen(QPen(theme.control, 1))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
