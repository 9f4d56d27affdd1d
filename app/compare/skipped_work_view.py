"""The skipped work: a table of what of the matrix was left out."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent

from wavediff.app.compare.skipped_work import SkippedWorkModel, cell_of
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.figures_table import FiguresTable
from wavediff.app.ui.theme import Theme


class LedgerView(FiguresTable):
    """Above the table stands the way that was taken, and why.

    Signals:
        cells_wanted: letters of A and of B before a cell of the part of the matrix that was chosen, to be seen.
    """

    keys = (
        *FiguresTable.keys,
        ("Enter, click", "Cells of that part and their words; once more: others"),
    )
    cells_wanted = Signal(int, int)

    def __init__(self, model: SkippedWorkModel, blocks: BlockMapModel, theme: Theme) -> None:
        super().__init__(model, "Skipped work", 0, theme)
        self._ledger, self._blocks = model, blocks
        self._turns: dict[int, int] = {}  # times that a line was chosen
        self.table.clicked.connect(self._choose)
        model.modelReset.connect(self._turns.clear)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.table.currentIndex())
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        row = index.row()
        if self._blocks.n_cells and 0 <= row < len(self._ledger.rows):
            turn = self._turns.get(row, 0)
            self._turns[row] = turn + 1
            self.cells_wanted.emit(*cell_of(self._ledger.rows[row], self._blocks, turn))
