"""Escape ends the nearest thing, N steps from everywhere but a field, Enter presses the button with the focus."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from tests.app import fakes
from tests.app.dragging import drop, mime_of
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.search.search_view import SearchView
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.app.ui.samples import SAMPLES

Key = Qt.Key


@pytest.fixture
def compared(qtbot, window, pair):
    window.resize(1280, 800)
    window.activateWindow()
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    return window


def focus():
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_escape_ends_the_nearest_thing_first(qtbot, compared):
    """A run of an hour is stopped by the last Escape only."""
    window, session = compared, compared.session
    fakes.Lcs.endless, fakes.Lcs.seconds = True, 0.005
    session.run()
    qtbot.waitUntil(lambda: session.running and window.actions_by_id["stop"].isEnabled())
    canvas = window.alignment.canvas
    canvas.setFocus()
    canvas.set_selection(0, 3)
    window.full_screen()
    session.notice(Severity.WARNING, "one", Side.A)
    window.show_panel("search")
    assert window.view(SearchView).isAncestorOf(focus())
    window.answer.open_list()

    def opened():
        found = {
            "list": window.answer.list.isVisible(),
            "field": window.view(SearchView).isAncestorOf(focus()),
            "selection": canvas.selection != (0, 0),
            "full screen": window.isFullScreen(),
            "run": session.running,
        }
        return [name for name, there in found.items() if there]

    if window.answer.list.isVisible():
        window.answer.list.setFocus()
    assert opened() == ["list", "selection", "full screen", "run"]
    qtbot.keyClick(focus(), Key.Key_Escape)
    window.actions_by_id["search"].trigger()
    assert opened() == ["field", "selection", "full screen", "run"]
    for left in (["selection", "full screen", "run"], ["full screen", "run"], ["run"], []):
        qtbot.keyClick(focus(), Key.Key_Escape)
        assert opened() == left


def test_ctrl_0_is_the_usual_size_of_letters_and_map(qtbot, compared):
    canvas, usual = compared.alignment.canvas, compared.alignment.canvas.font_size
    canvas.setFocus()
    for key in (Key.Key_Plus, Key.Key_Minus, Key.Key_Minus):
        qtbot.keyClick(focus(), key, Qt.KeyboardModifier.ControlModifier)
        assert canvas.font_size != usual or key is Key.Key_Minus
    assert canvas.font_size != usual
    qtbot.keyClick(focus(), Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert canvas.font_size == usual


def test_escape_closes_a_popover_before_a_run(qtbot, compared):
    fakes.Lcs.endless, fakes.Lcs.seconds = True, 0.005
    compared.session.run()
    qtbot.waitUntil(lambda: compared.session.running)
    compared.header.open_options()
    popup = QApplication.activePopupWidget()
    assert popup is not None
    qtbot.keyClick(focus(), Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    assert compared.session.running
    qtbot.keyClick(focus(), Key.Key_Escape)
    assert not compared.session.running


def test_n_goes_to_the_next_difference_wherever_nothing_is_typed(qtbot, compared, subtests):
    window = compared
    method = next((each for each in window.header.methods.buttons if each.isChecked()), window.header.method_box)
    targets = {
        "letters": window.alignment.canvas,
        "chip": window.header.chips[Side.A],
        "method": method,
        "list": window.view(DifferencesView).table.rows,
        "map": window.areas["computation"],
        "run": window.header.run,
    }
    canvas = window.alignment.canvas
    last = canvas.surface.n_columns - 1
    for where, target in targets.items():
        target.setFocus()
        for start, held in ((0, Qt.KeyboardModifier.NoModifier), (last, Qt.KeyboardModifier.ShiftModifier)):
            canvas.set_caret(start)
            with subtests.test(where, start=start):
                qtbot.keyClick(focus(), Key.Key_N, held)
                assert canvas.caret == 10  # the one difference


def test_n_is_typed_into_a_field(qtbot, compared):
    compared.alignment.actions_by_id["focus_go_to"].trigger()
    caret = compared.alignment.canvas.caret
    qtbot.keyClick(focus(), Key.Key_N)
    assert compared.alignment.canvas.caret == caret
    assert focus().property("text") == "n"


def test_enter_presses_the_button_with_the_focus(qtbot, window, subtests):
    window.activateWindow()
    asked = []
    window.start.sample_wanted.disconnect(window.session.open_sample)
    window.start.sample_wanted.connect(asked.append)
    buttons = {each.accessibleName(): each for each in window.start.findChildren(QPushButton)}
    for sample in SAMPLES[1:]:
        for key in (Key.Key_Return, Key.Key_Enter, Key.Key_Space):
            with subtests.test(f"{sample.title}, {key.name}"):
                asked.clear()
                buttons[sample.title].setFocus()
                qtbot.keyClick(buttons[sample.title], key)
                assert asked == [sample]
