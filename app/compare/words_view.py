"""The machine words of some cells: their columns, and the order in which the kernel really has them."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.compare.cell_page import CellPage, MakeStage
from app.compare.cell_session import CellSession
from app.ui.segments import Segments
from app.ui.theme import Theme
from core.methods.window_job import WINDOW_LETTERS
from core.teach.scene import Trace
from core.teach.unit import Unit
from core.teach.window_trace import WindowTrace, cells_table, in_kernel_order
from core.translate import tr


class Order(StrEnum):
    COLUMNS = "columns"
    KERNEL = "kernel"


class WordsView(CellPage):
    """See the module."""

    first_unit = Unit.COLUMN

    def __init__(self, session: CellSession, theme: Theme, stage: MakeStage, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, stage, parent)
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
        self.bar.addWidget(self.order)

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
