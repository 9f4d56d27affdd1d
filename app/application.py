"""Start-up and end of the windowed program."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QToolTip

from app import settings as saved
from app.background import Background
from app.errors_dialog import ErrorCatcher
from app.garbage import Garbage
from app.main_window import MainWindow
from app.methods import method
from app.models.figures import LOCALE
from app.models.recent import RecentPairs
from app.models.wavefront import Phase
from app.notices import Level
from app.session import Session
from app.settings import config_folder
from app.store import JsonStore
from app.theme import Theme
from app.unix_signals import SignalBridge
from core.lasting import lasting
from core.version import VERSION

SWITCH = 0.0001  # seconds; painting gives the interpreter away at most calls of Qt, and takes this long to get it back


# Two threads at work in Python make the window stutter, so a compiler is imported when it has nothing to show.
WHILE_READING = 300  # milliseconds from the start; small files are read by then, and their job imports it itself
AT_LAST = 5000  # milliseconds from the start; who has compared nothing by then can still choose a device
AFTER = 500  # milliseconds from the end of a run to the chores it leaves: first its result is shown


class Application(QObject):
    """All parts, in the order in which they depend on each other; ``start`` shows the window."""

    def __init__(self, qt: QApplication, paths: Sequence[Path], folder: Path) -> None:
        super().__init__()
        self._qt, self._paths = qt, list(paths)
        self._garbage = Garbage(self)  # before there is another thread
        self.errors = ErrorCatcher(self)
        self._store = JsonStore(folder / "settings.json")
        self._recent_store = JsonStore(folder / "recent.json")
        self.settings = saved.load(self._store)
        self.theme = Theme(self.settings.scheme, self)
        self.theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.session = Session(RecentPairs(self._recent_store, self), self.settings.choices, self)
        self.session.crashed.connect(self.errors.take)
        self.background = Background(self)
        self.background.prepared.connect(self._begin)
        self.background.look_over()
        self.window = MainWindow(self.session, self.theme, self.settings)
        # Importing pyqtgraph takes 0.2 s: here it only delays the first paint, later it would freeze the window.
        self.window.add_wavefront()
        self.errors.window = self.window
        self.window.painted.connect(self._painted)
        self.window.closed.connect(self._closed)
        self._signals = SignalBridge(self)
        self._signals.received.connect(self.window.close)
        self._stuck = False
        self._chores = QTimer(self)
        self._chores.setSingleShot(True)
        self._chores.setInterval(AFTER)
        self._chores.timeout.connect(self._after_a_run)

    def start(self) -> None:
        self.window.show()

    def finish(self) -> bool:
        """Give back what is global; False when a thread is stuck and the process must be left hard."""
        self._signals.release()
        self.errors.release()
        if not self._stuck:  # what a thread still uses must not end now
            self._garbage.close()
        return not self._stuck

    @Slot()
    def _painted(self) -> None:
        QTimer.singleShot(0, self.background.prepare)  # no compiler before this

    @Slot(str)
    def _begin(self, note: str) -> None:
        for problem in (note, self._store.problem, self._recent_store.problem):
            if problem:
                self.session.notice(Level.WARNING, problem)
        if self._paths:
            self.session.open_paths(self._paths)
        else:
            self.session.open_demo()
        self.session.phase_changed.connect(self._phase_changed)
        QTimer.singleShot(WHILE_READING, self._preload)
        QTimer.singleShot(AT_LAST, self._ask_driver)

    @Slot()
    def _ask_driver(self) -> None:
        """Once, after the first run: CuPy is as slow to import as a compiler. A job that needs it asks by itself."""
        if not self.session.devices.asked and not self.session.running:
            self.session.probe_gpu()

    @Slot()
    def _preload(self) -> None:
        self.background.preload(method(self.session.choices.method).job_type)

    @Slot()
    def _phase_changed(self) -> None:
        if not self.session.running:
            self._chores.start()

    @Slot()
    def _after_a_run(self) -> None:
        if not self.session.running:
            self._ask_driver()
            self.background.seal()
            if self.session.wavefront.phase is Phase.DONE:  # after a stop nothing goes on
                self.background.complete()

    @Slot()
    def _apply_theme(self) -> None:
        self._qt.setPalette(self.theme.palette())
        QToolTip.setPalette(self.theme.palette())

    @Slot()
    def _closed(self) -> None:
        saved.save(self._store, self.settings)
        ended = self.session.close(), self.background.close()
        self._stuck = not all(ended)
        self._qt.quit()


def create_qt(argv: Sequence[str] = ("wavediff",)) -> QApplication:
    """Return the QApplication, made and named when there is none yet."""
    present = QApplication.instance()
    qt = present if isinstance(present, QApplication) else QApplication(list(argv))
    qt.setApplicationName("wavediff")
    qt.setApplicationDisplayName("Wavediff")
    qt.setApplicationVersion(VERSION)
    qt.setDesktopFileName("wavediff")
    qt.setStyle("Fusion")
    QLocale.setDefault(LOCALE)  # for what Qt writes by itself
    QGuiApplication.setQuitOnLastWindowClosed(True)
    return qt


def main(paths: Sequence[str] = ()) -> int:
    """Show the window with up to two files, or the demo pair, and return when it is closed.

    Args:
        paths: files to open; more than two are said in the window.

    Returns:
        The exit status of the process.
    """
    sys.setswitchinterval(SWITCH)
    with lasting():
        qt = create_qt()
        application = Application(qt, [Path(path) for path in paths], config_folder())
        application.start()
    status = int(qt.exec())
    if not application.finish():
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(status)  # a thread that does not end must not be destroyed: that would abort
    return status
