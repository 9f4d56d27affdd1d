"""Letters that were not read: said apart in the window, and counted otherwise at a choice without another run."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.app.alignments import from_cigar, sequence
from tests.app.parts import kinds, open_texts
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.difference_list import KIND
from wavediff.app.compare.differences_model import DIFFERENCES
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.session import Session
from wavediff.app.window.settings import Settings
from wavediff.core.base.numbers import number
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.alignment import APART
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import rows_of
from wavediff.core.sequences.letter_rules import Ambiguity

KEYS = {"missing_columns", "compatible_columns"}
TIMEOUT_MS = 120_000  # the kernel may have to be compiled
A = "ACGTACGTTAGACCATTAGACAGTTACCATGAGACATTAGC"
B = "ACGTNNNTTAGRCCATTAGACAGTTACCTTGAGACATTAGC"  # three N, an R instead of an A, a substitution


@pytest.fixture
def window(qtbot, tmp_path):
    session = Session(
        RecentPairs(SettingsFile(tmp_path / "wavediff.ini")), JobOptions(method="edit", device=Device.CPU)
    )
    window = MainWindow(session, Theme(Scheme.LIGHT), Settings())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    qtbot.expect(session.compared, open_texts, session, A, B)
    yield window
    assert session.close()


def test_the_answer_says_n_apart_until_it_is_chosen_otherwise(qtbot, window):
    session, words = window.session, window.answer.words
    assert words.words.sentence == "2 substitutions (3 unknown bases not counted) · 94.7 % identical"
    assert "3 columns with N are no differences and in no identity" in words.words.tip
    said = {
        Ambiguity.LETTERS: ("5 substitutions · 87.8 % identical", None),
        Ambiguity.COMPATIBLE: (
            "1 substitution (4 compatible codes not counted) · 97.6 % identical",
            ("compatible_columns", 4),
        ),
        Ambiguity.MISSING: ("2 substitutions (3 unknown bases not counted) · 94.7 % identical", ("missing_columns", 3)),
    }
    box, letters = window.header.options_popover, window.alignment
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
        qtbot.waitUntil(lambda: letters.model is not None and not window.turns.busy)
        shown = {kind: button for kind, button in kinds(letters).items() if button.isVisible()}
        n_apart = {Ambiguity.LETTERS: 0, Ambiguity.COMPATIBLE: 4, Ambiguity.MISSING: 3}[rule]
        chips = {Kinds.MISMATCH: number(5 - n_apart)} | ({Kinds.APART: number(n_apart)} if n_apart else {})
        assert {kind: button.text() for kind, button in shown.items()} == chips
        assert [kind for kind, button in shown.items() if button.isChecked()] == [Kinds.MISMATCH]
        rows = window.view(DifferencesView).model
        n_rows = {Ambiguity.LETTERS: 3, Ambiguity.COMPATIBLE: 1, Ambiguity.MISSING: 2}[rule]
        assert (rows.n_rows, counted["distance"], counted["mismatches"]) == (n_rows, 5 - n_apart, 5 - n_apart)


def test_unknown_bases_are_quiet_until_they_are_asked_for(qtbot, window):
    """A consensus that begins with 60 N: they are no step and no row, but there are a chip, a lane and grey letters."""
    session, letters = window.session, window.alignment
    a = "".join(np.random.default_rng(7).choice(list("ACGT"), 9_000))
    b = "N" * 60 + a[60:200] + ("C" if a[200] != "C" else "G") + a[201:4_000] + a[4_001:]
    qtbot.expect(session.compared, open_texts, session, a, b)
    qtbot.waitUntil(lambda: letters.model is not None and not window.turns.busy)
    assert window.answer.words.words.sentence.startswith("2 edits (60 unknown bases not counted) · ")
    rows, chip = window.view(DifferencesView).model, kinds(letters)[Kinds.APART]
    assert (rows.n_rows, chip.text(), chip.isChecked()) == (2, "60", False)
    letters.navigation.go_next()
    assert letters.canvas.caret == 200
    assert letters.model.rows(0, 61).op.tolist() == [APART] * 60 + [0]
    assert letters.model.describe(3).endswith("unknown (N), 60 letters")
    assert [lane.kind for lane in letters.strip.lanes_of(0) if lane.track is None][-1] == APART
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert rows.n_rows == 3
    assert rows.index(0, KIND).data() == "unknown (N)"
    letters.navigation.go_previous()
    assert letters.canvas.caret == 0
    qtbot.expect(session.compared, open_texts, session, a, "N" * 60 + a[60:])
    qtbot.waitUntil(lambda: letters.model is not None and not window.turns.busy)
    assert (rows.n_rows, chip.isChecked()) == (1, True), "there is nothing else to list"


def test_rows_of_the_list_say_which_letters_were_not_read():
    a, b = sequence("AAAAAAAACC", "a"), sequence("NNAANTACNCC", "b")
    apart_at = np.array([[0, 2], [4, 5]])
    index = index_alignment(from_cigar((2, "X"), (2, "="), (2, "X"), (2, "="), (1, "I"), (2, "=")), None, apart_at)
    listed = ListedDifferences(a, b, index, Kinds.ANY)
    rows = rows_of(index, np.arange(4))
    kinds = ["unknown (N)", "unknown (N)", "substitution", "insertion, 1 N"]
    assert [DIFFERENCES.texts(listed, rows, k)[KIND] for k in range(4)] == kinds
    said = [AlignmentModel(a, b, index).describe(column).split(" · ")[-1] for column in (0, 4, 5, 8)]
    assert said == [f"{kind}, {n}" for kind, n in zip(kinds, ("2 letters", *["1 letter"] * 3), strict=True)]
    assert DIFFERENCES.shown(listed) == "2 differences, 2 unknown"
