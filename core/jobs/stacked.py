"""Two alignments of the same sequences one above the other: A once, and B as each of both has it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Alignment, Op
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_of
from wavediff.core.jobs.difference_index import NEITHER, DifferenceIndex


class Stacked(NamedTuple):
    """Columns with each letter of A once; letters of B that both insert before the same letter of A share columns.

    Attributes:
        starts: int64, shape (k + 1,): first column of each segment; the last one is the number of columns.
        firsts: int64, shape (3, k): first letter of A, of B as ours has it and as theirs, -1: a gap.
        counts: int64, shape (3, k): letters of each in the segment; behind them is a gap.
        differs: bool, shape (k,): ours and theirs have other letters of B there, inside the aligned part of theirs.
    """

    starts: Counts
    firsts: Counts
    counts: Counts
    differs: npt.NDArray[np.bool_]

    @property
    def n_different(self) -> int:
        """Columns that differ."""
        return int(np.diff(self.starts)[self.differs].sum())

    def blocks(self, size: int) -> list[int]:
        """Return the first column of each block of ``size`` columns in which some differ."""
        first, last = self.starts[:-1][self.differs] // size, (self.starts[1:][self.differs] - 1) // size
        spans = zip(first.tolist(), last.tolist(), strict=True)
        return sorted({block * size for one, end in spans for block in range(one, end + 1)})

    def window(self, col0: int, col1: int) -> tuple[Counts, npt.NDArray[np.bool_]]:
        """Return the letters of A, of B in ours and in theirs in columns ``[col0, col1)``, -1 for a gap, shape (3, n);
        and which of the columns differ."""
        columns = np.arange(col0, min(col1, int(self.starts[-1])))
        segment = np.searchsorted(self.starts, columns, "right") - 1
        inside = columns - self.starts[segment]
        firsts = self.firsts[:, segment]
        return np.where((firsts >= 0) & (inside < self.counts[:, segment]), firsts + inside, -1), self.differs[segment]

    def index_of_ours(self, ours: AlignmentIndex) -> tuple[AlignmentIndex, DifferenceIndex]:
        """Return the index of ours in these columns, and that of the stretches that differ, as mismatches."""
        starts, lengths = self.starts[:-1], np.diff(self.starts)
        own = np.where(self.firsts[0] >= 0, lengths, self.counts[1])  # columns of ours in each segment
        before, without = np.cumsum(own) - own, own < lengths
        gaps = [(starts + own)[without], self.starts[1:][without]]  # where only theirs has letters, and behind

        def runs_of(ops: npt.NDArray[np.uint8], columns: Counts) -> tuple[npt.NDArray[np.uint8], Counts, Counts]:
            """Return codes, columns and numbers of runs of ours, with those of theirs alone between."""
            firsts = np.cumsum(columns) - columns
            segment = np.searchsorted(before, firsts, "right") - 1
            edges = np.unique(np.concatenate([starts[segment] + firsts - before[segment], *gaps, self.starts[-1:]]))
            segment = np.searchsorted(starts, edges[:-1], "right") - 1
            inside = edges[:-1] - starts[segment]
            run = np.searchsorted(firsts, before[segment] + inside, "right") - 1
            codes = np.where(inside < own[segment], ops[run] if ops.size else NEITHER, NEITHER).astype(np.uint8)
            return codes, np.diff(edges), run

        alignment = ours.alignment
        ops, columns, runs = runs_of(alignment.ops, alignment.lengths)
        head, tail = (
            int((runs < edge).sum()) for edge in (alignment.head_runs, alignment.ops.size - alignment.tail_runs)
        )
        new = np.flatnonzero(np.append(True, self.differs[1:] != self.differs[:-1]))
        kinds, together = self.differs[new] * np.uint8(Op.MISMATCH), np.add.reduceat(lengths, new)
        codes, wide, _ = runs_of(ours.run_ops, ours.run_columns)
        both = index_of(Alignment(ops, columns, head, ops.size - tail), codes, wide)
        every = Alignment(np.zeros(1, np.uint8), self.starts[-1:])
        return both, index_of(every, kinds, together)


def stacked(ours: Alignment, theirs: Alignment) -> Stacked:
    """Return both as one; the work goes with their runs.

    >>> both = stacked(Alignment([0, 2, 0], [2, 1, 1]), Alignment([0, 2, 0], [1, 1, 2]))
    >>> both.n_different, both.window(0, 5)[0].tolist()
    (3, [[0, -1, 1, -1, 2], [0, -1, 1, 2, 3], [0, 1, 2, -1, 3]])
    """
    places = [_places(one) for one in (ours, theirs)]
    edges = np.unique(np.concatenate([[0, ours.n_a], *(starts for one in places for starts in (one[0][0], one[1][0]))]))
    edges = edges.astype(np.int64)
    k = edges.size
    firsts, counts = np.full((3, 2 * k), -1), np.zeros((3, 2 * k), np.int64)  # insertions, then letters of A, each
    firsts[0, 1::2], counts[:, 1::2] = edges, np.diff(edges, append=edges[-1])
    for row, ((a0, b0, gap), (before, b, n)) in enumerate(places, 1):
        at = np.searchsorted(edges, before)
        firsts[row, 2 * at], counts[row, 2 * at] = b, n
        if a0.size:
            run = np.searchsorted(a0, edges, "right") - 1
            firsts[row, 1::2] = np.where(gap[run] > 0, -1, b0[run] + edges - a0[run])
    differs = (firsts[1] != firsts[2]) | (counts[1] != counts[2])
    start, end = theirs.start[0], theirs.start[0] + theirs.aligned.n_a
    differs[1::2] &= (edges >= start) & (edges < end)
    differs[::2] &= (edges >= start + (theirs.head_runs > 0)) & (edges <= end - (theirs.tail_runs > 0))
    lengths = counts.max(axis=0)
    kept = lengths > 0
    starts = np.append(0, np.cumsum(lengths[kept]))
    return Stacked(starts, firsts[:, kept], counts[:, kept], differs[kept])


def _places(one: Alignment) -> tuple[tuple[Counts, Counts, Counts], tuple[Counts, Counts, Counts]]:
    """Return the runs with letters of A: their first letters of A and B, whether they are gaps; and the insertions: the
    letter of A behind them, their first letter of B, their length."""
    in_a, in_b = one.lengths * CONSUMES_A[one.ops], one.lengths * CONSUMES_B[one.ops]
    a0, b0, inserted = np.cumsum(in_a) - in_a, np.cumsum(in_b) - in_b, one.ops == Op.INSERTION
    gap = (one.ops == Op.DELETION).astype(np.int64)
    return (a0[~inserted], b0[~inserted], gap[~inserted]), (a0[inserted], b0[inserted], one.lengths[inserted])
