"""Widgets to choose one of several values: combo box and segments."""

from __future__ import annotations

from itertools import pairwise
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QStandardItemModel,
)
from PySide6.QtWidgets import QComboBox, QPushButton, QSizePolicy, QStyle, QStyleOptionComboBox, QWidget

from wavediff.app.ui.labels import show_tip
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.theme import BAR_CONTROL_PX, HEADER_CONTROL_PX, Theme

T = TypeVar("T")


class Chooser(QComboBox, Generic[T]):
    """Combo box that stores the values itself, as ``currentData`` converts a StrEnum to str.

    Args:
        name: for screen readers.
    """

    def __init__(self, name: str, parent: QWidget | None = None, tip: str = "") -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self._values: list[T] = []
        self._tips: list[str] = []
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # entries come and change later

    def add(self, value: T, name: str, tip: str = "") -> None:
        self._values.append(value)
        self._tips.append(tip)
        self.addItem(name, value)  # for ``findData``, which compares as Qt does
        if tip:
            self.setItemData(self.count() - 1, plain_tip(tip), Qt.ItemDataRole.ToolTipRole)

    def allow(self, value: T, why_not: str) -> None:
        """Enable the entry ``value``, or disable it with the reason ``why_not`` as tooltip."""
        model, row = self.model(), self.row(value)
        assert isinstance(model, QStandardItemModel)
        item = model.item(row)
        item.setEnabled(not why_not)
        item.setToolTip(plain_tip(why_not or self._tips[row]))

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Elide the chosen name, which Qt only clips."""
        super().initStyleOption(option)
        control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(control, option, field, self).width()
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self.fontMetrics().averageCharWidth() // 2, 0)  # Qt's is too small if large

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint() + QSize(self.fontMetrics().averageCharWidth() // 2, 0)
        return least.boundedTo(self.sizeHint())  # Qt keeps the least size of an earlier font

    def event(self, event: QEvent) -> bool:
        option = QStyleOptionComboBox()
        if isinstance(event, QHelpEvent):
            self.initStyleOption(option)
            if option.currentText != self.currentText():
                return show_tip(event, "\n".join(filter(None, (self.currentText(), self.toolTip()))), self)
        return super().event(event)

    def clear(self) -> None:
        self._values.clear()
        self._tips.clear()
        super().clear()

    @property
    def value(self) -> T:
        """The chosen value; the list must not be empty."""
        return self._values[max(0, self.currentIndex())]

    @property
    def values(self) -> tuple[T, ...]:
        return tuple(self._values)

    def row(self, value: T) -> int:
        """Return the row of ``value``, or 0."""
        return self._values.index(value) if value in self._values else 0

    def choose(self, value: T) -> None:
        """Select ``value`` without emitting ``activated``."""
        self.setCurrentIndex(self.row(value))


PADDING_PX, RADIUS_PX = 12, 4


STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class Segment(QPushButton):
    """One segment; a radio button for screen readers.

    Signals:
        left: an arrow key moves the choice by this many segments. picked: clicked with the mouse.
    """

    left = Signal(int)
    picked = Signal()

    def __init__(self, text: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self.setCheckable(True)
        self.setAutoExclusive(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.left.emit(step)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.picked.emit()

    def sizeHint(self) -> QSize:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)  # as it is drawn when chosen: nothing moves then
        return QSize(QFontMetrics(font).horizontalAdvance(self.text()) + 2 * PADDING_PX, self.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        ink = theme.text if self.isEnabled() else theme.dim
        font = QFont(self.font())
        if self.isChecked():
            ink = theme.on_accent
            font.setWeight(QFont.Weight.DemiBold)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.accent)
            painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.on_accent if self.isChecked() else theme.accent, 2))
            painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), RADIUS_PX - 1, RADIUS_PX - 1)
        elif self.underMouse() and not self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.raised)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS_PX - 1, RADIUS_PX - 1)
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class Segments(QWidget, Generic[T]):
    """Row of segments; stores the values itself like ``Chooser``.

    Args:
        name: for screen readers.
        header: height of the header's controls, else that of bars.

    Signals:
        chosen: the user chose another value. picked: clicked with the mouse, so that the focus may move to the content.
    """

    chosen = Signal(object)
    picked = Signal()

    def __init__(self, name: str, theme: Theme, *, header: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent, accessibleName=name)
        self._theme, self._values = theme, list[T]()
        self.buttons: list[Segment] = []
        self._height = HEADER_CONTROL_PX if header else BAR_CONTROL_PX
        self.setFixedHeight(self._height)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._row = in_row(on=self, margin=0, gap=0)
        theme.changed.connect(self.update)

    def add(self, value: T, text: str, tip: str = "") -> None:
        button = Segment(text, self._theme, self)
        button.setProperty("control", "header" if self._height == HEADER_CONTROL_PX else "bar")
        button.setFixedHeight(self._height)
        button.setToolTip(plain_tip(tip))
        button.setAccessibleDescription(tip)
        button.clicked.connect(self._clicked)
        button.left.connect(self._step)
        button.picked.connect(self.picked)
        self._row.addWidget(button)
        self._values.append(value)
        self.buttons.append(button)

    def offer(self, value: T, *, shown: bool, why_not: str = "") -> None:
        """Show or hide the segment of ``value``; disabled if ``why_not`` is not empty."""
        button = self.buttons[self._values.index(value)]
        button.setVisible(shown)
        button.setEnabled(not why_not)
        button.setToolTip(plain_tip(why_not or button.accessibleDescription()))

    def choose(self, value: T | None) -> None:
        """Select ``value`` (none if missing) without emitting ``chosen``."""
        for each, button in zip(self._values, self.buttons, strict=True):
            button.setAutoExclusive(False)  # else the last one cannot be let go
            button.setChecked(each == value)
            button.setAutoExclusive(True)
        self._mark_stop()

    @property
    def value(self) -> T | None:
        checked = (each for each, button in zip(self._values, self.buttons, strict=True) if button.isChecked())
        return next(checked, None)

    def _mark_stop(self) -> None:
        """Make only the chosen (or first) segment a tab stop, and move the focus with it."""
        stop = next((each for each in self.buttons if each.isChecked()), self.buttons[0])
        for each in self.buttons:
            each.setFocusPolicy(Qt.FocusPolicy.StrongFocus if each is stop else Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(stop)
        if self.window().focusWidget() in self.buttons:
            stop.setFocus()

    @Slot(int)
    def _step(self, step: int) -> None:
        there = [each for each in self.buttons if each.isEnabled() and not each.isHidden()]
        now = next((k for k, each in enumerate(there) if each.isChecked()), 0)
        other = there[(now + step) % len(there)]
        other.setFocus(Qt.FocusReason.TabFocusReason)
        other.click()

    @Slot()
    def _clicked(self) -> None:
        self._mark_stop()
        self.update()
        self.chosen.emit(self.value)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.control, 1))
        painter.setBrush(self._theme.base)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)
        painter.setPen(QPen(self._theme.grid, 1))
        for before, after in pairwise(each for each in self.buttons if not each.isHidden()):
            if not (before.isChecked() or after.isChecked()):
                painter.drawLine(after.x(), 6, after.x(), self.height() - 7)
