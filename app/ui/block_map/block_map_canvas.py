"""The matrix as it is computed: blocks, bands and path, painted by itself and not through pyqtgraph's scene.

A scene paints every item again, in Python, wherever a block changed: 2.5 ms a frame, felt by a run that uses
every core. Here there are two pictures. In the lower one the blocks that changed are drawn when they do, and what lies
over them, bands and path, is the other; so a paint is two calls, whatever is asked to be painted.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.ui.block_map.alignment_path import MatrixPath
from app.ui.block_map.band_attempts import Labelled
from app.ui.block_map.band_painter import paint_bands
from app.ui.block_map.block_map import BlockMapModel
from app.ui.block_map.block_map_frame import BlockMapFrame
from app.ui.block_map.block_map_painter import BlockMapPainter
from app.ui.block_map.cached_layer import CachedLayer
from app.ui.block_map.skip_style import paint_skip
from app.ui.theme import Theme
from core.jobs.edit_result import SkipReason
from core.jobs.grid import BlockState

Range = tuple[float, float]  # letters, first and last
MIN_CORNER_PX = 2  # pixels from one corner of the path to the next that is drawn


class BlockMapCanvas(QWidget):
    """Lies over the box of a plot and shows the part of the matrix that the plot's axes say."""

    def __init__(self, model: BlockMapModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._theme = model, theme
        self._x: Range = (0.0, 1.0)
        self._y: Range = (0.0, 1.0)
        self._path: MatrixPath | None = None
        self._bands: Sequence[Labelled] = ()
        self._cross: tuple[int | None, int | None] = (None, None)
        self._below: CachedLayer | None = None  # with the blocks
        self._above: CachedLayer | None = None  # None too while there is nothing in it
        self._board: BlockMapPainter | None = None
        self.layers = {"Blocks": True, "Band": True, "Path": True}
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # the plot beneath pans and zooms

    @property
    def cross(self) -> tuple[int | None, int | None]:
        """Row and column that are marked, 0-based; None for no line."""
        return self._cross

    @property
    def frame(self) -> BlockMapFrame:
        (left, right), (top, bottom) = self._x, self._y
        per_x, per_y = self.width() / (right - left), self.height() / (bottom - top)
        return BlockMapFrame(left, top, per_x, per_y, self.width(), self.height(), self.devicePixelRatioF())

    def show_range(self, x: Range, y: Range) -> None:
        """Show columns ``x`` and rows ``y``."""
        self._x, self._y = x, y
        self.refresh()

    def show_path(self, path: MatrixPath | None) -> None:
        """Show the path of the result."""
        self._path = path
        self.refresh()

    def show_bands(self, bands: Sequence[Labelled]) -> None:
        self._bands = tuple(bands)
        self.refresh()

    def show_cross(self, row: int | None, col: int | None) -> None:
        """Mark a row and a column of letters, 0-based."""
        if (row, col) != self._cross:
            before = self._cross_lines()
            self._cross = row, col
            for line in before + self._cross_lines():
                self.update(QRectF(line.p1(), line.p2()).toAlignedRect().adjusted(-2, -2, 2, 2))

    @Slot()
    def update_blocks(self) -> None:
        """Paint the blocks again that the model says have changed, or everything."""
        box, block_map = self._model.changed_box, self._board
        if box is None or block_map is None or not self.isVisible():
            self.refresh()
        elif self.layers["Blocks"]:
            self.repaint(*block_map.draw(box))  # now: an event for later is a turn of the loop more, for every frame

    def refresh(self) -> None:
        """Something else than blocks changed: paint all of it again."""
        self._below = self._above = self._board = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._below is None or self._below.ratio != ratio:
            self._below = self._prepare(ratio)
        rect, painter = event.rect(), QPainter(self)
        self._below.show(painter, rect)
        if self._above is not None:
            self._above.show(painter, rect)
        if self._cross != (None, None):
            painter.setPen(QPen(self._theme.accent, 1, Qt.PenStyle.DashLine))
            painter.drawLines(self._cross_lines())
        painter.end()

    def _prepare(self, ratio: float) -> CachedLayer:
        """Return the lower picture; ``_above`` and ``_board`` are as new."""
        model, frame = self._model, self.frame
        below, above = (
            CachedLayer(self.size(), ratio, self._theme.base),
            CachedLayer(self.size(), ratio, QColor(0, 0, 0, 0)),
        )
        below.draw(lambda painter: self._paint_below(painter, frame))
        above.draw(lambda painter: self._paint_above(painter, frame))
        self._above = None if above.is_empty else above
        self._board = None
        if model.grid is not None and model.block_map.size and model.inner_skip is None:
            self._board = BlockMapPainter(model, model.grid, self._theme, frame, below)
            if self.layers["Blocks"]:
                self._board.draw_all()
        return below

    @property
    def _matrix(self) -> QRectF:
        return QRectF(0, 0, max(1, self._model.m), max(1, self._model.n))

    def _inner(self) -> QRectF:
        grid = self._model.grid
        return QRectF(grid.col0, grid.row0, grid.n_cols, grid.n_rows) if grid is not None else QRectF()

    def _paint_below(self, painter: QPainter, frame: BlockMapFrame) -> None:
        """Paint the ground outside the grid, and a grid of which nothing was computed."""
        seen = frame.letters(frame.whole).intersected(self._matrix)
        if not self.layers["Blocks"] or seen.isEmpty():
            return
        grid, skip, inner = self._model.grid, self._model.inner_skip, self._inner()
        if grid is None:
            painter.fillRect(frame.box(seen), self._theme.state_color(BlockState.WAITING))
            return
        if inner != self._matrix:
            paint_skip(painter, frame.box(seen), SkipReason.ENDS, self._theme)
        if skip is not None and inner.intersects(seen):
            paint_skip(painter, frame.box(seen.intersected(inner)), skip, self._theme)

    def _paint_above(self, painter: QPainter, frame: BlockMapFrame) -> None:
        """Frames, bands and path."""
        painter.setFont(self.font())
        near = frame.whole.adjusted(-9, -9, 9, 9)  # far corners are no place for a painter
        painter.setPen(QPen(self._theme.dim, 1))
        painter.drawRect(frame.box(self._matrix).intersected(near))
        if self._model.grid is not None and self.layers["Blocks"]:
            painter.drawRect(frame.box(self._inner()).intersected(near))
        if self.layers["Path"]:
            self._paint_path(painter, frame)
        if self.layers["Band"]:
            paint_bands(painter, frame, self._matrix, self._bands, self._theme)

    def _paint_path(self, painter: QPainter, frame: BlockMapFrame) -> None:
        grid, model, colour = self._model.grid, self._model, self._theme.state_color(BlockState.PATH)
        if grid is not None:  # what was alike at both ends was stripped before: a diagonal
            painter.setPen(QPen(colour, 2.0))
            end_x, end_y = grid.col0 + grid.n_cols, grid.row0 + grid.n_rows
            if grid.row0 and grid.col0:
                painter.drawLine(frame.point(0, 0), frame.point(grid.col0, grid.row0))
            if end_x < model.m and end_y < model.n:
                painter.drawLine(frame.point(end_x, end_y), frame.point(model.m, model.n))
        if self._path is not None:
            # A line is drawn in a time that grows with its corners, most of which are in a pixel with others.
            places = zip(*self._path.part(self._y, self._x, (frame.width + frame.height) // MIN_CORNER_PX), strict=True)
            path = QPolygonF([frame.point(b, a) for a, b in places])
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for pen in (QPen(self._theme.base, 4.0), QPen(colour, 1.8)):
                painter.setPen(pen)
                painter.drawPolyline(path)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _cross_lines(self) -> list[QLineF]:
        row, col = self._cross
        if row is None and col is None:
            return []
        at = self.frame.point(0 if col is None else col + 0.5, 0 if row is None else row + 0.5)
        lines = [] if row is None else [QLineF(QPointF(0, at.y()), QPointF(self.width(), at.y()))]
        return lines + ([] if col is None else [QLineF(QPointF(at.x(), 0), QPointF(at.x(), self.height()))])
