"""Labels: elided lines, multi-line texts, progress bar."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimerEvent
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFontInfo,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QLineEdit, QProgressBar, QSizePolicy, QStyle, QStyleOptionFrame, QToolTip, QWidget

from wavediff.app.ui.number_text import plain_tip
from wavediff.core.base.errors import printable

PLAIN_SPACES = {0xA0: " ", 0x202F: " "}  # between the thousands of some locales; one line is not broken anyway
OF_NUMBERS = re.compile(r"(?<=\d) of (?=\d)")  # no line ends there
WORDS_SHARE = 1.15  # room that lines of words take, of that of their letters
FIELD_MARGIN_PX = 2  # of the text of a field, as Qt has it
LEAST_SENTENCE_PX = 11  # of a sentence that has no room
MAX_TIP_CHARACTERS = 2000  # characters kept for the tool tip; a header may have a million


class ElidedLabel(QFrame):
    """One line of plain text; elided with the full text as tooltip.

    Args:
        middle: elide in the middle.
        whole: request the width of the whole text, and update the layout when it changes.
    """

    def __init__(
        self, text: str = "", *, middle: bool = False, whole: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._whole = whole
        self.text = ""
        self._tip = ""
        self._mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def set_text(self, text: str, tip: str = "") -> None:
        """Show ``text`` with control characters escaped; ``tip`` (or the text itself) is the tool tip."""
        text = printable(text.translate(PLAIN_SPACES), MAX_TIP_CHARACTERS)
        tip = tip[:MAX_TIP_CHARACTERS] or text
        if (text, tip) == (self.text, self._tip):
            return
        self.text, self._tip = text, tip
        self.setAccessibleName(text)
        self.update()
        if self._whole:  # else no new geometry: figures change while a job runs, and nothing is laid out for them
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        return show_tip(event, self._tip, self) if isinstance(event, QHelpEvent) else super().event(event)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text) + 2 if self._whole else metrics.averageCharWidth() * 30
        return QSize(width, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 4, self.fontMetrics().height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        elided = self.fontMetrics().elidedText(self.text, self._mode, self.contentsRect().width())
        painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)


class PathField(QLineEdit):
    """Text field that elides the start of a text that does not fit, unless it has the focus."""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._elided()[1] != self.text():
            return show_tip(event, self.text(), self)
        return super().event(event)

    def _elided(self) -> tuple[QRect, str]:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        room = contents.adjusted(FIELD_MARGIN_PX, 0, -FIELD_MARGIN_PX, 0)
        return room, self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideLeft, room.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        room, elided = self._elided()
        if self.hasFocus() or elided == self.text():
            super().paintEvent(event)
            return
        option, painter = QStyleOptionFrame(), QPainter(self)
        self.initStyleOption(option)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)


class TwoLabels(QWidget):
    """Two labels in one line, the second right-aligned; the longer one is elided first.

    Attributes:
        second_whole: always elide the first label.
    """

    second_whole = False

    def __init__(self, first: ElidedLabel, second: ElidedLabel, gap: int) -> None:
        super().__init__()
        self._labels, self._gap = (first, second), gap
        for label in self._labels:
            label.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self._labels[0].sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._labels[0].minimumSizeHint()

    def set_texts(self, *texts: str) -> None:
        for label, text in zip(self._labels, texts, strict=True):
            label.set_text(text)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        first, second = (label.fontMetrics().horizontalAdvance(label.text) + 2 for label in self._labels)
        room = max(0, self.width() - self._gap)
        if first + second > room:
            most = 0 if self.second_whole else room // 2  # that the first may keep of what the second needs
            first, second = min(first, room - min(second, room - most)), min(second, room - min(first, most))
        self._labels[0].setGeometry(0, 0, first, self.height())
        self._labels[1].setGeometry(self.width() - second, 0, second, self.height())


class SentenceLabel(QWidget):
    """Plain text with a fixed number of lines, so the layout does not move.

    Args:
        lines: reserved lines. letters: number that fits at any width, as a narrow label has more lines; 0: always
            ``lines``. align: horizontally and vertically.
    """

    def __init__(self, lines: int, letters: int = 0, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignTop) -> None:
        super().__init__()
        self._align = align
        self.text, self._lines, self._letters = "", lines, letters
        self._shrinks = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        self.text = text
        self.setAccessibleName(text)
        self.update()

    def let_shrink(self, on: bool) -> None:
        """Use the minimum number of lines, in a smaller font, if there is no room."""
        self._shrinks = on
        vertical = QSizePolicy.Policy.Expanding if on else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 40, self._lines * self.fontMetrics().lineSpacing())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 20, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        font = self.fontMetrics()
        long = self._letters * font.averageCharWidth() * WORDS_SHARE
        height = max(self._lines, math.ceil(long / max(1, self.width()))) * font.lineSpacing()
        least = max(self.sizeHint().height(), height * LEAST_SENTENCE_PX // QFontInfo(self.font()).pixelSize())
        self.setMinimumHeight(least if self._shrinks else height)
        self.setMaximumHeight(height)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        flags, text = self._align | Qt.TextFlag.TextWordWrap, OF_NUMBERS.sub("\xa0of\xa0", self.text)
        font = self.font()
        # In a narrow panel a long sentence is smaller, so that its end is seen and nothing moves.
        for px in range(QFontInfo(font).pixelSize(), LEAST_SENTENCE_PX - 1, -1):
            font.setPixelSize(px)
            painter.setFont(font)
            if self.rect().contains(painter.boundingRect(self.rect(), flags, text)):
                break
        painter.drawText(self.rect(), flags, text)


def show_tip(event: QHelpEvent, text: str, widget: QWidget) -> bool:
    """Show ``text``, which ``widget`` truncates, as a tooltip; return True, as the event is handled."""
    QToolTip.showText(event.globalPos(), plain_tip(text[:MAX_TIP_CHARACTERS]), widget)
    return True


def announce(widget: QWidget, text: str, *, loud: bool = False) -> None:
    """Announce ``text`` of ``widget`` to screen readers; ``loud``: interrupting."""
    event = QAccessibleAnnouncementEvent(widget, text)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if loud else politeness.Polite)
    QAccessible.updateAccessibility(event)


STEPS = 1000
BUSY_MS = 100  # from one place of the bar to the next while no one knows how far it is
BUSY_STEP, BUSY_WIDTH = 0.04, 0.25  # of the whole


class ProgressLine(QProgressBar):
    """Progress bar without text.

    It is painted here because the style's own one animates at 60 frames a second and repaints the window below.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textVisible=False)
        self.setRange(0, STEPS)
        self.setAutoFillBackground(True)  # else what lies below is painted too
        self._timer = 0
        self._at = 0.0

    def show_share(self, share: float | None) -> None:
        """Show ``share`` (0 to 1); None: unknown.

        Updates are disabled meanwhile, as Qt would paint the whole window at once (2 ms of a core).
        """
        steps = 0 if share is None else STEPS
        self.setUpdatesEnabled(False)
        if self.maximum() != steps:
            self.setRange(0, steps)
        self.setValue(round(STEPS * (share or 0.0)))
        self.setUpdatesEnabled(True)
        if share is None and not self._timer:
            self._timer, self._at = self.startTimer(BUSY_MS), 0.0
        elif share is not None and self._timer:
            self.killTimer(self._timer)
            self._timer = 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._timer:
            super().timerEvent(event)
            return
        self._at = (self._at + BUSY_STEP) % (1.0 + BUSY_WIDTH)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette, whole = self.palette(), QRectF(self.rect())
        painter.fillRect(whole, palette.brush(QPalette.ColorRole.Midlight))
        if self.maximum():
            first, last = 0.0, self.value() / self.maximum()
        else:
            first, last = max(0.0, self._at - BUSY_WIDTH), min(1.0, self._at)
        if last > first:
            left, width = first * whole.width(), (last - first) * whole.width()
            painter.fillRect(QRectF(left, 0.0, width, whole.height()), palette.brush(QPalette.ColorRole.Highlight))
