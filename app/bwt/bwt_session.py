"""State of the transform of A, B or both, and of searches in it; no widgets."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import Signal, SignalInstance, Slot

from wavediff.app.bwt.indexed_text import IndexedText, Link, Source, character_begins, link_of
from wavediff.app.ui.background_task import BackgroundTask, JobSlot, SideSession
from wavediff.app.ui.pair import Pair, Side
from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, duration, localized, number
from wavediff.core.jobs.bwt import (
    BwtJob,
    BwtTextJob,
    FindJob,
    IndexJob,
    InverseBwtJob,
    LoadBwtJob,
    LocateRowsJob,
    RowsOfPositionsJob,
)
from wavediff.core.jobs.bwt_result import BwtIndex, BwtResult, InverseBwtResult, SavedBwt
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.jobs.compression import CompressionJob
from wavediff.core.jobs.events import DeviceChosen, Event, StepDone
from wavediff.core.sequences.characters import BYTE_CHARACTERS, encoded, folded_utf8
from wavediff.core.sequences.common_characters import as_bytes
from wavediff.core.sequences.concatenation import ConcatenatedText, folded_text, format_byte
from wavediff.core.sequences.sequence import Sequence

INDEXING = "Indexing"
STAGES = {
    **dict.fromkeys(("induced", "ternary", "sort", "double"), "Sorting"),
    **dict.fromkeys(("inverse", "verify"), "Checking"),
}
SORTINGS = {
    BwtMethod.AUTO: "",
    BwtMethod.TERNARY: "ternary quicksort",
    BwtMethod.YAMANAKA: "kernels of Yamanaka, Ino and Hagihara",
}  # after the result
MAX_TABLE_LETTERS = 2_000  # letters up to which the whole table of rotations and every level of sorting are shown
MAX_HITS = 1_000_000  # listed of a pattern


@dataclass(slots=True, eq=False)
class _PendingTransform:
    name: str
    fold_case: bool
    text: Letters | None = None
    link: Link | None = None
    saved: SavedBwt | None = None
    small: BwtResult | None = None
    method: BwtMethod = BwtMethod.AUTO
    sorted_on: str = "cpu"
    characters: str = ""


def _as_utf8(sequence: Sequence, fold_case: bool) -> Sequence:
    """Return a text as UTF-8 bytes; with ``fold_case`` normalized in case."""
    utf8 = as_bytes(sequence, "")
    if not fold_case:
        return utf8
    letters = folded_text(utf8.letters)
    return replace(utf8, letters=letters, counts=np.bincount(letters, minlength=256))


class BwtSession(SideSession):
    """Runs transforms and searches in the background; each kind of query has its own ``JobSlot``.

    Signals:
        built: a ``Transformed``, or None when the letters changed.
        found: a ``FindResult`` of ``pattern``, or None.
        located: a ``RowsResult``.
        placed: a ``PositionsResult``.
        compressed: a ``CompressionResult``; not_compressed: the error instead.
    """

    built = Signal(object)
    found = Signal(object)
    located = Signal(object)
    placed = Signal(object)
    compressed = Signal(object)
    not_compressed = Signal(object)
    outdated_text = "options have changed: transform again"

    def __init__(self, pair: Pair, fold_case: Callable[[], bool]) -> None:
        hint = "Press Transform to build the index (BWT)"
        super().__init__("transform", "The transform failed", hint, "")
        self.pair, self._fold_case = pair, fold_case
        self._read = self._originals()
        self.source, self.device, self.method = Source.A, Device.AUTO, BwtMethod.AUTO
        self.current: IndexedText | None = None
        self.pattern = b""
        self._next: _PendingTransform | None = None
        self._find = self._answering("find", self.found)
        self._rows = self._answering("rows", self.located)
        self._place = self._answering("place", self.placed)
        self._compression = JobSlot("transform-compression", self, self.compressed, self.not_compressed)
        self._linker = BackgroundTask("link-transform", self, self._linked, self.refuse)
        pair.changed.connect(self._pair_changed)

    def _answering(self, name: str, answer: SignalInstance) -> JobSlot:
        return JobSlot(f"transform-{name}", self, answer, self.refuse)

    def _originals(self) -> tuple[Sequence | None, Sequence | None]:
        return self.pair.original(Side.A), self.pair.original(Side.B)

    @property
    def running(self) -> bool:
        return self._next is not None

    @property
    def asked(self) -> tuple[object, ...]:
        return () if self.source is Source.FILE else (self.method, self.device, self._fold_case())

    def choose(self, source: Source) -> None:
        if source is not self.source and source is not Source.FILE:
            self.source = source
            self.run()

    def choose_sorting(self, method: BwtMethod, device: Device) -> None:
        """Set sorting method and device for the next text."""
        self.method, self.device = method, device
        self.changed.emit()

    def run(self) -> None:
        self._drop("Nothing to transform: open a file")
        a, b = self._originals()
        wanted = [each for each, source in ((a, Source.A), (b, Source.B)) if self.source in (source, Source.BOTH)]
        if None in wanted or not wanted:
            return
        fold_case = self._fold_case()
        named = "+".join(sequence.name for sequence in wanted if sequence is not None)
        common = next(sequence.characters for sequence in wanted if sequence is not None)  # a pair has them in common
        if len(common) > BYTE_CHARACTERS:  # a transform is one of bytes
            a, b = (None if sequence is None else _as_utf8(sequence, fold_case) for sequence in (a, b))
            common = ""
        self._next, self.answered = _PendingTransform(named, fold_case, characters=common), self.asked
        with_a, with_b = self.source is not Source.B, self.source is not Source.A
        job = BwtTextJob(a=a if with_a else None, b=b if with_b else None, fold_case=fold_case)
        self._submit(job, "Transforming…")

    def load(self, path: Path) -> None:
        """Show a saved transform; its letters are linked to A or B if they match its text."""
        self._drop("")
        self.source, self._next, self.answered = Source.FILE, _PendingTransform(path.name, False), ()
        self._submit(LoadBwtJob(path=path), f"Reading {printable(path.name)}…")

    def search(self, pattern: bytes) -> None:
        self.pattern = pattern
        if self.current is None or not pattern:
            self.found.emit(None)
            return
        common = self.current.characters
        letters, folds = pattern, self.current.index.fold_case
        if common:
            letters = encoded(os.fsdecode(pattern), common, fold_case=folds).tobytes()
        elif folds:
            letters = folded_utf8(pattern)
        job = FindJob(index=self.current.index, patterns=(letters,), locate=True, limit=MAX_HITS, trace=True)
        self._find.submit(job)

    def locate(self, rows: Counts) -> None:
        """Request the positions of ``rows``; ``located`` follows."""
        if self.current is not None:
            self._rows.submit(LocateRowsJob(index=self.current.index, rows=rows))

    def place(self, position: int) -> None:
        """Request the row that begins at ``position``; ``placed`` follows for the last request only."""
        if self.current is not None:
            self._place.submit(RowsOfPositionsJob(index=self.current.index, positions=np.array([position], np.int64)))

    def stop(self) -> None:
        self._linker.stop()
        for each in (self.slot, self._find, self._rows, self._place):
            each.stop()
        if self._next is not None:
            self._next = None
            self._end("Stopped")

    def compress(self) -> None:
        """Compute the compression of the text by move-to-front, zlib and bzip2; ``compressed`` follows."""
        if self.current is not None:
            self._compression.submit(CompressionJob(text=self.current.text, last=self.current.index.last))

    @Slot()
    def stop_compressing(self) -> None:
        self._compression.stop()

    def close(self) -> bool:
        self._linker.stop()
        ended = [each.close() for each in (self.slot, self._find, self._rows, self._place, self._compression)]
        return all(ended)

    def _loaded(self, new: _PendingTransform, saved: SavedBwt) -> None:
        new.saved, new.name, new.fold_case = saved, saved.name or new.name, saved.fold_case
        self.slot.submit(InverseBwtJob(last=saved.last, primary=saved.primary))

    def _begin(self, new: _PendingTransform, text: Letters, link: Link | None) -> None:
        new.text = text
        if link is None:
            self._find_link(text, new.fold_case)
            return
        new.link = link
        if text.size <= MAX_TABLE_LETTERS:
            job = BwtJob(text=text, method=BwtMethod.TERNARY, levels=True, suffixes=True)
            self.slot.submit(job, Device.CPU)
        else:
            self._index(new)

    def _find_link(self, text: Letters, fold_case: bool) -> None:
        a, b = (None if original is None else original.letters for original in self._originals())
        characters = next((original.characters for original in self._originals() if original is not None), "")
        self._linker.start(lambda cancel: link_of(text, fold_case, a, b, cancel, characters))

    @Slot(object)
    def _linked(self, link: Link) -> None:
        """Transform the text that was linked to A and B, or update the links of the current one."""
        if self._next is not None and self._next.text is not None:
            self._begin(self._next, self._next.text, link)
        elif self.current is not None and link.source is not self.current.source:
            self.current = replace(self.current, source=link.source, separator=link.separator, start_b=link.start_b)
            self.built.emit(self.current)
            self.search(self.pattern)

    def _index(self, new: _PendingTransform) -> None:
        if new.saved is not None:
            self.slot.submit(IndexJob(saved=new.saved))
        else:
            new.method = self.method
            job = IndexJob(text=new.text, name=new.name, fold_case=new.fold_case, method=new.method)
            self.slot.submit(job, self.device)

    def _drop(self, status: str) -> None:
        self.stop()
        self.current, self.answered, self.status = None, None, status
        self.built.emit(None)
        self.found.emit(None)
        self.changed.emit()

    @Slot()
    def _pair_changed(self) -> None:
        read, self._read = self._read, self._originals()
        if read == self._read:
            return  # B is compared otherwise, and its letters are the same
        if self.source is Source.FILE:
            if self._next is not None and self._next.text is not None:
                self._find_link(self._next.text, self._next.fold_case)
            elif self.current is not None:
                self._find_link(self.current.text, self.current.index.fold_case)
        elif self.current is not None or self.running:
            self.run()

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        super()._on_event(event)
        new = self._next
        assert new is not None  # while the slot has a job
        if isinstance(event, DeviceChosen):
            new.sorted_on = event.device
        elif isinstance(event, StepDone):
            self.status = f"{STAGES.get(event.kernel, INDEXING)} {printable(new.name)}…"
            self.changed.emit()

    @Slot(object)
    def _on_result(self, result: ConcatenatedText | SavedBwt | InverseBwtResult | BwtResult | BwtIndex) -> None:
        new = self._next
        assert new is not None  # while the slot has a job
        if isinstance(result, ConcatenatedText):
            begins = None if new.characters else character_begins(result.letters)
            self._begin(new, result.letters, Link(self.source, result.separator, result.start_b, begins))
        elif isinstance(result, BwtIndex):  # a SavedBwt too
            self._show(new, result)
        elif isinstance(result, SavedBwt):
            self._loaded(new, result)
        elif isinstance(result, InverseBwtResult):
            self._begin(new, result.text, None)
        else:
            new.small = result
            self._index(new)

    def _show(self, new: _PendingTransform, index: BwtIndex) -> None:
        self._next = None
        assert new.text is not None  # it came before the index
        assert new.link is not None
        link = new.link
        self.current = IndexedText(
            link.source, new.name, new.text, link.separator, link.start_b, index, new.small, new.characters, link.begins
        )
        mean = index.length / max(1, index.n_runs)
        parts = [
            count(self.current.n_letters, "letter", "letters"),
            "case ignored" if index.fold_case else "case counts",
            f"joined by {format_byte(link.separator)}" if link.separator is not None else "",
            f"primary row {number(index.primary)}",
            f"{count(index.n_runs, 'run', 'runs')}, {localized(f'{mean:.2f}')} letters a run",
            "inverse checked" if new.saved is None else "read and checked",
            SORTINGS[new.method] if new.saved is None else "",
            "sorted on the GPU" if new.sorted_on == "gpu" and new.saved is None else "",
            duration(index.wall_seconds),
        ]
        self.status = " · ".join(filter(None, parts))
        self.built.emit(self.current)
        self.changed.emit()
        if self.pattern:
            self.search(self.pattern)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._next = None
        super()._fail(error)
