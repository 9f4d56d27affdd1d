"""Reading of A and B, and the state that belongs to the pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot

from wavediff.app.compare.blocks.blocks_session import BlocksSession
from wavediff.app.compare.contigs.contigs_session import ContigsSession
from wavediff.app.compare.dots.file_records import FileRecords, RecordRange
from wavediff.app.compare.dots.letter_range import RangeCost
from wavediff.app.compare.pair.pair_screening import PAIR
from wavediff.app.compare.pair.pair_state import JobOptions, PairState, WholePair
from wavediff.app.compare.pair.recent import RecentPair, RecentPairs
from wavediff.app.compare.pair.sequence_loader import Loader, ReadFailure, ReadItem, ReadSequence, range_item
from wavediff.app.ui.notices import Action, Notice, Notifier, Severity
from wavediff.app.ui.pair import Comparison, GivenFile, Pair, Side
from wavediff.app.ui.samples import SAMPLES, Sample
from wavediff.core.base.errors import WavediffError
from wavediff.core.methods.default import refused
from wavediff.core.reading.annotations import is_annotation
from wavediff.core.run.dispatch import estimated_seconds
from wavediff.core.run.rates import estimate_memory
from wavediff.core.sequences.normalization import OTHER_FORM, differ_in_form
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand, Topology
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet, Sequence
from wavediff.core.system.machine import available_memory

if TYPE_CHECKING:
    from wavediff.core.reading import Load


class PairReader(Notifier):
    """Opens files and texts as A and B; subclasses define what happens with the pair.

    Attributes:
        start: initial options of a newly opened pair. awaited: the files to open at start are not read yet.

    Signals:
        opened: another pair was opened.
        given_changed: ``PairState.given`` changed.
        done: label of the undoable change, and the ``PairState`` before it.
        choices_changed: an option of the comparison, or the order of B's parts, changed.
    """

    opened = Signal()
    given_changed = Signal()
    done = Signal(str, object)
    choices_changed = Signal()

    def __init__(self, recent: RecentPairs, start: JobOptions) -> None:
        super().__init__()
        self.pair, self.recent, self.loader = Pair(), recent, Loader()
        self.blocks = BlocksSession(self.pair)
        self.contigs = ContigsSession(self.pair, lambda: self._loaded[Side.B].load if Side.B in self._loaded else None)
        self.start, self._state = start, PairState(start)
        self.awaited = False
        self._loaded: dict[Side, ReadSequence] = {}
        self._restored: PairState | None = None  # by undo, while its files are read
        self._wholes: list[WholePair] = []  # of which a range is open, and of these ranges
        self._recent: RecentPair | None = None  # under which the pair is listed
        self.loader.loaded.connect(self._accept_loaded)
        self.loader.failed.connect(self._read_failed)

    def _begin_with(
        self, sequences: Mapping[Side, Sequence | None], state: PairState, whole: WholePair | None = None
    ) -> None:
        """Replace sequences (None: remove the side) and compare as ``state`` asks; ``whole``: the pair to restore."""
        raise NotImplementedError

    def _keep(self) -> Any:
        raise NotImplementedError

    def _choose_as(self, state: PairState) -> None:
        raise NotImplementedError

    def _follow(self) -> None:
        """Compare the pair with current options, if not done yet and fast."""
        raise NotImplementedError

    def orient(self, strand: Strand | None = None, *, circular: bool = False, opens: bool = False) -> None:
        raise NotImplementedError

    def reverse_b(self) -> None:
        """Toggle the strand of B; a circle is rotated to fit A."""
        now = self.pair.orientation
        self.orient(now.strand.other, circular=now.circular)

    # The state of the pair

    @property
    def choices(self) -> JobOptions:
        return self._state.job

    @property
    def fold_case(self) -> bool:
        chosen = self.choices.fold_case
        return self.pair.folds_case if chosen is None else chosen

    @property
    def state(self) -> PairState:
        """State of the pair; while undo reads files again, the state that it restores."""
        if self._restored is not None:
            return self._restored
        sources = {side: each.want for side, each in self._loaded.items()}
        return replace(self._state, sources=sources, orientation=self.pair.orientation)

    def note(self, **seen: Any) -> None:
        """Record display state: ``listing``, ``go_to`` or ``all_records``."""
        self._state = replace(self._state, **seen)

    @Slot(object)
    def give(self, file: GivenFile | None) -> None:
        """Show the alignment in ``file``, of another program, next to ours; None: remove it."""
        before, self._state = self.state, replace(self._state, given=file)
        self.done.emit("Remove the alignment" if file is None else "Open an alignment", before)
        self.given_changed.emit()

    @property
    def rearranged(self) -> bool:
        return self._state.seed_letters is not None and self.pair.complete is not None and not self.blocks.refusal

    @property
    def placing(self) -> bool:
        """True if the records of B are placed on A as contigs."""
        return self._state.contigs and self.pair.complete is not None and not self.contigs.refusal

    def _contigs_along_a(self) -> Sequence | None:
        return self.contigs.answer.along_a if self.placing and self.contigs.answer is not None else None

    @property
    def apart(self) -> bool:
        """True if the comparison of A and B is not global."""
        return self.placing or self.rearranged

    @Slot()
    def arrange(self, seed_letters: int | None = 0, *, contigs: bool = False) -> None:
        """Compare rearranged blocks (see ``PairState.seed_letters``) or contigs; without both, globally."""
        before = self.state
        if (seed_letters, contigs) != (before.seed_letters, before.contigs):
            self._state = replace(self._state, seed_letters=seed_letters, contigs=contigs)
            self.blocks.stop()
            self.contigs.stop()
            self.replaced.emit(frozenset({PAIR}))
            self.done.emit("Order of B's parts", before)
            self.choices_changed.emit()
            self.blocks.changed.emit()
            self._follow()

    def choose_contigs(self, number: int) -> None:
        """Place all records of the file named by ``Loader.choice_wanted`` on A."""
        state = PairState(self.start) if self.pair.complete else self._state
        self.loader.choose(number, {Side.B: 0}, replace(state, contigs=True))

    @Slot(object)
    def place_on(self, topology: Topology) -> None:
        """Set whether contigs are placed on A as a circle, overriding its file."""
        before = self.state
        self._state = replace(self._state, on=topology)
        self.done.emit("A is circular" if topology is Topology.CIRCULAR else "A is linear", before)
        self._follow()

    def _check_contigs(self) -> str:
        """Fall back to a global comparison if contigs cannot be placed; return the reason, or an empty string."""
        if not (self._state.contigs and self.pair.complete and self.contigs.refusal):
            return ""
        self._state = replace(self._state, contigs=False)
        return self.contigs.refusal

    def find_blocks(self, *, again: bool = False) -> bool:
        """Compute blocks or contigs if one of these is chosen; return whether one is.

        Args:
            again: also after a stop.
        """
        if self.placing:
            self.contigs.want(self._state.on, again=again)
        elif self.rearranged:
            self.blocks.want(self._state.seed_letters or 0, again=again)
        return self.apart

    def _show_pair(self, outcome: Comparison | None) -> None:
        seen = None if self.rearranged else outcome
        self.pair.show(*(None, None) if seen is None else (seen.a, seen.b))

    def remember(self) -> None:
        pair = self._listed()
        if pair is not None and self._recent is not None:
            self.recent.update(self._recent.records, pair)
            self._recent = pair

    def restore(self, state: PairState) -> None:
        """Restore ``state``; changed sources are read again."""
        if self._restored is not None:
            self.loader.stop()
            self._restored = None
        now = self.state
        swapped = {side.other: replace(each, side=side.other) for side, each in now.sources.items()}
        if len(swapped) == 2 and state.sources == swapped != now.sources:
            self._swap(state)
        elif state.sources == now.sources:
            self._choose_as(replace(state, listing=now.listing, go_to=now.go_to, all_records=now.all_records))
            self.given_changed.emit()
        else:
            wants = [want for want in state.sources.values() if want not in now.sources.values()]
            whole = self._whole(state)
            self._restored = state
            if whole is not None or not wants:
                self._accept_loaded({} if whole is None else dict(whole.read), state)
            else:
                self.loader.open(wants, state)

    def _listed(self) -> RecentPair | None:
        """Return the pair as a recent entry; None without both sides, or if it cannot be read again."""
        wants = [want for side in Side if (each := self._loaded.get(side)) and (want := each.listed)]
        return RecentPair(wants[0], wants[1], self.state.words) if len(wants) == 2 else None

    # Ranges

    def compare_range(self, a_from: int, a_to: int, b_from: int, b_to: int, strand: Strand = Strand.PLUS) -> None:
        """Compare ranges of A and B (or of one sequence twice) as a new pair.

        Args:
            a_from, a_to, b_from, b_to: letters as shown, 0-based and half open. strand: of B as shown.
        """
        wants, minus = list[ReadItem](), strand is Strand.MINUS
        for side, start, end in ((Side.A, a_from, a_to), (Side.B, b_from, b_to)):
            of = side if side in self._loaded else side.other
            one = self.pair.shown(of)
            if one is None or start >= end:
                return
            minus ^= one.orientation.strand is Strand.MINUS
            wants.append(range_item(self._loaded[of].want, side, one.original, *one.stretch(start, end)))
        self._open_part(wants, minus=minus)

    @Slot(int)
    def compare_contig(self, contig: int) -> None:
        """Compare a contig (index along A) with its range of A as a new pair."""
        a, answer = self.pair.original(Side.A), self.contigs.answer
        if a is not None and answer is not None:
            one = answer.result.placed[contig]
            start, end = one.a[0].at, (one.a[-1].at - 1) % len(a) + 1  # it may go on at the other end of a circle
            wants = [
                range_item(self._loaded[Side.A].want, Side.A, a, start, end),
                replace(self._loaded[Side.B].want, record=one.number, note=""),
            ]
            self._open_part(wants, minus=one.minus)

    def compare_records(self, a: RecordRange, b: RecordRange, strand: Strand) -> None:
        """Compare records of the files of A and B (or of one file), or ranges of them, as a new pair.

        Args:
            strand: of B's record, relative to its file.
        """
        wants = list[ReadItem]()
        for side, (number, *ends) in ((Side.A, a), (Side.B, b)):
            one = self._loaded[side if side in self._loaded else side.other]
            record, want = one.load.sequence(number), replace(one.want, side=side, note="")
            if one.want.letters is None:
                want = replace(want, record=number + 1)
            wants.append(want if ends == [0, len(record)] else range_item(want, side, record, *ends))
        self._open_part(wants, minus=strand is Strand.MINUS)

    def _files(self) -> list[FileRecords]:
        """Return the files of A and B, a single file twice; empty if a file is unknown."""
        loaded = [self._loaded.get(side) or self._loaded.get(side.other) for side in Side]
        return [
            FileRecords(one.load, 0 if one.want.letters else max(one.want.record, 1) - 1)
            for one in loaded
            if one is not None and one.load is not None and all(each is not None and each.load for each in loaded)
        ]

    def _open_part(self, wants: list[ReadItem], *, minus: bool) -> None:
        """Open a part of the pair; the pair can be restored."""
        job = replace(self.state.job, options=self.state.job.kept)
        orientation = Orientation(Strand.MINUS if minus else Strand.PLUS)
        self.loader.open(wants, PairState(job, orientation=orientation, whole=self.state))

    def range_cost(
        self, a_from: int, a_to: int, b_from: int, b_to: int, of: tuple[Sequence, Sequence] | None = None
    ) -> RangeCost:
        """Return the cost of comparing ranges, see ``compare_range``.

        Args:
            of: the sequences of the ranges; None: A and B as shown.
        """
        sequences = [one for side in Side if (one := self.pair.shown(side)) is not None] if of is None else of
        parts = zip((sequences[0], sequences[-1]), ((a_from, a_to), (b_from, b_to)), strict=True)
        a, b = (
            replace(one, letters=one.letters[slice(*ends)], spans=(), in_file=None, records=None) for one, ends in parts
        )
        choices = replace(self.choices, options=self.choices.kept)
        try:
            job = choices.job(a, b, fold_case=self.fold_case)
        except WavediffError as error:
            return RangeCost(len(a) * len(b), refusal=str(error))
        seconds = estimated_seconds(job, choices.device)
        return RangeCost(job.n_cells, seconds, estimate_memory(job), available_memory())

    def back_to_whole(self) -> None:
        """Restore the pair of which the current one is a part, with its answers."""
        before = self.state
        if before.whole is not None:
            self.restore(before.whole)
            self.done.emit("Back to the whole pair", before)

    def _whole(self, state: PairState) -> WholePair | None:
        return next((each for each in self._wholes if each.state.sources == state.sources), None)

    # Sources

    def open_sample(self, sample: Sample = SAMPLES[0]) -> None:
        wants = [ReadItem(side, path, remember=False) for side, path in zip(Side, sample.paths, strict=True)]
        self.loader.open(wants, PairState(self.start, orientation=sample.orientation))

    def open_paths(self, paths: Iterable[Path], side: Side | None = None, given: GivenFile | None = None) -> None:
        """Read one file for ``side`` (None: the first empty one, else B), or two as A and B, with ``given``.

        A feature file belongs to the other files, or if alone, to the open ones.
        """
        every, state = list(paths), None if given is None else PairState(self.start, given=given)
        files = [path for path in every if not is_annotation(path)]
        features = next((path for path in every if path not in files), None)
        there = [each.want for each in self._loaded.values() if each.want.path is not None]
        if len(files) == 2:
            pair = zip(Side, files, strict=True)
            self.loader.open([ReadItem(each, path, features=features) for each, path in pair], state)
        elif files or not there:
            first = (files or every)[:1]
            self.loader.open([self._want(side, path.name, path=path, features=features) for path in first], state)
        else:
            self.loader.open([replace(want, features=features) for want in there], self.state)

    def open_text(self, text: str, side: Side | None = None) -> None:
        self.loader.open([self._want(side, "Text", text=text)])

    @Slot(object, object)
    def open_texts(self, texts: Iterable[str], given: GivenFile | None = None) -> None:
        """Compare two texts as A and B, with an alignment of another program."""
        state = None if given is None else PairState(self.start, given=given)
        self.loader.open([ReadItem(side, text=text) for side, text in zip(Side, texts, strict=True)], state)

    def open_records(self, a: Load, i: int, b: Load, j: int, job: JobOptions) -> None:
        """Compare records ``i`` and ``j`` (0-based) of two loaded files with the options ``job``."""
        read = {
            side: ReadSequence(load.sequence(k), ReadItem(side, Path(load.source), record=k + 1, remember=False))
            for side, load, k in ((Side.A, a, i), (Side.B, b, j))
        }
        self._accept_loaded(read, PairState(job))

    def open_recent(self, recent: RecentPair) -> None:
        self.loader.open([recent.a, recent.b], PairState.of(recent.words, self.start))

    def normalize(self) -> None:
        """Convert both texts to the same Unicode normalization form."""
        state = self.state
        self.loader.open([replace(want, form="NFC") for want in state.sources.values()], state)

    def want(self, side: Side) -> ReadItem | None:
        """Return the read request of the sequence on a side, or None."""
        loaded = self._loaded.get(side)
        return None if loaded is None else loaded.want

    def n_records(self, side: Side) -> int:
        loaded = self._loaded.get(side)
        return 1 if loaded is None or loaded.load is None else int(loaded.load.n_records)

    @Slot(object)
    def choose_record(self, side: Side) -> None:
        want = self.want(side)
        if want is not None:
            self.loader.open([replace(want, record=0)])

    @Slot(object, object, object)
    def read_again(self, side: Side, read_as: ReadAs, alphabet: Alphabet | None) -> None:
        want = self.want(side)
        if want is not None:
            record = want.record if read_as is want.read_as else 0  # records are another format's
            how = replace(want, read_as=read_as, alphabet=alphabet, record=record)
            self.loader.open([how], replace(self.state, orientation=FORWARD))

    @property
    def free_side(self) -> Side | None:
        return next((side for side in Side if self.pair[side] is None and side not in self.loader.busy), None)

    def _want(self, side: Side | None, name: str, **what: Any) -> ReadItem:
        free = side or self.free_side
        note = "" if free else f"{name} opened as B. Drop it on A or B to choose which one it replaces"
        return ReadItem(free or Side.B, note=note, **what)

    def _check_form(self) -> None:
        both = self.pair.complete
        if both is not None and differ_in_form(*both):
            action = Action("Compare in one form (NFC)", self.normalize)
            self.noticed.emit(Notice(Severity.WARNING, OTHER_FORM.text, frozenset(Side), action))

    def _swap(self, state: PairState) -> None:
        self._loaded = {
            side.other: replace(each, want=replace(each.want, side=side.other)) for side, each in self._loaded.items()
        }
        self.pair.swap(state.orientation)  # its viewers query how both sides were read
        self._begin_with({}, state)

    @Slot(object, object)
    def _accept_loaded(self, loaded: dict[Side, ReadSequence], state: PairState | None) -> None:
        sides = loaded if state is not None and state is self._restored else self._loaded | loaded
        if refusal := refused(*(each.sequence for each in sides.values())):
            wants = [
                replace(each.want, read_as=ReadAs.TEXT, record=0) if each.sequence.refusal else each.want
                for side, each in sides.items()
                if side in loaded or each.sequence.refusal
            ]
            self._read_failed(ReadFailure(refusal, frozenset(loaded), ReadAs.TEXT, tuple(wants)))
            return
        for note in (each.note for each in loaded.values() if each.note):
            self.notice(Severity.INFO, note)
        undoes, self._restored = state is not None and state is self._restored, None
        before = self.state
        self.remember()
        whole = None if state is None else self._whole(state)
        read_now = {side: replace(each, note="") for side, each in self._loaded.items()}
        now = WholePair(read_now, before, self._keep())
        self._wholes = [each for each in (*self._wholes, now) if state is not None and each.is_of(state.whole)]
        gone = set(self._loaded) - set(state.sources) if undoes and state is not None else ()
        self._loaded = {side: each for side, each in (self._loaded | loaded).items() if side not in gone}
        read = {side: each.sequence for side, each in loaded.items()}
        fresh = state is None
        if state is None:  # what was chosen before there was a pair is meant for this one
            contigs = before.contigs and Side.B not in loaded  # another reference of the same assembly
            state = PairState(self.start, contigs=contigs) if len(before.sources) == 2 else before
        self._begin_with({**read, **dict.fromkeys(gone)}, state, whole)
        if before.sources and not undoes:
            is_range = state.whole is not None and state.whole.sources == before.sources
            self.done.emit("Compare a range" if is_range else f"Open {' and '.join(sorted(loaded))}", before)
        if fresh and self.pair.circular_by_file:
            self.orient(Strand.PLUS, circular=True, opens=True)
        self._recent = self._listed()
        problem = "" if self._recent is None else self.recent.add(self._recent)
        if problem:
            self.notice(Severity.WARNING, problem)

    @Slot(object)
    def _read_failed(self, failed: ReadFailure) -> None:
        self._restored = None
        if not failed.instead:
            self.report_error(failed.error, "The input could not be read", *failed.sides)
            return
        text = f"Read as {failed.read_as.label.lower()}"
        action = Action(text, partial(self.loader.open, list(failed.instead)))
        self.noticed.emit(Notice(Severity.ERROR, str(failed.error), frozenset(failed.sides), action))
