"""Parts of a result, shown in a turn of the event loop each: keys and the pointer are answered between."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

TURN_MS = 5  # milliseconds to the next turn; a shorter time would end before what the last one changed is painted


class Turns(QObject):
    """Does one thing after the other, each when what the one before it changed was painted.

    All that Qt queues, ``singleShot(0)`` too, is done before it paints, so that the parts of a result would be painted
    together: letters, list and map take a frame each.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Callable[[], None]] = []
        self._timer = QTimer(self, singleShot=True, interval=TURN_MS)
        self._timer.timeout.connect(self._take_turn)

    @property
    def busy(self) -> bool:
        return bool(self._waiting)

    def put(self, deed: Callable[[], None]) -> None:
        """Have ``deed``, a method, done after those that wait; one that waits already keeps its place."""
        if deed not in self._waiting:
            self._waiting.append(deed)
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _take_turn(self) -> None:
        deed, *self._waiting = self._waiting
        if self._waiting:
            self._timer.start()
        deed()
