"""The edit distance with swaps, and the swapped letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from wavediff.core.base.arrays import Counts, freeze
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Alignment
from wavediff.core.jobs.results import PairResult
from wavediff.core.sequences.sequence import Sequence

SWAP = 4  # follows the codes of ``Op``: a run of all columns of one swap


@dataclass(frozen=True, slots=True, eq=False)
class Swaps:
    """Pairs of letters in reverse order in B, sorted, non-overlapping.

    Letters ``a_first`` and ``a_last`` of A equal letters ``b_last`` and ``b_first`` of B. Between them lie letters of A
    that are deleted, or letters of B that are inserted, or nothing (never both). In an ``Alignment`` a swap is an X,
    a run of D or of I, and an X: one edit more than the swap costs.

    Attributes:
        a_first, a_last, b_first, b_last: int64, shape (k,), 0-based.
    """

    a_first: Counts
    a_last: Counts
    b_first: Counts
    b_last: Counts

    def __post_init__(self) -> None:
        for name in ("a_first", "a_last", "b_first", "b_last"):
            object.__setattr__(self, name, freeze(np.asarray(getattr(self, name), np.int64)))

    def __len__(self) -> int:
        return int(self.a_first.size)

    @property
    def between(self) -> Counts:
        """Letters deleted from A or inserted from B inside each swap, int64, shape (k,)."""
        return self.a_last - self.a_first + self.b_last - self.b_first - 2

    def columns(self, alignment: Alignment) -> tuple[Counts, Counts]:
        """Return the column range ``[first, end)`` of each swap in ``alignment``."""
        starts = np.concatenate([[0], np.cumsum(alignment.lengths)])
        before = np.concatenate([[0], np.cumsum(alignment.lengths * CONSUMES_A[alignment.ops])])
        run = np.searchsorted(before, self.a_first, side="right") - 1
        first = starts[run] + self.a_first - before[run]
        return first, first + 2 + self.between

    def in_file(self, b: Sequence) -> Swaps:
        """Return the swaps in positions of the file of B; on the reverse strand first and last letter change places."""
        return replace(self, b_first=b.place(self.b_first), b_last=b.place(self.b_last))

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield (a_first, a_last, b_first, b_last) of each swap."""
        columns = (self.a_first, self.a_last, self.b_first, self.b_last)
        yield from zip(*(one.tolist() for one in columns), strict=True)

    def text(self) -> str:
        """Return ``a_first-a_last/b_first-b_last`` of each swap, 0-based, comma-separated."""
        return ",".join(f"{i}-{j}/{k}-{n}" for i, j, k, n in self.rows())


def mark_swaps(alignment: Alignment, swaps: Swaps) -> tuple[Counts, Counts, Counts, Counts]:
    """Return the runs of ``alignment``, each swap as one run: ops (also ``SWAP``), columns, letters of A and B."""
    ops, lengths = alignment.ops.astype(np.int64), alignment.lengths
    if not len(swaps):
        return ops, lengths, lengths * CONSUMES_A[ops], lengths * CONSUMES_B[ops]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    before_a = np.concatenate([[0], np.cumsum(lengths * CONSUMES_A[ops])])
    before_b = np.concatenate([[0], np.cumsum(lengths * CONSUMES_B[ops])])
    first, last = swaps.columns(alignment)
    inside = np.searchsorted(first, starts[:-1], side="left") - 1  # the swap that begins before each run
    kept = starts[:-1][(inside < 0) | (starts[:-1] >= last[np.maximum(inside, 0)])]
    edges = np.unique(np.concatenate([kept, first, last, starts[-1:]]))
    run = np.searchsorted(starts, edges[:-1], side="right") - 1
    a, b = (
        np.append(before[run] + (edges[:-1] - starts[run]) * consumes[ops[run]], before[-1])
        for before, consumes in ((before_a, CONSUMES_A), (before_b, CONSUMES_B))
    )
    marked = np.where(np.isin(edges[:-1], first), SWAP, ops[run])
    return marked, np.diff(edges), np.diff(a), np.diff(b)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SwapEditResult(PairResult):
    """Answer to a ``SwapEditJob``; checked before it is returned.

    Attributes:
        distance: fewest substitutions, insertions, deletions and, where the job allows them, swaps.
        swap_distance, plain_distance: with swaps and without; None where it was not computed, since only the
            distance was asked for.
        alignment: its columns, a swap being ``X``, a gap, ``X``; None when only the distance was asked for. Ties:
            walking from the end, equal letters first, then X, D, I, and a swap only where nothing else will do.
        swaps: the swaps in it, None likewise. Edits of the columns less the number of swaps are the distance.
    """

    distance: int
    distance_with_swaps: int | None
    distance_without_swaps: int | None
    swaps: Swaps | None
