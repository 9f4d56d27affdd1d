"""The cells of a comparison: the whole table of a small pair, a window of a large one."""

from __future__ import annotations

from app.compare.cell_page import CellPage
from core.teach.scene import Trace
from core.teach.unit import Unit
from core.teach.window_trace import WindowTrace, cells_table


class CellsView(CellPage):
    """See the module."""

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
