"""SIGTERM, SIGINT and SIGHUP close the window as the mouse would."""

from __future__ import annotations

from contextlib import ExitStack

from PySide6.QtCore import QObject, Signal

from core.system import signals


class SignalBridge(QObject):
    """Brings signals to Qt's loop. Make it before any other thread; until ``listen`` they end the process at once.

    Signals:
        received: one of the signals came; emitted in a thread that is not Qt's.
    """

    received = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        signals.watch(window=True)
        self._listening = ExitStack()

    def listen(self) -> None:
        """From now on there is a loop to hear of them."""
        self._listening.enter_context(signals.handle_first(self._tell))

    def release(self) -> None:
        """Nobody hears of them any more."""
        self._listening.close()

    def _tell(self, _number: int) -> None:
        self.received.emit()
