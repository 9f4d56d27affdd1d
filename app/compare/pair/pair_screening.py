"""Background screening of a pair: orientation of B, and relation of the sequences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot

from wavediff.app.ui.background_task import JobSlot
from wavediff.app.ui.notices import RUN, Action, Notice, Notifier, Severity
from wavediff.app.ui.pair import Comparison, Pair, Side
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.notices import NoticeKind
from wavediff.core.export.segments import segments
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.choices import Device
from wavediff.core.screening.jobs import ChanceJob, FoundOrientation, OrientJob, PairScreenJob, screen_job
from wavediff.core.screening.notices import LONG_SECONDS, PairNotice, Screened, chance_notice
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Sequence, require_nucleotides


class OrientationFinder(Notifier):
    """Finds the orientation of B for the latest request; failures become notices.

    Signals:
        found: the new ``Orientation`` of B.
        refused: B is not changed.
    """

    found = Signal(object)
    refused = Signal()

    def __init__(self, pair: Pair) -> None:
        super().__init__()
        self._pair = pair
        self._slot = JobSlot("orient", self, self._on_result, self._fail)
        self._of: list[Sequence | None] = []
        self._doubts: dict[Orientation, tuple[str, ...]] = {}  # of these two
        pair.changed.connect(self._look)

    @Slot()
    def _look(self) -> None:
        if (of := [self._pair.original(side) for side in Side]) != self._of:
            self._of, self._doubts = of, {}

    def ask(self, strand: Strand | None = None, *, circular: bool = False) -> None:
        """Find the orientation of B on this strand (None: the one that fits A); only circles need a search for it."""
        self.stop()
        both = self._pair.complete
        if both is None:
            self.notice(Severity.INFO, "Open A and B first: B is oriented to fit A")
            return
        a, b = both[0], both[1].original
        try:
            require_nucleotides(a, b)
        except WavediffError as error:
            self.notice(Severity.ERROR, str(error), Side.B)
            self.refused.emit()
            return
        if strand is not None and not circular:
            self.found.emit(Orientation(strand))
        else:
            one, other = (each.comparable(fold_case=False) for each in (a, b))
            self._slot.submit(OrientJob(a=one, b=other, strand=strand, circular=circular))

    def stop(self) -> None:
        if self._slot.stop():
            self.refused.emit()

    def close(self) -> bool:
        """End the thread; False if it is stuck."""
        return self._slot.close()

    @Slot(object, object)
    def _on_result(self, answer: FoundOrientation, _job: object) -> None:
        self._doubts.pop(answer.orientation, None)  # else they are reported twice
        self.found.emit(answer.orientation)
        self._doubts[answer.orientation] = answer.doubts
        self.tell()

    def tell(self) -> None:
        """Report the doubts about the current orientation, also after it was restored."""
        for text in self._doubts.get(self._pair.orientation, ()):
            self.notice(Severity.INFO, text, Side.B)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.report_error(error, "The orientation of B was not found", Side.B)
        self.refused.emit()


def swapped_orientation(a: Sequence, b: Sequence, alignment: Alignment | None) -> Orientation:
    """Return the orientation for A once A and B are exchanged; a circle starts where the file of B started.

    Args:
        alignment: of both, if any.
    """
    if not b.orientation.turned or not len(a):
        return b.orientation
    parts = [] if alignment is None else segments(a, b, alignment)
    partner = b.index(0)
    if len(parts) > 1:  # a strand that descends ends with the beginning of the file, and goes on with its end
        partner = parts[-1].a0 - (b.orientation.strand is Strand.MINUS)
    return b.orientation.swapped(partner % len(a), len(a))


PAIR = "pair"  # a notice is about: A and B as they are compared
RUN_ANYWAY = "Run anyway"
_IN_DOTS = (NoticeKind.INVERTED_PART, NoticeKind.MOVED_PARTS, NoticeKind.UNRELATED)  # are seen in the dot plot
_IN_BLOCKS = (NoticeKind.INVERTED_PART, NoticeKind.MOVED_PARTS)
_OF_ANSWER = (NoticeKind.CHANCE, NoticeKind.NOT_JUDGED)  # about one answer, and not about the pair
Question = tuple[Sequence, Sequence, bool, bool]  # A, B, whether case is folded, and whether no end is free


class PairScreening(Notifier):
    """Screens one pair at a time in a thread; each finding is reported once per pair.

    Attributes:
        notices: facts that the current answer does not show. shows_dots, shows_blocks: return whether the dot plot, or
            the blocks, are shown.

    Signals:
        settled: whether the waiting run may start; False: it is held back.
        taken: the user chose the ``Offer`` of a notice.
        blocks_wanted, dots_wanted: the user chose rearranged blocks, or the dot plot.
    """

    settled = Signal(bool)
    taken = Signal(object)
    blocks_wanted = Signal()
    dots_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._slot = JobSlot("screening", self, self._finished, self._failed)
        self._asked: Question | None = None
        self._screening: PairScreenJob | None = None
        self._known: Screened | None = None
        self._outcome: Comparison | None = None
        self._warned = self._said = False
        self.waiting = False
        self.notices: tuple[PairNotice, ...] = ()
        self.shows_dots: Callable[[], bool] = bool
        self.shows_blocks: Callable[[], bool] = bool

    def allows(self, job: Any, a: Sequence, b: Sequence, seconds: float) -> bool:
        """Return whether ``job`` (an estimate in seconds) may start at once.

        A long job waits for the screening, see ``settled``, and is held back once if its result would be misleading.
        Short pairs are screened after their answer, so that their kernels are compiled first.
        """
        self._outcome, self.notices = None, ()
        if self._slot.job is not self._screening:  # of the answer before
            self._slot.stop()
        if seconds >= LONG_SECONDS:
            self._screen(job, a, b)
        if seconds < LONG_SECONDS or self._warned:
            if not self._said:  # what asked before a long run is answered
                self.replaced.emit(frozenset({PAIR}))
            self.waiting = False
            return True
        self.waiting = self._known is None
        return self._known is not None and not self._hold_back(self._known)

    def informed(self, job: Any, a: Sequence, b: Sequence) -> Any:
        """Return ``job`` with the known facts about ``a`` and ``b`` for its strategy."""
        asked, known = self._asked, self._known
        return job if known is None or asked is None or asked[0] is not a or asked[1] is not b else known.informed(job)

    def _screen(self, job: Any, a: Sequence, b: Sequence) -> None:
        look = screen_job(a, b, job)
        asked = a, b, job.fold_case, look is None or look.end_to_end
        if self._asked is not None and asked[2:] == self._asked[2:] and a is self._asked[0] and b is self._asked[1]:
            return
        self._slot.stop()
        self._asked, self._screening, self._warned, self._said = asked, look, False, False
        self._known = Screened() if look is None else None
        self.replaced.emit(frozenset({PAIR}))
        if look is not None:
            self._slot.submit(look, Device.CPU)

    def _hold_back(self, known: Screened) -> bool:
        notice, self._warned = known.notice, True
        if notice is not None:
            self._say(notice, Action(RUN_ANYWAY, partial(self.settled.emit, True)))
        return notice is not None

    def answered(self, outcome: Comparison) -> None:
        """Screen the pair of a new answer and report what the answer does not show; a waiting run is dropped."""
        if outcome is self._outcome:
            return
        if not self._said:
            self.replaced.emit(frozenset({PAIR}))
        self._outcome, self.waiting = outcome, False
        self._screen(outcome.job, outcome.a, outcome.b)
        self._check_chance()

    def forget_answer(self) -> None:
        """Forget the shown answer, so that the findings are reported again with the next one."""
        self._outcome, self._said = None, False

    def stop(self) -> bool:
        """Cancel a pending start of the run; return whether there was one."""
        waited, self.waiting = self.waiting, False
        if self._slot.stop() and self._known is None:
            self._asked = None
        return waited

    def unanswered(self) -> None:
        """Repeat the warning of a delayed run after that run was stopped without an answer."""
        if self._warned and not self._said and self._known is not None:
            self._hold_back(self._known)

    def close(self) -> bool:
        """End the thread; False if it is stuck."""
        return self._slot.close()

    def _check_chance(self) -> None:
        known, outcome = self._known, self._outcome
        if known is None or outcome is None or self._slot.job is not None:
            return
        n, m = len(outcome.a), len(outcome.b)
        if known.could_be_chance(outcome.method.shown_identity(outcome.result, n, m), n, m):
            self._slot.submit(ChanceJob(pair=outcome.job))
        else:
            self._show(None)

    def _show(self, chance: PairNotice | None) -> None:
        assert self._known is not None
        assert self._outcome is not None
        self.notices = self._known.with_answer(chance, self._outcome.method.id)
        for notice in self.notices:
            if notice.kind in _OF_ANSWER or not self._said:
                self._said |= notice.kind not in _OF_ANSWER
                self._say(notice)

    def _say(self, notice: PairNotice, *more: Action) -> None:
        about = frozenset({RUN} if notice.kind in _OF_ANSWER else {PAIR, *Side})
        offered = [] if notice.offer is None else [Action(notice.offer.text, partial(self.taken.emit, notice.offer))]
        blocks = Action("Show the blocks", self.blocks_wanted.emit, lambda: self.shows_blocks())
        offered += [blocks] * (notice.kind in _IN_BLOCKS)
        dots = [Action("Show the dots", self.dots_wanted.emit, lambda: self.shows_dots())] * (notice.kind in _IN_DOTS)
        self.noticed.emit(Notice(Severity.WARNING, notice.text, about, *[*offered, *more, *dots]))

    @Slot(object, object)
    def _finished(self, result: Any, job: Any) -> None:
        if job is self._screening:
            self._known = result
            if self.waiting:
                self.waiting = False
                self.settled.emit(not self._hold_back(result))
            else:
                self._check_chance()
        elif self._outcome is not None and job.pair is self._outcome.job and result is not None:
            n, m, method = len(self._outcome.a), len(self._outcome.b), self._outcome.method
            share, whole = method.shown_identity(self._outcome.result, n, m), method.end_to_end(job.pair)
            self._show(None if share is None else chance_notice(share, result, n, m, end_to_end=whole))

    @Slot(object)
    def _failed(self, error: BaseException) -> None:
        """Continue without screening; comparisons do not depend on it."""
        self._known = self._known or Screened()
        if not isinstance(error, MemoryError):
            self.report_error(error, "The pair could not be screened", RUN)
        if self.waiting:
            self.waiting = False
            self.settled.emit(True)
