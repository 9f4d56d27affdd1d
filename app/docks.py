"""Where the docks of the window stand at first."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QFrame, QMainWindow, QScrollArea, QWidget

# Name -> title; the first of each area is on top. Those that are hidden at first are in the menu.
RIGHT = {
    "wavefront": "Block wavefront",
    "many": "Many pairs",
    "search": "Search",
    "race": "Kernel race",
    "table": "Table H",
    "bwt": "Burrows-Wheeler transform",
}
BOTTOM = {"timings": "Timings", "ledger": "Skip ledger", "statistics": "Statistics"}
HIDDEN = ("many", "search", "race", "table", "bwt")


def add_docks(window: QMainWindow, widgets: dict[str, QWidget]) -> dict[str, QDockWidget]:
    """Return a dock for each of ``widgets``, by the same names, stacked where they belong."""
    docks: dict[str, QDockWidget] = {}
    window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
    for area, titles in (
        (Qt.DockWidgetArea.RightDockWidgetArea, RIGHT),
        (Qt.DockWidgetArea.BottomDockWidgetArea, BOTTOM),
    ):
        first: QDockWidget | None = None
        for name, title in titles.items():
            dock = docks[name] = QDockWidget(title, window)
            dock.setObjectName(name)
            dock.setWidget(_scrolled(widgets[name]) if name in HIDDEN else widgets[name])
            window.addDockWidget(area, dock)
            if first is not None:
                window.tabifyDockWidget(first, dock)
            first = first or dock
        if first is not None:
            first.raise_()
    for name in HIDDEN:
        docks[name].hide()
    window.resizeDocks([docks["wavefront"]], [430], Qt.Orientation.Horizontal)
    window.resizeDocks([docks["timings"]], [170], Qt.Orientation.Vertical)
    return docks


def _scrolled(widget: QWidget) -> QScrollArea:
    """Return ``widget`` in what scrolls it where it is larger than its dock; else it would make the window larger."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(widget)
    return area
