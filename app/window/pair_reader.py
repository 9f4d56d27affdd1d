"""Reading the two sequences of the pair, and where they came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from wavediff.app.ui.notices import Action, Notice, Notifier, Severity
from wavediff.app.ui.pair import Pair, Side
from wavediff.app.ui.samples import SAMPLES, Sample
from wavediff.app.window.recent import RecentPair, RecentPairs
from wavediff.app.window.sequence_loader import Loader, ReadFailure, ReadItem, ReadSequence
from wavediff.core.base.numbers import number
from wavediff.core.sequences.orientation import FORWARD
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet, Sequence

if TYPE_CHECKING:
    from wavediff.core.reading import Load


class PairReader(Notifier):
    """Opens files and texts as A and B; what to do with a pair that was read a subclass says.

    Signals:
        opened: there is another pair, of which nothing was done yet.
    """

    opened = Signal()

    def __init__(self, recent: RecentPairs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pair, self.recent, self.loader = Pair(self), recent, Loader(self)
        self._loaded: dict[Side, ReadSequence] = {}
        self.loader.loaded.connect(self._take)
        self.loader.failed.connect(self._read_failed)

    def _begin_with(self, sequences: dict[Side, Sequence]) -> None:
        """Put what was read into the pair, and go on with it."""
        raise NotImplementedError

    def open_sample(self, sample: Sample = SAMPLES[0]) -> None:
        """Read and compare a pair that comes with the program."""
        a, b = sample.paths
        second = ReadItem(Side.B, b, orientation=sample.orientation, remember=False)
        self.loader.open([ReadItem(Side.A, a, remember=False), second])

    def open_paths(self, paths: Iterable[Path], side: Side | None = None) -> None:
        """Read one file for ``side`` (None: the first empty one, else B), or two as A and B."""
        files = list(paths)
        if len(files) == 2:
            self.loader.open([ReadItem(each, path) for each, path in zip(Side, files, strict=True)])
        elif len(files) == 1:
            self.loader.open([self._want(side, files[0].name, path=files[0])])
        elif files:
            text = f"{number(len(files))} files at once: drop one or two. Nothing was opened"
            self.notice(Severity.ERROR, text, *Side)

    def open_text(self, text: str, side: Side | None = None) -> None:
        self.loader.open([self._want(side, "Text", text=text)])

    def open_texts(self, a: str, b: str) -> None:
        """Compare two texts; they do not go to the recent pairs."""
        self.loader.open([ReadItem(side, text=text, remember=False) for side, text in zip(Side, (a, b), strict=True)])

    def open_records(self, a: Load, i: int, b: Load, j: int) -> None:
        """Compare record ``i`` of a file that was read with record ``j`` of another one (0-based)."""
        self._take(
            {
                side: ReadSequence(load.sequence(k), ReadItem(side, Path(load.source), record=k + 1, remember=False))
                for side, load, k in ((Side.A, a, i), (Side.B, b, j))
            }
        )

    def open_recent(self, recent: RecentPair) -> None:
        places = zip(Side, (recent.a, recent.b), strict=True)
        self.loader.open(
            [
                ReadItem(side, Path(place.path), record=place.record, read_as=place.read_as, alphabet=place.alphabet)
                for side, place in places
            ]
        )

    def want(self, side: Side) -> ReadItem | None:
        """Return what was asked for where a side came from; None while there is nothing."""
        loaded = self._loaded.get(side)
        return None if loaded is None else loaded.want

    def n_records(self, side: Side) -> int:
        """Return how many records the source of a side has."""
        loaded = self._loaded.get(side)
        return 1 if loaded is None else loaded.n_records

    @Slot(object)
    def choose_record(self, side: Side) -> None:
        """Ask for another record of the file that a side came from."""
        want = self.want(side)
        if want is not None:
            self.loader.open([replace(want, record=0, orientation=FORWARD)])

    @Slot(object, object, object)
    def read_again(self, side: Side, read_as: ReadAs, alphabet: Alphabet | None) -> None:
        """Read what a side came from as something else."""
        want = self.want(side)
        if want is not None:
            record = want.record if read_as is want.read_as else 0  # records are another format's
            how = replace(want, read_as=read_as, alphabet=alphabet, record=record, orientation=FORWARD)
            self.loader.open([how])

    @property
    def free_side(self) -> Side | None:
        """Side that has no sequence and gets none."""
        return next((side for side in Side if self.pair[side] is None and side not in self.loader.busy), None)

    def _want(self, side: Side | None, name: str, **what: Any) -> ReadItem:
        free = side or self.free_side
        note = "" if free else f"{name} opened as B. Drop it on A or B to say which one it replaces"
        return ReadItem(free or Side.B, note=note, **what)

    def swap_sources(self) -> None:
        """Remember A's source as B's, and B's as A's."""
        self._loaded = {
            side.other: replace(each, want=replace(each.want, side=side.other)) for side, each in self._loaded.items()
        }

    @Slot(object)
    def _take(self, loaded: dict[Side, ReadSequence]) -> None:
        for note in (each.note for each in loaded.values() if each.note):
            self.notice(Severity.INFO, note)
        self._loaded = self._loaded | loaded
        self._begin_with({side: each.sequence.oriented(each.want.orientation) for side, each in loaded.items()})
        places = [each.place for side in Side if (each := self._loaded.get(side)) is not None]
        if len(places) == 2 and places[0] is not None and places[1] is not None:
            problem = self.recent.add(places[0], places[1])
            if problem:
                self.notice(Severity.WARNING, problem)

    @Slot(object)
    def _read_failed(self, failed: ReadFailure) -> None:
        if not failed.instead:
            self.report_error(failed.error, "This could not be read", *failed.sides)
            return
        text = f"Read as {failed.read_as.label.lower()}"
        action = Action(text, partial(self.loader.open, list(failed.instead)))
        self.noticed.emit(Notice(Severity.ERROR, str(failed.error), frozenset(failed.sides), action))
