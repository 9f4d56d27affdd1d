"""The state panel against the paper's figure and against the hits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.search.automaton_model import MAX_TEXT_LETTERS, BitKind, StepsModel, steps_of
from app.search.automaton_view import StepsView
from app.search.search_session import SearchRequest, SearchScope
from app.ui.pair import Side
from app.ui.theme import Theme
from core.jobs.search import SearchedRecords
from core.sequences.pattern_list import read_list
from core.sequences.sequence import Alphabet, Sequence

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
GOLDEN = Path(__file__).parents[1] / "golden" / "kusudo_fig2.json"


def searched(text: bytes, patterns: bytes, **wish: object) -> SearchScope:
    letters = np.frombuffer(text, np.uint8)
    counts = np.bincount(letters, minlength=256)
    sequence = Sequence(letters=letters, name="text", alphabet=Alphabet.TEXT, counts=counts)
    records = SearchedRecords(np.array([0, letters.size]), lambda _: "text", lambda _: sequence.letters)
    return SearchScope(SearchRequest(read_list(patterns), **wish), (Side.A,), (sequence,), records)  # type: ignore[arg-type]


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> StepsView:
    made = StepsView(theme)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


def row(model: StepsModel, k: int) -> str:
    return "".join(model.data(model.index(k, column)) for column in range(model.columnCount()))


def test_the_rows_are_those_of_figure_2(qtbot: QtBot, view: StepsView) -> None:
    golden = json.loads(GOLDEN.read_text())
    view.show_search(searched(golden["text"].encode(), golden["pattern"].encode()))
    assert row(view.model, 2) == "1111"
    for at, wanted in enumerate(golden["rows"], 1):
        qtbot.keyClick(view.table, Qt.Key.Key_Right)
        assert view.model.at == at
        assert row(view.model, 2) == wanted
        shifted, mask = int(row(view.model, 0), 2), int(row(view.model, 1), 2)
        assert shifted | mask == int(wanted, 2)
    assert [row(view.model, 2 + k) for k in range(8)] == [*golden["rows"][::-1], "1111"]
    view.slider.setValue(5)
    assert view.line.text == "5 of 7 letters taken: TCAT ends here"
    assert view.model.kind(2, 0) is BitKind.HIT
    qtbot.keyClick(view.table, Qt.Key.Key_Left)
    assert view.model.at == 4
    assert not view.grab().isNull()


def test_dummies_and_accepting_bits_are_marked(view: StepsView) -> None:
    view.show_search(searched(b"abcd", b"abcd\nxy"))
    kinds = [view.model.kind(2, column) for column in range(view.model.columnCount())]
    assert kinds.count(BitKind.ACCEPTING) == 2
    assert kinds.count(BitKind.DUMMY) == 2
    assert view.model.headerData(0, Qt.Orientation.Horizontal) == "2\n2"
    assert "dummy bit" in view.model.headerData(
        kinds.index(BitKind.DUMMY), Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )


def test_several_words_and_what_cannot_be_shown(view: StepsView) -> None:
    view.show_search(searched(b"abc", b"\n".join(bytes([k]) * 9 for k in range(97, 97 + 26))))
    assert view.words.count() == 1
    view.show_search(searched(b"abc", b"\n".join(bytes([k]) * 9 for k in range(48, 48 + 40))))
    assert view.words.count() == 2
    view.words.activated.emit(1)
    assert view.model.steps is steps_of_last(view)
    view.show_search(searched(b"a" * (MAX_TEXT_LETTERS + 1), b"a"))
    assert "up to 2,000 letters" in view.line.text
    assert not view.slider.isEnabled()
    view.show_search(searched(b"abc", b"abc", errors=1))
    assert "exact hits only" in view.line.text
    view.show_search(None)
    assert view.model.rowCount() == 0


def steps_of_last(view: StepsView) -> object:
    return view._found[-1]


def test_hits_of_the_panel_are_hits() -> None:
    text = b"abaababaab"
    (steps,) = steps_of(searched(text, b"ab\naba\nb"))
    model = StepsModel()
    model.show(steps)
    for at in range(len(text) + 1):
        model.go(at)
        wanted = {one for one in (b"ab", b"aba", b"b") if text[:at].endswith(one)}
        assert {name.encode() for name in model.ends()} == wanted
