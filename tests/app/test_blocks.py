"""Blocks of rearranged sequences in the window, with the kernels that compute."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel

from tests.app.alignments import sequence
from tests.app.parts import button, offered
from tests.app.real_kernels import fake_kernels, window
from tests.app.saving import Asked
from tests.core.screening.test_relation import random_letters as letters
from wavediff.app.commands import cli
from wavediff.app.compare.blocks.blocks_view import covered
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.difference_list import CHANGE, EFFECT, IN_A, IN_B, KIND, LENGTH, NUMBER
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.pair.pair_state import JobOptions, PairState
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.legend import Legend
from wavediff.app.ui.notices import Action, Notice, Severity
from wavediff.app.ui.table_view import FiguresTable
from wavediff.app.window.panels.panels import LOWER
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.app.window.session import FORECAST
from wavediff.core.export.registry import REARRANGED
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import Progress
from wavediff.core.run.api.rearranged import blocks
from wavediff.core.sequences.orientation import reverse_complement

__all__ = ["fake_kernels", "window"]

A = letters(12_000, 1)
NEW = letters(500, 2)  # neither end fits the other side as well


def substituted(text, *places):
    found = bytearray(text)
    for place in places:
        found[place] = ord("A") if found[place] != ord("A") else ord("C")
    return bytes(found)


TURNED = reverse_complement(substituted(A[3_000:6_000], 700, 2_000))
B = (
    A[:3_000] + TURNED + A[7_000:9_000] + A[6_000:7_000] + A[9_000:9_500] + A[9_900:11_000] + NEW + A[11_000:]
)  # inverted, moved, 400 letters only in A, 500 only in B
KINDS = ["collinear", "inverted", "moved", "collinear", "collinear", "only in A", "collinear", "only in B", "collinear"]
Key = Qt.Key


def rows(window):
    table = window.view(DifferencesView).model
    return [[table.index(k, column).data() for column in range(7)] for k in range(table.height())]


def answer(window):
    return window.answer.words.words.whole


def place(window):
    return window.alignment.steps.where()


def current(window):
    """Number of the row that is current in the list."""
    view = window.view(DifferencesView)
    return int(view.model.index(view.table.current - view.model.top, NUMBER).data()) if view.table.current >= 0 else 0


def arrange(qtbot, window, order="Rearranged"):
    box = window.header.order
    box.setFocus()
    box.setCurrentIndex(box.findText(order))
    box.activated.emit(box.currentIndex())
    if order == "Rearranged":
        qtbot.waitUntil(lambda: window.session.blocks.answer is not None)


def opened(qtbot, window, paths):
    before = window.session.outcome
    window.session.open_paths(paths)
    qtbot.waitUntil(lambda: window.session.outcome not in (None, before) and not window.session.busy)


@pytest.fixture
def shown(qtbot, window, write):
    opened(qtbot, window, write(A, B))
    arrange(qtbot, window)
    return window


def test_one_click_on_the_notice_shows_the_blocks(qtbot, window, write):
    window.session.open_paths(write(A, B))
    qtbot.waitUntil(lambda: "Show the blocks" in offered(window))
    qtbot.mouseClick(offered(window)["Show the blocks"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.blocks.answer is not None)
    assert answer(window).startswith(
        "9 blocks: 1 inverted, 1 moved, 1 only in A, 1 only in B; 2 edits inside · 400 letters only in A · 500 "
    )
    found = rows(window)
    assert [row[KIND] for row in found] == KINDS
    inverted, gained = found[1], found[7]
    assert [inverted[k] for k in (NUMBER, IN_A, IN_B, LENGTH, CHANGE)] == [
        "2",
        "3,001–6,000",
        "3,001–6,000 −",
        "3,000",
        "2",
    ]
    assert inverted[EFFECT] == "99.9 %"
    assert (gained[IN_B], gained[LENGTH], gained[CHANGE], gained[EFFECT]) == ("10,601–11,100", "500", "", "")
    assert window.header.order.currentText() == "Rearranged"
    assert window.tabs.bar.tabText(0) == "Blocks"
    assert not window.alignment.pane.isVisible()


def test_a_button_that_goes_leaves_the_keys_to_what_is_seen(qtbot, window, write):
    session, ribbons = window.session, window.alignment.ribbons
    window.activateWindow()
    session.open_paths(write(A, B))
    qtbot.waitUntil(lambda: "Show the blocks" in offered(window))
    shows = offered(window)["Show the blocks"]
    shows.setFocus()
    QTest.keyClick(shows, Key.Key_Space)
    qtbot.waitUntil(lambda: session.blocks.answer is not None and QApplication.focusWidget() is ribbons.canvas)
    QTest.keyClick(ribbons.canvas, Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 3_000 and not session.busy)
    back = button(window.answer, "Whole pair")
    back.setFocus()
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.blocks.answer is not None and QApplication.focusWidget() is ribbons.canvas)
    first = session.pair.complete[0]
    QTest.keyClick(ribbons.canvas, Key.Key_Space)
    assert session.pair.complete[0] is first, "not swapped"


def test_stepper_list_and_ribbons_have_one_current_block(qtbot, shown):
    assert (place(shown), current(shown)) == ("block 2 of 9", 2)
    canvas = shown.alignment.ribbons.canvas
    canvas.setFocus()
    QTest.keyClick(canvas, Key.Key_N)
    assert (place(shown), current(shown), canvas.current) == ("block 3 of 9", 3, 3)
    QTest.keyClick(canvas, Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(canvas, Key.Key_Left)
    assert (place(shown), current(shown)) == ("block 1 of 9", 1)
    QTest.keyClick(canvas, Key.Key_Left)
    assert place(shown) == "block 1 of 9", "it stops at the first"
    ribbons = canvas.ribbons
    for number, axis in ((2, 0), (8, 1), (6, 0)):
        left, right = ribbons.ends(shown.session.blocks.answer.blocks[number - 1], axis)
        at = QPoint(round((left + right) / 2), round(ribbons.bar(axis).middle.y))
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at)
        assert (place(shown), current(shown)) == (f"block {number} of 9", number)
    assert canvas.accessibleDescription().startswith("block 6: only in A, A 9,501–9,900")
    view = shown.view(DifferencesView)
    view.table.setFocus()
    QTest.keyClick(view.table.rows, Key.Key_Down)
    assert (place(shown), canvas.current) == ("block 7 of 9", 7)


def test_go_to_takes_a_block_or_a_letter(shown, subtests):
    places = {"#3": 3, "4": 4, "A 3,500": 2, "B: 9,000": 3, "b 10700": 8, "A 99,999": 1, "word": 1}
    for typed, where in places.items():
        with subtests.test(typed):
            shown.alignment.blocks.show_one(1)
            stepper = shown.alignment.stepper
            stepper.field.setText(typed)
            stepper.place_wanted.emit(typed)
            assert place(shown) == f"block {where} of 9"
            if where != 1:
                shown.alignment.actions_by_id["go_back"].trigger()
                assert place(shown) == "block 1 of 9"


def test_in_order_again_and_undo(qtbot, shown):
    session = shown.session
    arrange(qtbot, shown, "In order")
    assert shown.alignment.pane.isVisible()
    assert answer(shown).startswith("LCS ")
    assert shown.tabs.bar.tabText(0) == "Differences"
    shown.history.undo()
    assert answer(shown).startswith("9 blocks")
    assert not session.blocks.running, "they are known"
    shown.history.undo()
    assert shown.header.order.currentText() == "In order"


def test_texts_and_proteins_have_no_order_of_parts(qtbot, window, write):
    assert not window.header.order.isVisible()
    window.session.open_texts(["one text\nof two lines\n", "another text\nof two lines\n"])
    qtbot.waitUntil(lambda: window.session.outcome is not None)
    assert not window.header.order.isVisible()
    opened(qtbot, window, write(b"MKVLAWFIRE" * 3, b"MKVLWFIRES" * 3))
    assert not window.header.order.isVisible()
    opened(qtbot, window, write(A[:2_000], A[:2_000]))
    assert window.header.order.isVisible()
    assert isinstance(window.header.order, QComboBox)
    assert window.header.order.accessibleName() == "Order of B's parts"


def test_other_methods_are_grey_while_blocks_are_seen(shown):
    box = shown.header.method_box
    assert box.currentText() == "Edits"
    grey = [box.itemText(k) for k in range(box.count()) if not box.model().item(k).isEnabled()]
    assert "Edits" not in grey
    assert "Common letters" in grey


def test_options_of_the_method_before_are_not_shown_beside_blocks(shown):
    shown.session.choose(method="swap")
    popover, header = shown.header.options_popover, shown.header
    seen = [line for line in popover.all_lines if not line.isHidden()]
    assert seen == [popover.device_line]
    header.methods.chosen.emit("edit")  # as is shown for blocks: nothing to choose
    assert shown.session.choices.method == "swap"


def test_one_block_is_in_order_and_unlike_letters_have_none(qtbot, window, write):
    opened(qtbot, window, write(A[:3_000], substituted(A[:3_000], 900, 1_800)))
    arrange(qtbot, window)
    assert answer(window).startswith("1 block: in order; 2 edits inside")
    assert "In order" in [window.header.order.itemText(k) for k in range(2)]
    opened(qtbot, window, write(A[:3_000], letters(3_000, 5)))
    assert window.header.order.currentText() == "In order", "the order ends with its pair"
    arrange(qtbot, window)
    assert answer(window).startswith("No blocks: too few shared 13-mers; choose fewer seed letters, or compare")
    assert (rows(window), place(window), current(window)) == ([], "no block", 0)
    assert not any(one.isVisible() for one in window.alignment.stepper.kind_buttons.values())
    assert not window.alignment.ribbons.compare.isEnabled()
    assert window.alignment.ribbons.message == window.answer.words.words.sentence


def test_other_seed_letters(qtbot, shown):
    box, before = shown.alignment.ribbons.k, shown.session.blocks.answer
    assert box.text() == "by length"
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "24")
    QTest.keyClick(box, Key.Key_Return)
    qtbot.waitUntil(lambda: shown.session.blocks.answer not in (None, before))
    assert shown.session.blocks.answer.result.k == 24
    assert "seeds of 24 letters" in shown.alignment.ribbons.facts.text
    shown.history.undo()
    assert (box.text(), shown.session.blocks.answer) == ("by length", before)


def test_stop_and_run_again(qtbot, window, write, monkeypatch):
    opened(qtbot, window, write(A, B))
    slot, begun = window.session.blocks.slot, []
    monkeypatch.setattr(slot, "submit", lambda job, *_: begun.append(job) or setattr(slot, "job", job))
    window.session.arrange()
    assert answer(window).startswith("Finding exact matches on both strands…")
    assert window.alignment.ribbons.message == "The blocks appear here as soon as they are aligned."
    window.actions_by_id["stop"].trigger()
    assert answer(window) == "Stopped · press Run (Ctrl+R)"
    assert window.alignment.ribbons.message == "No blocks yet: press Run (Ctrl+R)"
    monkeypatch.undo()
    window.actions_by_id["run"].trigger()
    qtbot.waitUntil(lambda: window.session.blocks.answer is not None)
    assert len(begun) == 1
    assert answer(window).startswith("9 blocks")


def test_run_finds_known_blocks_again(qtbot, shown):
    before = shown.session.blocks.answer
    QTest.keyClick(shown, Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: shown.session.blocks.answer not in (None, before))
    again = shown.session.blocks.answer
    qtbot.waitUntil(lambda: shown.header.run.accessibleName() == "Run" and shown.header.run.isEnabled())
    qtbot.mouseClick(shown.header.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown.session.blocks.answer not in (None, before, again))
    assert answer(shown).startswith("9 blocks")


def test_progress_is_that_of_all_blocks(qtbot, window, write, monkeypatch):
    opened(qtbot, window, write(A, B))
    slot = window.session.blocks.slot
    monkeypatch.setattr(slot, "submit", lambda job, *_: setattr(slot, "job", job))
    window.session.arrange()
    id_ = slot.job.id
    slot.reported.emit(Progress(id_, "extend", 9, 9, "cells"))
    assert answer(window) == "Finding exact matches on both strands… · Esc stops"
    for done, percent in ((1, 25), (3, 75)):
        slot.reported.emit(Progress(id_, "blocks", done, 4, "letters"))
        assert answer(window) == f"Aligning blocks… {percent} % · Esc stops"
        slot.reported.emit(Progress(id_, "blocks", 1, 10, "cells"))
        assert answer(window) == f"Aligning blocks… {percent} % · Esc stops", "of one block"


def test_panels_say_what_they_show_beside_blocks(qtbot, window, write):
    def said(kind):
        labels = window.view(kind).findChildren(ElidedLabel)
        return [label.text for label in labels if label.text.startswith(("The global comparison", "Not compared"))]

    opened(qtbot, window, write(A, B))
    assert not said(ComputationView)
    arrange(qtbot, window)
    assert said(ComputationView) == ["The global comparison"]
    assert len(said(FiguresTable)) == 1
    assert window.view(DifferencesView).table.isEnabled()
    arrange(qtbot, window, "In order")
    assert not said(ComputationView)
    assert not said(FiguresTable)


@pytest.mark.parametrize("begins", [False, True], ids=["a long run that is asked about", "a run that is stopped"])
def test_panels_beside_blocks_alone_wait_for_nothing(qtbot, window, write, monkeypatch, begins):
    monkeypatch.setattr(window.session.screening, "allows", lambda *_: begins)
    monkeypatch.setattr(window.session.slot, "submit", lambda *_: None)
    monkeypatch.setattr(window.session.slot, "stop", lambda: begins)
    window.session.open_paths(write(A, B))
    qtbot.waitUntil(lambda: window.session.pair.complete is not None)
    arrange(qtbot, window)
    labels = window.view(ComputationView).findChildren(QLabel)
    for view in (View.MAP, View.CELLS, View.WORDS):
        window.view(ComputationView).choose_view(view)
        assert "Not compared globally" in [label.text() for label in labels if label.isVisible()]


def test_the_memory_of_a_run_in_order_is_no_notice_of_blocks(qtbot, window, write):
    opened(qtbot, window, write(A, B))
    about = Notice(Severity.WARNING, "1.5 GB", frozenset({FORECAST}), Action("Traceback None", lambda: None))
    window.session.noticed.emit(about)
    qtbot.waitUntil(lambda: "Traceback None" in offered(window))
    arrange(qtbot, window)
    assert about not in window.answer.notices.notices


def test_the_order_comes_back_with_a_recent_pair(qtbot, window, write, tmp_path):
    session, paths = window.session, write(A, B)
    opened(qtbot, window, paths)
    session.arrange(20)
    qtbot.waitUntil(lambda: session.blocks.answer is not None)
    (tmp_path / "other").mkdir()
    session.open_texts([A[:2_000].decode(), A[:1_900].decode()])
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 2_000)
    assert not session.rearranged
    session.open_recent(session.recent.pairs[0])
    qtbot.waitUntil(lambda: session.blocks.answer is not None and session.rearranged)
    assert session.blocks.answer.result.k == 20
    assert window.header.order.currentText() == "Rearranged"


@pytest.mark.parametrize("k", [None, 0, 11, 64])
def test_the_order_is_kept_in_words(k):
    state = PairState(JobOptions(), seed_letters=k)
    assert PairState.of(state.words, JobOptions()).seed_letters == k
    assert PairState.of({"rearranged": "", "seed-letters": "9"}, JobOptions()).seed_letters == 0


def test_rows_are_copied_sorted_and_saved_as_the_command_line_writes_them(qtbot, shown, tmp_path):
    view = shown.view(DifferencesView)
    expected = blocks(sequence(A.decode(), "a"), sequence(B.decode(), "b"))
    header, *lines = expected.to("tsv").decode().splitlines(keepends=True)
    qtbot.mouseClick(button(view, "Save list…"), Qt.MouseButton.LeftButton)
    asked = Asked(qtbot, view)
    path = tmp_path / "found.paf"
    said = []
    view.noticed.connect(said.append)
    asked.type(path)
    qtbot.waitUntil(lambda: bool(said))
    assert path.read_bytes() == expected.to("paf")
    for kind in REARRANGED:
        said.clear()
        view.save(tmp_path / f"found{kind.endings[0]}", kind)
        qtbot.waitUntil(lambda: bool(said))
    for kind in REARRANGED[:4]:
        assert (tmp_path / f"found{kind.endings[0]}").read_bytes() == expected.to(kind.id)
    header_view = view.table.rows.horizontalHeader()
    header_view.setSortIndicator(LENGTH, Qt.SortOrder.DescendingOrder)
    sizes = [int(row[LENGTH].replace(",", "")) for row in rows(shown)]
    assert sizes == sorted(sizes, reverse=True)
    view.least.setValue(1_000)
    assert {row[LENGTH] for row in rows(shown)}.isdisjoint({"400", "500"})
    view.table.select(0)
    qtbot.keySequence(view.table.rows, QKeySequence.StandardKey.Copy)
    number = int(rows(shown)[0][NUMBER])
    assert QGuiApplication.clipboard().text() == header + lines[number - 1]


def test_facts_say_how_much_is_in_blocks(shown):
    letters_of_a = 100 * (12_000 - 400) / 12_000
    assert covered(shown.session.blocks.answer).startswith(f"In blocks: {letters_of_a:.0f} % of A and ")
    assert np.isclose(letters_of_a, 96.7, atol=0.1)


def test_facts_below_the_ribbons_are_never_cut(qtbot, shown, subtests):
    facts = shown.alignment.ribbons.facts
    for width in (640, 800, 1_100, 1_280):
        with subtests.test(width=width):
            shown.resize(width, 600)
            qtbot.waitUntil(lambda: shown.header.width() == shown.width())
            whole = facts.fontMetrics().horizontalAdvance(facts.text)
            qtbot.waitUntil(lambda whole=whole: facts.contentsRect().width() >= whole > 300)
            assert shown.alignment.ribbons.rect().contains(facts.geometry())


def test_a_block_becomes_a_pair_of_its_own_and_the_blocks_come_back(qtbot, shown):
    session, canvas, before = shown.session, shown.alignment.ribbons.canvas, shown.session.blocks.answer
    left, right = canvas.ribbons.ends(before.blocks[1], 0)
    at = QPoint(round((left + right) / 2), round(canvas.ribbons.bar(0).middle.y))
    qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 3_000 and not session.busy)
    a, b = session.outcome.a, session.outcome.b
    assert a.letters.tobytes() == A[3_000:6_000]
    assert b.letters.tobytes() == substituted(A[3_000:6_000], 700, 2_000), "B on the strand of the block"
    assert shown.header.order.currentText() == "In order"
    assert shown.alignment.pane.isVisible()
    shown.actions_by_id["back_to_whole"].trigger()
    qtbot.waitUntil(lambda: session.rearranged and session.blocks.answer is not None)
    assert session.blocks.answer is before, "nothing is computed again"
    assert answer(shown).startswith("9 blocks")
    canvas.setFocus()
    for number in (3, 4):
        QTest.keyClick(canvas, Key.Key_Right)
        assert place(shown) == f"block {number} of 9"
    QTest.keyClick(canvas, Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 2_000 and not session.busy)
    QTest.keyClick(shown.alignment.canvas, Key.Key_Backspace)
    qtbot.waitUntil(lambda: session.rearranged and session.blocks.answer is before)
    assert (place(shown), current(shown), canvas.current) == ("block 4 of 9", 4, 4), "where it was left"
    shown.alignment.blocks.show_one(2)
    qtbot.mouseClick(button(shown.alignment.ribbons, "Differences inside"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 3_000 and not session.busy)
    assert shown.tabs.current.id == "differences"
    qtbot.waitUntil(lambda: shown.view(DifferencesView).model.n_rows > 0)
    assert shown.tabs.bar.tabText(0) == "Differences"


def test_no_heading_of_the_list_is_cut_in_the_smallest_window(qtbot, shown):
    shown.resize(640, 400)
    shown.show_panel("differences")
    rows = shown.view(DifferencesView).table.rows
    header = rows.horizontalHeader()
    qtbot.waitUntil(lambda: rows.isVisible() and header.length() <= rows.viewport().width() < 640)
    for column in range(header.count()):
        heading = rows.model().headerData(column, Qt.Orientation.Horizontal)
        assert header.sectionSize(column) >= header.fontMetrics().horizontalAdvance(heading), heading


def test_letters_of_one_sequence_alone_are_no_pair(qtbot, shown):
    view = shown.view(DifferencesView)
    view.table.setFocus()
    shown.alignment.blocks.show_one(6)
    assert not button(shown.alignment.ribbons, "Compare this range").isEnabled()
    QTest.keyClick(view.table.rows, Key.Key_Return)
    assert shown.session.rearranged
    assert shown.session.state.whole is None


def test_export_and_pictures_are_those_of_the_blocks(qtbot, shown, tmp_path):
    shown.actions_by_id["export"].trigger()
    asked = Asked(qtbot, shown)
    path = tmp_path / "exported.paf"
    asked.type(path)
    qtbot.waitUntil(lambda: not shown.commands.exporter.errand.running and path.exists())
    assert path.read_bytes() == blocks(sequence(A.decode(), "a"), sequence(B.decode(), "b")).to("paf")
    parts = parts_of(shown, LOWER[0], shown.centralWidget())
    assert {"Ribbons", "Blocks"} <= set(parts)
    made = parts["Ribbons"].made(None)
    assert made.sheet.title.text() == "a – b: Blocks"
    assert made.sheet.text.text().startswith("9 blocks")
    (legend,) = made.sheet.findChildren(Legend)
    assert legend.accessibleName() == "Kinds of blocks: collinear, inverted, moved, only in A, only in B"
    assert legend.height() >= legend.heightForWidth(legend.width()) > 0
    before = made.sheet.grab().toImage()
    shown.alignment.blocks.show_one(4)
    ribbons = parts_of(shown, LOWER[0], shown.centralWidget())["Ribbons"]
    assert ribbons.made(None).sheet.grab().toImage() != before
    found = cli.parsed(ribbons.recipe().words)
    assert (found.view, found.at) == ("blocks", "#4")
    assert "--png" not in ribbons.recipe().command("--png", "x.png"), "the command line draws all of them"


def test_the_dot_plot_marks_the_current_block_and_leads_to_another(qtbot, shown):
    view = shown.view(ComputationView)
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: shown.session.dots.tiles is not None)
    canvas = view.dots.canvas

    def framed(a0, b0):
        image = canvas.grab().toImage()
        at = canvas.frame.point(b0, a0) * image.devicePixelRatio()
        around = [image.pixelColor(round(at.x()) + dx, round(at.y()) + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        return shown.theme.accent in around

    assert framed(4_000, 6_000), "right edge of block 2"
    assert not framed(6_500, 9_000)
    canvas.click_cell(6_500, 8_500, QPointF())
    assert place(shown) == "block 3 of 9"
    assert framed(6_500, 9_000)
    assert not framed(4_000, 6_000)
    arrange(qtbot, shown, "In order")
    assert not framed(6_500, 9_000)
