"""The dot plot of all records of both files in the window: chosen, pointed at, and two records opened from it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.app.conftest import session_of
from tests.app.fakes import fasta
from tests.app.real_kernels import fake_kernels, window
from tests.app.test_dot_ranges import drag
from tests.app.test_dots import picture_of
from tests.core.screening.test_relation import random_letters
from wavediff.app.commands import cli
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.dots.file_records import across, in_records, record_box
from wavediff.app.compare.dots.letter_range import LetterRange
from wavediff.app.compare.pair.pair_state import JobOptions, PairState
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.pair import CaretPlace, Side
from wavediff.app.window.frame.ignore_bar import PositionLabel
from wavediff.app.window.panels.panels import LOWER
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.core.export.registry import PICTURES
from wavediff.core.jobs.choices import View
from wavediff.core.reading import read
from wavediff.core.sequences.orientation import reverse_complement

__all__ = ["fake_kernels", "window"]

LEFT = Qt.MouseButton.LeftButton
ONE, TWO, THREE = (random_letters(size, size) for size in (3_000, 2_000, 1_500))
FILE_A = ("chr1", ONE), ("chr2", TWO), ("chr3", THREE)
FILE_B = ("x", reverse_complement(TWO)), ("y", ONE)
TOTALS = 3_000 + 1 + 2_000 + 1 + 1_500, 2_000 + 1 + 3_000


@pytest.fixture
def files(tmp_path):
    return [
        fasta(tmp_path / f"{name}.fa", *((record, letters.decode()) for record, letters in records))
        for name, records in (("a", FILE_A), ("b", FILE_B))
    ]


@pytest.fixture
def page(qtbot: QtBot, window, files):
    """The page of the dots of chr2 and x in the window, and there all records."""
    session, view = window.session, window.view(ComputationView)
    window.resize(1_280, 800)
    session.loader.open([ReadItem(*each) for each in zip(Side, files, ("", ""), (2, 1), strict=True)])
    qtbot.waitUntil(lambda: session.pair.complete is not None)
    view.choose_view(View.DOTS)
    found(qtbot, window, (2_000, 2_000))
    qtbot.mouseClick(view.dots.every, LEFT, pos=QPoint(8, view.dots.every.height() // 2))
    found(qtbot, window, TOTALS)
    return view.dots


def found(qtbot, window, sizes):
    """Wait for the dots of so many letters."""
    dots, canvas = window.session.dots, window.view(ComputationView).dots.canvas
    qtbot.waitUntil(lambda: dots.tiles is not None and (dots.tiles.index.n, dots.tiles.index.m) == sizes)
    qtbot.waitUntil(lambda: canvas.tiles is dots.tiles and not window.session.busy)


def hover(qtbot, canvas, a, b):
    qtbot.mouseMove(canvas, canvas.frame.point(b + 0.5, a + 0.5).toPoint())


def test_a_letter_of_all_records_is_one_of_a_record(files):
    letters = tuple(read(file).whole for file in files)
    assert tuple(map(len, letters)) == TOTALS
    assert record_box((3_001, 1_999), letters) == (3_001, 5_001, 0, 2_000)
    assert record_box((3_000, 5_000), letters) == (0, 3_000, 2_001, 5_001), "between two: of the one before"
    for chosen, inside in (
        ((10, 20, 30, 40), (10, 20, 30, 40)),
        ((2_900, 4_000, 1_500, 2_100), (3_001, 4_000, 1_500, 2_000)),
        ((3_000, 3_001, 2_000, 2_001), None),
        ((0, 6_502, 0, 5_001), (0, 3_000, 2_001, 5_001)),
    ):
        found = across(in_records(LetterRange(*chosen), letters), letters)
        assert found == inside or inside is None
        assert record_box(found[::2], letters) == record_box((found.a_to - 1, found.b_to - 1), letters)


def test_the_dots_are_those_of_the_records_with_lines_between_them(page, window):
    matches = window.session.dots.matches
    runs = sorted(zip(matches.a_starts.tolist(), matches.b_starts.tolist(), matches.minus.tolist(), strict=True))
    long = [run for run, length in zip(runs, matches.lengths.tolist(), strict=True) if length >= 1_000]
    assert sorted(long) == [(0, 2_001, False), (3_001, 0, True)], "chr1 is y, chr2 is x turned, chr3 nowhere"
    assert [one.records.name(0) for one in window.session.dots.letters] == ["chr1", "x"]
    assert page.canvas.frame.n, page.canvas.frame.m == TOTALS


def test_the_pointer_names_records_and_the_letters_of_the_pair_follow(qtbot, page, window):
    label = window.findChild(PositionLabel)
    hover(qtbot, page.canvas, 500, 2_501)
    qtbot.waitUntil(lambda: label.text().startswith("A chr1 "))
    record, place = label.text().split("   ")[1].split()[1:3]
    assert record == "y"
    assert int(place.replace(",", "")) == pytest.approx(501, abs=2 / page.canvas.frame.scale)
    assert window.pointer.position.a0 is None, "these are no letters of the pair"
    hover(qtbot, page.canvas, 3_001 + 700, 900)
    qtbot.waitUntil(lambda: window.pointer.position.a0 is not None)
    assert window.pointer.position.a0 == pytest.approx(700, abs=2 / page.canvas.frame.scale)
    assert window.pointer.position.b0 == pytest.approx(900, abs=2 / page.canvas.frame.scale)
    assert label.text().startswith("A chr2 ")
    window.pointer.clear()
    window.pointer.set_caret(CaretPlace(10, 20))
    assert (page.canvas.ring.a0, page.canvas.ring.b0) == (3_011, 20)


def test_a_click_and_enter_open_two_records_and_backspace_brings_all_back(qtbot, page, window):
    session, canvas = window.session, page.canvas
    qtbot.mouseClick(canvas, LEFT, pos=canvas.frame.point(4_000, 1_000).toPoint())
    assert canvas.selection == (0, 3_000, 2_001, 5_001)
    assert page.card.of_a.text() == "A chr1 1–3,000, 3,000 letters"
    assert page.card.of_b.text() == "B y 1–3,000, 3,000 letters"
    assert canvas.hasFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 3_000 and not session.busy)
    assert (session.pair[Side.A].name, session.pair[Side.B].name) == ("chr1", "y")
    assert session.pair[Side.A].letters.tobytes() == session.pair[Side.B].letters.tobytes() == ONE
    found(qtbot, window, (3_000, 3_000))
    assert not page.every.isChecked()
    assert page.every.isVisible()
    window.actions_by_id["back_to_whole"].trigger()
    found(qtbot, window, TOTALS)
    assert page.every.isChecked()
    assert session.pair[Side.A].name == "chr2"


def test_dots_kept_before_they_were_drawn_are_computed_when_they_come_back(qtbot, page, window):
    dots, left = window.session.dots, []

    def keep():
        if dots.matches is not None and dots.tiles is None:
            left.append(dots.kept())

    dots.changed.connect(keep)
    dots.choose_k(dots.k + 1)
    qtbot.waitUntil(lambda: bool(left))
    found(qtbot, window, TOTALS)
    dots.take_up(left[0])
    for sizes in ((2_000, 2_000), TOTALS):
        page.every.click()
        found(qtbot, window, sizes)


def test_a_selection_keeps_to_two_records_and_opens_their_letters_turned(qtbot, page, window):
    session, canvas = window.session, page.canvas
    drag(qtbot, canvas, (2_600, 500), (4_500, 1_500))
    chosen = canvas.selection
    assert chosen.a_from == 3_001, "most of it is of chr2"
    assert page.card.of_a.text().startswith("A chr2 1–")
    assert page.card.minus.isChecked()
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.state.whole is not None and session.outcome is not None and not session.busy)
    a, b = (session.pair[side].letters.tobytes() for side in Side)
    assert a == TWO[: chosen.a_to - 3_001]
    assert b == TWO[2_000 - chosen.b_to : 2_000 - chosen.b_from]


def test_a_click_on_the_pair_goes_to_its_letters(qtbot, page, window):
    canvas = page.canvas
    qtbot.mouseClick(canvas, LEFT, pos=canvas.frame.point(900, 3_701).toPoint())
    assert canvas.selection is None
    qtbot.waitUntil(lambda: window.pointer.caret is not None and window.pointer.caret.a0 > 100)
    caret = window.pointer.caret
    assert caret.a0 == pytest.approx(700, abs=2 / canvas.frame.scale + 60)


def test_all_records_are_offered_where_there_are_several_and_of_nucleotides(qtbot, page, window, files, tmp_path):
    session = window.session
    one = fasta(tmp_path / "one.fa", ("one", ONE.decode()))
    session.open_paths([one, one])
    found(qtbot, window, (3_000, 3_000))
    qtbot.waitUntil(lambda: not page.every.isVisible())
    mixed = fasta(tmp_path / "mixed.fa", ("one", ONE.decode()), ("protein", "MKWVTFISLLFLFSSAYSRGVF" * 40))
    session.loader.open([ReadItem(Side.A, files[0], record=1), ReadItem(Side.B, mixed, record=1)])
    found(qtbot, window, (3_000, 3_000))
    qtbot.waitUntil(page.every.isVisible)
    with qtbot.waitSignal(session.dots.noticed) as told:
        qtbot.mouseClick(page.every, LEFT, pos=QPoint(8, page.every.height() // 2))
    assert told.args[0].text.startswith("mixed.fa has records other than DNA")
    assert not page.every.isChecked()


def test_the_choice_comes_back_with_a_recent_pair_and_after_a_restart(qtbot, page, window, tmp_path):
    session = window.session
    session.open_texts([ONE.decode(), ONE[:1_000].decode()])
    found(qtbot, window, (3_000, 1_000))
    assert not session.dots.all_records
    session.open_recent(session.recent.pairs[0])
    found(qtbot, window, TOTALS)
    assert page.every.isChecked()
    session.remember()
    other = session_of(tmp_path)
    other.open_recent(other.recent.pairs[0])
    qtbot.waitUntil(lambda: other.pair.complete is not None)
    other.dots.want()
    qtbot.waitUntil(lambda: other.dots.tiles is not None)
    assert (other.dots.tiles.index.n, other.dots.tiles.index.m) == TOTALS
    qtbot.waitUntil(other.close)
    qtbot.mouseClick(page.every, LEFT, pos=QPoint(8, page.every.height() // 2))
    found(qtbot, window, (2_000, 2_000))
    assert not PairState.of(session.state.words, JobOptions()).all_records


@pytest.mark.parametrize("kind", PICTURES, ids=lambda kind: kind.id)
def test_a_picture_of_all_records_opens_them_again(qtbot, page, window, tmp_path, kind):
    session = window.session
    part = parts_of(window, LOWER[0], window.centralWidget())["Dots"]
    path = tmp_path / f"dots.{kind.id}"
    path.write_bytes(picture_of(window).by(part.recipe()).picture(kind))
    session.open_texts([ONE.decode(), ONE[:1_000].decode()])
    found(qtbot, window, (3_000, 1_000))
    window.pictures.open(path)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    qtbot.keyClick(window.findChild(QMessageBox, "picture_box"), Qt.Key.Key_Return)
    found(qtbot, window, TOTALS)
    assert page.every.isChecked()
    assert [session.pair[side].name for side in Side] == ["chr1", "x"]
    assert not [one.text for one in window.answer.notices.notices if "changed" in one.text]


def test_a_picture_of_all_records_is_made_by_the_command_that_draws_them(page, window, files):
    part = parts_of(window, LOWER[0], window.centralWidget())["Dots"]
    words = part.recipe().words
    assert cli.parsed(words).all_records
    assert [Path(word).name for word in words[1:3]] == ["a.fa", "b.fa"]
    made = picture_of(window)
    assert made.sheet.heading == "a.fa – b.fa: Dots"
    assert b"chr3" in made.picture(next(kind for kind in PICTURES if kind.id == "svg"))
