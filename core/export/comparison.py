"""Comparison of a pair, the input of all pair formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from wavediff.core.jobs.alignment import Alignment, Swaps
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_alignment
from wavediff.core.jobs.edit_result import Locus
from wavediff.core.jobs.events import KernelTiming, Recorded
from wavediff.core.jobs.features.effects import Effects, effects_of
from wavediff.core.jobs.given_alignment import GivenAlignment
from wavediff.core.methods.base import Method
from wavediff.core.screening.notices import PairNotice
from wavediff.core.sequences.sequence import Sequence

SPLIT_GAP = 1000  # letters
NOT_RECORDED = "the times of this comparison were not kept; in Python compare(..., record=True) keeps them"


@dataclass(frozen=True)
class Comparison:
    """Two compared sequences and the result.

    Attributes:
        result: the result of the method.
        fold_case: whether upper and lower case match.
        threads: maximum threads of the job.
        split_gap: minimum letters of a gap that splits a PAF line; 0: one line.
        vcf_strict: whether REF of a VCF has the first base of an ambiguity code of A instead of the code.
        notices: notices shown with the answer.
        options: options of the method, as typed on the command line, by id.
        given: an alignment of another program, shown in addition.
        recorded: the run record, or None.
    """

    a: Sequence
    b: Sequence
    method: Method
    fold_case: bool
    threads: int
    result: Any
    timings: tuple[KernelTiming, ...] = ()
    split_gap: int = SPLIT_GAP
    vcf_strict: bool = False
    notices: tuple[PairNotice, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    recorded: Recorded | None = None
    given: GivenAlignment | None = None

    @property
    def alignment(self) -> Alignment:
        alignment = self.result.alignment
        assert isinstance(alignment, Alignment)  # a format that needs it was refused before the job began
        return alignment

    @property
    def loci(self) -> tuple[Locus, ...] | None:
        return getattr(self.result, "loci", None)

    @property
    def shown(self) -> Alignment:
        alignment = self.result.shown
        assert isinstance(alignment, Alignment)
        return alignment

    @cached_property
    def index(self) -> AlignmentIndex:
        return index_alignment(self.shown, self.swaps, self.result.apart_at)

    @cached_property
    def effects(self) -> Effects | None:
        """Effects of the differences; None without features or without an alignment of letters."""
        has_differences = getattr(self.result, "shown", None) is not None and self.method.of_letters
        return effects_of(self.a, self.b, self.index) if has_differences else None

    @property
    def seal(self) -> str:
        """The score with the second algorithm that verified it; empty if none was requested."""
        proof = self.result.proof
        return "" if proof is None else f"{self.method.long_name} {proof.score:,} {proof.seal}"

    @property
    def swaps(self) -> Swaps | None:
        return getattr(self.result, "swaps", None)
