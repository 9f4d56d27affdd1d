"""Background computation of collinear blocks of the pair, next to its global comparison."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import Slot

from wavediff.app.ui.background_task import SideSession
from wavediff.app.ui.pair import Pair
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.events import Event, Progress
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.sequences.sequence import Sequence

ALIGNING = "Aligning blocks…"
OF_ALL = "blocks", "letters"  # stage and unit of the progress of all blocks
MAX_ANSWERS = 4  # that are kept: of other seeds, and of the pair while a range of it is compared


class Asked(NamedTuple):
    """Sequences and seed length of a job."""

    a: Sequence
    b: Sequence
    k: int

    def same(self, other: Asked | None) -> bool:
        """Return whether ``other`` has the same seed length, and the same letters in the same orientation."""
        if other is None or self.k != other.k:
            return False
        pairs = ((self.a, other.a), (self.b, other.b))
        return all(
            one.original.letters is two.original.letters and one.orientation == two.orientation for one, two in pairs
        )


class BlocksSession(SideSession):
    """Finds the blocks of the pair on demand and caches recent results.

    Attributes:
        answer: for the current letters, or None. seconds: its run time.
    """

    def __init__(self, pair: Pair) -> None:
        super().__init__("blocks", "The blocks could not be found", "", "")
        self._pair = pair
        self._asked: Asked | None = None
        self._known: list[tuple[Asked, RearrangedAnswer, float]] = []
        self.answer: RearrangedAnswer | None = None
        self.seconds = 0.0
        pair.changed.connect(self._drop_other_letters)

    @property
    def refusal(self) -> str:
        """Reason why blocks cannot be computed; empty if they can."""
        both = self._pair.complete or ()
        other = next((one for one in both if not one.alphabet.is_nucleotide), None)
        return "" if other is None else f"{other.name} is {other.alphabet}: blocks are found in DNA and RNA"

    def want(self, k: int, *, again: bool = False) -> None:
        """Compute the blocks by seeds of ``k`` letters (0: by sequence length) unless known or running.

        Args:
            again: compute also after a stop or failure.
        """
        both = self._pair.complete
        if both is None or self.refusal:
            return
        asked = Asked(*both, k)
        if asked.same(self._asked) and (self.running or self.answer is not None or not again):
            return
        self._forget()
        self._asked = asked
        for known, answer, seconds in self._known:
            if asked.same(known):
                self.answer, self.seconds = answer, seconds
                self._end("")
                return
        a, b = both
        job = RearrangedJob(a=a.letters, b=b.letters, k=k)
        self._submit(job, "Finding exact matches on both strands…")

    def drop(self) -> None:
        self._known = [known for known in self._known if not known[0].same(self._asked)]
        self._forget()

    def _forget(self) -> None:
        self.slot.stop()
        self._asked = self.answer = None

    @Slot()
    def _drop_other_letters(self) -> None:
        both, asked = self._pair.complete, self._asked
        if asked is not None and (both is None or not asked.same(Asked(*both, asked.k))):
            self._forget()
            self._end("")

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        if isinstance(event, Progress) and not event.stage.startswith(STAGE):
            if (event.stage, event.unit) != OF_ALL:
                return  # of one match or block: it would go back with each
            self.status = ALIGNING
        super()._on_event(event)

    @Slot(object)
    def _on_result(self, result: Any) -> None:
        assert self._asked is not None
        a, b, _ = self._asked
        self.answer = RearrangedAnswer(a, b, result, timings=tuple(self._timings))
        self.seconds = self._took
        self._known = [*self._known, (self._asked, self.answer, self.seconds)][-MAX_ANSWERS:]
        self._end("")
