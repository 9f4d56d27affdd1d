"""Pages of cells and of machine words next to the map: title, block, and stage."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from wavediff.app.compare.cell_session import Area, CellSession, path_cells
from wavediff.app.draw.scene_style import Preset
from wavediff.app.ui.canvas import ARROWS, Canvas, Wide
from wavediff.app.ui.chooser import Segments
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.number_text import grouped, rough_duration
from wavediff.app.ui.stage.trace_stage import TraceStage
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number
from wavediff.core.methods.window_job import WINDOW_LETTERS
from wavediff.core.teach.questions import Cell
from wavediff.core.teach.scene import Trace
from wavediff.core.teach.table import MAX_TABLE_LETTERS
from wavediff.core.teach.unit import Unit

HEIGHT_PX, LEAST_FRAME_PX, MARGIN_PX, TEXT_PX = 72, 8, 2, 12


class WindowPicker(Canvas):
    """Map that selects the block whose cells are shown.

    Signals:
        wanted: the first row and column of another window.
    """

    wanted = Signal(int, int)

    def __init__(self, session: CellSession, theme: Theme) -> None:
        super().__init__(theme, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self._session = session
        self.setFixedHeight(HEIGHT_PX)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setToolTip("Drag the frame, or move it with the arrow keys (Shift: by one letter)")
        session.updated.connect(self._renew)

    def sizes(self) -> tuple[Wide, Wide]:
        return (240, HEIGHT_PX), (-1, -1)

    @Slot()
    def _renew(self) -> None:
        self.setAccessibleName(self.text)
        self.update()

    @property
    def text(self) -> str:
        area = self._session.area
        if area is None:
            return "No cells are selected"
        return (
            f"A {number(area.row + 1)} to {number(area.row + area.n_rows)}, B {number(area.col + 1)} to "
            f"{number(area.col + area.n_cols)}"
        )  # fmt: skip

    def _boxes(self) -> tuple[Area, QRectF, QRectF] | None:
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
        self.paint(QPainter(self))  # on that of the page

    def paint(self, painter: QPainter) -> None:
        theme, boxes, left = self._theme, self._boxes(), 0.0
        if boxes is not None:
            _, box, frame = boxes
            painter.fillRect(box, theme.done)
            painter.setPen(QPen(theme.control, 1))
            painter.drawRect(box)
            painter.setPen(QPen(theme.accent, 2))
            painter.drawRect(frame)
            left = box.right() + TEXT_PX
        self.paint_focus(painter)
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
        boxes, area = self._boxes(), self._session.area
        if boxes is None or area is None:
            return
        block, box, _ = boxes
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


EMPTY = "Here you watch the comparison being computed, cell by cell."


class CellPage(QWidget):
    """Page of the computation panel that steps through cells; subclasses define its content."""

    first_unit = Unit.CELL

    def __init__(self, session: CellSession, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self._shown: Trace | None = None
        self._path: list[Cell] = []
        self._stale, self._empty = True, EMPTY
        self._wanted: tuple[Unit | None, int] | None = None  # step
        self.note = QLabel(self, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.compute_button = QPushButton("Compute these cells", self)
        self.picker = WindowPicker(session, theme)
        self.stage = TraceStage(theme, preset=Preset.DESK, narrow=True, unit=self.first_unit)
        in_column(self.note, self.compute_button, self.picker, (self.stage, 1), 0, on=self, margin=0, gap=8)
        self.compute_button.clicked.connect(session.compute)
        self.picker.wanted.connect(session.move)
        session.updated.connect(self._updated)
        self.setFocusProxy(self.stage)

    # Asked of subclasses

    def trace(self) -> Trace | None:
        raise NotImplementedError

    @property
    def has_picker(self) -> bool:
        raise NotImplementedError

    # Showing

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._show()

    @Slot()
    def _updated(self) -> None:
        self._stale = True
        if self.isVisible():
            self._show()

    def say_empty(self, text: str) -> None:
        """Show ``text`` while there are no cells; empty: the usual text."""
        self._empty = text or EMPTY
        self._updated()

    def _show(self) -> None:
        self._stale = False
        session, trace = self.session, self.trace()
        seconds = session.seconds
        self.note.setText(self._note(seconds))
        self.note.setVisible(bool(self.note.text()))
        self.compute_button.setVisible(seconds > 0 and not session.running)
        self.picker.setVisible(self.has_picker and session.area is not None)
        self.stage.setVisible(trace is not None)
        whole = trace is not None and trace is session.whole
        path = path_cells(session.outcome.result) if whole and session.outcome is not None else []
        if trace is not None and (trace is not self._shown or path != self._path):
            self.stage.show_trace(trace, "", at_end=True, path=path)  # as the map is, which shows the run at its end
        elif trace is None:
            self.stage.stage.play(False)
        self._shown, self._path = trace, path
        self._show_wanted()

    def _note(self, seconds: float) -> str:
        session = self.session
        if session.outcome is None:
            return self._empty
        if not session.method:
            method = session.outcome.method
            if not method.table:
                return f"The cells of {method.long_name} cannot be shown."
            return f"The cells of {method.long_name} with free ends cannot be shown; those of a global comparison can."
        n, m = session.size
        if not min(n, m):
            return "An empty sequence has no cells."
        if self.has_picker and session.area is None:
            size, most = (
                f"{grouped(n)} × {grouped(m)}",
                f"{grouped(MAX_TABLE_LETTERS)} × {grouped(MAX_TABLE_LETTERS)}",
            )
            large = f"A table of {size} cells is too large to show: the maximum is {most}. "
            play = ", or play the run there" if session.has_replay else ""
            here = f"Choose Map and click a place in it to see the cells around it{play}."
            return here if max(n, m) <= MAX_TABLE_LETTERS else large + here
        if session.running:
            return session.status
        if session.is_awaited and session.cells is None:
            return "The run has not reached these cells yet."
        if seconds:
            return f"These cells are not stored: those above are recomputed, {rough_duration(seconds)}."
        return ""

    @property
    def message(self) -> str:
        return self.note.text() if self._shown is None else ""

    # The moment

    @property
    def share(self) -> float | None:
        """Progress of stepping, 0 to 1; None without cells."""
        return None if self._shown is None else self.stage.share

    def show_step(self, unit: Unit | None, step: int | None) -> None:
        self._wanted = None if step is None else (unit, step)
        self._show_wanted()

    def _show_wanted(self) -> None:
        if self._wanted is not None and self._shown is not None:
            self.stage.show_step(*self._wanted)
            self._wanted = None

    def show_share(self, share: float) -> None:
        self.stage.show_share(share)


class CellsView(CellPage):
    """Cells of a comparison: the full table of a small pair, a window of a large one."""

    first_unit = Unit.CELL

    @property
    def has_picker(self) -> bool:
        """True if the table is too large to show at once."""
        return not self.session.has_table

    def trace(self) -> Trace | None:
        session = self.session
        if session.has_table:
            session.want_table()
            return session.whole
        session.want_cells()
        return None if session.cells is None else session.cells.by_columns


class Order(StrEnum):
    COLUMNS = "columns"
    KERNEL = "kernel"


class WordsView(CellPage):
    """Machine words of some cells: their columns, and the cell order of the kernel."""

    first_unit = Unit.COLUMN

    def __init__(self, session: CellSession, theme: Theme) -> None:
        super().__init__(session, theme)
        self.order = Segments[Order]("Order of the words", theme, parent=self)
        self.order.add(Order.COLUMNS, "Columns", "A word is 64 rows of a column")
        self.order.add(Order.KERNEL, "As in the kernel", "The words that the kernel uses for these rows, step by step")
        self.order.choose(Order.COLUMNS)
        self.order.chosen.connect(self._updated)
        self.order.picked.connect(self.stage.setFocus)
        self.stage.row.addWidget(self.order)

    @property
    def has_picker(self) -> bool:
        """True if the pair has more cells than a window."""
        return max(self.session.size) > WINDOW_LETTERS

    def trace(self) -> Trace | None:
        session = self.session
        session.want_cells()
        cells = session.cells
        if cells is None:
            return None
        self.order.setVisible(cells.layout is not None)
        return cells.in_kernel if self.order.value is Order.KERNEL else cells.by_columns

    def show_step(self, unit: Unit | None, step: int | None) -> None:
        self.order.choose(Order.KERNEL if unit is Unit.WORD else Order.COLUMNS)
        self._updated()
        super().show_step(unit, step)
