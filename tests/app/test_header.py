"""The header: chips and what opens under them, methods, options, Run, undo, and where a drop would go."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from tests.app.fakes import Lcs, fasta
from tests.app.parts import button, open_texts
from tests.app.test_cut_texts import texts as drawn_texts
from wavediff.app.ui.chooser import Segments
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.pair import Side
from wavediff.app.window import session as session_module
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EDIT


@pytest.fixture
def compared(qtbot, window, pair):
    window.resize(1400, 900)
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    return window


def test_segments_are_one_stop_with_arrows_inside(qtbot, theme):
    whole = QWidget()
    qtbot.addWidget(whole)
    segments = Segments("Number", theme, parent=whole)
    for number in (1, 2, 3):
        segments.add(number, str(number))
    segments.choose(2)
    whole.show()
    stops = [each for each in segments.buttons if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops == [segments.buttons[1]]
    roles = {QAccessible.queryAccessibleInterface(each).role() for each in segments.buttons}
    assert roles == {QAccessible.Role.RadioButton}
    stops[0].setFocus()
    with qtbot.waitSignal(segments.chosen) as told:
        qtbot.keyClick(stops[0], Qt.Key.Key_Right)
    assert (told.args, segments.value) == ([3], 3)
    assert whole.focusWidget() is segments.buttons[2]
    segments.choose(2)
    assert whole.focusWidget() is segments.buttons[1]
    with qtbot.assertNotEmitted(segments.chosen):
        segments.choose(None)
    assert segments.value is None


def test_each_method_has_a_segment_or_a_line_where_there_is_no_room(qtbot, window):
    header = window.header
    window.resize(1400, 800)
    qtbot.waitUntil(header.methods.isVisible)
    shown = [each.text() for each in header.methods.buttons if not each.isHidden()]
    assert shown == [*(one.name for one in METHODS if one.of_letters), "Lines"]
    assert not header.method_box.isVisible()
    window.resize(1000, 700)
    qtbot.waitUntil(header.method_box.isVisible)
    assert not header.methods.isVisible()
    window.resize(640, 400)
    assert header.options_button.isVisible()
    assert header.run.geometry().right() < header.width()
    assert header.method_box.accessibleName() == "Method"
    header.method_box.setCurrentIndex(1)
    header.method_box.activated.emit(1)
    assert window.session.choices.method == METHODS[1].id
    assert header.methods.value == METHODS[1].id


@pytest.mark.parametrize(("width", "seen"), [(640, False), (800, True), (1_280, True)])
def test_the_order_of_the_parts_gives_way_to_the_names_unless_it_is_chosen(qtbot, window, tmp_path, width, seen):
    header = window.header
    window.resize(width, 600)
    files = [fasta(tmp_path / f"{name}.fa", (name, "ACGTTGCATTACGGAT" * 20)) for name in ("one", "other")]
    qtbot.expect(window.session.compared, window.session.open_paths, files)
    window.session.choose(method="edit")
    qtbot.waitUntil(lambda: header.order.isVisible() is seen)
    actions = [window.actions_by_id[id_] for id_ in ("in_order", "rearranged", "contigs")]
    assert [(action.isChecked(), action.isEnabled()) for action in actions] == [
        (True, True),
        (False, True),
        (False, False),
    ]
    assert "open an assembly as B" in actions[2].toolTip()
    actions[1].trigger()
    qtbot.waitUntil(header.order.isVisible)
    assert header.order.currentText() == "Rearranged"
    assert [action.isChecked() for action in actions] == [False, True, False]
    actions[0].trigger()
    assert header.order.currentText() == "In order"


def test_names_of_one_family_are_told_apart_in_the_header(qtbot, window, tmp_path):
    names = [f"Severe_acute_respiratory_syndrome_coronavirus_2_isolate_{k}_Wuhan" for k in ("one", "two")]
    files = [fasta(tmp_path / f"{k}.fa", (name, "ACGTTGCATTACGGAT" * 20)) for k, name in enumerate(names)]
    window.resize(800, 500)
    qtbot.expect(window.session.compared, window.session.open_paths, files)
    for side, what in zip(Side, ("…one_Wuhan", "…two_Wuhan"), strict=True):
        assert what in [text for text, *_ in drawn_texts(window.header.chips[side])]


def test_the_method_is_cut_before_the_names_are(qtbot, window, tmp_path):
    header, names = window.header, ("NC_001422.1", "control2")
    files = [fasta(tmp_path / f"{name}.fa", (name, "ACGTTGCATTACGGAT" * 20)) for name in names]
    window.resize(660, 500)
    qtbot.expect(window.session.compared, window.session.open_paths, files)
    metrics = header.method_box.fontMetrics()
    qtbot.waitUntil(lambda: 0 < header.method_box.width() < metrics.horizontalAdvance(header.method_box.currentText()))
    for side, name in zip(Side, names, strict=True):
        assert name in [text for text, *_ in drawn_texts(header.chips[side])]
    ((cut, *_),) = drawn_texts(header.method_box)
    assert cut.endswith("…")
    assert header.method_box.currentText().startswith(cut[:-1])
    window.resize(1_000, 500)
    qtbot.waitUntil(lambda: header.method_box.width() > metrics.horizontalAdvance(header.method_box.currentText()))
    assert [text for text, *_ in drawn_texts(header.method_box)] == [header.method_box.currentText()]


def test_the_method_of_blocks_and_the_word_of_run_give_way_to_the_names(qtbot, window, tmp_path):
    header, names = window.header, ("NC_001422.1", "control2")
    files = [fasta(tmp_path / f"{name}.fa", (name, "ACGTTGCATTACGGAT" * 20)) for name in names]
    window.resize(640, 400)
    qtbot.expect(window.session.compared, window.session.open_paths, files)
    window.actions_by_id["rearranged"].trigger()
    qtbot.waitUntil(lambda: header.order.isVisible() and not header.method_box.isVisible())
    QApplication.processEvents()
    assert (header.run.text(), header.run.accessibleName()) == ("", "Run")
    assert not header.run.icon().isNull()
    for side, name in zip(Side, names, strict=True):
        assert name in [text for text, *_ in drawn_texts(header.chips[side])]
    window.resize(1_000, 500)
    qtbot.waitUntil(lambda: header.method_box.isVisible() and header.run.text() == "Run")


def test_texts_have_no_ambiguity_codes_to_choose(qtbot, window):
    popover = window.header.options_popover
    line = next(one for one in popover.all_lines if "Ambiguity" in [each.text() for each in one.findChildren(QLabel)])
    qtbot.expect(window.session.compared, open_texts, window.session, "ACGTN", "ACGTA")
    assert not line.isHidden()
    qtbot.expect(window.session.compared, open_texts, window.session, "kNttNn", "sittin")
    window.session.choose(method="edit")
    assert line.isHidden()


def test_the_name_gives_way_and_the_length_stays(compared, qtbot, tmp_path):
    chip = compared.header.chips[Side.A]
    short = chip.minimumSizeHint().width()
    long = fasta(tmp_path / "long.fa", ("n" * 5000, "ACGT" * 300))
    qtbot.expect(compared.session.compared, compared.session.open_paths, [long], Side.A)
    metrics = chip.fontMetrics()
    assert "· 1,200 DNA · long.fa" in chip.accessibleName()
    grown = metrics.horizontalAdvance("1,200 DNA") - metrics.horizontalAdvance("10 DNA")
    assert chip.minimumSizeHint().width() == short + grown


def texts(popover):
    return " ".join(each.text for each in popover.findChildren(ElidedLabel))


def test_a_popover_tells_all_and_gives_the_focus_back(compared, qtbot):
    compared.activateWindow()
    popover = compared.header.popovers[Side.A]
    compared.actions_by_id["show_a"].trigger()
    assert QApplication.activePopupWidget() is popover
    assert popover.width() == 520
    said = texts(popover)
    assert all(fact in said for fact in ("one first", "10 letters · DNA", "one.fa"))
    assert button(popover, "Another record…").isHidden()
    focus = popover.focusWidget()
    assert focus is not None
    qtbot.keyClick(focus, Qt.Key.Key_Escape)
    assert not popover.isVisible()
    assert compared.focusWidget() is compared.header.chips[Side.A]


def test_another_record_of_the_file_is_asked_for(compared, qtbot, tmp_path):
    many = fasta(tmp_path / "many.fa", ("r1", "A"), ("r2", "CC"))
    session, popover = compared.session, compared.header.popovers[Side.B]
    with qtbot.waitSignal(session.loader.choice_wanted) as asked:
        session.open_paths([many], Side.B)
    assert compared.answer.words.words.sentence == "Choose a record…", "nothing is read meanwhile"
    qtbot.expect(session.compared, session.loader.choose, asked.args[0], {Side.B: 0})
    assert "record 1 of 2" in texts(popover)
    assert not button(popover, "Another record…").isHidden()
    with qtbot.waitSignal(session.loader.choice_wanted) as asked:
        button(popover, "Another record…").click()
    qtbot.expect(session.compared, session.loader.choose, asked.args[0], {Side.B: 1})
    assert compared.header.chips[Side.B].accessibleName() == "Sequence B: r2 · 2 DNA · many.fa"


def test_the_options_of_a_method_stand_before_the_advanced_ones(compared):
    popover = compared.header.options_popover
    compared.session.choose(method="affine")
    shown = {id_ for id_ in popover.options.parts if not popover.lines[id_].isHidden()}
    assert shown == {"matrix", "gap_open", "gap_extend", "traceback", "kernel"}
    place = popover.column.indexOf
    assert max(place(popover.lines[id_]) for id_ in ("matrix", "gap_open")) < place(popover.advanced)
    assert min(place(popover.lines[id_]) for id_ in ("traceback", "kernel")) > place(popover.advanced)


def test_what_was_chosen_is_not_called_automatic(compared, qtbot):
    session, found = compared.session, compared.header.options_popover._found
    if session.choices.method != "edit":
        qtbot.expect(session.compared, session.choose, method="edit")
    assert "band" in found()
    qtbot.expect(session.compared, session.choose, **EDIT.option("band").parse("9"))
    assert not session.stale
    assert "band" not in found()


def test_nothing_is_said_of_a_card_that_is_not_there(compared):
    line = compared.header.options_popover.device_line
    assert line.hint.text() == "Automatic: CPU"


def test_run_takes_the_accent_while_the_answer_is_of_before(compared, qtbot, monkeypatch):
    run = compared.header.run
    assert not run.property("primary")
    monkeypatch.setattr(session_module, "AUTO_RECOMPUTE_SECONDS", 0.0)
    compared.session.choose(method="edit")
    assert run.property("primary")
    qtbot.expect(compared.session.compared, run.click)
    assert not run.property("primary")


def test_one_button_runs_and_stops(compared, qtbot):
    run = compared.header.run
    assert (run.text(), run.accessibleName()) == ("Run", "Run")
    place = run.geometry()
    Lcs.endless, Lcs.seconds = True, 0.002
    run.click()
    qtbot.waitUntil(lambda: run.text() == "Stop")
    assert run.geometry() == place
    run.click()
    qtbot.waitUntil(lambda: run.text() == "Run")
    assert not compared.session.running
    Lcs.reset()


def test_choices_and_swaps_can_be_undone(compared, qtbot):
    session, actions = compared.session, compared.actions_by_id
    names = [compared.header.chips[side].accessibleName() for side in Side]
    assert not actions["undo"].isEnabled()
    qtbot.expect(session.compared, session.choose, method="edit")
    session.choose(traceback=TracebackMethod.NONE)
    qtbot.expect(session.compared, session.swap)
    assert compared.header.chips[Side.A].accessibleName() == names[1].replace("Sequence B", "Sequence A")
    qtbot.expect(session.compared, actions["undo"].trigger)
    assert [compared.header.chips[side].accessibleName() for side in Side] == names
    assert session.choices.values["traceback"] is TracebackMethod.NONE
    actions["undo"].trigger()
    assert session.choices.values["traceback"] is TracebackMethod.BLOCKS
    with qtbot.waitSignal(session.compared) as got:
        actions["undo"].trigger()
    assert session.choices.method == "lcs"
    assert got.args[0].method.id == "lcs"
    assert not actions["undo"].isEnabled()
    for _ in range(3):
        actions["redo"].trigger()
    assert session.choices.method == "edit"
    assert compared.header.chips[Side.A].accessibleName() != names[0]
    qtbot.waitUntil(lambda: not session.running)
    qtbot.expect(session.compared, open_texts, session, "GATTACA", "GATACA")
    assert session.choices.method == "lcs"  # with which new pairs begin
    qtbot.expect(session.compared, actions["undo"].trigger)
    assert session.choices.method == "edit"
    assert compared.header.chips[Side.A].accessibleName() != names[0]  # they are swapped again
    qtbot.waitUntil(lambda: not session.running)
