"""Background creation of pictures and films.

A picture is recorded first. Frames of a film are painted between window events. The thread owns no widgets, since these
must be destroyed in the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, Queue

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.picture_files import Watch, film_file
from wavediff.app.ui.picture_sheet import Frames, Pictured
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.registry import Format
from wavediff.core.jobs.cancel import CancelToken

Wanted = Queue[tuple[int, Queue[QImage]]]  # frames, and where each goes
TURN_MS = 10  # between two frames that are painted, and two looks at how far a picture is
WAIT_SECONDS = 0.1  # polling interval for a cancelled film


class PictureMaker(QObject):
    """Creates one picture or film at a time.

    Signals:
        moved: painted share of the picture or frames, 0 to 1.
        finished: the path of a written file, or the result of the call. failed: the error.
    """

    moved = Signal(float)
    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shares = [0.0]  # the last one is that of the picture which is made
        self._frames: Frames | None = None
        self._wanted: Wanted = Queue()
        self._turns = QTimer(self, interval=TURN_MS)
        self._turns.timeout.connect(self._take_turn)
        self._writer = BackgroundTask("picture", self, self._end, self._fail)

    def make(self, call: Callable[[Watch], object]) -> None:
        self.stop()
        self._shares = shares = [0.0]
        self._turns.start()

        def work(cancel: CancelToken) -> object:
            def watch(share: float) -> None:  # no signal: the receiver may be deleted
                cancel.raise_if_cancelled()
                shares.append(max(share, shares[-1]))

            made = call(watch)
            cancel.raise_if_cancelled()
            return made

        self._writer.start(work)

    def write(self, call: Callable[[Watch], bytes], path: Path, companions: dict[str, bytes] | None = None) -> None:
        """Write the result of ``call`` and the accompanying files."""

        def written(watch: Watch) -> Path:
            content = call(watch)
            watch(1.0)
            for name, each in {str(path): content, **(companions or {})}.items():
                write_atomic(name, each)
            return path

        self.make(written)

    def film(self, film: Pictured, path: Path, kind: Format) -> None:
        assert film.frames is not None
        times, metadata, wanted = film.frames.milliseconds, film.metadata(kind), Wanted()

        def call(watch: Watch) -> bytes:
            return film_file(partial(_asked, wanted, watch), times, kind, metadata(), watch)

        self.write(call, path, film.companions(kind, str(path)))
        self._frames, self._wanted = film.frames, wanted

    @Slot()
    def _take_turn(self) -> None:
        self.moved.emit(self._shares[-1])
        with suppress(Empty):
            step, painted = self._wanted.get_nowait()
            assert self._frames is not None
            painted.put(self._frames.image(step))

    def stop(self) -> None:
        self._frames, self._wanted = None, Queue()
        self._turns.stop()
        self._writer.stop()

    @Slot(object)
    def _end(self, made: object) -> None:
        self.stop()
        self.finished.emit(made)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.stop()
        self.failed.emit(error)


def _asked(wanted: Wanted, watch: Watch, step: int) -> QImage:
    """Return a frame painted by the GUI thread."""
    painted: Queue[QImage] = Queue()
    wanted.put((step, painted))
    while True:
        try:
            return painted.get(timeout=WAIT_SECONDS)
        except Empty:
            watch(0.0)
