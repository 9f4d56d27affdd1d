"""The alignment view by keys and buttons: messages, differences, places, copies, looks, staying alive."""

from time import perf_counter

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtWidgets import QToolButton, QWidget

from tests.app import alignment_window
from tests.app.alignment_window import place
from tests.app.alignments import from_cigar, random_pair, sequence
from tests.app.parts import kinds, open_texts
from tests.clock import check_within, longest, moment
from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.sequences.sequence import Alphabet

Key = Qt.Key
Mod = Qt.KeyboardModifier
view, shown = alignment_window.view, alignment_window.shown


def test_without_an_alignment_it_says_why(view, qtbot):
    view.clear("Drop two files")
    assert view.message == "Drop two files"
    assert view.model is None
    for key in (Key.Key_N, Key.Key_F8, Key.Key_Home, Key.Key_Down):
        qtbot.keyClick(view.canvas, key)
    view.copy()
    view.navigation.go_to("5")
    view.show_result(
        sequence(""), sequence(""), Alignment(np.empty(0, np.uint8), np.empty(0, np.int64)), fold_case=False
    )
    qtbot.waitUntil(lambda: "empty" in view.message)


def test_clearing_while_preparing_leaves_no_late_result(view, qtbot):
    """Late results of an old job are ignored."""
    a, b, alignment = random_pair(2_000_000, longest=1)
    view.show_result(a, b, alignment, fold_case=False)
    assert "Preparing" in view.message
    view.clear("stopped")
    qtbot.wait(100)
    assert view.message == "stopped"
    assert view.model is None


def test_steps_go_from_difference_to_difference_and_stop_at_the_ends(shown, qtbot):
    view = shown()
    view.stepper.findChild(QTimer).setInterval(300)
    assert place(view) == "6 differences"
    keys = [(Key.Key_N, Mod.NoModifier), (Key.Key_F8, Mod.NoModifier), (Key.Key_Down, Mod.AltModifier)]
    for number, (key, modifier) in enumerate([*keys, *keys], 1):
        qtbot.keyClick(view.canvas, key, modifier)
        assert place(view) == f"difference {number} of 6"
        assert view.canvas.is_visible(view.canvas.caret)
    assert view.notice.text == ""
    qtbot.keyClick(view.canvas, Key.Key_N)
    assert place(view) == "Last difference"
    qtbot.waitUntil(lambda: place(view) == "difference 6 of 6")
    back = [(Key.Key_N, Mod.ShiftModifier), (Key.Key_F7, Mod.NoModifier), (Key.Key_Up, Mod.AltModifier)]
    for number, (key, modifier) in zip((5, 4, 3), back, strict=True):
        qtbot.keyClick(view.canvas, key, modifier)
        assert place(view) == f"difference {number} of 6"
    qtbot.keyClick(view.canvas, Key.Key_Home, Mod.AltModifier)
    assert place(view) == "difference 1 of 6"
    assert view.canvas.caret == 30
    qtbot.keyClick(view.canvas, Key.Key_F7)
    assert place(view) == "First difference"
    qtbot.keyClick(view.canvas, Key.Key_End, Mod.AltModifier)
    assert place(view) == "difference 6 of 6"


def test_kinds_switched_off_are_not_stepped_on_and_one_stays_on(shown, qtbot):
    view = shown()
    buttons = {kind: kinds(view)[kind] for kind in (Kinds.MISMATCH, Kinds.INSERTION, Kinds.DELETION)}
    assert [button.text() for button in buttons.values()] == ["2", "7", "3"]
    for kind in (Kinds.MISMATCH, Kinds.DELETION):
        qtbot.mouseClick(buttons[kind], Qt.MouseButton.LeftButton)
    assert place(view) == "2 differences"
    view.navigation.go_next()
    assert (place(view), view.canvas.caret) == ("difference 1 of 2", 32)
    qtbot.mouseClick(buttons[Kinds.INSERTION], Qt.MouseButton.LeftButton)
    assert view.stepper.kinds == Kinds.INSERTION


def test_stepping_through_a_hundred_differences_moves_no_widget(shown):
    view = shown(*[(9, "="), (1, "X")] * 1200, size=(800, 500))

    def places():
        return [each.geometry() for each in view.stepper.findChildren(QWidget)]

    first = places()
    for _ in range(100):
        view.navigation.go_next()
        assert places() == first
    view.navigation.go_number(-1)
    view.navigation.go_next()
    assert place(view) == "Last difference"
    assert places() == first
    label = view.stepper.place_label
    assert label.fontMetrics().horizontalAdvance("difference 1,200 of 1,200") <= label.width()


def test_kinds_say_how_many_letters_differ_and_off_is_an_outline(shown, qtbot):
    view = shown()
    button = kinds(view)[Kinds.INSERTION]
    assert button.accessibleName() == "Insertions: 7 letters"
    on = button.grab().toImage()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.grab().toImage() != on
    assert not kinds(view)[Kinds.SWAP].isVisible()


def test_without_a_path_there_is_nothing_to_step_through(shown):
    view = shown()
    steps = [view.actions_by_id[f"{which}_difference"] for which in ("first", "previous", "next", "last")]
    assert all(each.isEnabled() for each in steps)
    view.clear("running")
    assert not any(each.isEnabled() for each in steps)


def test_view_options_give_b_a_ruler(shown):
    view = shown(size=(1280, 800))
    pitch = view.canvas.surface.cells.pitch
    view.actions_by_id["set_b_ruler"].trigger()
    assert view.canvas.surface.cells.pitch == pitch + 16


def test_identical_sequences_have_no_difference_and_no_kinds(shown, qtbot):
    view = shown((100, "="))
    qtbot.keyClick(view.canvas, Key.Key_N)
    assert place(view) == "no difference"
    steps = [view.actions_by_id[f"{which}_difference"] for which in ("first", "previous", "next", "last")]
    assert [(each.isEnabled(), each.toolTip()) for each in steps] == 4 * [(False, "There is no difference")]
    assert not any(button.isVisible() for button in kinds(view).values())


def test_go_to_goes_there_and_says_what_it_does_not_understand(shown, qtbot):
    view = shown()
    qtbot.keyClick(view.canvas, Key.Key_L, Mod.ControlModifier)
    field = view.stepper.field
    assert field.hasFocus()
    qtbot.keyClicks(field, "A:1000")
    qtbot.keyClick(field, Key.Key_Return)
    assert view.canvas.caret == view.model.index.column_of_a(999)
    assert view.canvas.is_visible(view.canvas.caret)
    assert view.canvas.hasFocus()
    view.navigation.go_to("A:100000")
    assert "A has no letter 100,000" in view.notice.text
    view.navigation.go_to("#2")
    assert place(view) == "difference 2 of 6"


def test_a_range_that_was_gone_to_is_selected_and_in_sight(shown):
    view = shown()
    view.navigation.go_to("first:700-720")
    first = view.model.index.column_of_a(699)
    assert (view.canvas.caret, view.canvas.selection) == (first, (first, view.model.index.column_of_a(719) + 1))
    assert view.canvas.is_visible(first)


def test_back_and_forward_go_through_the_places_that_were_jumped_to(shown, qtbot):
    view = shown()
    canvas, ticks = view.canvas, list[object]()
    view.visited_changed.connect(ticks.append)
    view.navigation.go_to("100")
    view.navigation.go_number(-1)
    last = canvas.caret
    view.navigation.go_previous()
    stepped = canvas.caret
    view.go_to_letter(799, None)
    assert canvas.caret == view.model.index.column_of_a(799)
    for expected in (stepped, 99, 0, 0):
        qtbot.keyClick(canvas, Key.Key_Left, Mod.AltModifier)
        assert canvas.caret == expected
        assert canvas.is_visible(expected)
    assert view.notice.text == "No earlier place"
    for expected in (99, stepped):
        qtbot.keyClick(canvas, Key.Key_Right, Mod.AltModifier)
        assert canvas.caret == expected
    view.navigation.go_to("7")
    assert ticks[-1] == (0, 99, stepped, 6)
    view.navigation.go_forward()
    assert view.notice.text == "No later place"
    assert last not in ticks[-1]
    view.clear("another pair")
    assert ticks[-1] == ()


def test_a_click_in_the_strip_is_a_place_to_go_back_from(shown, qtbot):
    view = shown()
    area = view.strip.area(0)
    qtbot.mouseClick(view.strip, Qt.MouseButton.LeftButton, pos=QPointF(area.right() - 40, area.center().y()).toPoint())
    there = view.canvas.caret
    assert there > 1000
    for keys, expected in ((Key.Key_Left, 0), (Key.Key_Right, there)):
        qtbot.keyClick(view.canvas, keys, Mod.AltModifier)
        assert view.canvas.caret == expected


def test_copying_nothing_says_how_to_select(shown, qtbot):
    view = shown()
    qtbot.keyClick(view.canvas, Key.Key_C, Mod.ControlModifier)
    assert "Nothing is selected" in view.notice.text
    qtbot.keyClick(view.canvas, Key.Key_A, Mod.ControlModifier)
    assert view.canvas.selection == (0, view.canvas.surface.n_columns)
    view.canvas.set_selection(0, 0)
    for _ in range(3):
        qtbot.keyClick(view.canvas, Key.Key_Right, Mod.ShiftModifier)
    assert view.canvas.selection == (0, 4)


def frame_of(view):
    """Return the accent-coloured box in the letters: left, top, right, bottom."""
    image, accent = view.canvas.grab().toImage(), Theme(Scheme.LIGHT).accent.rgb()
    places = [(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) == accent]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs), min(ys), max(xs), max(ys)


def test_the_caret_frames_the_whole_difference_else_its_column(shown):
    view = shown((100, "="), (6, "I"), (100, "="), size=(1200, 700))
    width = view.canvas.surface.cells.width
    view.canvas.set_caret(104)
    left, _, right, _ = frame_of(view)
    assert abs(right - left + 1 - (6 * width + 4)) <= 1
    view.canvas.set_caret(3)
    left, _, right, _ = frame_of(view)
    assert abs(right - left + 1 - (width + 4)) <= 1


def test_cells_are_10_by_20_and_9_by_16_in_a_small_window(shown):
    cells = shown((400, "="), size=(1280, 800)).canvas.surface.cells
    assert (cells.width, cells.height, cells.ruler_height, cells.pitch) == (10, 20, 16, 80)
    cells = shown((400, "="), size=(800, 500)).canvas.surface.cells
    assert (cells.width, cells.height, cells.ruler_height, cells.pitch) == (9, 16, 0, 48)


def test_short_sequences_are_in_large_letters_and_the_chosen_size_stays(shown):
    canvas = shown((60, "=")).canvas
    assert canvas.font_size == 28
    assert shown((400, "=")).canvas.font_size == canvas.chosen_font_size == 15


def test_theme_and_colouring_change_the_picture_at_once(shown, theme):
    view = shown()
    pictures = [view.canvas.grab().toImage()]
    view.canvas.set_colouring(Colouring.CELLS)
    pictures.append(view.canvas.grab().toImage())
    theme.set_scheme(Scheme.DARK)
    pictures.append(view.canvas.grab().toImage())
    assert pictures[0] != pictures[1] != pictures[2]
    assert pictures[2].pixelColor(2, 2).lightnessF() < 0.3 < pictures[0].pixelColor(2, 2).lightnessF()


def test_bytes_that_have_no_glyph_are_shown_by_a_dot_and_said(view, qtbot):
    text = bytes(range(256))
    pair = sequence(text, "bytes", Alphabet.TEXT), sequence(text, "bytes", Alphabet.TEXT)
    view.show_result(*pair, from_cigar((256, "=")), fold_case=False)
    qtbot.waitUntil(lambda: view.model is not None)
    assert view.notice.text.startswith("· stands for characters without a glyph: 128 in A")
    view.canvas.grab()
    view.canvas.set_caret(0)
    assert "A 1 byte 0x00" in view.where.text


def test_everything_has_an_accessible_name(shown):
    view = shown()
    widgets = [view, view.canvas, view.strip, view.pane.vertical, view.pane.horizontal, view.stepper.field]
    widgets += [button for button in view.stepper.findChildren(QToolButton) if button.parent() is view.stepper]
    assert all(widget.accessibleName() for widget in widgets)
    assert "first" in view.canvas.accessibleName()
    view.canvas.set_caret(30)
    assert "deletion" in view.canvas.accessibleDescription()


@pytest.mark.timed
def test_the_window_stays_alive_while_a_large_alignment_is_prepared(view, qtbot):
    a, b, alignment = random_pair(4_000_000, longest=2)
    view.resize(800, 500)
    beats = []
    heart = QTimer()
    heart.setInterval(5)
    heart.timeout.connect(lambda: beats.append(moment()))
    heart.start()
    qtbot.wait(50)
    start = perf_counter()
    view.show_result(a, b, alignment, fold_case=False)
    assert view.model is None  # not done inside the call
    qtbot.waitUntil(lambda: view.model is not None, timeout=20_000)
    qtbot.wait(50)
    heart.stop()
    during = [at for at in beats if at[0] >= start - 0.02]
    assert len(during) > 5
    check_within(longest(during), 0.2)


@pytest.mark.parametrize("wrapped", [True, False])
def test_steps_begin_at_what_is_seen(shown, qtbot, wrapped):
    """The handle of the strip was dragged: the caret is somewhere else, and not what the person is looking at."""
    view = shown((10, "="), (1, "X"), (5000, "="), (1, "X"), (5, "="), (1, "X"), (5000, "="), (1, "X"), (10, "="))
    view.canvas.set_wrapped(wrapped)
    handle, middle = view.strip.handle().center().toPoint(), view.strip.area(0).center().toPoint()
    qtbot.mousePress(view.strip, Qt.MouseButton.LeftButton, pos=handle)
    qtbot.mouseMove(view.strip, middle)
    qtbot.mouseRelease(view.strip, Qt.MouseButton.LeftButton, pos=middle)
    assert view.canvas.caret == 0
    position = view.canvas.position
    qtbot.keyClick(view.canvas, Key.Key_Down, Mod.AltModifier)
    assert place(view) == "difference 2 of 4"
    assert view.canvas.position == position  # it was in sight
    qtbot.keyClick(view.canvas, Key.Key_Down, Mod.AltModifier)
    assert place(view) == "difference 3 of 4"
    view.canvas.scroll_to(0)
    qtbot.keyClick(view.canvas, Key.Key_Up, Mod.AltModifier)
    assert place(view) == "difference 1 of 4"
    view.canvas.scroll_to(view.canvas.surface.last_position if view.canvas.surface else 0)
    qtbot.keyClick(view.canvas, Key.Key_Up, Mod.AltModifier)
    assert place(view) == "difference 4 of 4"


def test_steps_go_on_where_a_line_of_letters_is_higher_than_the_view(shown, qtbot):
    view = shown(size=(300, 200))
    view.canvas.set_font_size(40)
    for number in range(1, 7):
        view.navigation.go_next()
        assert place(view) == f"difference {number} of 6"
    for number in range(5, 0, -1):
        view.navigation.go_previous()
        assert place(view) == f"difference {number} of 6"


def test_middle_dots_of_a_text_are_no_substitutes(qtbot, window):
    qtbot.expect(window.session.compared, open_texts, window.session, "a·b·c\ue000", "a·b·d")
    qtbot.waitUntil(lambda: not window.turns.busy)
    assert window.alignment.notice.text == "· stands for characters without a glyph: 1 in A, 0 in B"
