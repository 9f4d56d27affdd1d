"""Letters without an alignment: while it is computed, of one sequence alone, where no path was asked for."""

import tracemalloc

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.app import alignment_window
from tests.app.alignment_window import place
from tests.app.alignments import from_cigar, sequence
from tests.app.fakes import Lcs, fasta
from wavediff.app.compare.alignment_actions import CopyFormat
from wavediff.app.compare.alignment_model import GAP, NOTHING, UNALIGNED
from wavediff.app.compare.other_models import UnalignedModel
from wavediff.app.compare.pair_view import PairView
from wavediff.app.compare.stepper import NOT_LISTED, NOT_YET
from wavediff.app.search.search_view import SearchView
from wavediff.app.ui.pair import CaretPlace, SharedCursor, Side
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.sequences.sequence import Alphabet, Sequence

view, shown = alignment_window.view, alignment_window.shown
FAR = 30_000  # ms, for a first search that compiles
LONG = 50_000_000  # letters
A, B = "ACGTTGCA" * 30, "ACGTAGCATT" * 30


def one_letter(n):
    letters = np.broadcast_to(np.uint8(ord("A")), (n,))
    counts = np.zeros(256, np.int64)
    counts[ord("A")] = n
    return Sequence(letters=letters, name="long", alphabet=Alphabet.DNA, counts=counts)


@pytest.mark.parametrize(("a", "b"), [("ACGTA", "GGT"), ("AC", "GGTTA"), ("ACG", "TTT"), ("ACG", ""), ("", "GG")])
def test_column_i_has_letter_i_of_both_and_nothing_beyond_an_end(a, b):
    model = UnalignedModel(sequence(a), sequence(b))
    assert model.n_columns == max(len(a), len(b))
    assert model.index.n_differences() == 0
    rows = model.rows(0, model.n_columns)
    assert set(rows.op.tolist()) == {UNALIGNED}
    for codes, letters in ((rows.a, a), (rows.b, b)):
        assert [chr(code) if code != NOTHING else "" for code in codes] == [
            letters[k : k + 1] for k in range(model.n_columns)
        ]
        assert GAP not in codes
    for col in range(model.n_columns):
        assert model.letters_at(col) == tuple(col if col < len(each) else None for each in (a, b))
        assert ("not aligned" in model.describe(col)) is (col < min(len(a), len(b)))
    for letters, column in ((a, model.index.column_of_a), (b, model.index.column_of_b)):
        assert [column(k) for k in range(len(letters))] == list(range(len(letters)))


def test_one_sequence_alone_has_columns_too_and_none_at_all_is_refused():
    assert UnalignedModel(None, sequence("ACG")).n_columns == 3
    assert UnalignedModel(sequence("ACG"), None).describe(1) == "A 2 C"
    for a, b in ((None, None), (sequence(""), None), (sequence(""), sequence(""))):
        with pytest.raises(ValueError, match="no letters"):
            UnalignedModel(a, b)


def test_fifty_million_letters_are_not_copied(view):
    a, b = one_letter(LONG), one_letter(LONG + 5)
    tracemalloc.start()
    try:
        view.show_letters(a, b, "running")
        view.navigation.go_to("B:50,000,004")
        view.grab()
        assert tracemalloc.get_traced_memory()[1] < LONG / 2
    finally:
        tracemalloc.stop()
    assert view.canvas.caret == LONG + 3
    assert view.where.text == "B 50,000,004 A"


@pytest.mark.parametrize("other", ["show_blocks", "show_contigs"])
def test_what_replaces_the_letters_returns_them_with_their_sentence_and_count(qtbot, theme, other):
    view = PairView(theme, SharedCursor())
    qtbot.addWidget(view)
    view.resize(1280, 800)
    view.show()
    view.show_letters(sequence(A), sequence(B), "Distance only", NOT_LISTED)
    getattr(view, other)(True, None, "none")
    assert (view.unaligned.isVisible(), view.strip.isVisible()) == (False, False)
    assert place(view) == f"{other.removeprefix('show_')}: {NOT_YET}"
    getattr(view, other)(False, None, "")
    assert (view.unaligned.text, view.unaligned.isVisible(), view.strip.isVisible()) == ("Distance only", True, False)
    assert place(view) == f"differences: {NOT_LISTED}"


def test_the_sentence_stands_where_the_strip_will_be_and_nothing_moves(view, qtbot):
    a, b = sequence(A, "first"), sequence(B, "second")
    view.resize(1280, 800)
    view.show_letters(a, b, "running")
    assert (view.message, view.model) == ("running", None)
    assert view.unaligned.isVisible()
    assert not view.strip.isVisible()
    before = view.canvas.geometry()
    assert place(view) == "differences: not yet"
    qtbot.keyClick(view.canvas, Qt.Key.Key_N)
    assert place(view) == "differences: not yet"
    view.show_result(a, b, from_cigar((240, "="), (60, "I")), fold_case=False)
    qtbot.waitUntil(lambda: view.model is not None)
    assert (view.message, view.unaligned.isVisible(), view.strip.isVisible()) == ("", False, True)
    assert view.canvas.geometry() == before


def test_who_reads_somewhere_stays_there_when_the_alignment_comes(view):
    a, b = sequence("C" * 3000, "first"), sequence("C" * 3050, "second")
    alignment = from_cigar((10, "="), (50, "I"), (2990, "="))
    for wanted, stays in ((2000, 2050), (0, 0)):
        view.clear("")
        view.show_letters(a, b, "running")
        view.canvas.set_caret(wanted)
        view.canvas.reveal(wanted)
        view.show_letters(a, b, "still running")
        assert view.canvas.caret == wanted
        view.show_result(a, b, alignment, fold_case=False)
        assert view.canvas.caret == stays
        assert view.canvas.is_visible(stays)


def test_who_reads_stays_there_when_the_same_pair_is_compared_again(view):
    a, b = sequence("C" * 3000, "first"), sequence("C" * 3050, "second")
    view.show_result(a, b, from_cigar((10, "="), (50, "I"), (2990, "=")), fold_case=False)
    view.navigation.go_to("A:2000")
    before = view.canvas.caret, view.canvas.position
    assert before == (2049, before[1])
    view.show_result(a, b, from_cigar((10, "="), (50, "I"), (2990, "=")), fold_case=False)
    assert (view.canvas.caret, view.canvas.position) == before
    view.show_result(a, b, from_cigar((2990, "="), (50, "I"), (10, "=")), fold_case=False)
    assert view.canvas.caret == 1999, "the same letter of A"
    assert view.canvas.is_visible(1999)
    other = sequence("C" * 3000, "other")
    view.show_result(other, b, from_cigar((3000, "="), (50, "I")), fold_case=False)
    assert view.canvas.caret == 0, "another sequence begins at its first letter"


def test_letters_of_one_side_can_be_copied_and_an_alignment_cannot(view, qtbot):
    view.show_letters(sequence("ACGTACGT"), sequence("TTG"), "running")
    view.go_to_letters(Side.B, 1, 3)
    assert (view.canvas.selection, view.canvas.selected_side) == ((1, 3), Side.B)
    view.canvas.setFocus()
    qtbot.keyClick(view.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "TG"
    view.canvas.select_all()
    view.copy_as(CopyFormat.PLAIN_B)
    assert QGuiApplication.clipboard().text() == "TTG"
    for kind in (CopyFormat.FASTA, CopyFormat.CIGAR, CopyFormat.CLUSTAL):
        view.copy_as(kind)
        assert "are not aligned" in view.notice.text
    assert QGuiApplication.clipboard().text() == "TTG"


def test_a_hit_is_marked_in_its_own_sequence_only(view):
    view.resize(700, 420)
    view.show_letters(sequence("A" * 50), sequence("A" * 50), "running")
    pictures = []
    for side in (None, Side.A, Side.B):
        view.canvas.set_selection(20, 30, side=side)
        pictures.append(view.canvas.grab().toImage())
    assert pictures[0] != pictures[1] != pictures[2] != pictures[0]


def test_letters_are_there_while_a_comparison_runs(qtbot, window, session, tmp_path):
    Lcs.endless, Lcs.seconds = True, 0.002
    session.open_paths([fasta(tmp_path / "a.fa", ("a", A)), fasta(tmp_path / "b.fa", ("b", B))])
    qtbot.waitUntil(lambda: session.wavefront.done_cells > 0)
    assert window.alignment.message.startswith("Not aligned yet. The alignment appears")
    assert window.alignment.canvas.model.n_columns == len(B)
    assert window.pointer.caret is None, "letters that only stand over each other are no cell of the matrix"
    window.alignment.navigation.go_to("A:100")
    assert window.alignment.canvas.caret == 99
    session.stop()
    assert "Stopped before the alignment" in window.alignment.message
    assert window.alignment.canvas.caret == 99, "nobody is sent back to the first letter"


def test_a_hit_in_one_sequence_alone_is_shown_in_its_letters(qtbot, window, session, tmp_path):
    qtbot.expect(session.pair.changed, session.open_paths, [fasta(tmp_path / "a.fa", ("a", A + "GATTACA" + A))])
    assert "B is missing" in window.alignment.message
    window.actions_by_id["search"].trigger()
    panel = window.view(SearchView)
    panel.wish.editor.setPlainText("GATTACA")
    qtbot.expect(session.search.finished, panel.wish.search_button.click)
    panel.hits.select(0)
    qtbot.keyClick(panel.hits.rows, Qt.Key.Key_Return)
    assert window.alignment.canvas.selection == (len(A), len(A) + 7)
    assert window.alignment.canvas.selected_side is Side.A
    qtbot.waitUntil(lambda: window.alignment.canvas.is_visible(len(A)), timeout=5000)
    assert window.pointer.caret == CaretPlace(len(A), 0, Side.B), "so that other views can follow"


def test_both_empty_leaves_a_sentence(shown, qtbot):
    view = shown()
    nothing = Alignment(np.empty(0, np.uint8), np.empty(0, np.int64))
    view.show_result(sequence(""), sequence(""), nothing, fold_case=False)
    qtbot.waitUntil(lambda: "empty" in view.message)
    assert view.canvas.model is None
