"""Jobs that screen a pair before or during its comparison: limits, chance level, orientation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wavediff.core.base.arrays import Letters
from wavediff.core.base.numbers import count
from wavediff.core.jobs import Job, KernelModules
from wavediff.core.methods import method_of
from wavediff.core.methods.base import PairJob
from wavediff.core.methods.batch import BatchJob
from wavediff.core.screening.notices import is_worth_a_look, needs_seeds
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Alphabet, Sequence


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairScreenJob(Job):
    """Request for the aspects that a comparison cannot show.

    Attributes:
        a, b: uint8, 1-D, letters as they are compared.
        fold_case: ASCII letters match regardless of case.
        end_to_end: no end is free. both_strands: nor is the strand of B fixed. circle: A is a circle.
        seeds: both are nucleotides, and not tiny.
        alphabets: of A and B; None: of one kind.
        turned: B is compared as its reverse complement.
    """

    modules = KernelModules("wavediff.core.screening.pair_run")

    a: Letters
    b: Letters
    fold_case: bool = False
    end_to_end: bool = True
    both_strands: bool = False
    circle: bool = False
    seeds: bool = False
    alphabets: tuple[Alphabet, Alphabet] | None = None
    turned: bool = False


def screen_job(a: Sequence, b: Sequence, pair: PairJob) -> PairScreenJob | None:
    """Return the request for ``a`` and ``b`` compared by ``pair``; None for very short ones."""
    if not is_worth_a_look(a, b):
        return None
    return PairScreenJob(
        a=pair.a,
        b=pair.b,
        fold_case=pair.fold_case,
        end_to_end=method_of(pair).end_to_end(pair),
        both_strands=getattr(pair, "both_strands", False),
        circle=getattr(pair, "circle", False),
        seeds=needs_seeds(a, b),
        alphabets=(a.alphabet, b.alphabet),
        turned=b.orientation.strand is Strand.MINUS,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChanceJob(Job):
    """Request for the identity of random letters of the same compositions under the same method.

    Attributes:
        pair: the comparison; its letters, both of which must be there, give the compositions and the lengths.
    """

    modules = KernelModules("wavediff.core.run.chance")

    pair: PairJob


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PartsJob(Job):
    """Request for the pairs of a batch in which one sequence contains the other.

    Attributes:
        seeds: nucleotides: parts that are not the same letter by letter, or on the other strand, are found too.
    """

    modules = KernelModules("wavediff.core.screening.parts_run")

    batch: BatchJob
    seeds: bool = False


class Part(NamedTuple):
    """Pair (0-based records) in which one sequence contains the other.

    Attributes:
        inner: ``a`` or ``b``. minus: on the other strand. share: of its k-mers that are there, 0 to 1.
    """

    a: int
    b: int
    inner: str
    minus: bool
    share: float


class Parts(NamedTuple):
    """Answer to a ``PartsJob``.

    Attributes:
        n_looked: pairs that were looked at, of ``n_unlike`` of which one is at most half as long as the other.
    """

    found: tuple[Part, ...] = ()
    n_looked: int = 0
    n_unlike: int = 0

    @property
    def text(self) -> str:
        """Sentence about unused matches, or an empty string."""
        left = self.n_unlike - self.n_looked
        parts = [f"{count(left, 'pair', 'pairs')} of unlike length not looked at"] if left else []
        if self.found:
            pairs = f"one sequence is a part of the other in {count(len(self.found), 'pair', 'pairs')}"
            parts.insert(0, f"{pairs}, of which a comparison from end to end says little; try compare --ends both")
        return "; ".join(parts)


NO_PARTS = Parts()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrientJob(Job):
    """Request for strand and origin of B relative to A.

    Attributes:
        a, b: uint8, 1-D, DNA as it stands in its file; case is ignored.
        strand: of B; None for the one that shares more unique k-mers with A.
        circular: B is a circle, to be read from the letter on that lies on the first one of A.
    """

    modules = KernelModules("wavediff.core.screening.orient")

    a: Letters
    b: Letters
    strand: Strand | None = None
    circular: bool = False


class FoundOrientation(NamedTuple):
    """Answer to an ``OrientJob``.

    Attributes:
        doubts: what could not be found, or not without choice, a sentence each.
    """

    orientation: Orientation
    doubts: tuple[str, ...] = ()
