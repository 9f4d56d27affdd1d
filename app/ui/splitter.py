"""A splitter of two parts that suits the room it has."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

SIDE_BY_SIDE_PX, LOW_PX = 720, 300  # from this width on, and below this height


class FittingSplitter(QSplitter):
    """Two parts below each other; side by side in a low, wide room.

    Args:
        below, beside: shares of the height, and of the width.
    """

    def __init__(self, first: QWidget, second: QWidget, below: tuple[int, int], beside: tuple[int, int]) -> None:
        super().__init__(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._shares = {Qt.Orientation.Vertical: below, Qt.Orientation.Horizontal: beside}
        self.addWidget(first)
        self.addWidget(second)
        self._share_out(Qt.Orientation.Vertical)

    def _share_out(self, orientation: Qt.Orientation) -> None:
        self.setOrientation(orientation)
        room = self.width() if orientation is Qt.Orientation.Horizontal else self.height()
        shares = self._shares[orientation]
        for part, share in enumerate(shares):
            self.setStretchFactor(part, share)
        self.setSizes([room * share // sum(shares) for share in shares])

    def resizeEvent(self, event: QResizeEvent) -> None:
        beside = self.width() >= SIDE_BY_SIDE_PX and self.height() < LOW_PX
        wanted = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if wanted != self.orientation():
            self._share_out(wanted)
        super().resizeEvent(event)
