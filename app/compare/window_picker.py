"""A block of the matrix, with a frame around the cells that are looked at: dragged, or moved by the arrows."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.compare.cell_session import Area, CellSession
from app.ui.theme import Theme
from core.base.translate import number, tr
from core.methods.window_job import WINDOW_LETTERS

HEIGHT_PX, LEAST_FRAME_PX, MARGIN_PX, TEXT_PX = 72, 8, 2, 12
ARROWS = {
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
}  # fmt: skip


class WindowPicker(QWidget):
    """Shows the block that was clicked on the map.

    Signals:
        wanted: the first row and column of another window.
    """

    wanted = Signal(int, int)

    def __init__(self, session: CellSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedHeight(HEIGHT_PX)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setToolTip(tr("Drag the frame, or move it with the arrows; with Shift by a letter"))
        session.updated.connect(self._renew)
        theme.changed.connect(self._renew)

    def sizeHint(self) -> QSize:
        return QSize(240, HEIGHT_PX)

    @Slot()
    def _renew(self) -> None:
        self.setAccessibleName(self.text)
        self.update()

    @property
    def text(self) -> str:
        """The place of the window, positions from 1."""
        area = self._session.area
        if area is None:
            return tr("No cells are chosen")
        return tr(
            "A {a0} to {a1}, B {b0} to {b1}",
            a0=number(area.row + 1), a1=number(area.row + area.n_rows),
            b0=number(area.col + 1), b1=number(area.col + area.n_cols),
        )  # fmt: skip

    def _boxes(self) -> tuple[Area, QRectF, QRectF] | None:
        """Return the block, and where it and the frame are."""
        session = self._session
        block, area = session.block, session.area
        if block is None or area is None:
            return None
        high, wide = self.height() - 2 * MARGIN_PX, self.width() / 2
        scale = min(high / block.n_rows, wide / block.n_cols)
        box = QRectF(MARGIN_PX, MARGIN_PX, max(block.n_cols * scale, 4.0), max(block.n_rows * scale, 4.0))
        width, height = (max(LEAST_FRAME_PX, n * scale) for n in (area.n_cols, area.n_rows))
        middle = QPointF(
            box.x() + (area.col + area.n_cols / 2 - block.col) * scale,
            box.y() + (area.row + area.n_rows / 2 - block.row) * scale,
        )
        return block, box, QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        found = self._boxes()
        left = 0.0
        if found is not None:
            _, box, frame = found
            painter.fillRect(box, theme.done)
            painter.setPen(QPen(theme.control, 1))
            painter.drawRect(box)
            painter.setPen(QPen(theme.accent, 2))
            painter.drawRect(frame)
            left = box.right() + TEXT_PX
        if self.hasFocus():
            painter.setPen(QPen(theme.accent, 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.setPen(theme.text)
        painter.setFont(theme.small_font)
        room = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, self.text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._want(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._want(event.position())

    def _want(self, point: QPointF) -> None:
        found, area = self._boxes(), self._session.area
        if found is None or area is None:
            return
        block, box, _ = found
        row = block.row + round((point.y() - box.y()) / box.height() * block.n_rows) - area.n_rows // 2
        col = block.col + round((point.x() - box.x()) / box.width() * block.n_cols) - area.n_cols // 2
        row = max(block.row, min(row, block.row + block.n_rows - area.n_rows))
        col = max(block.col, min(col, block.col + block.n_cols - area.n_cols))
        self.wanted.emit(row, col)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, area = ARROWS.get(Qt.Key(event.key())), self._session.area
        if step is None or area is None:
            super().keyPressEvent(event)
            return
        letters = 1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else WINDOW_LETTERS
        self.wanted.emit(area.row + step[0] * letters, area.col + step[1] * letters)
