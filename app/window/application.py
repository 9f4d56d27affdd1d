"""Start and end of the window program: locale, signals, threads."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QToolTip

from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.ui.background_task import end_tasks
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.number_text import LOCALE
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Theme, style_sheet
from wavediff.app.window import settings as saved
from wavediff.app.window.cache_tasks import CacheTasks, GcTimer
from wavediff.app.window.frame.dialogs import ErrorCatcher
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.session import Session
from wavediff.app.window.settings import config_folder
from wavediff.core.base.numbers import use_separators
from wavediff.core.jit import background_compile
from wavediff.core.jit.gc_control import gc_paused_and_frozen
from wavediff.core.system import signals
from wavediff.core.system.program import ROOT
from wavediff.core.system.version import VERSION


def follow_locale() -> None:
    system = QLocale.system()
    # A locale without a language, as in a container, and one with its own digits, which no text of ours has.
    locale = LOCALE if system.language() is QLocale.Language.C or system.zeroDigit() != "0" else system
    QLocale.setDefault(locale)  # for what Qt writes by itself
    use_separators(locale.groupSeparator(), locale.decimalPoint())


class SignalBridge(QObject):
    """Forwards POSIX signals to Qt's event loop. Create it before any other thread; until ``listen`` signals exit at
    once.

    Signals:
        received: a signal arrived; emitted in another thread than Qt's.
    """

    received = Signal()

    def __init__(self) -> None:
        super().__init__()
        signals.watch(window=True)
        self._listening = ExitStack()

    def listen(self) -> None:
        self._listening.enter_context(signals.handle_first(self._emit_received))

    def release(self) -> None:
        self._listening.close()

    def _emit_received(self, _number: int) -> None:
        self.received.emit()


log = logging.getLogger(__name__)
ICON = ROOT / "resources" / "wavediff.svg"
SWITCH_INTERVAL_SECONDS = (
    0.0001  # seconds; painting gives the interpreter away at most calls of Qt, and takes this long to get it back
)


# Two threads at work in Python make the window stutter, so a compiler is imported when it has nothing to show.
PRELOAD_DELAY_MS = 300  # milliseconds from the start; small files are read by then, and their job imports it itself
TASKS_END_SECONDS = 3.0  # a picture looks at its token after each strip
PROBE_DELAY_MS = 5000  # milliseconds from the start; who has compared nothing by then can still choose a device
AFTER_RUN_DELAY_MS = 500  # milliseconds from the end of a run to the chores it leaves: first its result is shown


class Application(QObject):
    """All parts in order of dependency; ``start`` shows the window."""

    def __init__(
        self, qt: QApplication, paths: Sequence[Path], folder: Path, typed: argparse.Namespace | None = None
    ) -> None:
        super().__init__()
        self._signals = SignalBridge()  # this and the next before there is another thread
        self._garbage = GcTimer()
        self._qt, self._paths, self._typed = qt, list(paths), typed
        self._stuck = False
        self.errors = ErrorCatcher()
        with ExitStack() as failed:  # a thread that no one ends would abort the process
            failed.callback(self.errors.release)
            self._build(folder, failed)
            failed.pop_all()

    def _build(self, folder: Path, failed: ExitStack) -> None:
        self._file = SettingsFile(folder / "wavediff.ini")
        self.settings = saved.load(self._file)
        self.theme = Theme(self.settings.scheme)
        self.theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.session = Session(RecentPairs(self._file), self.settings.choices)
        failed.callback(self.session.close)
        self.session.crashed.connect(self.errors.take)
        self.background = CacheTasks()
        failed.callback(self.background.close)
        self.background.prepared.connect(self._begin)
        self.background.optimising.connect(self.session.wavefront.show_compiling)
        self.window = MainWindow(self.session, self.theme, self.settings)
        self.errors.window = self.window
        self.window.painted.connect(self._painted)
        self.window.closed.connect(self._closed)
        self._signals.received.connect(self.window.close, Qt.ConnectionType.QueuedConnection)
        self._chores = QTimer(self, singleShot=True)
        self._chores.timeout.connect(self._do_chores)

    def start(self) -> None:
        if self._paths:
            self.window.start.area.setFocus()
            self.window.offer_samples(False)  # until they are read: a key or a click opens none next to them
        self.window.show()
        self._signals.listen()

    def finish(self) -> bool:
        """Release global resources; False if a thread is stuck and the process must exit hard."""
        self._signals.release()
        self.errors.release()
        ended = end_tasks(TASKS_END_SECONDS) and not self._stuck
        if ended:  # what a thread still uses must not end now
            self._garbage.close()
        return ended

    @Slot()
    def _painted(self) -> None:
        QTimer.singleShot(0, self.background.prepare)  # no compiler before this

    @Slot(str)
    def _begin(self, note: str) -> None:
        for problem in (note, self._file.problem):
            if problem:
                self.session.notice(Severity.WARNING, problem)
        if self._paths and not self.session.loader.asked:  # nothing was dropped in the moment before
            if self._typed is None:
                self.window.commands.open_paths(self._paths)
            else:
                self.window.pictures.open_typed(self._typed)
        elif self._file.is_new and not self.session.loader.asked:
            self.window.begin_with_sample()
        self.session.loader.changed.connect(self._offer_samples)
        self._offer_samples()
        self.session.phase_changed.connect(self._phase_changed)
        QTimer.singleShot(PRELOAD_DELAY_MS, self._preload)
        self._chores.start(PROBE_DELAY_MS)

    @Slot()
    def _offer_samples(self) -> None:
        if self.session.awaited and not (self.session.loader.busy or self.session.loader.recognizes):
            self.window.offer_samples(True)

    @Slot()
    def _preload(self) -> None:
        self.background.preload(self.session.choices.chosen.job_type)

    @Slot()
    def _phase_changed(self) -> None:
        if not self.session.running:
            if self.session.wavefront.phase is Phase.DONE:
                background_compile.end_first_start()
            self._chores.start(AFTER_RUN_DELAY_MS)

    @Slot()
    def _do_chores(self) -> None:
        """Run background chores when idle. CuPy, slow to import, is left to the jobs that need it."""
        if self.session.loader.busy or self.session.busy:
            self._chores.start(AFTER_RUN_DELAY_MS)
            return
        if not self.session.devices.asked:
            self.session.probe_gpu()
        if self.session.wavefront.phase is Phase.DONE:  # after a stop nothing goes on
            self.background.complete()

    @Slot()
    def _apply_theme(self) -> None:
        self._qt.setStyleSheet("")  # measured: 0.65 s to put one in the place of another, 0.11 s by way of none
        self._qt.setPalette(self.theme.palette())
        self._qt.setStyleSheet(style_sheet(self.theme))
        QToolTip.setPalette(self.theme.palette())

    @Slot()
    def _closed(self) -> None:
        with ExitStack() as whatever_fails:  # the last is done first, and each though one before it raised
            whatever_fails.callback(self._qt.quit)
            whatever_fails.callback(self._end, self.background.close)
            whatever_fails.callback(self._end, self.session.close)
            problem = saved.save(self._file, self.settings)
            if problem:
                log.error("the settings are lost: %s", problem)

    def _end(self, close: Callable[[], bool]) -> None:
        """End threads; they count as stuck until they have ended."""
        ended = False
        try:
            ended = close()
        finally:
            self._stuck = self._stuck or not ended


def create_qt() -> QApplication:
    """Return the QApplication, created and named if necessary."""
    present = QApplication.instance()
    qt = present if isinstance(present, QApplication) else QApplication(["wavediff"])
    qt.setApplicationName("wavediff")
    qt.setApplicationDisplayName("Wavediff")
    qt.setApplicationVersion(VERSION)
    qt.setDesktopFileName("wavediff")
    qt.setWindowIcon(QIcon(str(ICON)))
    qt.setStyle("Fusion")
    QLocale.setDefault(LOCALE)  # for what Qt writes by itself, until ``follow_locale`` asks the system
    QGuiApplication.setQuitOnLastWindowClosed(True)
    return qt


def main(paths: Sequence[str] = (), typed: argparse.Namespace | None = None) -> int:
    """Show the window with up to two files, or the demo pair, and return after it is closed.

    Args:
        paths: files to open; the window reports more than two.
        typed: arguments of ``open`` with options for these two files.

    Returns:
        The exit status of the process.
    """
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    with gc_paused_and_frozen():
        qt = create_qt()
        follow_locale()
        application = Application(qt, [Path(path) for path in paths], config_folder(), typed)
        application.start()
    try:
        status = int(qt.exec())
    finally:
        ended = application.finish()
    if not ended:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(status)  # a thread that does not end must not be destroyed: that would abort
    return status
