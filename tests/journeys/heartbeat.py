"""How long the window's thread was busy at a stretch: a timer that beats there, and a look at what kept it.

JOURNEY_HEARTBEATS=FILE has every journey write its longest stretches there. What the journey itself asks of the window
does not count, what it does there counts. It may end a journey by SIGSEGV, as faulthandler reads frames of threads that
go on meanwhile; begin it again then. An empty window beside it shows what is due to the machine:
python -m tests.journeys.heartbeat SECONDS
"""

from __future__ import annotations

import faulthandler
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

FILE = os.environ.get("JOURNEY_HEARTBEATS", "")
BEAT_MS = 5
LONG_SECONDS = 0.04  # that are looked into
KEPT, FRAMES = 6, 12  # longest stretches of a journey, and calls of each


@dataclass(slots=True)
class Stretch:
    """Seconds without a beat, and those of the processor in it, which other programs do not lengthen.

    Attributes:
        after: the last thing that was done before.
        stack: where the thread was seen meanwhile, the newest call first.
    """

    seconds: float
    busy_seconds: float
    after: str
    stack: str


class Heartbeat(QObject):
    """Beats in the thread of the window; made in any other.

    Attributes:
        doing: what is done to the window now.
    """

    _begins = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.doing = "start"
        self.longest: list[Stretch] = []
        self._last, self._last_busy = time.perf_counter(), 0.0
        self._dump = TemporaryFile("w+")  # noqa: SIM115 - as long as the window
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._beat)
        application = QApplication.instance()
        assert application is not None
        self.moveToThread(application.thread())
        self._begins.connect(self._start, Qt.ConnectionType.QueuedConnection)
        self._begins.emit()

    @contextmanager
    def unheeded(self) -> Iterator[None]:
        """Leave out what happens meanwhile in the window's thread."""
        self._beat()
        faulthandler.cancel_dump_traceback_later()
        yield
        self._begin()

    def write(self, name: str) -> None:
        lines = [f"{name}\n"]
        for each in self.longest:
            busy = f"busy for {1e3 * each.busy_seconds:.0f} ms in {1e3 * each.seconds:.0f} ms"
            lines.append(f"  {busy} after {each.after}\n{each.stack}")
        with Path(FILE).open("a") as file:
            file.writelines(lines)

    @Slot()
    def _start(self) -> None:
        self._begin()
        self._timer.start()

    @Slot()
    def _beat(self) -> None:
        seconds = time.perf_counter() - self._last
        if seconds > LONG_SECONDS / 2:
            stretch = Stretch(seconds, time.thread_time() - self._last_busy, self.doing, self._caught())
            self.longest = sorted([*self.longest, stretch], key=lambda each: -each.busy_seconds)
            del self.longest[KEPT:]
        self._begin()

    def _begin(self) -> None:
        faulthandler.dump_traceback_later(LONG_SECONDS, file=self._dump)
        self._last, self._last_busy = time.perf_counter(), time.thread_time()

    def _caught(self) -> str:
        """Return what the watchdog wrote since the last beat: the calls of the window's thread, the newest first."""
        self._dump.seek(0)
        threads = self._dump.read().split("\n\n")
        self._dump.seek(0)
        self._dump.truncate()
        calls = [each for each in threads[-1].splitlines()[1:] if "importlib" not in each]  # its thread stands last
        return "".join(f"      {each.strip()}\n" for each in calls[:FRAMES])


def main() -> None:
    application = QApplication([])
    window = QWidget()
    window.show()
    heart = Heartbeat()
    QTimer.singleShot(int(1e3 * float(sys.argv[1])), application.quit)
    application.exec()
    sys.stdout.write(
        f"idle: {', '.join(f'{1e3 * each.seconds:.0f} ms' for each in heart.longest) or 'no long stretch'}\n"
    )


if __name__ == "__main__":
    main()
