"""The blocks of a board, painted in pixels: all that a frame shows, or the part of it that changed."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPen

from app.models.board_picture import (
    FRONT,
    HATCHED,
    RANKS,
    Mask,
    Picture,
    blocks_a_cell,
    front,
    hatch,
    mark_front,
    reduced,
    runs,
)
from app.models.board_watch import Box
from app.models.wavefront import Phase, WavefrontModel
from app.theme import Theme
from app.views.band_hatch import HATCHES, STATE_SKIPS
from app.views.block_marks import paint_marks
from app.views.board_frame import Frame
from core.grid import BlockGrid

BORDERS_FROM = 6.0  # pixels a block is wide before its border is drawn
MARKS_FROM = 13.0
FRONT_FROM = 3.0  # pixels a cell measures in either direction before the front is a line and not cells of its colour
FRONT_WIDTH = 2.5
HATCH_MOST = 40_000  # cells of a picture; in one of more, hatches are single cells of it
HATCH_PIXELS = 7
MOVING = {Phase.RUNNING, Phase.STOPPED, Phase.FAILED}


class BoardPainter:
    """Paints the board of ``model`` as ``frame`` shows it; make another one when either changes.

    How many blocks share a cell of the picture depends on the whole frame, so a part that is painted alone
    fits to what is there already.
    """

    def __init__(self, model: WavefrontModel, grid: BlockGrid, theme: Theme, frame: Frame) -> None:
        self._model, self._theme = model, theme
        self._colours = _colour_table(theme)
        self._ratio = ratio = frame.ratio
        self._inner = frame.box(QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows))
        height, width = model.block_size
        seen = frame.letters(frame.whole).intersected(QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows))
        pixels = frame.box(seen)
        rows, cols = model.board.shape
        rows_seen, cols_seen = _blocks(seen.height(), height, rows), _blocks(seen.width(), width, cols)
        self._by_rows = blocks_a_cell(rows_seen, int(pixels.height() * ratio) + 1)  # blocks of the board in a cell
        self._by_cols = blocks_a_cell(cols_seen, int(pixels.width() * ratio) + 1)
        self._step_x = width * self._by_cols * frame.per_x  # pixels of a cell
        self._step_y = height * self._by_rows * frame.per_y
        self._size = min(self._step_x, self._step_y)
        self._has_front_lines = max(self._step_x, self._step_y) >= FRONT_FROM
        self._near = max(1, ceil(FRONT_WIDTH / self._step_y)), max(1, ceil(FRONT_WIDTH / self._step_x))  # cells
        self._n_rows, self._n_cols = -(-rows // self._by_rows), -(-cols // self._by_cols)
        self._has_boxes = rows_seen // self._by_rows * (cols_seen // self._by_cols) <= HATCH_MOST
        # One colour a pixel of the screen, found by its middle: Qt's scaling of a part rounds unlike that of all.
        self._rows = _Pixels.of(self._inner.top(), (pixels.top(), pixels.bottom()), self._step_y, self._n_rows, ratio)
        self._cols = _Pixels.of(self._inner.left(), (pixels.left(), pixels.right()), self._step_x, self._n_cols, ratio)

    def pixels_of(self, box: Box) -> tuple[int, int, int, int]:
        """Return where the blocks of ``box`` are seen, and some cells on each side: the front is drawn there too.

        As x, y, width and height, in whole pixels.
        """
        near_row, near_col = self._near
        first_row, last_row = box[0] // self._by_rows - near_row, -(-box[1] // self._by_rows) + near_row
        first_col, last_col = box[2] // self._by_cols - near_col, -(-box[3] // self._by_cols) + near_col
        y, bottom = _span(self._inner.top(), self._step_y, first_row, last_row)
        x, right = _span(self._inner.left(), self._step_x, first_col, last_col)
        return x, y, right - x, bottom - y

    def covers(self, rect: QRect) -> bool:
        """Return whether the board hides all that is below ``rect`` (pixels)."""
        inner = self._inner
        return bool(
            rect.x() >= inner.left()
            and rect.y() >= inner.top()
            and rect.x() + rect.width() <= inner.right()
            and rect.y() + rect.height() <= inner.bottom()
        )

    def paint(self, painter: QPainter, rect: QRect) -> None:
        """Paint what of the board lies in ``rect`` (pixels), to which the painter is clipped."""
        y, rows = self._rows.within(rect.y(), rect.y() + rect.height(), self._ratio)
        x, cols = self._cols.within(rect.x(), rect.x() + rect.width(), self._ratio)
        if not rows.size or not cols.size:
            return
        near_row, near_col = self._near  # what is drawn there may reach into the rectangle
        first_row, first_col = max(0, int(rows[0]) - near_row), max(0, int(cols[0]) - near_col)
        last_row, last_col = (
            min(self._n_rows, int(rows[-1]) + near_row + 1),
            min(self._n_cols, int(cols[-1]) + near_col + 1),
        )
        shown = reduced(
            self._model.board,
            (first_row * self._by_rows, last_row * self._by_rows),
            (first_col * self._by_cols, last_col * self._by_cols),
            self._by_rows,
            self._by_cols,
        )
        moving = self._model.phase in MOVING
        has_lines = self._has_front_lines or self._size >= BORDERS_FROM
        edges = front(shown) if moving and self._has_front_lines else None
        if not self._has_boxes and any(self._model.has(state) for state in STATE_SKIPS):
            hatch(shown, max(2, round(HATCH_PIXELS / max(1.0, self._size))))
        if moving and edges is None:
            mark_front(shown)
        pixels = self._colours[shown.ranks].take(rows - first_row, 0).take(cols - first_col, 1)
        image = QImage(pixels.data, cols.size, rows.size, 4 * cols.size, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self._ratio)
        painter.drawImage(QPointF(x / self._ratio, y / self._ratio), image)
        if self._has_boxes or has_lines:
            at = QPointF(self._inner.left() + first_col * self._step_x, self._inner.top() + first_row * self._step_y)
            painter.save()
            painter.setClipRect(self._inner, Qt.ClipOperation.IntersectClip)
            self._paint_lines(painter, at, shown, edges)
            painter.restore()

    def _paint_lines(self, painter: QPainter, at: QPointF, shown: Picture, edges: tuple[Mask, Mask] | None) -> None:
        """What is drawn over the colours; ``at`` is the corner of the first cell of ``shown``."""
        if self._has_boxes:
            self._paint_hatches(painter, at, shown)
        if self._size >= BORDERS_FROM:
            self._paint_borders(painter, at, shown)
        if edges is not None:
            self._paint_front(painter, at, edges)
        if self._size >= MARKS_FROM:
            self._paint_marks(painter, at, shown)

    def _boxes(self, at: QPointF, cells: list[tuple[int, int, int]]) -> list[QRectF]:
        """Return the pixels of runs of cells: (row, first column, column after the last) each."""
        x, y, step_x, step_y = at.x(), at.y(), self._step_x, self._step_y
        return [QRectF(x + step_x * a, y + step_y * row, step_x * (b - a), step_y) for row, a, b in cells]

    def _paint_hatches(self, painter: QPainter, at: QPointF, shown: Picture) -> None:
        """Over what was not computed, in pixels, a row of such blocks at a time."""
        painter.setPen(Qt.PenStyle.NoPen)
        for state, reason in STATE_SKIPS.items():
            if self._model.has(state):
                painter.setBrush(QBrush(self._theme.hatch, HATCHES[reason]))
                painter.drawRects(self._boxes(at, runs(shown.ranks == RANKS[state])))

    def _paint_borders(self, painter: QPainter, at: QPointF, shown: Picture) -> None:
        n_rows, n_cols = shown.ranks.shape
        left, top = at.x(), at.y()
        right, bottom = left + self._step_x * n_cols, top + self._step_y * n_rows
        across = [QLineF(left, y, right, y) for y in (top + self._step_y * np.arange(n_rows + 1)).tolist()]
        down = [QLineF(x, top, x, bottom) for x in (left + self._step_x * np.arange(n_cols + 1)).tolist()]
        painter.setPen(QPen(self._theme.base, 1.0))
        painter.drawLines(across + down)

    def _paint_front(self, painter: QPainter, at: QPointF, edges: tuple[Mask, Mask]) -> None:
        left, top, step_x, step_y = at.x(), at.y(), self._step_x, self._step_y
        lines = []
        for col, first, last in runs(edges[0].T):
            x = left + step_x * (col + 1)
            lines.append(QLineF(x, top + step_y * first, x, top + step_y * last))
        for row, first, last in runs(edges[1]):
            y = top + step_y * (row + 1)
            lines.append(QLineF(left + step_x * first, y, left + step_x * last, y))
        painter.setPen(QPen(self._theme.accent, FRONT_WIDTH))
        painter.drawLines(lines)

    def _paint_marks(self, painter: QPainter, at: QPointF, shown: Picture) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for state, rank in RANKS.items():
            cells = [(row, col, col + 1) for row, col in np.argwhere(shown.ranks == rank).tolist()]
            paint_marks(painter, state, self._boxes(at, cells), self._theme)


def _colour_table(theme: Theme) -> npt.NDArray[np.uint32]:
    table = np.full(256, theme.base.rgba(), np.uint32)
    for state, at in RANKS.items():
        table[at] = theme.state_color(state).rgba()
    table[HATCHED] = theme.hatch.rgba()
    table[FRONT] = theme.accent.rgba()
    return table


@dataclass(frozen=True, slots=True, eq=False)
class _Pixels:
    """The pixels of the screen in a direction that show the board.

    Attributes:
        first: the first of them, counted from the canvas's edge in pixels of the device.
        cells: the cell of the board (0-based, from the board's edge) that each shows.
    """

    first: int
    cells: npt.NDArray[np.intp]

    @staticmethod
    def of(start: float, seen: tuple[float, float], step: float, limit: int, ratio: float) -> _Pixels:
        """Return those that are ``seen``; ``limit`` cells of ``step`` begin at ``start`` (in pixels of the widget)."""
        first, last = floor(seen[0] * ratio), ceil(seen[1] * ratio)
        at = np.arange(first, max(first, last))
        cells = np.floor((at + (0.5 - start * ratio)) / (step * ratio)).astype(np.intp)
        return _Pixels(first, np.clip(cells, 0, limit - 1))

    def within(self, low: int, high: int, ratio: float) -> tuple[int, npt.NDArray[np.intp]]:
        """Return those from ``low`` to ``high`` (pixels of the widget): the first, and the cell of each."""
        first = max(self.first, floor(low * ratio))
        return first, self.cells[first - self.first : max(0, ceil(high * ratio) - self.first)]


def _span(start: float, step: float, first: int, last: int) -> tuple[int, int]:
    """Return the whole pixels of cells ``first`` to ``last`` (half-open)."""
    return floor(start + first * step), ceil(start + last * step)


def _blocks(letters: float, size: int, limit: int) -> int:
    """Return how many blocks of ``size`` letters are seen at most where ``letters`` are."""
    return min(limit, int(letters // size) + 2)
