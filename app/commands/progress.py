"""Progress on a terminal (one updated line) or in a log (a line at intervals)."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from wavediff.app.ui.kernel_names import kernel_name
from wavediff.core.base.errors import count_noun, printable
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import duration, speed
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.events import (
    Compiled,
    DeviceChosen,
    Event,
    KernelTiming,
    MemoryForecast,
    NoticeRaised,
    Planned,
    Progress,
    Recorded,
    StepDone,
)
from wavediff.core.jobs.time_left import PLANNED, seconds_left
from wavediff.core.methods.statistics import gcups
from wavediff.core.screening.notices import PairNotice

_TERMINAL_INTERVAL = 0.1  # seconds
_LOG_INTERVAL = 10.0
AFFINE = "affine"
_CHANCE = (NoticeKind.CHANCE, NoticeKind.UNRELATED, NoticeKind.NOT_JUDGED)
_TRIES = {  # where there is no offer
    **dict.fromkeys(_CHANCE, f"--method {AFFINE}"),  # its scores tell distant relatives from chance
    NoticeKind.INVERTED_PART: "--rearranged",
    NoticeKind.MOVED_PARTS: "--rearranged",
    NoticeKind.U_IS_T: "--letters exact to tell them apart",
    NoticeKind.NOT_UTF8: "--encoding, such as --encoding cp1252",
    NoticeKind.OTHER_FORM: "--normalize nfc",
}
_UNITS_OF_A_FILE = ("bytes", "letters")  # of work on the file that is named; not pairs, patterns, steps of compiling


class Reporter:
    """Event reporter for ``stream``; None reports notices only. A broken stream becomes silent.

    Args:
        verbose: include strategy and device in a log.

    Attributes:
        timings: all reported ones. device, record: the last event of that kind, or None.
        names: display names of paths in notices.
    """

    def __init__(
        self, stream: TextIO | None, clock: Callable[[], float] = time.monotonic, *, verbose: bool = False
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._broken = False
        self._terminal = stream is not None and stream.isatty()
        self._verbose = verbose and not self._terminal
        self._shown = clock()
        self._dirty = False  # a renewed line is on the terminal
        self._name = self._last = ""
        self._compiling: list[str] = []
        self._began = clock()
        self._done = self._total = 0
        self._said: list[PairNotice] = []
        self._reason = ""  # of the last plan, which those of the same run share
        self.timings: list[KernelTiming] = []
        self.device: DeviceChosen | None = None
        self.record: Recorded | None = None
        self.names: dict[str, str] = {}

    def __call__(self, event: Event) -> None:
        if isinstance(event, Planned):
            self._began, self._done, self._total = self._clock(), 0, event.cells
            if self._verbose:
                rows, cols = event.grid.shape
                reason, self._reason = "" if event.reason == self._reason else f"; {event.reason}", event.reason
                self.note(f"{event.strategy}: {count_noun(event.cells, 'cell')} in {rows:,} x {cols:,} blocks{reason}")
        elif isinstance(event, StepDone):
            if event.kernel in PLANNED:
                self._done += event.cells
            self._renew(lambda: self._computing(event.kernel))
        elif isinstance(event, KernelTiming):
            self.timings.append(event)
        elif isinstance(event, Recorded):
            self.record = event
        elif isinstance(event, DeviceChosen):
            self.device = event
            if self._verbose:
                self.note(f"{event.device}: {event.reason}")
        elif isinstance(event, MemoryForecast):
            self.note(event.text)
        elif isinstance(event, NoticeRaised):
            self._warn(event.text)
        elif isinstance(event, Compiled):
            self._renew(lambda: f"compiled in {event.seconds:.1f} s: {kernel_name(event.kernel)}")
        elif isinstance(event, Progress) and event.stage.startswith(STAGE):
            self.compiling(event.stage.removeprefix(f"{STAGE} "))
        elif isinstance(event, Progress):
            self._renew(lambda: self._reading(event))

    def compiling(self, kernel: str) -> None:
        """Report the kernel that is being compiled, before the compiler blocks; in a log once, whatever its types."""
        if kernel not in (self._compiling[-1:] if self._terminal else self._compiling):
            self._compiling.append(kernel)
            self._renew(lambda: f"compiling for the first use: {kernel_name(kernel)}", now=True)

    def reading(self, name: str) -> None:
        self._name = printable(name)

    def note(self, text: str) -> None:
        self.close()
        self._write(f"{printable(text)}\n")

    def notices(self, notices: Iterable[PairNotice], method: str) -> None:
        for notice in notices:
            if notice not in self._said:
                self._said.append(notice)
                self.notice(f"{notice.text}{hint(notice, method)}")

    def notice(self, text: str) -> None:
        self.note(f"note: {renamed(text, self.names)}")

    def error(self, text: str) -> None:
        self.note(f"wavediff: {text}")

    def _warn(self, text: str) -> None:
        quiet = self._stream is None and not self._broken
        if quiet:
            self._stream = sys.stderr
        self.notice(text)
        if quiet:
            self._stream = None

    def close(self) -> None:
        """Clear the progress line, so that further output starts on an empty line."""
        if self._dirty:
            self._write("\r\x1b[K")
            self._dirty = False

    def _renew(self, text: Callable[[], str], *, now: bool = False) -> None:
        clock = self._clock()
        if not now and clock - self._shown < (_TERMINAL_INTERVAL if self._terminal else _LOG_INTERVAL):
            return
        self._shown = clock
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r\x1b[K{text()[:width]}")
            self._dirty = True
        elif (line := text()) != self._last:
            self._last = line
            self._write(f"{line}\n")

    def _reading(self, event: Progress) -> str:
        share = f" {event.done / event.total:4.0%}" if event.total else ""
        name = f" {self._name}" if event.unit in _UNITS_OF_A_FILE and self._name else ""
        if not event.unit and not event.total:
            return f"{event.stage}{name}"
        return f"{event.stage}{name}:{share} {event.done:,} {event.unit}"

    def _computing(self, kernel: str) -> str:
        seconds = self._clock() - self._began
        if kernel not in PLANNED or not self._total or not self._done or seconds <= 0:
            return kernel
        left = seconds_left(self._done, self._total, seconds)
        rest = "" if left is None else f"  {duration(left)} left"
        return f"{self._done / self._total:6.1%}  {speed(gcups(self._done, seconds))}{rest}"

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # closed, full, or the terminal is gone: the job goes on
            self._stream, self._broken = None, True


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Replace paths in a notice or error by ``names``."""
    called = {printable(path): name for path, name in names.items()}
    paths = "|".join(map(re.escape, sorted(called, key=len, reverse=True)))
    return re.sub(rf"(?<![\w./-])(?:{paths})(?=:|,| \()", lambda found: called[found[0]], text) if called else text


def hint(notice: Notice, method: str = "") -> str:
    """Return ``: try OPTIONS`` with what a notice after a run of ``method`` suggests, or an empty string."""
    offer, words = notice.offer if isinstance(notice, PairNotice) else None, list[str]()
    if offer is None and not (method == AFFINE and notice.kind in _CHANCE):
        words = [_TRIES[notice.kind]] if notice.kind in _TRIES else []
    if offer is not None:
        words += ["--orient auto"] if offer.minus else []
        words += [f"--method {offer.method}"] if offer.method else []
        words += ["--topology circular"] if offer.origin is not None else []
        words += [f"--method edit --ends {offer.ends}"] if offer.ends else []
    return f": try {' '.join(words)}" if words else ""
