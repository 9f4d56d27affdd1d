"""Layout of letters, lower panel and computation: by window size, and as adjusted by the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QSplitter, QStackedWidget, QStyle, QTabBar, QWidget

from wavediff.app.ui.layouts import in_column
from wavediff.app.window.panels.panels import LOWER, PanelArea, PanelTabs
from wavediff.core.methods.base import LINE, WORD

GAP_PX = 8  # between parts, and the step to which a pulled splitter snaps
COMPACT_BELOW, LARGE_FROM = QSize(1100, 600), QSize(1800, 900)  # of the window, logical pixels
WELCOME_HEIGHT_PX = 376  # of the page of the first start
LOWER_SHARE = 0.45  # of the column, for the lower panel: the same for a list and a tool, so that no tab moves
LINES_LOWER_SHARE, LINES_COMPUTATION_PX = 0.33, 352  # where two texts are compared by lines; width of the computation
LEAST_COMPUTATION_PX = 280  # of width
COMPUTATION_WIDTH_PX, LARGEST_COMPUTATION_PX, COMPUTATION_SHARE = 392, 1000, 0.39
LIST_WIDTH_PX, LARGEST_LIST_PX, LIST_SHARE = 396, 560, 0.21
SMALL_PAIR_LETTERS = 64  # of the longer sequence: each cell of the matrix can be shown
SMALL_PAIR_LETTERS_PX = 424  # of width for the letters of a pair whose cells are shown
DEFAULT_SIZE = QSize(1280, 800)
MIN_SIZE = QSize(640, 400)
SETTLING_MS = 300  # after a tab was chosen or parts were resized, in which layouts and first contents arrive
MAX_SIZE_PX = 1 << 15  # of a part, in the settings


def place(window: QMainWindow, geometry: bytes) -> None:
    """Restore a saved window geometry, if a screen has room for it."""
    screen = QGuiApplication.primaryScreen()
    room = screen.availableGeometry().size() if screen is not None else DEFAULT_SIZE
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    room -= QSize(0, title)  # whose height no one knows yet; else the status bar would lie below the screen
    window.setMinimumSize(MIN_SIZE.boundedTo(room))
    window.resize(DEFAULT_SIZE.boundedTo(room))  # at 200 % a usual screen has less
    if geometry:
        window.restoreGeometry(QByteArray(geometry))
    if not (window.isMaximized() or window.isFullScreen()):
        window.resize(window.size().boundedTo(room))


class Mode(StrEnum):
    """Layout mode; values are names in the settings."""

    COMPACT = "compact"  # one part at a time, chosen at the foot
    NORMAL = "normal"  # letters over the lower panel, computation at the right
    SMALL_PAIR = "small pair"  # the same, with most of the room for the computation
    LINES = "lines"  # the same, with most of the room for two texts by lines
    LARGE = "large"  # three columns


# Of height, left where the lower panel takes what it lacks.
LEAST_LETTERS_PX = {Mode.SMALL_PAIR: 120, Mode.NORMAL: 192, Mode.LINES: 192}


FOOT = ("Letters", "Differences", "Computation", "More")
OF_TEXTS = {LINE: ("Lines", "Hunks"), WORD: ("Lines", "Changes")}  # what the first two are called then
BLOCK, CONTIG = "block", "contig"  # units of sequences whose parts are apart
TITLES = OF_TEXTS | {BLOCK: ("Ribbons", "Blocks"), CONTIG: ("Tracks", "Contigs")}


class Arrangement(QWidget):
    """Two nested splitters; sizes are stored per ``Mode``.

    Args:
        letters: at the top.
        tabs: the lower panel; a separate column in a large window.
        computation: at the right.

    Attributes:
        mode: the current one.
        start: page in place of letters and lower panel while no pair is open.
        welcome: page in place of the lower panel at the first start.
        settling: timer that is active while the view in front is laid out.

    Signals:
        changed: the ``Mode`` changed.
        focus_hidden: the widget with the focus was hidden.
    """

    changed = Signal()
    focus_hidden = Signal()

    def __init__(
        self, letters: QWidget, tabs: PanelTabs, computation: PanelArea, start: QWidget, welcome: QWidget
    ) -> None:
        super().__init__()
        self.mode = Mode.NORMAL
        self.start, self.welcome = start, welcome
        self._letters, self._tabs, self._computation = letters, tabs, computation
        self._small_pair = self._empty = False
        self._unit = ""
        self._sizes: dict[str, list[int]] = {}
        self._soon = QTimer(self, singleShot=True, interval=0)  # once the views have their widths
        self._soon.timeout.connect(self._make_room)
        self.settling = QTimer(self, singleShot=True, interval=SETTLING_MS)
        self._wide_tab, self._at_foot = "", False  # the tab of a large window; the foot brings one to the front
        self._lower = QStackedWidget(self)
        self._lower.addWidget(tabs)
        self._lower.addWidget(welcome)
        self._inner = _splitter(Qt.Orientation.Vertical, letters, self._lower)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._inner)
        self._pages.addWidget(start)
        self._outer = _splitter(Qt.Orientation.Horizontal, self._pages, computation)
        self._foot = QWidget(self)
        self.foot_tabs = QTabBar(self._foot, expanding=False, shape=QTabBar.Shape.RoundedSouth)
        self.foot_tabs.setAccessibleName("Parts of the window")
        for title in FOOT:
            self.foot_tabs.addTab(title)
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(0, 0, GAP_PX, 0)
        row.addWidget(self.foot_tabs, 1)  # all of it: the tab in front is bold, and wider
        in_column((self._outer, 1), self._foot, on=self, margin=(GAP_PX, 0, GAP_PX, 0), gap=0)
        computation.setMinimumWidth(LEAST_COMPUTATION_PX)
        self._outer.splitterMoved.connect(self._pulled)
        self._inner.splitterMoved.connect(self._pulled)
        self.foot_tabs.currentChanged.connect(self._show_part)
        tabs.row.changed.connect(self._tab_chosen)
        tabs.lacks.connect(self._on_lack)
        self._apply()

    @property
    def parts(self) -> list[QWidget]:
        """Those of letters, lower panel and computation that are visible."""
        first = self.start if self.starting else self._letters
        return [part for part in (first, self._tabs, self.welcome, self._computation) if part.isVisible()]

    @property
    def starting(self) -> bool:
        return self._pages.currentWidget() is self.start

    def set_starting(self, starting: bool) -> None:
        self._empty = starting
        self._pages.setCurrentWidget(self.start if starting else self._inner)
        self._show_part()

    @property
    def welcoming(self) -> bool:
        return self._lower.currentWidget() is self.welcome

    def set_welcoming(self, welcoming: bool) -> None:
        """Show the welcome page in place of the lower panel, if all parts are visible."""
        welcoming = welcoming and self.mode is not Mode.COMPACT
        if welcoming != self.welcoming:
            with self._watching_focus():
                self._lower.setCurrentWidget(self.welcome if welcoming else self._tabs)
            self._size()

    @contextmanager
    def _watching_focus(self) -> Iterator[None]:
        """Detect that the focused part is hidden, which moves the focus elsewhere."""
        focused = self.window().focusWidget()
        yield
        if focused is not None and self.isAncestorOf(focused) and not focused.isVisible():
            self.focus_hidden.emit()

    def set_pair(self, *, small: bool, unit: str) -> None:
        """Set the kind of pair: small pairs, whose cells are shown, get a larger computation, texts larger lines.

        Args:
            unit: of the method; empty without a comparison.
        """
        if (small, unit) != (self._small_pair, self._unit):
            self._small_pair, self._unit = small, unit
            first, second = TITLES.get(unit, FOOT[:2])
            self.foot_tabs.setTabText(0, first)
            self.foot_tabs.setTabText(1, second)
            self._tabs.row.set_text(0, second)
            self.suit()

    def show_panel(self, id_: str) -> None:
        if id_ in {panel.id for panel in LOWER}:
            self._tabs.show_panel(id_)
            self._lower.setVisible(True)
            self.set_welcoming(False)
            self.foot_tabs.setCurrentIndex(1 if id_ == LOWER[0].id else 3)
            self._pages.setCurrentWidget(self._inner)
        else:
            self._computation.setVisible(True)
            self.foot_tabs.setCurrentIndex(2)
        self._show_part()

    def show_letters(self) -> None:
        """Show the letters if only one part is visible."""
        self.foot_tabs.setCurrentIndex(0)

    # Settings

    def content(self) -> dict[str, Any]:
        """Return the settings to store: sizes by mode, and the current tab."""
        return {"tab": self._wide_tab or self._tabs.current.id, "sizes": dict(self._sizes)}

    def restore(self, content: Mapping[str, Any]) -> None:
        """Restore stored settings; invalid ones are ignored."""
        tab, sizes = content.get("tab"), content.get("sizes")
        if isinstance(sizes, dict):
            self._sizes = {str(name): value for name, value in sizes.items() if _is_sizes(value)}
        if isinstance(tab, str):
            self._tabs.show_panel(tab)
        self._apply()

    def reset(self) -> None:
        self._sizes.clear()
        self._size()

    # Inside

    def suit(self) -> None:
        """Update the layout for the window size."""
        window = self.window().size()
        if window.width() < COMPACT_BELOW.width() or window.height() < COMPACT_BELOW.height():
            mode = Mode.COMPACT
        elif self._unit in OF_TEXTS:
            mode = Mode.LINES
        elif self._small_pair:
            mode = Mode.SMALL_PAIR
        else:
            roomy = window.width() >= LARGE_FROM.width() and window.height() >= LARGE_FROM.height()
            mode = Mode.LARGE if roomy else Mode.NORMAL
        if mode is not self.mode:
            before, self.mode = self.mode, mode
            if mode is Mode.COMPACT:  # the letters first, but for a tool in use; the tab comes back with the room
                self._wide_tab, is_list = self._tabs.current.id, self._tabs.current is LOWER[0]
                used = self._tabs.is_scene or self._tabs.isAncestorOf(self.window().focusWidget() or self)
                used = (self._empty and not self.starting) or (used and self._tabs.isVisible() and not is_list)
                self.foot_tabs.setCurrentIndex(0 if not used else 1 if is_list else 3)
            elif before is Mode.COMPACT:
                self._tabs.show_panel(self._wide_tab)
            self._apply()
            self.changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.suit()
        if not any(name.startswith(self.mode) for name in self._sizes):
            self._size()

    def _apply(self) -> None:
        compact, large = self.mode is Mode.COMPACT, self.mode is Mode.LARGE
        if compact:
            self._lower.setCurrentWidget(self._tabs)
        self._inner.setOrientation(Qt.Orientation.Horizontal if large else Qt.Orientation.Vertical)
        self._show_part()
        self._size()

    def _size(self) -> None:
        if self.mode is Mode.COMPACT:
            return
        width, height = self._outer.width(), self._outer.height()
        computation = self._default_computation(width)
        self._outer.setSizes(self._sizes.get(self._key("computation"), [width - computation, computation]))
        if self.mode is Mode.LARGE:
            room = width - computation
            lower = min(max(LIST_WIDTH_PX, int(LIST_SHARE * width)), LARGEST_LIST_PX)
        else:
            room = height
            lower = int((LINES_LOWER_SHARE if self.mode is Mode.LINES else LOWER_SHARE) * height)
        usual = [room - lower, lower]
        if self.welcoming and self.mode is not Mode.LARGE:
            usual = [room - WELCOME_HEIGHT_PX, WELCOME_HEIGHT_PX]
        self._inner.setSizes(usual if self.welcoming else self._sizes.get(self._key("lower"), usual))
        self._soon.start()
        self.settling.start()

    @Slot()
    def _on_lack(self) -> None:
        """Fit the lower panel to a view that is being laid out; what it shows later is scrolled, and no tab moves."""
        if self._tabs.is_scene or self.settling.isActive():
            self._soon.start()

    @Slot()
    def _make_room(self) -> None:
        """Fit the lower panel to the current view unless the user resized it; it never shrinks."""
        least, needed = LEAST_LETTERS_PX.get(self.mode), self._tabs.is_scene or self.mode is Mode.SMALL_PAIR
        if least is None or self._key("lower") in self._sizes or not needed:
            return
        upper, lower = self._inner.sizes()
        if (lacking := min(self._tabs.lacking, upper - least)) > 0:
            self._inner.setSizes([upper - lacking, lower + lacking])

    def _default_computation(self, width: int) -> int:
        if self.mode is Mode.SMALL_PAIR:
            return width - SMALL_PAIR_LETTERS_PX - GAP_PX
        if self.mode is Mode.LARGE:
            return min(max(COMPUTATION_WIDTH_PX, int(COMPUTATION_SHARE * width)), LARGEST_COMPUTATION_PX)
        return LINES_COMPUTATION_PX if self.mode is Mode.LINES else COMPUTATION_WIDTH_PX

    def _key(self, part: str) -> str:
        return f"{self.mode} {part}"

    @Slot()
    def _pulled(self) -> None:
        splitter = self.sender()
        if isinstance(splitter, QSplitter) and not self.welcoming:
            self._sizes[self._key("computation" if splitter is self._outer else "lower")] = splitter.sizes()

    @Slot()
    def _show_part(self) -> None:
        """Show all parts, or in narrow windows the one selected at the bottom."""
        compact, at = self.mode is Mode.COMPACT, self.foot_tabs.currentIndex()
        with self._watching_focus():
            self._foot.setVisible(compact)
            self._pages.setVisible(not compact or at != 2)
            self._computation.setVisible(not compact or at == 2)
            self._letters.setVisible(at == 0 if compact else not self._empty)
            self._lower.setVisible(not compact or at in (1, 3))
            self._tabs.row.setVisible(not compact or at == 3)
            self._at_foot = True
            if compact and at == 1:
                self._tabs.show_panel(LOWER[0].id)
            elif compact and at == 3 and self._tabs.current is LOWER[0]:
                before = self._wide_tab not in ("", LOWER[0].id)
                self._tabs.show_panel(self._wide_tab if before else LOWER[1].id)
            self._at_foot = False

    @Slot()
    def _tab_chosen(self) -> None:
        self._soon.start()
        self.settling.start()
        if not self._at_foot:
            self._wide_tab = self._tabs.current.id


def _splitter(orientation: Qt.Orientation, first: QWidget, second: QWidget) -> QSplitter:
    splitter = QSplitter(orientation, handleWidth=GAP_PX, childrenCollapsible=False)
    splitter.addWidget(first)
    splitter.addWidget(second)
    splitter.setStretchFactor(0, 1)
    splitter.setStretchFactor(1, 0)
    return splitter


def _is_sizes(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(each, int) and not isinstance(each, bool) and 0 <= each < MAX_SIZE_PX for each in value)
    )
