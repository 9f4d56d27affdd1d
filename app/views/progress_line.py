"""A thin progress bar that does not hold the window up."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

STEPS = 1000


class ProgressLine(QProgressBar):
    """Shows how far something is, without a text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(0, STEPS)
        self.setTextVisible(False)

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
