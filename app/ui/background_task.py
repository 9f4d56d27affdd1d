"""Work beside the window's thread, and in turns of its event loop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from PySide6.QtCore import QMetaMethod, QObject, QTimer, Signal, Slot

from wavediff.core.jobs.cancel import CancelToken

_threads: dict[threading.Thread, CancelToken] = {}  # those that have not ended, of every task


def end_tasks(seconds: float) -> bool:
    """Cancel whatever runs, and wait; False if a thread goes on, which may use what Qt is about to destroy."""
    running = dict(_threads)
    for cancel in running.values():
        cancel.cancel()
    until = monotonic() + seconds
    for thread in running:
        thread.join(max(0.0, until - monotonic()))
    return not any(thread.is_alive() for thread in running)


class BackgroundTask(QObject):
    """Runs one callable at a time; one that was replaced is asked to stop, and its answer is dropped.

    Signals:
        finished: what the callable returned.
        failed: the exception that it raised; where nobody listens, it is raised in the window's thread.
    """

    finished = Signal(object)
    failed = Signal(object)
    _ended = Signal(int, object, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._number = 0
        self._cancel = CancelToken()
        self._ended.connect(self._on_ended)
        self.running = False

    def start(self, call: Callable[[CancelToken], Any]) -> None:
        """Run ``call`` with a token that says when nobody waits for it any more."""
        self.stop()
        self.running = True
        cancel, number = self._cancel, self._number

        def work() -> None:
            try:
                answer, error = call(cancel), None
            except BaseException as problem:  # handed over: a thread that dies silently leaves the window waiting
                answer, error = None, problem
            if not cancel.cancelled:
                with suppress(RuntimeError):  # the task was deleted with its window
                    self._ended.emit(number, answer, error)
            _threads.pop(thread, None)

        thread = threading.Thread(target=work, name=f"wavediff-{self._name}", daemon=True)
        _threads[thread] = cancel
        thread.start()

    def stop(self) -> None:
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._number += 1
        self.running = False

    @Slot(int, object, object)
    def _on_ended(self, number: int, answer: Any, error: BaseException | None) -> None:
        if number != self._number:
            return
        self.running = False
        if error is None:
            self.finished.emit(answer)
        elif self.isSignalConnected(QMetaMethod.fromSignal(self.failed)):
            self.failed.emit(error)
        else:
            raise error


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
