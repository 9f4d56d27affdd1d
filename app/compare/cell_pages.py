"""The pages of cells and of words beside the map: a sentence on what they show, and the stage that steps it."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.compare.cell_session import CellSession, path_cells
from app.compare.window_picker import WindowPicker
from app.ui.number_text import grouped, rough_duration
from app.ui.segments import Segments
from app.ui.stage.scene_style import Preset
from app.ui.stage.trace_stage import TraceStage
from app.ui.theme import Theme
from core.base.translate import tr, tr_noop
from core.methods.window_job import WINDOW_LETTERS
from core.teach.scene import Trace
from core.teach.table import MAX_TABLE_LETTERS
from core.teach.unit import Unit
from core.teach.window_trace import WindowTrace, cells_table, in_kernel_order

EMPTY = tr_noop("Here you watch the comparison being computed, cell by cell.")
NO_CELLS = tr_noop("The cells of {method} with these choices cannot be shown; those from corner to corner can.")
TOO_LARGE = tr_noop(
    "A table of {n} × {m} cells is too large to be read; up to {most} × {most} are shown. Click a block on the map to "
    "see cells of it, or play the run there."
)


class CellPage(QWidget):
    """A page of the computation; what it shows a subclass says."""

    first_unit = Unit.CELL

    def __init__(self, session: CellSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._shown: Trace | None = None
        self._stale = True
        self.note = QLabel(self)
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.compute_button = QPushButton(tr("Compute these cells"), self)
        self.picker = WindowPicker(session, theme, self)
        self.stage = TraceStage(theme, self, preset=Preset.DESK, narrow=True, unit=self.first_unit)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (self.note, self.compute_button, self.picker):
            layout.addWidget(widget)
        layout.addWidget(self.stage, 1)
        layout.addStretch(0)
        self.compute_button.clicked.connect(session.compute)
        self.picker.wanted.connect(session.move)
        session.updated.connect(self._updated)
        self.setFocusProxy(self.stage)

    # Asked of subclasses

    def trace(self) -> Trace | None:
        """Return what is stepped; None while it is not there."""
        raise NotImplementedError

    @property
    def has_picker(self) -> bool:
        """True where a window is chosen."""
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

    def _show(self) -> None:
        self._stale = False
        session, trace = self.session, self.trace()
        seconds = session.seconds
        self.note.setText(self._note(seconds, trace))
        self.note.setVisible(bool(self.note.text()))
        self.compute_button.setVisible(seconds > 0 and not session.running)
        self.picker.setVisible(self.has_picker and session.area is not None)
        self.stage.setVisible(trace is not None)
        if trace is not None and trace is not self._shown:
            path = path_cells(session.outcome.result) if session.outcome is not None and trace is session.whole else []
            self.stage.show_trace(trace, "", at_end=True, path=path)  # as the map is, which shows the run at its end
        elif trace is None:
            self.stage.stage.play(False)
        self._shown = trace

    def _note(self, seconds: float, trace: Trace | None) -> str:
        """Return what is said above the cells, or in their place."""
        session = self.session
        if session.outcome is None:
            return tr(EMPTY)
        if not session.method:
            return tr(NO_CELLS, method=tr(session.outcome.method.long_name))
        n, m = session.size
        if self.has_picker and session.area is None:
            return tr(TOO_LARGE, n=grouped(n), m=grouped(m), most=grouped(MAX_TABLE_LETTERS))
        if session.running:
            return session.status
        if session.is_awaited and session.cells is None:
            return tr("The run has not come to these cells yet.")
        if seconds:
            text = tr_noop("Too little of this run is kept here: what is above these cells is computed again, {time}.")
            return tr(text, time=rough_duration(seconds))
        return "" if trace is not None or min(n, m) else tr("An empty sequence has no cells.")

    # The moment

    @property
    def share(self) -> float | None:
        """0 to 1: how far it is stepped; None while nothing is."""
        return None if self._shown is None else self.stage.share

    def show_share(self, share: float) -> None:
        """Show the step that is so far from the first to the last."""
        self.stage.show_share(share)


class CellsView(CellPage):
    """The cells of a comparison: the whole table of a small pair, a window of a large one."""

    first_unit = Unit.CELL
    _window: tuple[object, Trace] | None = None  # the cells that the last trace is of

    @property
    def has_picker(self) -> bool:
        """True where the table is too large to be shown."""
        return not self.session.has_table

    def trace(self) -> Trace | None:
        session = self.session
        if session.has_table:
            session.want_table()
            return session.whole
        session.want_cells()
        cells = session.cells
        if cells is None:
            return None
        if self._window is None or self._window[0] is not cells:
            self._window = cells, WindowTrace(cells_table(session.method, cells.a, cells.b, cells.values), cells.words)
        return self._window[1]


class Order(StrEnum):
    COLUMNS = "columns"
    KERNEL = "kernel"


class WordsView(CellPage):
    """The machine words of some cells: their columns, and the order in which the kernel really has them."""

    first_unit = Unit.COLUMN

    def __init__(self, session: CellSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._made: dict[Order, Trace] = {}
        self._of: object = None  # the cells that these are of
        self.order = Segments[Order](tr("Order of the words"), theme, parent=self)
        self.order.add(Order.COLUMNS, tr("Columns"), tr("A word is 64 rows of a column"))
        self.order.add(
            Order.KERNEL,
            tr("As in the kernel"),
            tr("The words in which the kernel really has these rows, step by step"),
        )
        self.order.choose(Order.COLUMNS)
        self.order.chosen.connect(self._order_chosen)
        self.order.picked.connect(self.stage.setFocus)
        self.stage.row.addWidget(self.order)

    @property
    def has_picker(self) -> bool:
        """True where the pair has more cells than a window."""
        return max(self.session.size) > WINDOW_LETTERS

    def trace(self) -> Trace | None:
        session = self.session
        session.want_cells()
        cells = session.cells
        if cells is None:
            return None
        if cells is not self._of:
            self._made, self._of = {}, cells
        layout = cells.layout
        self.order.setVisible(layout is not None)
        order = Order.COLUMNS if layout is None else self.order.value or Order.COLUMNS
        if order not in self._made:
            trace = WindowTrace(cells_table(session.method, cells.a, cells.b, cells.values), cells.words)
            if order is Order.KERNEL and layout is not None:
                row, col = cells.area.row - cells.before, cells.area.col - cells.before
                trace = in_kernel_order(trace, layout, row, col)
            self._made[order] = trace
        return self._made[order]

    @Slot()
    def _order_chosen(self) -> None:
        self._updated()
