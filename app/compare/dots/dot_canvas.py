"""Canvas of the dot plot; the wheel zooms from whole genomes to letters."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QTimer
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from wavediff.app.compare.dots.dot_drawing import (
    CELL_PX,
    MAX_LINES,
    NAME_PX,
    NO_FEATURES,
    RAMP,
    Features,
    cells_in_sight,
    draw_cells,
    draw_density,
    draw_features,
    draw_records,
    draw_runs,
    level_of,
    palette,
)
from wavediff.app.compare.dots.dot_tiles import DotTiles
from wavediff.app.compare.dots.range_canvas import RangeCanvas
from wavediff.app.draw.drawing import Box, Ink, Pen
from wavediff.app.draw.painter import QtDrawing, sized
from wavediff.app.draw.recording import Late, picture_ratio
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame, Letters
from wavediff.app.ui.pair import MatrixPosition
from wavediff.app.ui.theme import Theme
from wavediff.core.screening.dot_index import MINUS, Runs

TURN_SECONDS = 0.004  # of the processor that a frame takes for tiles; the rest come with the next ones
NEAR_PX = 16.0  # from the pointer to a dot that is then zoomed at


class DotCanvas(RangeCanvas):
    """Args: letters: returns A and B, as compared. patient: draw all tiles of a frame at once, for pictures. finer: how
    often to halve the cells, as pictures have more pixels than screens.

    Attributes:
        cell_of: converts letters of the pair to row and column; None: identity.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None,
        letters: Callable[[], Letters],
        *,
        patient: bool = False,
        finer: int = 0,
    ) -> None:
        super().__init__(theme, parent, letters, CELL_PX)
        self._of, self._seconds, self._finer = letters, inf if patient else TURN_SECONDS, finer
        self.tiles: DotTiles | None = None
        self.ramp, self.features = RAMP, NO_FEATURES
        self._mark: QRectF | None = None
        self.cell_of: Callable[[int | None, int | None], MatrixPosition] | None = None
        self._found: tuple[BlockMapFrame, DotTiles, Runs | None] | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)

    def show_dots(self, tiles: DotTiles | None, features: Features = NO_FEATURES) -> None:
        """Show the dots of an index (None: not yet), and features along the sides."""
        if tiles is not self.tiles or features is not self.features:
            self.tiles, self.features = tiles, features
            self.refresh()

    def show_mark(self, letters: QRectF | None) -> None:
        """Frame a range of letters of A (down) and B, e.g. a block; None: no frame."""
        self._mark = letters
        self.refresh()

    def show_ramp(self, ramp: float) -> None:
        self.ramp = ramp
        self.refresh()

    def _cell_of(self, a0: int | None, b0: int | None) -> MatrixPosition:
        return super()._cell_of(a0, b0) if self.cell_of is None else self.cell_of(a0, b0)

    def show_frame(self, frame: BlockMapFrame) -> None:
        """Show the same part of the matrix as another canvas of this size."""
        self._show(frame.scale, QPointF(frame.left, frame.top), frame.seen)

    @property
    def runs(self) -> Runs | None:
        """The visible runs; None if they are too many to distinguish."""
        tiles, frame = self.tiles, self.frame
        if tiles is None:
            return None
        if self._found is None or self._found[0] != frame or self._found[1] is not tiles:
            diagonals = tiles.index.found(*cells_in_sight(frame), MAX_LINES, unique=tiles.unique)
            self._found = frame, tiles, diagonals
        return self._found[2]

    @property
    def has_cells(self) -> bool:
        """True if each pair of letters has its own cell."""
        return self.frame.scale >= CELL_PX

    def zoomed_at(self, place: QPointF, _at: QPointF) -> QPointF:
        """Return the position ``place``, or that of a nearby dot."""
        if self.has_cells or self.tiles is None:
            return place
        y, x, reach, runs = place.y(), place.x(), NEAR_PX / self.frame.scale, self.runs
        if runs is not None:
            a, b, length, flags = runs.T.astype(np.float64)
            minus = (flags.astype(np.int64) & MINUS).astype(np.bool_)
            along = np.where(minus, (y - a + b + length - x) / 2, (y - a + x - b) / 2)
            t = np.clip(along, 0, length)
            rows, cols = a + t, np.where(minus, b + length - t, b + t)
        else:
            level = level_of(self.frame)[0]
            around = [(max(0, int(each - reach) >> level), (int(each + reach) >> level) + 1) for each in (y, x)]
            dots = np.nonzero(self.tiles.region(level, *around))
            rows, cols = ((dot + low + 0.5) * (1 << level) for dot, (low, _) in zip(dots, around, strict=True))
        off = np.hypot(rows - y, cols - x)
        best = int(off.argmin()) if off.size else 0
        return QPointF(cols[best], rows[best]) if off.size and off[best] <= reach else place

    def paint_matrix(self, painter: QPainter) -> None:
        if self._has_cells:
            painter.fillRect(self.frame.box(self.in_sight), self._theme.base)
            if not (self._finer and picture_ratio()):
                self._paint_dots(painter)

    def above(self) -> Late:
        return self._paint_dots if self._finer and self._has_cells else bool

    def _paint_dots(self, painter: QPainter) -> None:
        frame, tiles = self.frame, self.tiles
        drawing, (a, b) = QtDrawing(painter, self._theme), self._of()
        if tiles is not None:
            if self.has_cells and a is not None and b is not None:
                draw_cells(drawing, frame, a.letters, b.letters, tiles.index.k)
            elif (runs := self.runs) is not None:
                draw_runs(drawing, frame, runs, self.ramp)
            else:
                tiles.want(*level_of(frame, self._finer))
                if tiles.make(self._seconds):
                    self._soon.start()
                draw_density(drawing, frame, tiles, palette(self.ramp), self._finer)
        draw_features(drawing, frame, self.features)
        draw_records(
            drawing, frame, tuple(None if one is None else one.records for one in (a, b)), QFontMetricsF(sized(NAME_PX))
        )
        if self._mark is not None:
            box = frame.box(self._mark)
            drawing.rect(Box(box.x(), box.y(), box.width(), box.height()), None, Pen(Ink.ACCENT, 2))
        self.paint_edge(painter)
        self.paint_selection(painter)
