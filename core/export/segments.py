"""Segments of an alignment for line-based formats, and its changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Alignment, Op, Swaps
from wavediff.core.jobs.rearranged import CollinearBlock
from wavediff.core.methods.statistics import Statistics
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Range of columns of an alignment.

    Attributes:
        alignment: the alignment of these columns.
        a0, b0: number of letters of A, and of B as compared, before these columns.
        swaps: swaps in these columns; None for a method without swaps.
    """

    alignment: Alignment
    a0: int
    b0: int
    swaps: Swaps | None

    @property
    def a1(self) -> int:
        return self.a0 + self.alignment.n_a

    @property
    def b1(self) -> int:
        return self.b0 + self.alignment.n_b

    def swap_tags(self, b: Sequence) -> Iterator[str]:
        """Yield ``zd:i`` and ``zs:Z``, see ``wavediff.core.export.paf``."""
        if self.swaps is not None:
            yield f"zd:i:{Statistics.of(self.alignment).edits - len(self.swaps)}"
            if len(self.swaps):
                yield f"zs:Z:{self.swaps.in_file(b).text()}"


class Placed(NamedTuple):
    """Segment with the range ``[b0, b1)`` of its letters in the file of B, and their strand."""

    segment: Segment
    b0: int
    b1: int
    minus: bool

    @classmethod
    def of(cls, segment: Segment, b: Sequence, *, minus: bool = False) -> Placed:
        """Place a segment of ``b`` as compared, or of its reverse strand if ``minus``."""
        b0, b1 = (len(b) - segment.b1, len(b) - segment.b0) if minus else (segment.b0, segment.b1)
        return cls(segment, *b.stretch(b0, b1), minus != (b.orientation.strand is Strand.MINUS))


def segments(a: Sequence, b: Sequence, alignment: Alignment, swaps: Swaps | None = None) -> list[Segment]:
    """Split an alignment at the file ends of rotated sequences; first columns first.

    Letters of the other sequence at such a file end belong to the preceding segment. Overhang (free ends) belongs to no
    segment, so an alignment of overhang only has no segment.
    """
    whole, (a0, b0), alignment = alignment, alignment.start, alignment.aligned
    if whole.ops.size and not alignment.ops.size:
        return []
    segments = [Segment(alignment, a0, b0, swaps)]
    for sequence, consumes in ((a, CONSUMES_A), (b, CONSUMES_B)):
        if sequence.orientation.turned:
            end = len(sequence) - sequence.orientation.shift
            segments = [part for one in segments for part in split_at(one, end, consumes)]
    return segments


def segment_of(block: CollinearBlock, m: int) -> Segment:
    """Return an aligned block as a segment; its strand of B has ``m`` letters."""
    assert block.result is not None
    assert block.result.alignment is not None
    b0 = m - block.b[1].at if block.minus else block.b[0].at
    return Segment(block.result.alignment, block.a[0].at, b0, None)


def in_file_order(a: Sequence, alignment: Alignment) -> list[Segment]:
    """Return the segments of an alignment in file order of ``a``."""
    segments = [Segment(alignment.aligned, *alignment.start, None)]
    if a.orientation.turned:
        segments = split_at(segments[0], len(a) - a.orientation.shift, CONSUMES_A)
    return segments if len(segments) == 1 else segments[::-1]


def split_at(segment: Segment, end: int, consumes: Counts) -> list[Segment]:
    """Split a segment before letter ``end`` of the sequence (A or B) whose letters ``consumes`` counts."""
    in_a = consumes is CONSUMES_A
    first = segment.a0 if in_a else segment.b0
    passed = first + np.cumsum(segment.alignment.lengths * consumes[segment.alignment.ops])
    if not passed.size or not first < end < int(passed[-1]):
        return [segment]
    # The run with letter ``end``: up to it, columns behind the letter before it included.
    run = int(np.searchsorted(passed, end, "right"))
    n_left = end - (int(passed[run - 1]) if run else first)  # columns of that run which are before the end of the file
    ops, lengths = segment.alignment.ops, segment.alignment.lengths
    left = Alignment(ops[: run + (n_left > 0)], np.append(lengths[:run], n_left)[: run + (n_left > 0)])
    right = Alignment(ops[run:], np.concatenate([[lengths[run] - n_left], lengths[run + 1 :]]))
    a_end, b_end = segment.a0 + left.n_a, segment.b0 + left.n_b
    return [
        Segment(left, segment.a0, segment.b0, _inside(segment.swaps, a_end, b_end, first=True)),
        Segment(right, a_end, b_end, _inside(segment.swaps, a_end, b_end, first=False)),
    ]


def _inside(swaps: Swaps | None, a_end: int, b_end: int, *, first: bool) -> Swaps | None:
    """Return the swaps before, or after, the letters ``a_end`` and ``b_end``."""
    if swaps is None:
        return None
    before, behind = (
        (swaps.a_last < a_end) & (swaps.b_last < b_end),
        (swaps.a_first >= a_end) & (swaps.b_first >= b_end),
    )
    some = before if first else behind
    return Swaps(swaps.a_first[some], swaps.a_last[some], swaps.b_first[some], swaps.b_last[some])


_TAKES_A, _TAKES_B = CONSUMES_A.tolist(), CONSUMES_B.tolist()
_KIND: dict[int, int] = {Op.EQUAL: 0, Op.MISMATCH: 1, Op.INSERTION: 2, Op.DELETION: 2}


class Change(NamedTuple):
    """Replacement of letters ``[a0, a1)`` of A by ``[b0, b1)`` of B; one range may be empty. 0-based."""

    a0: int
    a1: int
    b0: int
    b1: int

    @property
    def is_gap(self) -> bool:
        return self.a0 == self.a1 or self.b0 == self.b1

    @property
    def is_substitution(self) -> bool:
        return self.a1 - self.a0 == self.b1 - self.b0 == 1


def changes(segment: Segment) -> Iterator[Change]:
    """Yield the changes in order, without overlap; applied to A together they give B.

    Each column of two different letters is a substitution. Adjacent insertions and deletions are one change: with equal
    numbers substitutions, letter by letter (so an LCS gives the same substitutions as other methods); else a
    replacement. Overhang (free ends) is no change.
    """
    a, b = segment.a0, segment.b0
    for kind, runs in groupby(segment.alignment.runs(), key=lambda run: _KIND[run[0]]):
        end_a, end_b = a, b
        for op, n in runs:
            end_a, end_b = end_a + n * _TAKES_A[op], end_b + n * _TAKES_B[op]
        if kind and end_a - a == end_b - b:
            yield from (Change(a + k, a + k + 1, b + k, b + k + 1) for k in range(end_a - a))
        elif kind:
            yield Change(a, end_a, b, end_b)
        a, b = end_a, end_b
