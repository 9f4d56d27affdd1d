"""Background search of k-mers that A and B share on either strand."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot

from wavediff.app.compare.dots.dot_drawing import NO_FEATURES, Features
from wavediff.app.compare.dots.dot_tiles import DotTiles
from wavediff.app.compare.dots.file_records import FileRecords, record_box
from wavediff.app.compare.dots.letter_range import LetterRange
from wavediff.app.compare.tracks.features import FEATURES
from wavediff.app.ui.background_task import BackgroundTask, SideSession, on
from wavediff.app.ui.notices import Notice, Severity
from wavediff.app.ui.number_text import percent
from wavediff.app.ui.pair import MatrixPosition, Pair, Side
from wavediff.core.base.errors import printable
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Event, Progress
from wavediff.core.jobs.exact_matches import ExactMatches, ExactMatchesJob, seed_letters
from wavediff.core.screening.dot_index import DotIndex, DotIndexJob
from wavediff.core.sequences.sequence import Sequence

Letters = tuple[Sequence, Sequence]
KEPT = "_of", "_originals", "_chosen", "unique", "all_records", "matches", "shown", "tiles", "features", "seconds"


@dataclass(frozen=True, eq=False)
class FoundDots:
    """Dots of two sequences for a picture, see ``DotsSession``."""

    letters: Letters
    shown: ExactMatches
    features: Features
    unique: bool = False
    of_itself: bool = False


def only_unique(matches: ExactMatches) -> ExactMatches:
    """Return the runs with a k-mer that is unique in both A and B."""
    names = "a_starts", "b_starts", "lengths", "minus", "n_unique"
    return replace(matches, **{name: getattr(matches, name)[matches.n_unique > 0] for name in names})


class DotsSession(SideSession):
    """Finds the dots of the pair on demand; a single sequence is compared with itself.

    Args:
        compares: returns whether the pair is being compared. contigs: returns the joined contigs on A, or None.
        files: returns the files of A and B, twice the only file, or none. every: returns whether a newly opened pair
            starts with ``all_records``.

    Attributes:
        all_records: whether to show the dots of all records of the files.
        matches: those for the current letters and k, or None. tiles: drawing of ``shown``.
        shown: the drawn ones of ``matches``. unique: see ``choose_unique``.
        features: of A and B. seconds: run time of the dots.
        stopped: stopped or failed; not restarted automatically.

    Signals:
        updated: any of these changed, or ``letters``, ``k`` or ``running``.
        all_records_chosen: the user changed ``all_records``.
    """

    updated = Signal()
    all_records_chosen = Signal()

    def __init__(
        self,
        pair: Pair,
        compares: Callable[[], bool],
        contigs: Callable[[], Sequence | None] = lambda: None,
        files: Callable[[], list[FileRecords]] = list,
        every: Callable[[], bool] = bool,
    ) -> None:
        super().__init__("dots", "The dots could not be computed", "", "")
        self._pair, self._compares, self._contigs, self._files, self._every = pair, compares, contigs, files, every
        self.slot.polite = True
        self._soon = QTimer(self, singleShot=True, interval=0)  # a new pair is compared in this turn
        self._soon.timeout.connect(self.updated)
        self._chosen: int | None = None
        self.unique = self.all_records = False
        self._originals: tuple[Sequence, ...] = ()
        self._kept: dict[str, Any] = {}
        self.seconds = 0.0
        self._of: tuple[Any, ...] | None = None
        self._forget()
        self._marking = BackgroundTask("features of dots", self, self._marked)
        self.changed.connect(self.updated)
        on(self.look, pair.changed, pair.answered)

    def _forget(self) -> None:
        self.matches: ExactMatches | None = None
        self.shown: ExactMatches | None = None
        self.tiles: DotTiles | None = None
        self.features: Features = NO_FEATURES
        self.stopped = False

    @property
    def files(self) -> list[FileRecords]:
        """The files of A and B, if they have several records; empty for placed contigs."""
        files = [] if self._contigs() is not None else self._files()
        return files if any(each.load.n_records > 1 for each in files) else []

    @property
    def letters(self) -> Letters | None:
        """The compared letters: A and B, one sequence twice, A and its contigs, or all records."""
        files = self.files if self.all_records else []
        return (files[0].load.whole, files[1].load.whole) if files else self._own

    @property
    def pair_among_records(self) -> LetterRange | None:
        """Range of A and B among all records; None if not shown."""
        letters, files = self.letters, self.files
        if not self.all_records or letters is None or not files:
            return None
        places = zip(letters, files, strict=True)
        return record_box((int(one.records.starts[each.current]) for one, each in places if one.records), letters)

    def cell_of(self, a0: int | None, b0: int | None) -> MatrixPosition:
        """Return row and column for letters of the pair."""
        pair, own = self.pair_among_records, self._own
        if pair is None or own is None:
            return MatrixPosition(a0, b0)
        return MatrixPosition(
            None if a0 is None else pair.a_from + own[0].place(a0),
            None if b0 is None else pair.b_from + own[1].place(b0),
        )

    def letters_at(self, row: int, column: int) -> tuple[int, int] | None:
        """Return the letter indices of the pair at a row and column of the plot; None: in other records."""
        pair, own = self.pair_among_records, self._own
        if pair is None or own is None:
            return row, column
        inside = pair.a_from <= row < pair.a_to and pair.b_from <= column < pair.b_to
        return (own[0].index(row - pair.a_from), own[1].index(column - pair.b_from)) if inside else None

    @property
    def _own(self) -> Letters | None:
        a, b = self._pair.shown(Side.A), self._contigs() or self._pair.shown(Side.B)
        one, other = a or b, b or a
        return None if one is None or other is None else (one, other)

    @property
    def of_itself(self) -> bool:
        """True if a single sequence is compared with itself."""
        return self.letters is not None and self.letters[0] is self.letters[1]

    @property
    def refusal(self) -> str:
        """Reason why there are no dots; empty if they can be computed."""
        if self.letters is None:
            return "Open a sequence to see its repeats, or two to see their shared k-mers on both strands."
        if not all(one.alphabet.is_nucleotide for one in self.letters):
            return "Dots are for DNA and RNA: they show shared k-mers on both strands."
        return ""

    @property
    def k(self) -> int:
        """Length of k-mers: chosen, or by sequence length."""
        if self._chosen is not None:
            return self._chosen
        return seed_letters(*map(len, self.letters or ((), ())))

    def choose_k(self, k: int) -> None:
        if k != self.k:
            self._chosen = k
            self.look()
            self.want()

    def choose_unique(self, unique: bool) -> None:
        """Show only runs that contain a k-mer unique in both A and B."""
        self.unique = unique
        if self.tiles is not None:
            self._show(self.tiles.index)
        self.updated.emit()

    def choose_all_records(self, wanted: bool) -> None:
        """Show the dots of all records of the files, or of the pair only."""
        others = [each.load for each in self.files if not each.load.whole_alphabet().is_nucleotide]
        if wanted and others:
            name = printable(os.path.basename(others[0].source))
            self.noticed.emit(
                Notice(Severity.INFO, f"{name} has records other than DNA or RNA, so there are no dots of all records")
            )
        self.all_records = wanted and not others
        self.all_records_chosen.emit()
        self.look()
        self.want()
        self.updated.emit()

    def _show(self, index: DotIndex) -> None:
        self.tiles = DotTiles(index, unique=self.unique)
        self.shown = only_unique(self.matches) if self.unique and self.matches is not None else self.matches

    @Slot()
    def look(self) -> None:
        """Discard the dots and choices if the pair changed, and the dots if only k changed."""
        originals = tuple(one.original for one in self._own or ())
        if originals != self._originals:
            self._kept = self._kept if originals == self._kept.get("_originals") else {}
            self._originals = originals
            self._soon.start()
            self._chosen, self.unique = self._kept.get("_chosen"), self._kept.get("unique", False)
            self.all_records = self._kept.get("all_records", self._every())
        key = None if self.letters is None else (*((one.original, one.orientation) for one in self.letters), self.k)
        if key != self._of:
            self._of = key
            self.slot.stop()
            self._marking.stop()
            self._forget()
            if key == self._kept.get("_of"):
                for name, value in self._kept.items():
                    setattr(self, name, value)
            self.updated.emit()

    def want(self) -> None:
        """Compute the dots unless known or stopped."""
        self.look()
        done = self.tiles is not None or self.running or self.stopped or self._soon.isActive()
        if not done and not self.refusal:
            self.find()

    def find(self) -> None:
        """Compute the dots, also after a stop."""
        letters = self.letters
        if letters is None or self.refusal:
            return
        a, b = letters
        self.stopped, self.seconds = False, 0.0
        self._marking.start(partial(features_of, letters))
        threads = int(self._compares())  # alongside a comparison its own alone, whose priority is low
        job = ExactMatchesJob(a=a.letters, b=b.letters, k=self.k, threads=threads)
        self._submit(job, f"Finding shared {self.k}-mers…")

    def kept(self) -> Any:
        return {name: getattr(self, name) for name in KEPT}

    def take_up(self, kept: Any) -> None:
        self._kept = kept

    def _end(self, status: str) -> None:
        self.stopped = self.tiles is None
        super()._end(status)

    def close(self) -> bool:
        self._marking.stop()
        return super().close()

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        if isinstance(event, Progress) and event.total:
            self.status = f"Finding shared {self.k}-mers… {percent(event.done / event.total)}"
        super()._on_event(event)

    @Slot(object)
    def _on_result(self, result: Any) -> None:
        self.seconds += self._took
        if isinstance(result, ExactMatches):
            self.matches = result
            self._submit(DotIndexJob(matches=result), "Drawing the dots…")
            return
        assert isinstance(result, DotIndex)
        self._show(result)
        self._end("")

    @Slot(object)
    def _marked(self, features: Features) -> None:
        self.features = features
        self.updated.emit()


def features_of(letters: Letters, cancel: CancelToken) -> Features:
    assert FEATURES.spans is not None
    features = [(one, FEATURES.spans(one, cancel)) for one in letters]
    a, b = (spans and spans.oriented(one.orientation).prepare() for one, spans in features)
    return a or None, b or None
