"""Between a journey's thread and the window's: what is done there is put into its queue, what is asked is answered."""

from __future__ import annotations

import faulthandler
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from tests.journeys import heartbeat, screen
from tests.journeys.heartbeat import Heartbeat

T = TypeVar("T")
PATIENCE_SECONDS = 150.0  # kernels may have to be compiled first
ANSWER_SECONDS = 30.0  # within which the window must answer anything; a machine with other load is slow
LOOK_SECONDS = 0.03  # between two looks


class Lost(AssertionError):
    """The window is not as it should be."""


class _Relay(QObject):
    """Lives in the window's thread and does there what it is sent."""

    wanted = Signal(object)

    @Slot(object)
    def take(self, call: Callable[[], None]) -> None:
        call()


class Asker:
    """Acts on the window, asks it and waits for it, from another thread."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._relay = _Relay()
        self._relay.wanted.connect(self._relay.take, Qt.ConnectionType.QueuedConnection)
        self._relay.moveToThread(QApplication.instance().thread())
        self._heart = Heartbeat() if heartbeat.FILE else None
        self._looks = False  # again and again

    def write_heartbeats(self, name: str) -> None:
        """Write how long the window's thread was busy at most, where that is wanted."""
        if self._heart is not None:
            self._heart.write(name)

    def ask(self, question: Callable[[], T]) -> T:
        """Return the answer of ``question``, which is asked in the window's thread."""
        done = threading.Event()
        answers: list[T] = []
        errors: list[str] = []

        def call() -> None:
            with self._heart.unheeded() if self._heart is not None else nullcontext():
                try:
                    answers.append(question())
                except LookupError as error:
                    errors.append(str(error))
                except Exception:
                    errors.append(traceback.format_exc())
            done.set()

        self._relay.wanted.emit(call)
        if not done.wait(ANSWER_SECONDS):
            faulthandler.dump_traceback(sys.stdout)
            raise Lost(f"the window has not answered for {ANSWER_SECONDS:.0f} s")
        if errors:
            raise Lost(errors[0])
        return answers[0]

    def look(self, question: Callable[[], T]) -> T:
        """As ``ask``, when all that follows a result is shown; at once where it is waited for something."""
        if not self._looks:
            self.wait_until(lambda: not self.ask(screen.under_way), "nothing is on its way to the window")
        return self.ask(question)

    def act(self, said: str, deed: Callable[[], object]) -> None:
        """Put ``deed`` into the window's queue; return when the window listens again, in whatever loop."""
        self.say(said)
        errors: list[str] = []

        def call() -> None:
            try:
                deed()
            except LookupError as error:
                errors.append(str(error))
            except Exception:
                errors.append(traceback.format_exc())

        self._relay.wanted.emit(call)
        for _ in range(2):  # what the deed has put into the queue comes before the second
            self.ask(lambda: None)
        if errors:
            raise Lost(f"{said}: {errors[0]}")
        self.look_for_errors()

    def say(self, text: str) -> None:
        """Add a line to the report of the journey."""
        if self._heart is not None:
            self._heart.doing = text
        sys.stdout.write(f"{time.monotonic() - self._started:7.2f} {text}\n")
        sys.stdout.flush()

    def wait_until(self, test: Callable[[], object], what: str, seconds: float = PATIENCE_SECONDS) -> None:
        """Look again and again until ``test`` holds; it is called in this thread."""
        if not self.comes_true(test, seconds):
            raise Lost(f"waited {seconds:.0f} s until {what}")

    def comes_true(self, test: Callable[[], object], seconds: float) -> bool:
        """Whether ``test`` holds within that time."""
        end, before = time.monotonic() + seconds, self._looks
        self._looks = True
        try:
            while not test():
                if time.monotonic() > end:
                    return False
                time.sleep(LOOK_SECONDS)
                self.look_for_errors()
        finally:
            self._looks = before
        return True

    def look_for_errors(self) -> None:
        """The dialog of defects must not be there."""

        def report() -> str:
            for window in screen.windows():
                if window.windowTitle().startswith("Something went wrong"):
                    return "\n".join(each.toPlainText() for each in window.findChildren(QPlainTextEdit))
            return ""

        text = self.ask(report)
        if text:
            raise Lost(f"the program shows that it has a defect:\n{text}")
