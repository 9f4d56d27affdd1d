"""Pages of the computation panel, and the tools above its map."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from wavediff.app.compare.cell_pages import CellPage, CellsView, WordsView
from wavediff.app.compare.cell_session import CellSession
from wavediff.app.compare.dots.dot_page import DotPage
from wavediff.app.ui.block_map.block_colours import NAMES, ColourBy
from wavediff.app.ui.chooser import Chooser, Segments
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.choices import View


class MapTools(QWidget):
    """Toolbar for a run that can be replayed.

    Signals:
        colours_chosen: a ``ColourBy``.
        finer_wanted: compare the pair again in finer blocks.
        own_wanted: show the run of the answer again.
    """

    colours_chosen = Signal(object)
    finer_wanted = Signal()
    own_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.colours = Chooser[ColourBy]("Colour of the blocks", self, "What the colour of a computed block shows")
        for by, name in NAMES.items():
            self.colours.add(by, name)
        self.colours.activated.connect(lambda: self.colours_chosen.emit(self.colours.value))
        label = QLabel("Colour", self)
        label.setBuddy(self.colours)
        self.finer = QPushButton("Replay with smaller blocks", self)
        self.finer.setToolTip("Repeat the comparison with smaller blocks, for a more detailed map")
        self.finer.clicked.connect(self.finer_wanted)
        self.title = QLabel(self, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.own = QPushButton(self)
        self.own.clicked.connect(self.own_wanted)
        in_column(self.title, in_row(label, self.colours, 1, self.finer, self.own, gap=8), on=self, margin=0)
        self.show_title("", "")

    def show_title(self, title: str, back: str) -> None:
        """Show the name of another run and the label of its close button; empty: the answer's run."""
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.own.setText(back)
        self.own.setVisible(bool(title))
        if title and self.finer.hasFocus():
            self.own.setFocus()  # it takes the place of the other one


Pages = dict[View, CellPage | DotPage]
OF_CELLS = (View.CELLS, View.WORDS)


def add_pages(
    views: Segments[View], session: CellSession, dots: DotPage, theme: Theme, parent: QWidget
) -> tuple[Pages, dict[View, CellPage]]:
    """Add the views to ``views``; return the hidden pages of all except the map, and those of cells again."""
    cells: dict[View, CellPage] = {View.CELLS: CellsView(session, theme), View.WORDS: WordsView(session, theme)}
    pages: Pages = {**cells, View.DOTS: dots}
    for page in pages.values():
        page.setParent(parent)
        page.hide()
    views.add(View.MAP, "Map", "The blocks of the matrix")
    views.add(View.DOTS, "Dots", "Dot plot: k-mers that A and B share, on both strands")
    views.add(View.CELLS, "Cells", "Cells of the matrix, with their numbers")
    views.add(View.WORDS, "Machine words", "The machine words that compute the cells")
    views.choose(View.MAP)

    def offer_dots() -> None:
        why_not = dots.session.refusal
        views.offer(View.DOTS, shown=True, why_not=why_not)
        if why_not and views.value is View.DOTS:
            views.choose(View.MAP)
            views.chosen.emit(View.MAP)

    dots.session.updated.connect(offer_dots)
    offer_dots()
    return pages, cells
