"""The one table of docks: the views in them, the View menu, tips, keys and what the settings keep all come from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Slot
from PySide6.QtWidgets import QDockWidget, QFrame, QMainWindow, QScrollArea, QWidget

from app.batch.batch_view import BatchView
from app.bwt.bwt_view import BwtView
from app.compare.computation_view import ComputationView
from app.compare.differences_view import DifferencesView
from app.compare.distance_table_view import SwapTableView
from app.compare.skipped_work_view import LedgerView
from app.compare.statistics_view import StatisticsView
from app.compare.timings_view import TimingsView
from app.race.race_view import RaceView
from app.search.search_view import SearchView
from app.ui.dock_view import DockView
from app.window.actions import ActionSpec
from app.window.band_bar import BandBar

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

MAX_DOCK_WIDTH_SHARE, MAX_DOCK_HEIGHT_SHARE = 0.41, 0.6  # of the screen: what a dock may ask for
SLACK_PIXELS = 4  # by which a width may differ that nobody changed
LAYOUT_DELAY_MS = 150  # from the showing of a dock until it has the room that it asks for


def _wavefront(window: MainWindow) -> DockView:
    session = window.session
    view = ComputationView(session.wavefront, session.devices, session.pair, window.theme, window.pointer, window)
    view.add_bar(BandBar(window.session, window.theme, view))
    view.place_wanted.connect(window.commands.show_letter)
    session.compared.connect(view.show_outcome_soon)
    return view


def _many(window: MainWindow) -> DockView:
    view = BatchView(window.session.many, window.session.devices, window.theme, window)
    view.pair_wanted.connect(window.commands.show_pair)
    return view


def _search(window: MainWindow) -> DockView:
    view = SearchView(window.session.search, window.session.devices, window.theme, window)
    view.place_wanted.connect(window.commands.show_place)
    window.pointer.caret_moved.connect(view.follow_caret)
    view.places_changed.connect(window.alignment.overview.set_hits)
    return view


def _table(window: MainWindow) -> DockView:
    view = SwapTableView(window.theme, window)
    view.example_wanted.connect(window.commands.show_example)
    window.session.compared.connect(view.show_outcome)
    return view


def _bwt(window: MainWindow) -> DockView:
    view = BwtView(window.session.transform, window.theme, window.pointer, window)
    view.jumped.connect(window.commands.show_letter)
    return view


@dataclass(frozen=True, slots=True)
class Dock:
    """One dock.

    Attributes:
        id: also its name in the settings.
        tip: of its entries in the menus.
        make: returns its view.
        bottom: whether it stands at the bottom; else at the right. The first one of each side is in front.
        hidden: whether it is closed at first.
        entry: of the menu Compare, which opens it ready for use; empty = it is in the menu View alone.
        keys: of that entry.
        width: pixels that it is given when it is opened so, where the window has them.
    """

    id: str
    title: str
    tip: str
    make: Callable[[MainWindow], DockView]
    bottom: bool = False
    hidden: bool = False
    entry: str = ""
    keys: tuple[str, ...] = ()
    width: int = 0


DOCKS = (
    Dock(
        "differences", "Differences", "Every difference: kind, place, length and letters",
        lambda window: DifferencesView(window.alignment, window.theme, window), bottom=True,
    ),
    Dock("wavefront", "Block wavefront", "The blocks of the matrix as they are computed", _wavefront),
    Dock(
        "many", "Many pairs", "Distances of all records of one or two files", _many,
        hidden=True, entry="&Many pairs…", keys=("Ctrl+M",),
    ),
    Dock(
        "search", "Search", "Search for many patterns in A, B or both", _search,
        hidden=True, entry="&Find patterns…", keys=("Ctrl+F",),
    ),
    Dock(
        "race", "Kernel race", "The same pair on several kernels: answers and times",
        lambda window: RaceView(window.session.race, window.theme, window),
        hidden=True, entry="&Kernel race…", keys=("Ctrl+K",), width=700,
    ),
    Dock("table", "Table H", "The table of a small pair that is compared with swaps", _table, hidden=True),
    Dock(
        "bwt", "Burrows-Wheeler transform", "Transform A, B or both, and search", _bwt,
        hidden=True, entry="&Burrows-Wheeler transform", keys=("Ctrl+B",),
    ),
    Dock(
        "timings", "Timings", "Time and speed of the kernels of the last run",
        lambda window: TimingsView(window.session.timings, window.theme, window), bottom=True,
    ),
    Dock(
        "ledger", "Skip ledger", "What of the matrix was left out, and why",
        lambda window: LedgerView(window.session.ledger, window.theme, window), bottom=True,
    ),
    Dock(
        "statistics", "Statistics", "Figures of the alignment, each with its definition",
        lambda window: StatisticsView(window.session.statistics, window.theme, window), bottom=True,
    ),
)  # fmt: skip
BOTTOM = tuple(dock.id for dock in DOCKS if dock.bottom)
ENTRIES = tuple(
    ActionSpec(dock.id, dock.entry, "&Compare", dock.keys, dock.tip, separator=number == 0)
    for number, dock in enumerate(dock for dock in DOCKS if dock.entry)
)


def add_docks(window: MainWindow) -> tuple[dict[str, DockView], dict[str, QDockWidget]]:
    """Make the view and the dock of each line of the table, stacked where they belong; return both by their ids."""
    views: dict[str, DockView] = {}
    docks: dict[str, QDockWidget] = {}
    first: dict[bool, QDockWidget] = {}
    window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
    for each in DOCKS:
        view = views[each.id] = each.make(window)
        dock = docks[each.id] = QDockWidget(each.title, window)
        dock.setObjectName(each.id)
        dock.setWidget(DockArea(view) if each.hidden else view)
        area = Qt.DockWidgetArea.BottomDockWidgetArea if each.bottom else Qt.DockWidgetArea.RightDockWidgetArea
        window.addDockWidget(area, dock)
        toggle = dock.toggleViewAction()
        toggle.setStatusTip(each.tip)
        toggle.setToolTip(each.tip)
        toggle.triggered.connect(dock.raise_)  # else it opens behind another
        if each.bottom in first:
            window.tabifyDockWidget(first[each.bottom], dock)
        first.setdefault(each.bottom, dock)
    for dock in first.values():
        dock.raise_()
    for each in DOCKS:
        docks[each.id].setVisible(not each.hidden)
    window.resizeDocks([docks["wavefront"]], [430], Qt.Orientation.Horizontal)
    window.resizeDocks([docks["timings"]], [170], Qt.Orientation.Vertical)
    _Width(window, docks)
    return views, docks


def open_dock(window: MainWindow, id_: str) -> None:
    """Show a dock in front, with the room that it wants, and ready for use."""
    dock, width = window.docks[id_], next(each.width for each in DOCKS if each.id == id_)
    grows = width and not dock.isVisible() and not dock.isFloating()
    bring(dock)
    if grows:
        room = max(dock.width(), min(width, window.width() // 2))
        window.resizeDocks([dock], [room], Qt.Orientation.Horizontal)
    window.views[id_].opened()


def bring(dock: QDockWidget) -> None:
    """Show a dock in front."""
    dock.show()
    dock.raise_()


class _Width(QObject):
    """Gives the area at the right its width back when the views are closed that needed more."""

    def __init__(self, window: QMainWindow, docks: dict[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._anchor = window, docks["wavefront"]
        self._docks = [docks[each.id] for each in DOCKS if each.hidden]
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
