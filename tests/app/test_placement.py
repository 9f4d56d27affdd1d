"""Where the window and its controls stand on small screens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app import docks, placement
from app.main_window import MainWindow
from app.session import Session
from app.settings import Settings
from app.theme import Theme
from app.views.flow import FlowLayout

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


def test_the_window_fits_a_screen_of_800_by_500(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What 1600 x 1000 is at 200 %; with every dock open that a person may open."""
    monkeypatch.setattr(placement, "HIGH", 1_000_000)
    monkeypatch.setattr(docks, "HIGHEST", docks.HIGHEST * 500 / 800)  # the screen of the tests is as high as wide
    window = MainWindow(session, theme, Settings())
    window.add_wavefront()
    qtbot.addWidget(window)
    for name, dock in window.docks.items():
        dock.show()
        dock.raise_()
        assert window.dockWidgetArea(dock) == window.dockWidgetArea(window.docks["wavefront"]), name
    smallest = window.minimumSizeHint()
    assert smallest.width() <= 800
    assert smallest.height() <= 500


def test_controls_go_on_in_the_next_line(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    flow = FlowLayout(whole, spacing=4)
    boxes = []
    for k in range(4):
        box = QLabel()
        box.setFixedSize(QSize(50, 20))
        boxes.append(box)
        if k == 3:
            flow.stretch_here()
        flow.addWidget(box)
    assert [flow.heightForWidth(width) for width in (212, 211, 104, 103, 50, 10)] == [20, 44, 44, 92, 92, 92]
    flow.setGeometry(QRect(0, 0, 300, 20))
    assert [box.x() for box in boxes] == [0, 54, 108, 250]  # the last keeps to the right edge
    flow.setGeometry(QRect(0, 0, 110, 44))
    assert [(box.x(), box.y()) for box in boxes] == [(0, 0), (54, 0), (0, 24), (54, 24)]
    boxes[1].hide()
    assert flow.heightForWidth(158) == 20
    assert flow.minimumSize() == QSize(50, 20)
