"""The panel of an alignment made elsewhere: opened, dropped, alone, on the other strand, wrong, and in the letters."""

import gzip
import json
import os
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QMessageBox, QPlainTextEdit, QScrollBar, QToolButton
from rapidfuzz.distance import Levenshtein

from tests.app.fakes import fasta
from tests.cli.helpers import call
from tests.core.reading.test_alignment_files import BLOCK
from tests.core.reading.test_alignments import GOOD, A, B
from wavediff.app.compare.alignment_actions import CopyFormat
from wavediff.app.compare.given_view import EMPTY, GivenView
from wavediff.app.compare.other_models import StackedModel
from wavediff.app.draw.recording import widget_parts
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import GivenFile, Side
from wavediff.app.ui.save_dialog import DropData
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.core.export.registry import COMPARISON
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.sequences.orientation import Strand, reverse_complement

ROWS = ">a\nACGTACGTT-AGCTAGGCTTACGATCGAT\n>b\nACGTACG--TAGCTAGGCTTACGATCGAT\n"


@pytest.fixture
def pair(qtbot, window, tmp_path):
    """A window that has compared a pair by scores, with real kernels."""
    window.resize(1280, 800)
    window.session.start_with("affine")
    files = fasta(tmp_path / "a.fa", ("a", A)), fasta(tmp_path / "b.fa", ("b", B))
    qtbot.expect(window.session.compared, window.session.open_paths, files)
    return window


def view_of(window):
    return window.view(GivenView)


def drop(qtbot, window, path, text):
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    window.commands.take(DropData((path,)), None)
    qtbot.waitUntil(view_of(window).isVisible)


def shown(qtbot, window, words):
    qtbot.waitUntil(lambda: words in view_of(window).text.toPlainText())
    return view_of(window).text.toPlainText()


def test_a_file_that_is_dropped_on_the_pair_stands_beside_ours(qtbot, pair, tmp_path):
    assert view_of(pair).text.toPlainText() == EMPTY
    drop(qtbot, pair, tmp_path / "own.paf", GOOD)
    text = shown(qtbot, pair, "Theirs")
    assert "own.paf, line 1, 0 columns differ from ours" in text
    assert str(tmp_path) not in text, "a picture of the panel would have the path"
    assert "score (DNAfull, gaps 10 + 0.5)" in text
    assert pair.session.pair.complete is not None
    qtbot.expect(pair.session.compared, pair.session.choose, gap_open=4)
    shown(qtbot, pair, "score (DNAfull, gaps 4 + 0.5)")


def test_names_that_are_not_those_of_the_pair_are_told(qtbot, pair, tmp_path):
    def told():
        return [one.text for one in pair.answer.notices.notices if "are used as" in one.text]

    drop(qtbot, pair, tmp_path / "own.paf", GOOD)
    shown(qtbot, pair, "Theirs")
    assert told() == []
    drop(qtbot, pair, tmp_path / "other.paf", GOOD.replace("\ta\t", "\tyy\t").replace("b\t", "zz\t", 1))
    qtbot.waitUntil(lambda: told() == ["other.paf: yy and zz in this file are used as a and b"])


@pytest.mark.parametrize("name", ["rows.aln", "rows.ALN.gz"])
def test_a_file_alone_is_the_pair_too(qtbot, window, tmp_path, name):
    window.session.start_with("affine")
    with qtbot.waitSignal(window.session.compared):
        drop(qtbot, window, tmp_path / name, ROWS)
    text = shown(qtbot, window, "2 columns differ from ours")
    assert "^^" in text
    assert [one.name for one in window.session.pair.complete] == ["a", "b"]


def test_a_block_of_a_genome_alone_is_the_pair_under_its_places(qtbot, window, tmp_path):
    window.session.start_with("affine")
    with qtbot.waitSignal(window.session.compared):
        drop(qtbot, window, tmp_path / "block.maf", BLOCK.format("-"))
    shown(qtbot, window, "block.maf, line 3, ")
    assert [one.name for one in window.session.pair.complete] == ["hum.chr1:6-13", "mus.chr2:39-47(-)"]


@pytest.mark.parametrize("name", ["rows.fa", "rows", "rows.txt", "rows.txt.gz"])
def test_rows_of_fasta_are_an_alignment_by_their_content(qtbot, window, tmp_path, name):
    window.session.start_with("affine")
    with qtbot.waitSignal(window.session.compared):
        drop(qtbot, window, tmp_path / name, ROWS)
    shown(qtbot, window, "2 columns differ from ours")
    assert [one.name for one in window.session.pair.complete] == ["a", "b"]


def test_any_two_rows_of_a_file_alone_are_chosen(qtbot, window, tmp_path):
    window.session.start_with("affine")
    with qtbot.waitSignal(window.session.compared):
        drop(qtbot, window, tmp_path / "rows.fa", f"{ROWS}>c\nACGT-CGTT-AGCTAGGCTTACGATCGAT\n")
    view = view_of(window)
    shown(qtbot, window, "Theirs")
    names = [view.choice.itemText(k) for k in range(view.choice.count())]
    assert names[1:] == ["a 1-28 with b 1-27", "a 1-28 with c 1-27", "b 1-27 with c 1-27"]
    view.choice.setCurrentIndex(3)
    with qtbot.waitSignal(window.session.compared):
        view.choice.activated.emit(3)
    qtbot.waitUntil(lambda: isinstance(window.alignment.model, StackedModel))
    assert [one.name for one in window.session.pair.complete] == ["b", "c"]
    window.history.undo()
    qtbot.waitUntil(lambda: window.session.pair.complete and window.session.pair[Side.A].name == "a")
    qtbot.waitUntil(lambda: isinstance(window.alignment.model, StackedModel))


PART = "##maf version=1\na score=0\ns one 4 8 + 20 ACGTACGT\ns two 2 7 + 11 ACG-ACGT\n\n"


def test_rows_of_other_sequences_are_offered_as_a_pair(qtbot, pair, tmp_path):
    drop(qtbot, pair, tmp_path / "rows.fa", ROWS.replace("ACGTACGTT", "TTGTACGTT"))
    shown(qtbot, pair, "rows.fa, line 2: 'T' for letter 1 of A")
    (notice,) = (one for one in pair.answer.notices.notices if one.actions and "own" in one.actions[0].text)
    with qtbot.waitSignal(pair.session.compared):
        notice.actions[0].do()
    shown(qtbot, pair, "Theirs")
    assert len(pair.session.pair[Side.A]) == 28


def test_b_is_turned_to_the_strand_of_the_file(qtbot, pair, tmp_path):
    minus = reverse_complement(B.encode()).decode()
    files = fasta(tmp_path / "a.fa", ("a", A)), fasta(tmp_path / "b.fa", ("b", minus))
    qtbot.expect(pair.session.compared, pair.session.open_paths, files)
    drop(qtbot, pair, tmp_path / "own.paf", GOOD.replace("\t+\t", "\t-\t"))
    shown(qtbot, pair, "0 columns differ from ours")
    assert pair.session.pair.orientation.strand is Strand.MINUS


OTHER = GOOD.replace("7=1D9=1I10=1D7=1I9=", "7=1D36M1I")


def test_both_are_in_the_letters_and_stepped_through(qtbot, pair, tmp_path):
    ours = pair.alignment.model.index.alignment.cigar()
    drop(qtbot, pair, tmp_path / "t.paf", OTHER)
    shown(qtbot, pair, "columns differ from ours")
    model, letters = pair.alignment.model, pair.alignment
    assert isinstance(model, StackedModel)
    rows = model.rows(0, model.n_columns)
    seen = ["".join(chr(code) if code >= 0 else "-" for code in row) for row in (rows.a, rows.b, rows.theirs)]
    assert [row.replace("-", "") for row in seen] == [A, B, B]
    assert rows.differs.tolist() == (rows.b_place != rows.theirs_place).tolist()
    for _ in range(2):
        letters.actions_by_id["next_difference"].trigger()
    assert letters.steps.where() == f"disagreement 2 of {model.steps.n_differences()}"
    assert rows.differs[letters.canvas.caret]
    assert letters.where.text.endswith("disagreement")
    substitutions = kind_button(letters, "substitution") if "X" in ours else kind_button(letters, "nsertions")
    total = letters.model.index.n_differences(Kinds.MISMATCH if "X" in ours else Kinds.INSERTION)
    qtbot.mouseClick(substitutions, Qt.MouseButton.LeftButton)
    letters.actions_by_id["first_difference"].trigger()
    assert letters.steps.where() == f"difference 1 of {total}", "differences of ours are stepped through, too"
    qtbot.mouseClick(substitutions, Qt.MouseButton.LeftButton)
    assert "disagreement" in letters.steps.where()
    letters.actions_by_id["first_difference"].trigger()
    letters.actions_by_id["next_difference"].trigger()
    assert letters.grab().toImage() is not None
    assert len(letters.listed) == len(re.findall("[XID]", ours)), "the list is of ours"
    letters.canvas.select_all()
    letters.copy_as(CopyFormat.FASTA)
    lines = QGuiApplication.clipboard().text().split(">")[1:]
    assert ["".join(each.splitlines()[1:]) for each in lines] == seen
    letters.copy_as(CopyFormat.CIGAR)
    assert QGuiApplication.clipboard().text() == ours
    qtbot.mouseClick(view_of(pair).in_letters, Qt.MouseButton.LeftButton)
    assert pair.alignment.model.index.alignment.cigar() == ours
    assert "difference" in letters.steps.where()
    qtbot.mouseClick(view_of(pair).in_letters, Qt.MouseButton.LeftButton)
    assert isinstance(pair.alignment.model, StackedModel)


def test_a_file_that_was_mended_is_read_again(qtbot, pair, tmp_path):
    drop(qtbot, pair, tmp_path / "own.paf", GOOD.replace("7=1D9=", "7X1D9="))
    shown(qtbot, pair, "would be right")
    assert "own.paf" in pair.answer.notices.pressing.text
    time = (tmp_path / "own.paf").stat().st_mtime_ns
    (tmp_path / "own.paf").write_text(GOOD)
    os.utime(tmp_path / "own.paf", ns=(time, time + 10**9))
    pair.commands.take(DropData((tmp_path / "own.paf",)), None)
    shown(qtbot, pair, "0 columns differ from ours")
    assert pair.answer.notices.pressing is None, "its error is out of date"


def test_the_error_of_a_file_ends_with_the_file(qtbot, pair, tmp_path):
    drop(qtbot, pair, tmp_path / "own.paf", GOOD[:40])
    qtbot.waitUntil(lambda: pair.answer.notices.pressing is not None)
    qtbot.mouseClick(view_of(pair).remove, Qt.MouseButton.LeftButton)
    assert pair.answer.notices.pressing is None


def kind_button(letters, name):
    buttons = letters.stepper.findChildren(QToolButton)
    return next(one for one in buttons if one.isVisible() and one.isCheckable() and name in one.accessibleName())


def test_where_both_agree_differences_are_stepped_through_and_it_is_removed(qtbot, pair, tmp_path):
    view, letters = view_of(pair), pair.alignment
    assert not view.remove.isVisible()
    drop(qtbot, pair, tmp_path / "own.paf", GOOD)
    shown(qtbot, pair, "0 columns differ from ours")
    qtbot.waitUntil(lambda: isinstance(letters.model, StackedModel))
    total = letters.model.index.n_differences()
    assert letters.steps.where() == f"{total} differences"
    letters.actions_by_id["first_difference"].trigger()
    assert letters.steps.where() == f"difference 1 of {total}"
    qtbot.mouseClick(view.remove, Qt.MouseButton.LeftButton)
    assert pair.session.state.given is None
    assert view.text.toPlainText() == EMPTY
    assert not view.remove.isVisible()
    qtbot.waitUntil(lambda: not isinstance(letters.model, StackedModel))
    pair.history.undo()
    qtbot.waitUntil(lambda: isinstance(letters.model, StackedModel))
    assert view.remove.isVisible()


def test_a_picture_of_the_panel_has_its_text_and_no_controls(qtbot, pair, tmp_path):
    drop(qtbot, pair, tmp_path / "own.paf", GOOD)
    shown(qtbot, pair, "Theirs")
    part = parts_of(pair, pair.tabs.current, pair.centralWidget())["Given alignment"]
    sheet = part.make().sheet
    painted = [one for one, *_ in widget_parts(sheet.widget)]
    (text,) = (one for one in painted if isinstance(one, QLabel) and one is not sheet.title)
    assert text.text() == view_of(pair).text.toPlainText()
    assert not [one for one in painted if isinstance(one, QAbstractButton | QComboBox | QScrollBar)]
    assert part.area.isAncestorOf(view_of(pair).button), "with the focus there it is the part that is offered first"


@pytest.mark.parametrize("wide", [30, 300])
def test_a_picture_of_the_panel_is_as_wide_and_high_as_its_lines(qtbot, pair, wide):
    text = view_of(pair).text
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setPlainText("\n".join(["A" * wide] * 40))
    part = parts_of(pair, pair.tabs.current, pair.centralWidget())
    assert "Given alignment" not in part, "only the panel in front"
    pair.show_panel("given")
    sheet = parts_of(pair, pair.tabs.current, pair.centralWidget())["Given alignment"].make().sheet
    (seen,) = (one for one in sheet.widget.findChildren(QLabel) if one not in (sheet.title, sheet.text))
    metrics = seen.fontMetrics()
    assert seen.width() >= metrics.horizontalAdvance("A" * wide)
    assert 0 <= seen.height() - 40 * metrics.lineSpacing() < 2 * metrics.lineSpacing()


def test_exports_and_pictures_have_both_and_open_again(qtbot, pair, tmp_path, capsys):
    drop(qtbot, pair, tmp_path / "t.paf", OTHER + OTHER.replace("b\t44", "c\t44"))
    shown(qtbot, pair, "columns differ from ours")
    commands, path = pair.commands, tmp_path / "out.json"
    with qtbot.waitSignal(commands.exporter.errand.finished):
        commands.exporter.save(path, next(kind for kind in COMPARISON if kind.id == "json"))
    given = json.loads(path.read_text())["given"]
    assert (given["names"], given["lines"]) == (["a", "b"], [1])
    assert given["cigar"].startswith("7=1D")
    outcome = pair.session.outcome
    assert outcome.recipe.words[outcome.recipe.words.index("--alignment") + 1] == str(tmp_path / "t.paf")
    part = parts_of(pair, pair.tabs.current, pair.centralWidget())["Letters"]
    made = part.make()
    made.sheet.grab()
    assert "Ours and theirs (t.paf, line 1): edits 4 and" in made.sheet.text.text()
    picture, here = tmp_path / "p.svg", str(tmp_path / "t.paf")
    words = [tmp_path / "a.fa", tmp_path / "b.fa", "--alignment", here, "--record-alignment", "1", "--svg", picture]
    assert call(capsys, "compare", *words, "--quiet")[0] == 1
    pair.session.swap()
    qtbot.waitUntil(lambda: pair.session.pair[Side.A].name == "b")
    pair.commands.open_paths([picture])
    qtbot.waitUntil(lambda: pair.findChild(QMessageBox, "picture_box") is not None)
    assert "t.paf" in pair.findChild(QMessageBox, "picture_box").text()
    pair.findChild(QMessageBox, "picture_box").button(QMessageBox.StandardButton.Open).click()
    qtbot.waitUntil(lambda: isinstance(pair.alignment.model, StackedModel) and pair.session.pair[Side.A].name == "a")
    assert pair.session.state.given == GivenFile(here, 1)


@pytest.mark.parametrize(
    ("name", "text", "letters"),
    [("rows.fa", ">one\nkitten-\n>two\nsitting\n", ["kitten", "sitting"]), ("part.maf", PART, ["ACGTACGT", "ACGACGT"])],
)
def test_a_picture_of_an_alignment_alone_opens(qtbot, window, tmp_path, monkeypatch, capsys, name, text, letters):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text)
    picture = tmp_path / "p.png"
    assert call(capsys, "compare", "--alignment", name, "--method", "edit", "--png", picture, "-q")[0] == 1
    window.commands.open_paths([picture])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    window.findChild(QMessageBox, "picture_box").button(QMessageBox.StandardButton.Open).click()
    qtbot.waitUntil(lambda: window.session.outcome is not None)
    outcome = window.session.outcome
    assert [each.letters.tobytes().decode() for each in (outcome.a, outcome.b)] == letters
    assert outcome.result.distance == Levenshtein.distance(*letters)
    qtbot.waitUntil(lambda: isinstance(window.alignment.model, StackedModel))
    assert not [one.text for one in window.answer.notices.notices if one.level is not Severity.INFO]


def test_it_goes_and_comes_with_undo_and_the_recent_pairs(qtbot, pair, tmp_path):
    history, session = pair.history, pair.session
    drop(qtbot, pair, tmp_path / "t.paf", OTHER)
    qtbot.waitUntil(lambda: isinstance(pair.alignment.model, StackedModel))
    history.undo()
    qtbot.waitUntil(lambda: not isinstance(pair.alignment.model, StackedModel))
    assert view_of(pair).text.toPlainText() == EMPTY
    assert session.outcome.given is None
    history.redo()
    qtbot.waitUntil(lambda: isinstance(pair.alignment.model, StackedModel))
    files = fasta(tmp_path / "c.fa", ("c", B)), fasta(tmp_path / "d.fa", ("d", A))
    qtbot.expect(session.compared, session.open_paths, files)
    assert session.state.given is None
    assert not isinstance(pair.alignment.model, StackedModel)
    recent = next(one for one in session.recent.pairs if one.a.path.name == "a.fa")
    assert recent.words["alignment"] == str(tmp_path / "t.paf")
    qtbot.expect(session.compared, session.open_recent, recent)
    qtbot.waitUntil(lambda: isinstance(pair.alignment.model, StackedModel))
    (tmp_path / "t.paf").unlink()
    qtbot.expect(session.compared, session.open_paths, files)
    qtbot.expect(session.compared, session.open_recent, recent)
    shown(qtbot, pair, "t.paf")


def test_one_of_several_is_chosen_and_another_pair_forgets_the_file(qtbot, pair, tmp_path):
    other = GOOD.replace("b\t44", "q\t44").replace("7=1D9=1I10=1D7=1I9=", "44M")
    drop(qtbot, pair, tmp_path / "two.paf", other + GOOD.replace("b\t44", "r\t44"))
    shown(qtbot, pair, "no alignment of a with b; there is 1: a 1-44 with q 1-44; 2: a 1-44 with r 1-44")
    view = view_of(pair)
    assert view.text.toPlainText().endswith("choose one with the chooser of Given alignment")
    assert [view.choice.itemText(k) for k in range(3)][1:] == ["a 1-44 with q 1-44", "a 1-44 with r 1-44"]
    view.choice.setCurrentIndex(2)
    view.choice.activated.emit(2)
    shown(qtbot, pair, "line 2, 0 columns differ from ours")
    qtbot.expect(pair.session.compared, pair.session.open_paths, [fasta(tmp_path / "c.fa", ("c", B))])
    assert view.text.toPlainText() == EMPTY


def test_long_names_in_the_chooser_push_nothing_out_of_the_panel(qtbot, pair, tmp_path):
    long = GOOD.replace("b\t44", f"{'q' * 60}\t44")
    drop(qtbot, pair, tmp_path / "two.paf", long + long.replace("qq", "rr"))
    view = view_of(pair)
    qtbot.waitUntil(view.choice.isVisible)
    for one in (view.remove, view.choice, view.in_letters):
        qtbot.waitUntil(lambda one=one: one.visibleRegion().boundingRect() == one.rect())


@pytest.mark.parametrize("text", ["", "nothing\n", GOOD.replace("7=1D9=", "6=1D10="), GOOD[:40]])
def test_a_wrong_file_is_said_in_one_line(qtbot, pair, tmp_path, text):
    drop(qtbot, pair, tmp_path / "bad.paf", text)
    said = shown(qtbot, pair, "bad.paf")
    assert "\n" not in said
    assert not isinstance(pair.alignment.model, StackedModel), "ours stays"


def test_the_button_asks_for_a_file(qtbot, pair, tmp_path, monkeypatch):
    path = tmp_path / "own.paf"
    path.write_text(GOOD)
    monkeypatch.setattr("wavediff.app.compare.given_view.ask_file", lambda *_: str(path))
    pair.arrangement.show_panel("given")
    qtbot.mouseClick(view_of(pair).button, Qt.MouseButton.LeftButton)
    shown(qtbot, pair, "Theirs")


def test_words_in_place_of_an_alignment_are_wrapped(qtbot, pair, tmp_path):
    drop(qtbot, pair, tmp_path / "own.paf", GOOD)
    shown(qtbot, pair, "Theirs")
    text = view_of(pair).text
    assert text.lineWrapMode() is QPlainTextEdit.LineWrapMode.NoWrap
    qtbot.expect(pair.session.compared, pair.session.open_text, "ACGTACGTTAGC", Side.B)
    qtbot.waitUntil(lambda: text.toPlainText() == EMPTY)
    assert text.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth


def test_the_notice_on_an_alignment_goes_with_it(qtbot, pair, tmp_path):
    drop(qtbot, pair, tmp_path / "rows.afa", ROWS)
    assert "rows.afa is shown as an alignment" in [one.text for one in pair.answer.notices.notices]
    pair.actions_by_id["undo"].trigger()
    qtbot.waitUntil(lambda: view_of(pair).text.toPlainText() == EMPTY)
    assert not pair.answer.notices.notices
