"""Kim, Na and Sim's table H of the pair that was compared with swaps, stepped as in the lessons."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.teach.trace_stage import TraceStage
from app.ui.comparison import Comparison
from app.ui.letter_text import one_by_one
from app.ui.panel_view import PanelView
from app.ui.theme import Theme
from core.arrays import Letters
from core.jobs.alignment import Op
from core.jobs.swap_result import SwapEditResult
from core.methods.swap import SWAP
from core.teach.optimal_paths import Cell
from core.teach.swap_table import SwapTable
from core.teach.swap_trace import SwapTrace
from core.translate import tr

EXAMPLE = ("ababca", "cbacab")
MAX_TABLE_LETTERS = 256  # letters a side: a table of as many is there within a frame


class SwapTableView(PanelView):
    """Whole at first, with the script of the comparison in it; each cell says how it comes about.

    Signals:
    example_wanted: the two texts of the paper's example.
    """

    keys = TraceStage.keys
    example_wanted = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outcome: Comparison | None = None  # what is not shown yet
        self.stage = TraceStage(theme, self)
        self.message = QLabel(tr("Compare by “{method}” to see the table of distances", method=tr(SWAP.name)), self)
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        example = QPushButton(tr("Example of Kim 2015"), self)
        example.setToolTip(
            tr("Compare {a} with {b}, as in Fig. 1 of Kim, Na and Sim (2015)", a=EXAMPLE[0], b=EXAMPLE[1])
        )
        example.clicked.connect(self._want_example)
        top = QHBoxLayout()
        top.addWidget(self.message, 1)
        top.addWidget(example, 0, Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.stage, 1)
        self.stage.hide()
        self.setFocusProxy(self.stage)

    @Slot(object)
    def show_outcome(self, outcome: Comparison) -> None:
        """Show the table of ``outcome``, or say why there is none."""
        self._outcome = outcome
        if self.isVisible():
            self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        outcome, self._outcome = self._outcome, None
        if outcome is None:
            return
        swaps = hasattr(outcome.result, "swaps")
        fits = swaps and all(1 <= len(each) <= MAX_TABLE_LETTERS for each in (outcome.a, outcome.b))
        self.stage.setVisible(fits)
        if not swaps:
            self.message.setText(tr("Compare by “{method}” to see the table of distances", method=tr(SWAP.name)))
        elif not fits:
            self.message.setText(tr("The table is shown for pairs of 1 to {n} letters", n=MAX_TABLE_LETTERS))
        else:
            self.message.setText(tr("H: edit distances with swaps of the beginnings of A and B"))
            self._step(outcome)

    def _step(self, outcome: Comparison) -> None:
        """Begin at the end, where the whole table is seen."""
        a, b = (each.comparable(outcome.fold_case) for each in (outcome.a, outcome.b))
        a, b = (_folded(each) if outcome.fold_case else each for each in (a, b))
        characters = outcome.a.characters
        trace = SwapTrace(SwapTable(one_by_one(a, characters), one_by_one(b, characters)))
        self.stage.show_trace(trace, tr("Distance table"), at_end=True, path=path_of(outcome.result))

    @Slot()
    def _want_example(self) -> None:
        self.example_wanted.emit(*EXAMPLE)


def path_of(result: SwapEditResult) -> list[Cell]:
    """Return the cells that the script goes through, from the last; a swap is one step from its first corner to its
    last."""
    if result.alignment is None or result.swaps is None:
        return []
    steps = np.repeat(result.alignment.ops, result.alignment.lengths).tolist()
    cells, i, j = [(0, 0)], 0, 0
    for op in steps:
        i, j = i + (op != Op.INSERTION), j + (op != Op.DELETION)
        cells.append((i, j))
    for a0, a1, b0, b1 in result.swaps.rows():
        cells = [(i, j) for i, j in cells if not (a0 < i <= a1 and b0 < j <= b1 + 1)]
    return cells[::-1]


def _folded(letters: Letters) -> Letters:
    lower = (letters >= ord("a")) & (letters <= ord("z"))
    return np.where(lower, letters - (ord("a") - ord("A")), letters).astype(np.uint8)
