"""SIGTERM, SIGINT and SIGHUP close the window as the mouse would."""

from __future__ import annotations

import contextlib
import signal
import socket
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class SignalBridge(QObject):
    """Wakes Qt's loop through a socket: a plain handler would wait for the next call into Python, for seconds.

    Signals:
        received: one of the signals came.
    """

    received = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._before: dict[int, Any] = {}
        for name in NAMES:
            number = getattr(signal, name, None)
            if number is not None:
                self._before[number] = signal.signal(number, _note)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._woken)

    @Slot()
    def _woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            if any(number in self._before for number in self._read.recv(64)):
                self.received.emit()

    def release(self) -> None:
        """Put back what was there before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._fd)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._read.close()
        self._write.close()


def _note(number: int, frame: object) -> None:
    """Exist, so that the signal neither kills nor raises; the socket has it already."""
