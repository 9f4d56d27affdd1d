"""The axes around the matrix follow mouse and keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.models.span import Span
from app.models.wavefront import WavefrontModel
from app.theme import Scheme, Theme
from app.views.board_canvas import BoardCanvas
from app.views.matrix_plot import NOTCH, MatrixPlot


@pytest.fixture
def plot(qtbot: QtBot) -> MatrixPlot:
    theme = Theme(Scheme.LIGHT)
    plot = MatrixPlot(BoardCanvas(WavefrontModel(), theme), theme)
    qtbot.addWidget(plot)
    plot.resize(500, 400)
    plot.show_matrix(1000, 2000)
    plot.show()
    qtbot.waitExposed(plot)
    return plot


def turn(plot: MatrixPlot, at: QPointF, notches: int) -> None:
    event = QWheelEvent(
        at, plot.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot, event)


def test_the_wheel_zooms_at_the_pointer(plot: MatrixPlot) -> None:
    at = QPointF(plot.inner.center()) + QPointF(30, -20)
    before = plot.letters(at)
    turn(plot, at, 2)
    assert plot.cols.size == pytest.approx(NOTCH**2 * Span.all(2000).size)
    assert plot.rows.size == pytest.approx(NOTCH**2 * Span.all(1000).size)
    after = plot.letters(at)
    assert (after.x(), after.y()) == pytest.approx((before.x(), before.y()))


@pytest.mark.parametrize("axis", ["left", "top"])
def test_on_an_axis_only_its_direction_is_zoomed(plot: MatrixPlot, axis: str) -> None:
    left = axis == "left"
    turn(plot, QPointF(5, plot.height() / 2) if left else QPointF(plot.width() / 2, 5), 1)
    assert (plot.rows != Span.all(1000), plot.cols != Span.all(2000)) == (left, not left)


def test_dragging_moves_what_is_seen_with_the_pointer(plot: MatrixPlot) -> None:
    plot.zoom(0.25)
    start, end = plot.inner.center(), plot.inner.center() + QPoint(-40, 25)
    held = plot.letters(QPointF(start))
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(plot, end)
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=end)
    now = plot.letters(QPointF(end))
    assert (now.x(), now.y()) == pytest.approx((held.x(), held.y()))
    QTest.mouseDClick(plot, Qt.MouseButton.LeftButton, pos=end)
    assert (plot.cols, plot.rows) == (Span.all(2000), Span.all(1000))


def test_keys_zoom_and_move(plot: MatrixPlot) -> None:
    press: Callable[[Qt.Key], None] = lambda key: QTest.keyClick(plot, key)  # noqa: E731
    press(Qt.Key.Key_Plus)
    press(Qt.Key.Key_Plus)
    seen = plot.cols
    press(Qt.Key.Key_Right)
    assert plot.cols.first > seen.first
    press(Qt.Key.Key_Left)
    assert plot.cols.first == pytest.approx(seen.first)
    press(Qt.Key.Key_Minus)
    assert plot.cols.size > seen.size
    press(Qt.Key.Key_Home)
    assert plot.cols == Span.all(2000)


def test_the_place_under_the_pointer_is_told_inside_the_picture_only(qtbot: QtBot, plot: MatrixPlot) -> None:
    told: list[QPointF | None] = []
    plot.pointed.connect(told.append)
    QTest.mouseMove(plot, plot.inner.center())
    QTest.mouseMove(plot, QPoint(3, 3))
    assert told[-1] is None
    place = told[-2]
    assert place is not None
    assert (place.x(), place.y()) == pytest.approx((1000, 500), rel=0.02)


def test_a_matrix_of_the_same_size_stays_as_it_was_zoomed(plot: MatrixPlot) -> None:
    plot.zoom(0.5)
    seen = plot.cols, plot.rows
    plot.show_matrix(1000, 2000)
    assert (plot.cols, plot.rows) == seen
    plot.show_matrix(1000, 2001)
    assert (plot.cols, plot.rows) == (Span.all(2001), Span.all(1000))
