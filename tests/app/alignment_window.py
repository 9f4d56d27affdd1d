"""A window with an alignment, and hands: what the tests of the view share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.alignments import from_cigar, sequence
from wavediff.app.compare.alignment_view import AlignmentView
from wavediff.app.ui.pair import SharedCursor
from wavediff.app.ui.theme import Theme

Mod = Qt.KeyboardModifier
Shown = Callable[..., AlignmentView]


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> Iterator[AlignmentView]:
    """Return a view that lives until its window is closed.

    qtbot holds widgets weakly, and a view left to the garbage collector dies in whatever paints it last.
    """
    widget = AlignmentView(theme, SharedCursor())
    widget.resize(700, 420)
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    yield widget
    widget.close()


@pytest.fixture
def shown(qtbot: QtBot, view: AlignmentView) -> Shown:
    """Return a function that shows an alignment: six differences of three kinds unless told otherwise."""

    def show(*runs: tuple[int, str], size: tuple[int, int] = (700, 420)) -> AlignmentView:
        gap = (2, "D"), (3, "I")
        runs = runs or (
            (30, "="), *gap, (400, "="), (1, "X"), (500, "="), (4, "I"), (600, "="), (1, "D"), (5, "="), (1, "X"),
        )  # fmt: skip
        alignment = from_cigar(*runs)
        letters = "ACGT" * (alignment.n_columns // 4 + 1)
        view.resize(*size)
        pair = sequence(letters[: alignment.n_a], "first"), sequence(letters[: alignment.n_b], "second")
        view.show_result(*pair, alignment, fold_case=False)
        qtbot.waitUntil(lambda: view.model is not None)
        view.canvas.setFocus()
        return view

    return show


def place(view: AlignmentView) -> str:
    return view.stepper.place_label.text


def centre_of(view: AlignmentView, col: int) -> QPoint:
    surface = view.canvas.surface
    assert surface is not None
    x, y = surface.place(col, view.canvas.position)
    ratio = view.canvas.devicePixelRatioF()
    cells = surface.cells
    return QPointF((view.canvas.gutter + x + cells.width / 2) / ratio, (y + cells.block / 2) / ratio).toPoint()


def wheel(view: AlignmentView, notches: int, modifiers: Mod = Mod.NoModifier) -> None:
    at = QPointF(300, 150)
    event = QWheelEvent(
        at, view.canvas.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.canvas, event)
