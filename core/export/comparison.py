"""The answer that the formats of a comparison are written from."""

from __future__ import annotations

from dataclasses import dataclass

from core.jobs.events import KernelTiming
from core.results.alignment import Alignment
from core.results.statistics import PairResult
from core.results.swap_edit import Swaps
from core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sequences that were compared, and the result.

    Attributes:
        method: its id, as on the command line.
        fold_case: whether a and A match.
        threads: that the job was allowed.
    """

    a: Sequence
    b: Sequence
    method: str
    fold_case: bool
    threads: int
    result: PairResult
    timings: tuple[KernelTiming, ...] = ()

    @property
    def alignment(self) -> Alignment:
        found = self.result.alignment
        assert found is not None  # a format that needs it was refused before the job began
        return found

    @property
    def swaps(self) -> Swaps | None:
        """Swaps of the alignment, of a method that knows them."""
        return getattr(self.result, "swaps", None)
