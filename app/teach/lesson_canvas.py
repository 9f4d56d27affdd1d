"""Canvas of a lesson: a table as far as it is known, and the machine words of a column beside it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget

from app.ui.number_text import plain_tip
from app.ui.theme import Theme
from core.jobs.alignment import Op
from core.teach.optimal_paths import Cell
from core.teach.player import Frame
from core.teach.scene import Bits, CellTrace, Grid, Scene
from core.translate import tr

MAX_CELL_PX, READABLE_CELL_PX = 54, 16  # a smaller cell is a shade
WORD_PX_OF_CELL, MIN_WORD_PX = 1.7, 64  # width of a word: of a cell's, and what its name needs at least
DOT_SHARE, RING_PX, FRAME_PX = 0.07, 2, 3


class LessonCanvas(QWidget):
    """Paints a frame; states are told apart by rings, frames and dots too, never by colour alone.

    Attributes:
        picked: cells that were clicked as an answer. path: cells of an optimal path that is drawn, from its end.

    Signals:
        clicked: a cell, as (row, column).
    """

    clicked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._frame: Frame | None = None
        self._scene: Scene | None = None
        self._open = False  # a question is: what the step reads is not shown
        self._cell, self._corner = 0.0, QPointF()
        self.picked: set[Cell] = set()
        self.path: list[Cell] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        theme.changed.connect(self._repaint)

    def show_frame(self, frame: Frame, *, asked: bool) -> None:
        """Show a frame; ``asked``: while a question about the next step is open."""
        self._frame, self._open = frame, asked
        self._scene = frame.part.trace.scene(frame.unit, frame.step)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, self.minimumSizeHint().height())  # it takes what is left; a panel scrolls for what is hinted

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 120)

    @Slot()
    def _repaint(self) -> None:
        self.update()

    @property
    def ended(self) -> bool:
        """True once the whole table is known: then the optimal paths are tinted."""
        frame = self._frame
        return frame is not None and not self._open and frame.step == frame.part.trace.steps(frame.unit)

    def cell_at(self, point: QPointF) -> Cell | None:
        """Return the cell of the table at a point, None beside it."""
        if self._scene is None or self._cell <= 0:
            return None
        col, row = (point.x() - self._corner.x()) // self._cell, (point.y() - self._corner.y()) // self._cell
        rows, cols = self._grid(self._scene).values.shape
        return (int(row), int(col)) if 0 <= row < rows and 0 <= col < cols else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(cell)
        super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(self.cell_at(QPointF(event.pos())))), self)
            return True
        return super().event(event)

    def _tip(self, cell: Cell | None) -> str:
        """Return from which numbers a cell that is known was computed."""
        frame, scene = self._frame, self._scene
        if cell is None or frame is None or scene is None or self._grid(scene).rank[cell] > frame.step:
            return ""
        trace = frame.part.trace
        said = trace.explain(*cell) if isinstance(trace, CellTrace) else ""
        return f"{self._grid(scene).name}[{cell[0]}, {cell[1]}]\n{said}"

    def _grid(self, scene: Scene) -> Grid:
        assert scene.grid is not None
        return scene.grid

    def _words(self, scene: Scene) -> Bits | None:
        return next((part for part in scene.parts if isinstance(part, Bits)), None)

    # Painting

    def _lay_out(self, scene: Scene) -> None:
        rows, cols = self._grid(scene).values.shape
        column = self._words(scene)
        words = 0 if column is None else len(column.rows)
        across = cols + 1 + (1 + words * WORD_PX_OF_CELL if words else 0)
        head = 44 if words else 0  # pixels that the names of words need above row 1
        self._cell = max(1.0, min(MAX_CELL_PX, self.width() / across, (self.height() - 2) / (rows + 1)))
        top = max(self._cell, head - self._cell)
        if top + rows * self._cell > self.height():
            self._cell = max(1.0, (self.height() - head) / rows)
        self._corner = QPointF(self._cell, top)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.base)
        if self._scene is None or self._frame is None:
            return
        self._lay_out(self._scene)
        self._paint_cells(painter, self._scene, self._frame.step)
        if self._cell >= READABLE_CELL_PX:
            self._paint_letters(painter, self._scene)
            self._paint_numbers(painter, self._scene, self._frame.step)
        self._paint_marks(painter, self._scene)
        if self.ended and self.path:
            self._paint_path(painter)
        self._paint_words(painter, self._scene)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _box(self, row: int, col: int) -> QRectF:
        size = self._cell
        return QRectF(self._corner.x() + col * size, self._corner.y() + row * size, size, size)

    def _paint_cells(self, painter: QPainter, scene: Scene, step: int) -> None:
        """Fill all cells at once: a picture with a pixel a cell, made larger."""
        theme, rank = self._theme, self._grid(scene).rank
        known, new = rank <= step, (rank == step) & (step > 0)
        fill = np.full(rank.shape, theme.base.rgb(), np.uint32)
        fill[known] = theme.raised.rgb()
        if self._cell < READABLE_CELL_PX:
            shade = self._grid(scene).values / max(1, int(self._grid(scene).values.max(initial=1)))
            steps = np.array([_mixed(theme.raised, theme.dim, k / 15).rgb() for k in range(16)], np.uint32)
            fill[known] = steps[(shade[known] * 15).astype(np.intp)]
        if self.ended and self._frame is not None:
            arrows = self._grid(scene).arrows
            fill[arrows.on_path if arrows is not None else known & ~known] = theme.kind(Op.INSERTION).pale.rgb()
        fill[new] = theme.tint.rgb()
        for row, col, _ in scene.cited if not self._open else ():
            fill[row, col] = theme.kind(Op.MISMATCH).pale.rgb()
        for cell in self.picked:
            fill[cell] = theme.tint.rgb()
        rows, cols = rank.shape
        image = QImage(fill.data, cols, rows, 4 * cols, QImage.Format.Format_RGB32)
        area = QRectF(self._corner.x(), self._corner.y(), cols * self._cell, rows * self._cell)
        painter.drawImage(area, image)
        if self._cell >= READABLE_CELL_PX / 2:
            painter.setPen(QPen(theme.grid, 1))
            xs, ys = round(self._corner.x()), round(self._corner.y())
            for col in range(cols + 1):
                x = xs + round(col * self._cell)
                painter.drawLine(x, ys, x, ys + round(rows * self._cell))
            for row in range(rows + 1):
                y = ys + round(row * self._cell)
                painter.drawLine(xs, y, xs + round(cols * self._cell), y)

    def _font(self, share: float, *, bold: bool = False) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(max(8, round(self._cell * share)))
        font.setBold(bold)
        return font

    def _paint_letters(self, painter: QPainter, scene: Scene) -> None:
        painter.setFont(self._font(0.5, bold=True))
        painter.setPen(self._theme.text)
        size, corner = self._cell, self._corner
        for col, letter in enumerate(self._grid(scene).top, 1):
            box = QRectF(corner.x() + col * size, corner.y() - size, size, size)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
        for row, letter in enumerate(self._grid(scene).left, 1):
            box = QRectF(corner.x() - size, corner.y() + row * size, size, size)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)

    def _paint_numbers(self, painter: QPainter, scene: Scene, step: int) -> None:
        painter.setFont(self._font(0.45))
        painter.setPen(self._theme.text)
        for row, col in np.argwhere(self._grid(scene).rank <= step).tolist():
            text = str(int(self._grid(scene).values[row, col]))
            painter.drawText(self._box(row, col), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_marks(self, painter: QPainter, scene: Scene) -> None:
        """Frame what is new, ring what attains the optimum, and put a dot on what was read beside it."""
        if self._cell < READABLE_CELL_PX or self._frame is None:
            return
        theme, step = self._theme, self._frame.step
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.accent, FRAME_PX))
        new = np.argwhere(self._grid(scene).rank == step).tolist() if step else []
        for row, col in [*new, *self.picked]:
            painter.drawRect(self._box(row, col).adjusted(2, 2, -1, -1))
        for row, col, wins in scene.cited if not self._open else ():
            box = self._box(row, col)
            if wins:
                painter.setPen(QPen(theme.text, RING_PX))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(box.adjusted(2, 2, -1, -1))
            else:
                radius = self._cell * DOT_SHARE
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.text)
                painter.drawEllipse(box.topLeft() + QPointF(3 * radius, 3 * radius), radius, radius)

    def _paint_path(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(self._theme.accent)
        colour.setAlphaF(0.55)
        painter.setPen(QPen(colour, max(2.0, self._cell * 0.09)))
        painter.drawPolyline(QPolygonF([self._box(*cell).center() for cell in self.path]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_words(self, painter: QPainter, scene: Scene) -> None:
        """Bit i stands beside row i of the table, so that a word is seen to be its column."""
        column = self._words(scene)
        if column is None:
            return
        theme, size = self._theme, self._cell
        width = max(size * WORD_PX_OF_CELL, min(MIN_WORD_PX, (self.width() - 9 * size) / 7))
        left = self._corner.x() + (self._grid(scene).values.shape[1] + 1) * size
        names = QFont(self.font())
        names.setPixelSize(13)
        for number, (name, word) in enumerate(column.rows):
            x, last = left + number * width, number == len(column.rows) - 1
            # Names are wider than a word: every other one stands higher.
            above = self._corner.y() + size - (20 if number % 2 else 38)
            painter.setFont(names)
            painter.setPen(theme.dim)
            painter.drawText(QRectF(x - 30, above, width + 60, 18), Qt.AlignmentFlag.AlignCenter, name)
            painter.setFont(self._font(0.45, bold=last))
            for row, bit in enumerate(word, 1):
                box = QRectF(x + (width - size) / 2, self._corner.y() + row * size, size - 1, size - 1)
                if size < READABLE_CELL_PX:
                    painter.fillRect(box, theme.text if bit == "1" else theme.raised)
                    continue
                painter.fillRect(box, theme.tint if last else theme.raised)
                painter.setPen(theme.text)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, bit)

    def describe(self) -> str:
        """Return the size of the table, for a screen reader."""
        if self._scene is None:
            return ""
        rows, cols = self._grid(self._scene).values.shape
        return tr("Table of {rows} rows and {cols} columns", rows=rows - 1, cols=cols - 1)


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    """Return a colour between two."""
    red, green, blue = (
        a + (b - a) * share
        for a, b in ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    )
    return QColor(round(red), round(green), round(blue))
