"""Row of tabs that fit, and a button for the others."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QTabBar, QToolButton, QWidget

BOLD_PX = 12  # that a tab may be wider by when it is in front


class _Tabs(QTabBar):
    """Tab bar that reports the width of each tab, also of hidden ones."""

    def wide(self, number: int) -> int:
        return self.tabSizeHint(number).width()


class TabRow(QWidget):
    """Tab bar with a button for hidden tabs; the current tab is always visible.

    Attributes:
        bar: the tabs. more: the button.

    Signals:
        changed: number of the current tab.
    """

    changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = _Tabs(self)
        self.bar.setExpanding(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideNone)
        self.bar.setUsesScrollButtons(False)
        self.more = QToolButton(self, autoRaise=True, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setText("More")
        self.more.setAccessibleName("More panels")
        self.more.setToolTip("Panels without a visible tab")
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(self._menu)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.bar.currentChanged.connect(self._changed)

    def set_text(self, number: int, text: str) -> None:
        self.bar.setTabText(number, text)
        self._fit(self.bar.currentIndex())

    def set_current(self, number: int) -> None:
        self._fit(number)  # first: the bar would be scrolled to a tab that it has no room for
        self.bar.setCurrentIndex(number)

    def sizeHint(self) -> QSize:
        return QSize(sum(map(self.bar.wide, range(self.bar.count()))) + BOLD_PX, self.bar.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.bar.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(self.bar.currentIndex())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit(self.bar.currentIndex())

    @Slot(int)
    def _changed(self, number: int) -> None:
        self._fit(number)
        self.changed.emit(number)

    def _fit(self, front: int) -> None:
        widths = [self.bar.wide(number) for number in range(self.bar.count())]
        room = self.width() - BOLD_PX
        if not widths or room <= 0:
            return
        self.more.ensurePolished()
        seen = set(range(len(widths)))
        if sum(widths) > room:
            left, seen = room - self.more.sizeHint().width() - widths[front], {front}
            for number in (each for each in range(len(widths)) if each != front):
                left -= widths[number]
                if left < 0:
                    break
                seen.add(number)
        for number in range(len(widths)):  # but the one that is left, in place of which Qt would bring any other
            if number != self.bar.currentIndex() or number in seen:
                self.bar.setTabVisible(number, number in seen)
        height, end = self.bar.sizeHint().height(), sum(widths[number] for number in seen) + BOLD_PX
        self.bar.resize(end + 1, height)  # it is scrolled where a tab found no room, and stays so until it is resized
        self.bar.setGeometry(0, 0, end, height)
        self.more.setGeometry(end, 0, self.more.sizeHint().width(), min(height, self.height()))
        self.more.setVisible(len(seen) < len(widths))

    @Slot()
    def _fill_menu(self) -> None:
        self._menu.clear()
        for number in range(self.bar.count()):
            if not self.bar.isTabVisible(number):
                action = self._menu.addAction(self.bar.tabText(number))
                action.triggered.connect(partial(self.set_current, number))
