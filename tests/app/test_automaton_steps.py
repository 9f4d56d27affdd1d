"""The states of a search: the paper's figure, several words, and what cannot be shown."""

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from wavediff.app.search.automaton_view import StepsView, traces_of
from wavediff.app.search.search_session import SearchRequest, SearchScope
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.search import SearchedRecords
from wavediff.core.sequences.pattern_list import read_list
from wavediff.core.sequences.sequence import Alphabet, Sequence
from wavediff.core.teach.automaton import MAX_TEXT_LETTERS
from wavediff.core.teach.scene import Bits
from wavediff.core.teach.unit import Unit

GOLDEN = Path(__file__).parents[1] / "golden" / "kusudo_fig2.json"


def searched(text, patterns, alphabet=Alphabet.TEXT, **wish):
    letters = np.frombuffer(text, np.uint8)
    counts = np.bincount(letters, minlength=256)
    sequence = Sequence(letters=letters, name="text", alphabet=alphabet, counts=counts)
    records = SearchedRecords(np.array([0, letters.size]), lambda _: "text", lambda _: sequence.letters)
    return SearchScope(SearchRequest(read_list(patterns), **wish), (Side.A,), (sequence,), records, sequence.characters)


@pytest.fixture
def view(qtbot, theme):
    made = StepsView(theme)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_the_words_are_those_of_figure_2(qtbot, view):
    golden = json.loads(GOLDEN.read_text())
    view.show_search(searched(golden["text"].encode(), golden["pattern"].encode()))
    stage, (trace,) = view.stage.stage, view.traces
    for at, wanted in enumerate(golden["rows"], 1):
        qtbot.keyClick(stage.canvas, Qt.Key.Key_Right)
        assert stage.player.frame.step == at
        words = trace.scene(Unit.LETTER, at).parts[-1]
        assert isinstance(words, Bits)
        shifted, mask, state = (word for _, word in words.rows[:3])
        assert state == wanted
        assert int(shifted, 2) | int(mask, 2) == int(wanted, 2)
    qtbot.keyClick(stage.canvas, Qt.Key.Key_Left)
    qtbot.keyClick(stage.canvas, Qt.Key.Key_Left)
    assert stage.sentence.text == "T: an accepting state is 0: TCAT ends with letter 5."
    assert not view.grab().isNull()


def test_several_words_and_what_cannot_be_shown(view):
    view.show_search(searched(b"abc", b"\n".join(bytes([k]) * 9 for k in range(97, 97 + 26))))
    assert len(view.traces) == 1
    assert view.words.isHidden()
    view.show_search(searched(b"abc", b"\n".join(bytes([k]) * 9 for k in range(48, 48 + 40))))
    assert view.words.count() == 2
    view.words.activated.emit(1)
    assert view.stage.trace is view.traces[-1]
    view.show_search(searched(b"a" * (MAX_TEXT_LETTERS + 1), b"a"))
    assert "up to 2,000 letters" in view.reason.text
    assert view.stage.isHidden()
    view.show_search(searched(b"abc", b"abc", errors=1))
    assert "exact hits only" in view.reason.text
    view.show_search(None)
    assert view.traces == []


def test_both_strands_and_codes_are_in_the_states():
    (trace,) = traces_of(searched(b"ACGTTGCA", b"ACN", Alphabet.DNA, both_strands=True))
    assert trace.names == ("ACN", "ACN (−)")
    assert trace.patterns == ("ACN", "NGT")
    ends = [[trace.names[k] for k in trace.ends(letter)] for letter in range(1, 9)]
    assert ends == [[], [], ["ACN"], ["ACN (−)"], [], [], [], []]


def test_letters_that_cannot_be_seen_are_told_apart():
    text = b"a\tb \xff\xfe"
    (trace,) = traces_of(searched(text, b"\xff"))
    assert len(set(trace.text)) == len(text)
    assert trace.text.isprintable()
    assert trace.ends(5) == [0]
    assert trace.ends(6) == []
