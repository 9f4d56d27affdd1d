"""A thin progress bar that does not hold the window up."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QTimerEvent
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QProgressBar, QWidget

STEPS = 1000
BUSY_MS = 100  # from one place of the bar to the next while nobody knows how far it is
BUSY_STEP, BUSY_WIDTH = 0.04, 0.25  # of the whole


class ProgressLine(QProgressBar):
    """Shows how far something is, without a text.

    It is painted here: the style's own one moves 60 times a second, and the window below it is painted each time.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(0, STEPS)
        self.setTextVisible(False)
        self.setAutoFillBackground(True)  # else what lies below is painted too
        self._timer = 0
        self._at = 0.0

    def show_share(self, share: float | None) -> None:
        """Show ``share`` (0 to 1), or None: nobody knows yet.

        With updates on, Qt paints the window at once: 2 ms of a busy core.
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
