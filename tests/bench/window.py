"""What the window costs a run that it shows, and whether it ever halts; needs Qt, and no display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, thread_time, time
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
SHORT, LONG, CHROMOSOME = 1_500_000, 4_500_000, 250_000_000  # letters
PAIRS = {SHORT: 25, LONG: 9}  # a run with the window, and its neighbour without
QUICK_PAIRS = 15
SIZE = 1280, 800  # pixels; offscreen a window would be as small as it can be
REST = 500  # milliseconds between two runs: what a result leaves to do is no cost of the next run


@dataclass(slots=True)
class Runs:
    """Seconds of runs of the same job in one process, in turn.

    Attributes:
        shown: through the window.
        plain: by ``run_job`` on a thread, the window idle.
        gui: share of a core that the thread of the window took of each run it showed.
    """

    what: str
    shown: list[float] = field(default_factory=list)
    plain: list[float] = field(default_factory=list)
    gui: list[float] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        """Each run shown over the one without that was its neighbour: a machine is not as fast the whole time."""
        return [one / other for one, other in zip(self.shown, self.plain, strict=True)]


@dataclass(frozen=True, slots=True)
class Opened:
    """Seconds from the start of the process to the first paint and the first result, and the worst gap of a timer."""

    what: str
    painted: float
    result: float
    worst_gap: float


def opened(what: str, paths: list[Path], cache: str | None = None) -> Opened:
    """Open ``paths`` (none: the demo pair) in a window of its own process; ``cache`` is a folder for its kernels."""
    environment = os.environ | ({"WAVEDIFF_CACHE_DIR": cache} if cache else {})
    if cache:
        environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-m", "wavediff.tests.bench.open_files", str(time()), *map(str, paths)],
        cwd=ROOT,
        env=_with_display(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=600,
        check=True,
    )
    return Opened(what, **json.loads(done.stdout))


def halts(quick: bool) -> Iterator[Opened]:
    """Open pairs of three sizes, each five times (``quick``: once, and no chromosomes)."""
    with tempfile.TemporaryDirectory() as folder:
        yield from (opened("the demo pair", []) for _ in range(1 if quick else 5))
        short = _files(Path(folder), SHORT, 1.0)
        yield from (opened("random DNA 1.5 Mbp", short) for _ in range(1 if quick else 5))
        if not quick:
            long = _files(Path(folder), CHROMOSOME, 0.0001)
            yield from (opened("DNA 250 Mbp at 0.01 %", long) for _ in range(5))


def runs(quick: bool) -> Iterator[Runs]:
    """Run a pair with and without the window in turn; ``quick`` leaves out the one of 10 s."""
    os.environ.update(_with_display(dict(os.environ)))
    for letters in [SHORT] if quick else [SHORT, LONG]:
        with tempfile.TemporaryDirectory() as folder:
            pairs = QUICK_PAIRS if quick else PAIRS[letters]
            yield _in_turn(f"random DNA {letters:,}", _files(Path(folder), letters, 1.0), pairs)


def _in_turn(what: str, paths: list[Path], pairs: int) -> Runs:
    from PySide6.QtCore import QObject, QTimer, Signal, Slot
    from PySide6.QtWidgets import QApplication

    from wavediff.app.compare.pair.pair_state import JobOptions
    from wavediff.app.compare.pair.recent import RecentPairs
    from wavediff.app.ui.settings_file import SettingsFile
    from wavediff.app.ui.theme import Scheme, Theme
    from wavediff.app.window.application import SWITCH_INTERVAL_SECONDS, create_qt
    from wavediff.app.window.cache_tasks import GcTimer
    from wavediff.app.window.main_window import MainWindow
    from wavediff.app.window.session import Session
    from wavediff.app.window.settings import Settings
    from wavediff.core.run.runner import run_job

    class Turns(QObject):
        """Window, plain, plain, window... so that what grows with time falls on both."""

        ended = Signal(object)

        def __init__(self, session: Session) -> None:
            super().__init__()
            self._session, self.runs = session, Runs(what)
            self._window = False
            self._began = self._cpu = 0.0
            self.ended.connect(self._plain_ended)
            session.compared.connect(self._shown)

        @Slot()
        def _next(self) -> None:
            n = len(self.runs.shown) + len(self.runs.plain)
            if n == 2 * pairs:
                QApplication.quit()
                return
            self._window = n % 4 in {0, 3}
            if self._window:
                self._began, self._cpu = perf_counter(), thread_time()
                self._session.run()
            else:
                a, b = self._session.pair.complete or ()
                job = self._session.choices.job(a, b, fold_case=self._session.fold_case)
                threading.Thread(target=lambda: self.ended.emit(run_job(job)), daemon=True).start()

        @Slot(object)
        def _plain_ended(self, result: Any) -> None:
            self.runs.plain.append(result.wall_seconds)
            QTimer.singleShot(REST, self._next)

        @Slot(object)
        def _shown(self, outcome: Any) -> None:
            if self._window:  # the first run reads kernels, and is not counted
                self.runs.gui.append((thread_time() - self._cpu) / (perf_counter() - self._began))
                self.runs.shown.append(outcome.result.wall_seconds)
            QTimer.singleShot(REST, self._next)

    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    qt = create_qt()
    garbage = GcTimer()
    with tempfile.TemporaryDirectory() as folder:
        session = Session(RecentPairs(SettingsFile(Path(folder) / "wavediff.ini")), JobOptions())
        window = MainWindow(session, Theme(Scheme.LIGHT), Settings())
        window.resize(*SIZE)
        window.show()
        turns = Turns(session)
        session.open_paths(paths)
        qt.exec()
        session.close()
        window.close()
    garbage.close()
    sys.setswitchinterval(before)
    return turns.runs


def _files(folder: Path, letters: int, changed: float) -> list[Path]:
    """Write random DNA, and a copy of it with a share of letters ``changed`` (1: nothing in common but chance)."""
    random = np.random.default_rng(5)
    one = np.frombuffer(b"ACGT", np.uint8)[random.integers(0, 4, letters, np.uint8)]
    other = one.copy()
    at = slice(None) if changed >= 1 else random.integers(0, letters, int(letters * changed))
    other[at] = np.frombuffer(b"ACGT", np.uint8)[random.integers(0, 4, other[at].size, np.uint8)]
    paths = [folder / f"{letters}_{name}.fa" for name in "ab"]
    for path, each in zip(paths, (one, other), strict=True):
        path.write_bytes(b">" + path.stem.encode() + b"\n" + each.tobytes() + b"\n")
    return paths


def _with_display(environment: dict[str, str]) -> dict[str, str]:
    has_one = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    return environment if has_one else environment | {"QT_QPA_PLATFORM": "offscreen"}
