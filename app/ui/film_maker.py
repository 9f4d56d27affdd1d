"""Pictures and films made while the window goes on.

A picture is recorded before, and painted and written on a thread of its own. Frames of a film are painted between the
events of the window, and written on that thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.picture_files import FilmFrame, Watch, film_file
from wavediff.app.ui.picture_sheet import Pictured
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.registry import Format
from wavediff.core.jobs.cancel import CancelToken

LOOK_MS = 50  # between two looks at how far a picture is
FRAME_MS = 10  # between two that are painted
SLOW_SECONDS = 0.05  # of a frame from which on every other one is dropped, so that the window answers
MAX_KEPT_FRAMES = 64  # of a film of which none is dropped
MAX_WAITING = 4  # frames that are painted and not written yet
WAIT_SECONDS = 0.1  # between two looks at whether somebody still waits for the film


class PictureMaker(QObject):
    """Makes one picture or film at a time.

    Signals:
        moved: share of the picture or of the frames that is painted, 0 to 1.
        finished: the path, or what was made. failed: the error.
    """

    moved = Signal(float)
    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._film: Pictured | None = None
        self._waiting: Queue[FilmFrame | None] = Queue()
        self._at = self._stride = 0
        self._samples: list[QImage] = []
        self._path, self._kind, self._told = Path(), None, {}  # type: Path, Format | None, dict[str, str]
        self._beside: dict[str, bytes] = {}  # files that go with the film
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._paint)
        self._shares = [0.0]  # the last one is that of the picture which is made
        self._looks = QTimer(self, interval=LOOK_MS)
        self._looks.timeout.connect(self._report_share)
        self._writer = BackgroundTask("picture", self)
        self._writer.finished.connect(self._end)
        self._writer.failed.connect(self._fail)

    def make(self, call: Callable[[Watch], object]) -> None:
        self.stop()
        self._shares = shares = [0.0]
        self._looks.start()

        def work(cancel: CancelToken) -> object:
            def watch(share: float) -> None:  # no signal: whoever listens may be gone by then
                cancel.raise_if_cancelled()
                shares.append(share)

            made = call(watch)
            cancel.raise_if_cancelled()
            return made

        self._writer.start(work)

    def write(self, call: Callable[[Watch], bytes], path: Path) -> None:

        def written(watch: Watch) -> Path:
            content = call(watch)
            watch(1.0)
            write_atomic(path, content)
            return path

        self.make(written)

    def start(self, film: Pictured, path: Path, kind: Format) -> None:
        self.stop()
        self._film, self._path, self._kind = film, path, kind
        self._told, self._beside = film.told(kind), film.beside(kind, str(path))
        self._waiting, self._samples, self._at, self._stride = Queue(), [], 0, 1
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._looks.stop()
        self._writer.stop()
        self._film = None

    @Slot()
    def _report_share(self) -> None:
        self.moved.emit(self._shares[-1])

    @Slot()
    def _paint(self) -> None:
        """Paint one frame, if those before it are nearly written: first the samples, then the film."""
        film = self._film
        if film is None or self._waiting.qsize() >= MAX_WAITING:
            return
        samples, milliseconds = film.samples, film.milliseconds
        if len(self._samples) < len(samples):
            self._samples.append(film.image(samples[len(self._samples)]))
            if len(self._samples) == len(samples):
                assert self._kind is not None
                first = tuple(self._samples)
                self._writer.start(
                    partial(_write, self._path, self._kind, self._told, self._beside, first, self._waiting)
                )
            return
        began, last = perf_counter(), len(milliseconds) - 1
        until = min(self._at + self._stride, last) if self._at < last else len(milliseconds)
        self._waiting.put(FilmFrame(film.image(self._at), sum(milliseconds[self._at : until])))
        if perf_counter() - began > SLOW_SECONDS and len(milliseconds) > MAX_KEPT_FRAMES:
            self._stride *= 2
        self._at = until
        self.moved.emit(self._at / len(milliseconds))
        if self._at == len(milliseconds):
            self._timer.stop()
            self._waiting.put(None)

    @Slot(object)
    def _end(self, made: object) -> None:
        self.stop()
        self.finished.emit(made)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.stop()
        self.failed.emit(error)


def _write(
    path: Path,
    kind: Format,
    told: dict[str, str],
    beside: dict[str, bytes],
    samples: tuple[QImage, ...],
    waiting: Queue[FilmFrame | None],
    cancel: CancelToken,
) -> Path:
    """Write frames as they come; on a thread of its own."""
    content = film_file(samples, _coming(waiting, cancel), kind, told)
    cancel.raise_if_cancelled()
    write_atomic(path, content)
    for name, text in beside.items():
        write_atomic(name, text)
    return path


def _coming(waiting: Queue[FilmFrame | None], cancel: CancelToken) -> Iterator[FilmFrame]:
    while True:
        cancel.raise_if_cancelled()
        try:
            frame = waiting.get(timeout=WAIT_SECONDS)
        except Empty:
            continue
        if frame is None:
            return
        yield frame
