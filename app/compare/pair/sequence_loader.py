"""Background reading of files and pasted text, one at a time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from wavediff.app.ui.background_task import BackgroundTask, JobSlot
from wavediff.app.ui.pair import Side
from wavediff.app.ui.save_dialog import Folder
from wavediff.core.base.errors import InputError, TransformFile
from wavediff.core.base.file_names import split_name
from wavediff.core.base.numbers import RANGE_SIGN, number, position
from wavediff.core.export.recipe import ENDINGS as PICTURE_ENDINGS
from wavediff.core.export.recipe import is_answer
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Event, Progress
from wavediff.core.jobs.read import ParseJob, ReadJob
from wavediff.core.reading.annotations import require_annotated
from wavediff.core.reading.files import is_pipe, source_of
from wavediff.core.reading.gathered import gathered
from wavediff.core.reading.pick import range_name, range_of
from wavediff.core.record.run_file import is_record
from wavediff.core.sequences.normalization import Form, normalized
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet, Sequence

_numbers = count(1)


@dataclass(frozen=True, slots=True)
class ReadItem:
    """Read request for one side: a file or a text.

    Attributes:
        record: 1-based; 0: the only one, or ask. letters: range of it, 0-based and half open; None: all.
        read_as, alphabet, encoding: chosen by the user. form: Unicode normalization form of a text; None: as read.
        features: feature file; None: one next to ``path`` with the same name.
        remember: whether to add the pair to the recent pairs.
        note: notice once it is read.
    """

    side: Side
    path: Path | None = None
    text: str = ""
    record: int = 0
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None
    encoding: str = ""
    form: Form | None = None
    features: Path | None = None
    remember: bool = True
    note: str = ""
    letters: tuple[int, int] | None = None


def range_item(want: ReadItem, side: Side, sequence: Sequence, start: int, end: int) -> ReadItem:
    """Return the read request for letters of ``sequence``, as in its file, for ``side``.

    Args:
        want: request for the whole sequence. start, end: 0-based, half open; on a circle ``end`` may be at or before
            ``start``.
    """
    file = None if want.path is None else split_name(want.path)
    if file is None or start >= end or is_pipe(file.file):
        letters = sequence.letters.tobytes()
        taken = letters[start:end] if start < end else letters[start:] + letters[:end]
        header = f"{'_'.join(sequence.name.split())}:{start + 1}-{end} {sequence.description}".rstrip()
        text = f">{header}\n{taken.decode('latin-1')}\n"
        return ReadItem(side, text=text, read_as=ReadAs.FASTA, alphabet=sequence.alphabet, remember=False)
    path, record, before = Path(file.file), want.record, 0
    if file.part is not None:  # a range already
        name, _, letters_there = file.part.rpartition(":")
        path, before = Path(f"{file.file}:{name}") if name else path, position(RANGE_SIGN.split(letters_there)[0]) - 1
    return replace(want, side=side, path=path, record=record, letters=(before + start, before + end), note="")


@dataclass(frozen=True, slots=True)
class ReadSequence:
    """A sequence with its request, notices, and all records of its source."""

    sequence: Sequence
    want: ReadItem
    note: str = ""
    load: Any = None

    @property
    def listed(self) -> ReadItem | None:
        """Request for the recent pairs; None for pasted text and for options that these do not store."""
        want = self.want
        if want.path is None or not want.remember or want.encoding or want.form or want.letters:
            return None
        path, features = Path(os.path.abspath(want.path)), want.features and Path(os.path.abspath(want.features))
        return replace(want, path=path, features=features, note="")


@dataclass(frozen=True, slots=True)
class ReadFailure:
    """Failed request with its sides; ``read_as``: the format to retry with."""

    error: BaseException
    sides: frozenset[Side]
    read_as: ReadAs = ReadAs.AUTO
    instead: tuple[ReadItem, ...] = ()


@dataclass(slots=True)
class ReadRequest:
    """Requests for one or both sides, which succeed or fail together.

    ``state``: passed through. ``loads``: files read for them.
    """

    wants: deque[ReadItem]
    sides: frozenset[Side]
    state: object
    ready: dict[Side, ReadSequence] = field(default_factory=dict)
    loads: list[Any] = field(default_factory=list)
    number: int = field(default_factory=lambda: next(_numbers))


CHOICE = "choose a record"  # stage
RECORD_ENDING = ".json"  # of the record of a run, and of an answer


class Loader(QObject):
    """Queue of requests; a new one for the same sides replaces the older.

    Attributes:
        asked: whether anything was requested yet.

    Signals:
        loaded: dict of ``Side`` to ``ReadSequence``, all of a request at once, and the ``state`` of ``open``.
        choice_wanted: number of the request, its ``Side``, a ``Load`` with several records. Reply by ``choose`` or
            ``decline``.
        failed: a ``ReadFailure``; the request is dropped.
        record_found: path of a run record; the rest of the request is read.
        picture_found: path of a picture, perhaps with a recipe; the only file of the request.
        transform_found: path of a saved transform; the request is dropped.
        recognized: return value of the ``look`` of ``recognize``.
        changed: ``busy``, ``recognizes``, ``stage``, ``done`` or ``total`` changed.
    """

    loaded = Signal(object, object)
    choice_wanted = Signal(int, object, object)
    failed = Signal(object)
    record_found = Signal(object)
    picture_found = Signal(object)
    transform_found = Signal(object)
    recognized = Signal(object)
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.asked = False
        self._queue: deque[ReadRequest] = deque()
        self._current: ReadRequest | None = None
        self._want: ReadItem | None = None
        self._load: Any = None
        self._spent: set[Path] = set()  # pipes that were read, and have nothing more
        self.stage, self.done, self.total = "", 0, 0
        self._slot = JobSlot("read", self, self._finished, self._give_up)
        self._slot.reported.connect(self._on_event)
        self._kinds = BackgroundTask("kinds", self, self.recognized)
        self._kinds.finished.connect(self.changed)  # after the files are opened

    @property
    def busy(self) -> frozenset[Side]:
        waiting = [request.sides for request in self._queue]
        return frozenset().union(*waiting, self._current.sides if self._current else frozenset())

    @property
    def recognizes(self) -> bool:
        """True while the kinds of opened files are looked at, before any is read."""
        return self._kinds.running

    def recognize(self, look: Callable[[CancelToken], object]) -> None:
        """Look at opened files in the background; a later call replaces this one."""
        self._kinds.start(look)
        self.changed.emit()

    @property
    def name(self) -> str:
        return self._want.path.name if self._want is not None and self._want.path is not None else ""

    def open(self, wants: list[ReadItem], state: object = None) -> None:
        self.asked = True
        for path in (want.path for want in wants if want.path is not None and want.remember):
            Folder.use(path)
        if len(wants) == 1 and wants[0].path is not None and _has_recipe(wants[0].path):
            self.picture_found.emit(wants[0].path)
            return
        records = [want for want in wants if want.path is not None and _is_record(want.path)]
        for want in records[-1:]:
            self.record_found.emit(want.path)
        wants = [want for want in wants if want not in records]
        if not wants:
            return
        sides = frozenset(want.side for want in wants)
        self._queue = deque(request for request in self._queue if not request.sides <= sides)
        if self._current is not None and self._current.sides <= sides:
            self._drop()
        self._queue.append(ReadRequest(deque(wants), sides, state))
        self._start_next()

    def stop(self) -> None:
        self._kinds.stop()
        self._queue.clear()
        self._drop()
        self.changed.emit()

    def close(self) -> bool:
        """End the thread; False if it is stuck (see ``JobWorker.close``)."""
        return self._slot.close()

    def choose(self, number: int, records: dict[Side, int], state: object = None) -> None:
        """Select records (0-based) of the file named by ``choice_wanted``; sides may be exchanged.

        Args:
            state: passed through; None: that of the request.
        """
        if self._current is None or self._current.number != number or self._want is None:
            return
        self._current.state = self._current.state if state is None else state
        try:
            for side, k in records.items():
                self._current.ready[side] = self._pick(k, side)
        except Exception as error:
            self._give_up(error)
            return
        self._next_want()

    def files(self, records: list[int]) -> list[Any]:
        """Return the files (``Load`` or path) of the pending request; of the current one only ``records`` (0-based)."""
        if self._current is None:
            return []
        return [*self._current.loads[:-1], gathered([(self._load, records)]), *(w.path for w in self._current.wants)]

    def decline(self, number: int) -> None:
        """Cancel the pending request without a record."""
        if self._current is not None and self._current.number == number:
            self._drop()
            self._start_next()

    def _drop(self) -> None:
        self._slot.stop()
        self._current, self._want, self._load = None, None, None

    def _start_next(self) -> None:
        if self._current is None and self._queue:
            self._current = self._queue.popleft()
            self._next_want()
        self.changed.emit()

    def _next_want(self) -> None:
        request = self._current
        if request is None:
            return
        self._load = None
        if request.wants:
            self._want = want = request.wants.popleft()
            if want.path is not None and self._is_spent(split_name(want.path).file):
                self._give_up(InputError(str(want.path), "a pipe can be read once", "write it to a file first"))
                return
            how: dict[str, Any] = {"read_as": want.read_as, "alphabet": want.alphabet, "or_text": True}
            path, text = want.path, want.text
            file: dict[str, Any] = {"path": path, "encoding": want.encoding, "features": want.features}
            job = ParseJob(text=text, **how) if path is None else ReadJob(**file, **how)
            self.stage, self.done, self.total = "reading", 0, 0
            self._slot.submit(job)
            return
        features = next((each.want.features for each in request.ready.values() if each.want.features), None)
        try:
            require_annotated(features, request.loads)
        except InputError as error:
            self._give_up(error)
            return
        self._current = self._want = None
        self.loaded.emit(request.ready, request.state)
        self._start_next()

    def _is_spent(self, file: str) -> bool:
        """Return whether a file is a pipe already read; it counts as read from now on."""
        source = Path(source_of(file))
        spent = source in self._spent
        if is_pipe(file) and file != os.devnull:
            self._spent.add(source)
        return spent

    def _pick(self, k: int, side: Side) -> ReadSequence:
        want, load = self._want, self._load
        assert want is not None
        letters = want.letters
        if letters is not None:
            name = range_name(load, k, *letters)
            load, k = range_of(load, k, *letters, name or load.source), 0
            letters = None if name else letters
        sequence = load.with_notices(load.sequence(k))
        path, record = None if want.path is None else Path(load.source), want.record if letters else sequence.record
        if want.form:
            sequence = normalized(sequence, want.form)
        remember = want.remember and path not in self._spent
        again = replace(want, side=side, path=path, record=record, letters=letters, note="", remember=remember)
        return ReadSequence(sequence, again, want.note if want.side is side else "", load)

    @Slot(object)
    def _give_up(self, error: BaseException) -> None:
        sides = self._current.sides if self._current is not None else frozenset[Side]()
        path = self._want.path if self._want is not None else None
        failed = ReadFailure(error, sides)
        if isinstance(error, InputError) and error.instead and self._current is not None and self._want is not None:
            read_as = ReadAs(error.instead)
            other = replace(self._want, read_as=read_as, record=0)
            ready = [each.want for each in self._current.ready.values()]
            failed = ReadFailure(error, sides, read_as, (*ready, other, *self._current.wants))
        self._current, self._want, self._load = None, None, None
        if isinstance(error, TransformFile) and path is not None:
            self.transform_found.emit(path)
        else:
            self.failed.emit(failed)
        self._start_next()

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        if isinstance(event, Progress):
            self.stage, self.done, self.total = event.stage, event.done, event.total
            self.changed.emit()

    @Slot(object)
    def _finished(self, load: Any) -> None:
        if self._current is None or self._want is None:
            return
        self._load, want = load, self._want
        self._current.loads.append(load)
        if want.record > load.n_records:
            reason = f"record {number(want.record)} is missing: the file now has {number(load.n_records)}"
            self._give_up(InputError(load.source, reason))
        elif want.record or load.n_records == 1:
            self.choose(self._current.number, {want.side: max(0, want.record - 1)})
        else:
            self.stage, self.done, self.total = CHOICE, 0, 0  # nothing is read until one is chosen
            self.changed.emit()
            self.choice_wanted.emit(self._current.number, want.side, load)


def _has_recipe(path: Path) -> bool:
    ending = path.suffix.lower()
    return ending in PICTURE_ENDINGS or (ending == RECORD_ENDING and is_answer(path))


def _is_record(path: Path) -> bool:
    """Return whether a file is a run record; only matching names are opened, as that may take a while."""
    return path.suffix.lower() == RECORD_ENDING and is_record(path)
