"""Blocks in the window: their kinds in the stepper, their ribbons closer, and pictures that open them."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from tests.app.real_kernels import fake_kernels, window
from tests.app.test_blocks import A, B, Key, arrange, current, opened, place, rows, shown
from tests.app.test_cut_texts import texts
from wavediff.app.commands import cli
from wavediff.app.compare.difference_list import KIND

__all__ = ["fake_kernels", "shown", "window"]


def test_kinds_of_the_stepper_choose_the_blocks_of_steps_and_list(qtbot, shown):
    kinds = {one.accessibleName(): one for one in shown.alignment.stepper.kind_buttons.values() if not one.isHidden()}
    assert list(kinds) == [
        "Collinear: 5 blocks",
        "Inverted: 1 block",
        "Only in B: 1 block",
        "Only in A: 1 block",
        "Moved: 1 block",
    ]
    qtbot.mouseClick(kinds["Collinear: 5 blocks"], Qt.MouseButton.LeftButton)
    assert [row[KIND] for row in rows(shown)] == ["inverted", "moved", "only in A", "only in B"]
    assert (place(shown), current(shown)) == ("block 1 of 4", 2)
    canvas = shown.alignment.ribbons.canvas
    seen = []
    for _ in range(4):
        QTest.keyClick(canvas, Key.Key_N)
        seen.append((place(shown), current(shown)))
    assert [number for _, number in seen] == [3, 6, 8, 8]
    assert seen[:3] == [(f"block {k} of 4", number) for k, number in ((2, 3), (3, 6), (4, 8))]
    shown.alignment.blocks.show_one(1)
    assert (place(shown), current(shown)) == ("4 blocks", 0)
    QTest.keyClick(canvas, Key.Key_N)
    assert place(shown) == "block 1 of 4"
    qtbot.mouseClick(kinds["Collinear: 5 blocks"], Qt.MouseButton.LeftButton)
    assert len(rows(shown)) == 9
    arrange(qtbot, shown, "In order")
    qtbot.waitUntil(lambda: shown.session.outcome is not None and not shown.session.busy)
    names = [one.accessibleName() for one in shown.alignment.stepper.kind_buttons.values() if not one.isHidden()]
    assert not any("block" in name for name in names)


def test_enter_in_the_order_that_was_chosen_compares_the_block(qtbot, window, write):
    window.activateWindow()
    opened(qtbot, window, write(A, B))
    order = window.header.order
    order.setFocus()
    QTest.keyClick(order, Key.Key_Down)
    qtbot.waitUntil(lambda: window.session.blocks.answer is not None)
    QTest.keyClick(order, Key.Key_Return)
    qtbot.waitUntil(lambda: len(window.session.pair.complete[0]) == 3_000 and not window.session.busy)
    assert not window.session.rearranged


def test_wheel_and_keys_zoom_the_ribbons_at_the_pointer(qtbot, shown):
    canvas = shown.alignment.ribbons.canvas
    x = canvas.ribbons.x(7_500)
    middle = QPointF(x, canvas.ribbons.bar(0).y + 4)
    for _ in range(4):
        turned = QWheelEvent(
            middle, canvas.mapToGlobal(middle), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(canvas, turned)
    seen = canvas.ribbons
    assert seen.letters.span == pytest.approx(12_100 / 16)
    assert seen.x(7_500) == pytest.approx(x, abs=0.5)
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle.toPoint())
    assert current(shown) == 4, "the block of A under the pointer"
    assert canvas.ribbons == seen, "no further"
    QTest.keyClick(canvas, Key.Key_N)
    window = canvas.ribbons.letters
    assert window.first <= 9_001
    assert window.end >= 9_500, "the next block is in sight"
    shown.alignment.ribbons.compare.click()
    session = shown.session
    qtbot.waitUntil(lambda: session.state.whole is not None and session.outcome is not None and not session.busy)
    shown.actions_by_id["back_to_whole"].trigger()
    qtbot.waitUntil(lambda: session.rearranged and canvas.isVisible() and canvas.answer is not None)
    assert canvas.ribbons.letters == window, "as it was left"
    QTest.keyClick(canvas, Key.Key_0)
    assert canvas.ribbons.window is None


def test_a_picture_of_the_command_line_opens_the_pair_and_its_blocks(qtbot, window, write, tmp_path):
    first, second = map(str, write(A, B))
    picture = tmp_path / "blocks.svg"
    words = "--view", "blocks", "--at", "#3", "--seed-letters", "20", "--quiet", "--svg", str(picture)
    assert cli.main(["compare", first, second, *words]) == 1
    window.session.open_paths([picture])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    qtbot.keyClick(window.findChild(QMessageBox, "picture_box"), Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.blocks.answer is not None)
    assert window.session.blocks.answer.result.k == 20
    assert place(window) == "block 3 of 9"


def test_why_there_is_no_way_back_is_said_whole_between_the_steps(shown):
    shown.resize(640, 400)
    label = shown.alignment.stepper.place_label
    for action, text in (("go_back", "No earlier place"), ("go_forward", "No later place")):
        shown.alignment.actions_by_id[action].trigger()
        assert (label.text, " ".join(line for line, *_ in texts(label))) == (text, text)
    shown.alignment.blocks.show_one(3)
    assert place(shown) == "block 3 of 9"
