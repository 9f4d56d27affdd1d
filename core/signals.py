"""Signals that ask the process to end: heard at any moment of its life, by a thread of their own.

A handler written in Python runs when the main thread next comes to a line of Python: not inside Qt's loop, and seconds
later inside a compiler. Raising there is worse, since half a window, or an import, is torn down by it. So the system
writes the number of each signal into a socket, and a thread waits at its other end. What it does: nobody has to be
asked before there is a job or a window (``heard``), so the process ends at once; else whoever is asked has
``PATIENCE_SECONDS`` to end it, or until the next signal.

Imports next to nothing, since it stands before all other imports.
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

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
PATIENCE_SECONDS = 1.2
_MOST_IN_A_READ = 64  # bytes, each the number of a signal

Ask = Callable[[int], None]
Handler = Callable[[int, FrameType | None], object] | int | signal.Handlers | None
_last_things: list[Callable[[], object]] = []
_watch: Watch | None = None


class Watch:
    """Takes the signals over, until ``close``; see ``watch``."""

    def __init__(self, *, window: bool) -> None:
        self.window = window
        self.received = 0  # number of the first signal
        self._asks: list[Ask] = []
        self._lock = threading.Lock()
        self._closed = False
        self._end, writing = socket.socketpair()
        writing.setblocking(False)
        self._writing = writing
        self._fd = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        self._before: dict[int, Handler] = {}
        for name in NAMES:
            number = getattr(signal, name, None)
            # A SIGHUP that is ignored was to be ignored: nohup.
            if number is not None and not (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
                self._before[number] = signal.signal(number, _note)
        atexit.register(self._ignore)
        threading.Thread(target=self._wait, name="wavediff-signals", daemon=True).start()

    def status(self, number: int) -> int:
        """Return the exit code of a process that ``number`` ended: as a shell has it; 0 of a window, which closed."""
        return 0 if self.window else 128 + number

    @contextlib.contextmanager
    def heard(self, ask: Ask) -> Iterator[None]:
        """Inside, the first signal calls ``ask``, in a thread of its own, before anything is ended."""
        with self._lock:
            self._asks.append(ask)
        try:
            yield
        finally:
            with self._lock:
                self._asks.remove(ask)

    def close(self) -> None:
        """Put back what was there before."""
        self._closed = True
        atexit.unregister(self._ignore)
        signal.set_wakeup_fd(self._fd)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._writing.close()  # which wakes and ends the thread

    def _ignore(self) -> None:
        # All is done. When Python takes itself apart it would first put the handlers back that kill.
        for number in self._before:
            signal.signal(number, signal.SIG_IGN)

    def _wait(self) -> None:
        with self._end:
            number = self._read()
            while number and not self._closed:
                with self._lock:
                    # Of several the innermost; it must not end the process while this asks it.
                    ask = self._asks[-1] if self._asks and not self.received else None
                    self.received = self.received or number
                    heard = ask is not None and _asked(ask, number)
                if not heard:
                    self._leave()
                self._end.settimeout(PATIENCE_SECONDS)
                number = self._read()

    def _read(self) -> int:
        """Wait for a signal and return its number, the first one's when patience is over; 0 after ``close``."""
        while True:
            try:
                numbers = [one for one in self._end.recv(_MOST_IN_A_READ) or b"\0" if not one or one in self._before]
            except TimeoutError:
                return self.received
            if numbers:
                return numbers[0]

    def _leave(self) -> None:
        """End the process here and now, whatever its other threads do."""
        for each in reversed(_last_things):
            with contextlib.suppress(Exception):
                each()
        if not self.window:
            _say_stopped()
        os._exit(self.status(self.received))


def watch(*, window: bool) -> Watch:
    """Watch for signals from now on; does nothing where somebody does. Only the main thread may call this.

    Args:
        window: the process shows a window, and ends well when a signal closes that.
    """
    global _watch
    if _watch is None:
        _watch = Watch(window=window)
    return _watch


def close() -> None:
    """Take ``watch`` back."""
    global _watch
    if _watch is not None:
        _watch.close()
        _watch = None


def no_window() -> None:
    """The process shows no window after all."""
    if _watch is not None:
        _watch.window = False


def heard(ask: Ask) -> contextlib.AbstractContextManager[None]:
    """As ``Watch.heard``; nothing where nobody watches: whoever embeds this handles signals."""
    return contextlib.nullcontext() if _watch is None else _watch.heard(ask)


def status() -> int:
    """Return the exit code of a process that was asked to end; that of Ctrl+C where nobody watches."""
    return 128 + signal.SIGINT if _watch is None else _watch.status(_watch.received or signal.SIGINT)


def last_thing(call: Callable[[], object]) -> None:
    """Have ``call`` called before the process is ended at once: it removes what must not stay; must not take long."""
    _last_things.append(call)


def _say_stopped() -> None:
    # Not through Python's stream, which the main thread may hold. One that was closed at the start is None.
    with contextlib.suppress(AttributeError, OSError, ValueError):
        where = sys.stderr.fileno()
        os.write(where, (b"\r\x1b[K" if os.isatty(where) else b"") + b"wavediff: stopped\n")


def _asked(ask: Ask, number: int) -> bool:
    try:
        ask(number)
    except Exception as error:  # as where nobody is asked: then the process ends at once
        sys.excepthook(type(error), error, error.__traceback__)
        return False
    return True


def _note(number: int, frame: object) -> None:
    """Exist, so that the signal neither kills nor raises; the socket has it already."""
