"""Letters that were not read: said apart in the window, and counted otherwise at a choice without another run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.app.alignments import from_cigar, sequence
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.differences_model import row_texts
from wavediff.app.compare.differences_order import KIND
from wavediff.app.ui.json_store import JsonStore
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window.job_options import JobOptions
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.recent import RecentPairs
from wavediff.app.window.session import Session
from wavediff.app.window.settings import Settings
from wavediff.core.export.differences import ListedDifferences
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import rows_of
from wavediff.core.sequences.letter_rules import Ambiguity

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
KEYS = {"missing_columns", "compatible_columns"}
TIMEOUT_MS = 120_000  # the kernel may have to be compiled
A = "ACGTACGTTAGACCATTAGACAGTTACCATGAGACATTAGC"
B = "ACGTNNNTTAGRCCATTAGACAGTTACCTTGAGACATTAGC"  # three N, an R instead of an A, a substitution


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session = Session(RecentPairs(JsonStore(tmp_path / "recent.json")), JobOptions(method="edit", device=Device.CPU))
    window = MainWindow(session, Theme(Scheme.LIGHT), Settings())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    with qtbot.waitSignal(session.compared, timeout=TIMEOUT_MS):
        session.open_texts(A, B)
    yield window
    assert session.close()


def test_the_answer_says_n_apart_until_it_is_chosen_otherwise(qtbot: QtBot, window: MainWindow) -> None:
    session, words = window.session, window.answer.words
    assert words.words.sentence == "2 substitutions and 3 N · 94.7 % identical"
    assert "3 columns with N are no differences and in no identity" in words.words.tip
    said = {
        Ambiguity.LETTERS: ("5 substitutions · 87.8 % identical", None),
        Ambiguity.COMPATIBLE: ("1 substitution and 4 compatible codes · 97.6 % identical", ("compatible_columns", 4)),
        Ambiguity.MISSING: ("2 substitutions and 3 N · 94.7 % identical", ("missing_columns", 3)),
    }
    box = window.header.options_popover
    for rule, (sentence, row) in said.items():
        runs = session.slot.job
        box.refresh()
        session.choose(ambiguity=rule)
        assert words.words.sentence == sentence
        assert not session.stale
        assert session.slot.job is runs is None
        qtbot.waitUntil(lambda: session.statistics.height() > 0)
        counted = {each.key: each.value for each in session.statistics.rows}
        assert [(key, n) for key, n in counted.items() if key in KEYS] == ([row] if row else [])
        assert counted["distance"] == 5


def test_rows_of_the_list_say_which_letters_were_not_read() -> None:
    a, b = sequence("AAAAAAAACC", "a"), sequence("NNAANTACNCC", "b")
    index = index_alignment(from_cigar((2, "X"), (2, "="), (2, "X"), (2, "="), (1, "I"), (2, "=")))
    listed = ListedDifferences(a, b, index, Kinds.ANY)
    rows = rows_of(index, np.arange(3))
    kinds = ["N", "substitution, 1 N", "insertion, 1 N"]
    assert [row_texts(listed, rows, k)[KIND] for k in range(3)] == kinds
    said = [AlignmentModel(a, b, index).describe(column).split(" · ")[-1] for column in (0, 4, 8)]
    assert said == [f"{kind}, {n}" for kind, n in zip(kinds, ("2 letters", "2 letters", "1 letter"), strict=True)]
