"""Where the docks of the window stand at first."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Slot
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
MAX_DOCK_WIDTH_SHARE, MAX_DOCK_HEIGHT_SHARE = 0.41, 0.6  # of the screen: what a dock may ask for
SLACK_PIXELS = 4  # by which a width may differ that nobody changed
LAYOUT_DELAY_MS = 150  # from the showing of a dock until it has the room that it asks for
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
            dock.setWidget(DockArea(widgets[name]) if name in HIDDEN else widgets[name])
            window.addDockWidget(area, dock)
            dock.toggleViewAction().triggered.connect(dock.raise_)  # else it opens behind another
            if first is not None:
                window.tabifyDockWidget(first, dock)
            first = first or dock
        if first is not None:
            first.raise_()
    for name in HIDDEN:
        docks[name].hide()
    window.resizeDocks([docks["wavefront"]], [430], Qt.Orientation.Horizontal)
    window.resizeDocks([docks["timings"]], [170], Qt.Orientation.Vertical)
    _Width(window, docks)
    return docks


class _Width(QObject):
    """Gives the area at the right its width back when the views are closed that needed more."""

    def __init__(self, window: QMainWindow, docks: dict[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._anchor = window, docks["wavefront"]
        self._docks = [docks[name] for name in HIDDEN]
        self._before = self._grown = 0  # pixels
        for dock in self._docks:
            dock.toggleViewAction().toggled.connect(partial(self._toggled, dock))

    def _toggled(self, dock: QDockWidget, shown: bool) -> None:
        others = [each for each in self._docks if each is not dock and not each.isHidden()]
        if others or not self._window.isVisible():
            return
        if shown:
            self._before = self._grown = self._anchor.width()
            QTimer.singleShot(LAYOUT_DELAY_MS, dock, lambda: self._settled(dock))
        elif self._before and abs(dock.width() - self._grown) <= SLACK_PIXELS:  # else it was pulled at
            QTimer.singleShot(0, self, self._give_back)

    def _settled(self, dock: QDockWidget) -> None:
        self._grown = dock.width()

    @Slot()
    def _give_back(self) -> None:
        if self._window.dockWidgetArea(self._anchor) is Qt.DockWidgetArea.RightDockWidgetArea:
            self._window.resizeDocks([self._anchor], [self._before], Qt.Orientation.Horizontal)


class DockArea(QScrollArea):
    """Scrolls ``widget`` where its dock has less room than it needs.

    It asks for that room as far as the screen has it: a view that is opened should not have to be scrolled, nor
    make the window larger than the screen.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(widget)

    def minimumSizeHint(self) -> QSize:
        screen, view = self.screen(), self.widget()
        if screen is None or view is None:
            return super().minimumSizeHint()
        room = screen.availableGeometry().size()
        most = QSize(int(MAX_DOCK_WIDTH_SHARE * room.width()), int(MAX_DOCK_HEIGHT_SHARE * room.height()))
        return view.minimumSizeHint().boundedTo(most)
