"""Views of the computation beside the map, and the pages that show them."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtWidgets import QWidget

from wavediff.app.compare.cell_pages import CellPage, CellsView, WordsView
from wavediff.app.compare.cell_session import CellSession
from wavediff.app.compare.dots.dot_page import DotPage
from wavediff.app.ui.chooser import Segments
from wavediff.app.ui.theme import Theme


class View(StrEnum):
    """Views of the same square."""

    MAP = "map"
    DOTS = "dots"
    CELLS = "cells"
    WORDS = "words"


Pages = dict[View, CellPage | DotPage]
OF_CELLS = (View.CELLS, View.WORDS)


def add_pages(
    views: Segments[View], session: CellSession, dots: DotPage, theme: Theme, parent: QWidget
) -> tuple[Pages, dict[View, CellPage]]:
    """Name the views; return all pages, hidden, and those of cells."""
    cells: dict[View, CellPage] = {
        View.CELLS: CellsView(session, theme, parent),
        View.WORDS: WordsView(session, theme, parent),
    }
    dots.setParent(parent)
    views.add(View.MAP, "Map", "The blocks of the matrix")
    views.add(View.DOTS, "Dots", "Dot plot: k-mers that A and B share, on both strands")
    views.add(View.CELLS, "Cells", "Cells of the matrix, with their numbers")
    views.add(View.WORDS, "Machine words", "The machine words that compute the cells")
    views.choose(View.MAP)
    pages: Pages = {View.DOTS: dots, **cells}
    for page in pages.values():
        page.hide()

    def offer_dots() -> None:
        why_not = dots.session.refusal
        views.offer(View.DOTS, shown=True, why_not=why_not)
        if why_not and views.value is View.DOTS:
            views.choose(View.MAP)
            views.chosen.emit(View.MAP)

    dots.session.updated.connect(offer_dots)
    offer_dots()
    return pages, cells
