"""Termination signals, handled by a separate thread at any time.

A Python signal handler runs when the main thread executes its next line of Python: not inside Qt's loop, and seconds
later inside a compiler. Exceptions there are worse, as they interrupt the set-up of a window or an import. So the
system writes the number of each signal to a socket, and a thread waits at its other end. Before there is a job or a
window (``handle_first``) the process ends at once. Later it ends after ``SHUTDOWN_SECONDS``, or at the next signal.

This module imports almost nothing, since it precedes all other imports.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
SHUTDOWN_SECONDS = 1.2
_READ_BYTES = 64  # bytes, each the number of a signal

SignalCallback = Callable[[int], None]
Handler = Callable[[int, FrameType | None], object] | int | signal.Handlers | None
_exit_callbacks: list[Callable[[], object]] = []
_watcher: SignalWatcher | None = None


class SignalWatcher:
    """Handles signals until ``close``; see ``watch``."""

    def __init__(self, *, window: bool) -> None:
        self.window = window
        self.received = 0  # number of the first signal
        self._callbacks: list[SignalCallback] = []
        self._lock = threading.Lock()
        self._closed = False
        self._end, writing = socket.socketpair()
        writing.setblocking(False)
        self._writing = writing
        self._fd = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        self._before: dict[int, Handler] = {}
        for name in SIGNAL_NAMES:
            number = getattr(signal, name, None)
            # An ignored SIGHUP stays ignored (nohup).
            if number is not None and not (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
                self._before[number] = signal.signal(number, _empty_handler)
        atexit.register(self._ignore_signals)
        threading.Thread(target=self._wait_for_signals, name="wavediff-signals", daemon=True).start()

    def status(self, number: int) -> int:
        """Return the exit code for signal ``number``: 128 + number, as in a shell; 0 if the process shows a window."""
        return 0 if self.window else 128 + number

    @contextlib.contextmanager
    def heard(self, ask: SignalCallback) -> Iterator[None]:
        """Context in which the first signal does not end the process but calls ``ask`` in the thread of the watcher."""
        with self._lock:
            self._callbacks.append(ask)
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(ask)

    def close(self) -> None:
        """Restore the previous handlers."""
        self._closed = True
        atexit.unregister(self._ignore_signals)
        signal.set_wakeup_fd(self._fd)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._writing.close()  # which wakes and ends the thread

    def _ignore_signals(self) -> None:
        # All is done. When Python takes itself apart it would first put the handlers back that kill.
        for number in self._before:
            signal.signal(number, signal.SIG_IGN)

    def _wait_for_signals(self) -> None:
        with self._end:
            number = self._read()
            while number and not self._closed:
                with self._lock:
                    # The innermost of several; it must not end the process during this call.
                    ask = self._callbacks[-1] if self._callbacks and not self.received else None
                    self.received = self.received or number
                    heard = ask is not None and _call(ask, number)
                if not heard:
                    self._end_process()
                self._end.settimeout(SHUTDOWN_SECONDS)
                number = self._read()

    def _read(self) -> int:
        """Wait for a signal and return its number (after a timeout the first one's); 0 after ``close``."""
        while True:
            try:
                numbers = [each for each in self._end.recv(_READ_BYTES) or b"\0" if not each or each in self._before]
            except TimeoutError:
                return self.received
            if numbers:
                return numbers[0]

    def _end_process(self) -> None:
        for each in reversed(_exit_callbacks):
            with contextlib.suppress(Exception):
                each()
        if not self.window:
            _write_stopped()
        os._exit(self.status(self.received))


def watch(*, window: bool) -> SignalWatcher:
    """Watch signals from now on, once. Main thread only.

    Args:
        window: the process shows a window; a signal that closes it is a normal end.
    """
    global _watcher
    if _watcher is None:
        _watcher = SignalWatcher(window=window)
    return _watcher


def close() -> None:
    """Undo ``watch``."""
    global _watcher
    if _watcher is not None:
        _watcher.close()
        _watcher = None


def forget_window() -> None:
    """Note that the process shows no window."""
    if _watcher is not None:
        _watcher.window = False


def handle_first(ask: SignalCallback) -> contextlib.AbstractContextManager[None]:
    """``SignalWatcher.heard``, or a no-op without a watcher (embedded use)."""
    return contextlib.nullcontext() if _watcher is None else _watcher.heard(ask)


def exit_code() -> int:
    """Return the exit code after a termination request; that of Ctrl+C without a watcher."""
    return 128 + signal.SIGINT if _watcher is None else _watcher.status(_watcher.received or signal.SIGINT)


def on_immediate_exit(call: Callable[[], object]) -> None:
    """Register ``call`` for a fast cleanup before an immediate exit."""
    _exit_callbacks.append(call)


def _write_stopped() -> None:
    # Not by Python's stream, which the main thread may be using; a stream closed at the start is None.
    with contextlib.suppress(AttributeError, OSError, ValueError):
        where = sys.stderr.fileno()
        os.write(where, (b"\r\x1b[K" if os.isatty(where) else b"") + b"wavediff: stopped\n")


def _call(ask: SignalCallback, number: int) -> bool:
    try:
        ask(number)
    except Exception as error:  # as without a handler: the process ends at once
        sys.excepthook(type(error), error, error.__traceback__)
        return False
    return True


def _empty_handler(number: int, frame: object) -> None:
    """No-op handler; the wake-up socket reports the signal."""
