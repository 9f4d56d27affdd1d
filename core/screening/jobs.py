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
from wavediff.core.screening.notices import MIN_CONTAINED_LETTERS
from wavediff.core.screening.relation import has_enough_letters
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Alphabet, Sequence


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairScreenJob(Job):
    """Request for facts about a pair that its comparison cannot show, such as another strand or order.

    Attributes:
        a, b: uint8, 1-D, letters as they are compared.
        fold_case: ASCII letters match regardless of case.
        end_to_end: the pair has no free ends. both_strands: places on both strands are listed. circle: A is circular.
        seeds: both are nucleotide sequences and long enough for shared k-mers.
        alphabets: alphabets of A and B; None: the same.
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
    if min(len(a), len(b)) < MIN_CONTAINED_LETTERS:
        return None
    return PairScreenJob(
        a=pair.a,
        b=pair.b,
        fold_case=pair.fold_case,
        end_to_end=method_of(pair).end_to_end(pair),
        both_strands=getattr(pair, "both_strands", False),
        circle=getattr(pair, "circle", False),
        seeds=has_enough_letters(len(a), len(b)) and a.alphabet.is_nucleotide and b.alphabet.is_nucleotide,
        alphabets=(a.alphabet, b.alphabet),
        turned=b.orientation.strand is Strand.MINUS,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChanceJob(Job):
    """Request for the identity of random letters of the same compositions under the same method.

    Attributes:
        pair: the comparison; its letters, not empty, give compositions and lengths.
    """

    modules = KernelModules("wavediff.core.run.chance")

    pair: PairJob


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PartsJob(Job):
    """Request for the pairs of a batch in which one sequence contains the other.

    Attributes:
        seeds: all are nucleotide sequences, so inexact parts and parts on the minus strand are found too.
    """

    modules = KernelModules("wavediff.core.screening.parts_run")

    batch: BatchJob
    seeds: bool = False


class Part(NamedTuple):
    """Pair (0-based records) in which one sequence contains the other.

    Attributes:
        inner: the contained sequence, ``a`` or ``b``. minus: it is contained on the minus strand.
        share: fraction of its k-mers that occur in the other sequence, 0 to 1.
    """

    a: int
    b: int
    inner: str
    minus: bool
    share: float


class Parts(NamedTuple):
    """Answer to a ``PartsJob``.

    Attributes:
        n_looked: screened pairs among the ``n_unlike`` pairs with one sequence at most half as long as the other.
    """

    found: tuple[Part, ...] = ()
    n_looked: int = 0
    n_unlike: int = 0

    @property
    def text(self) -> str:
        """Notice about contained sequences and about pairs that were not screened, or an empty string."""
        left = self.n_unlike - self.n_looked
        parts = [f"{count(left, 'pair', 'pairs')} of unequal length not checked"] if left else []
        if self.found:
            found = f"in {count(len(self.found), 'pair', 'pairs')} one sequence is part of the other"
            parts.insert(0, f"{found}, so a global comparison says little; try compare --ends both")
        return "; ".join(parts)


NO_PARTS = Parts()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrientJob(Job):
    """Request for strand and origin of B relative to A.

    Attributes:
        a, b: uint8, 1-D, DNA as in its file; case is ignored.
        strand: strand of B; None: the one that shares more unique k-mers with A.
        circular: B is circular, and its start is to be rotated to the first letter of A.
    """

    modules = KernelModules("wavediff.core.screening.orient")

    a: Letters
    b: Letters
    strand: Strand | None = None
    circular: bool = False


class FoundOrientation(NamedTuple):
    """Answer to an ``OrientJob``; ``doubts``: failed or ambiguous decisions, a sentence each."""

    orientation: Orientation
    doubts: tuple[str, ...] = ()
