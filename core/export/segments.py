"""Stretches of an alignment that a format with one line a stretch writes, each with its places in A and B."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.jobs.alignment import CONSUMES_B, Alignment
from core.jobs.swap_result import Swaps
from core.methods.statistics import Statistics
from core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Columns of an alignment.

    Attributes:
        alignment: of these columns.
        a0, b0: letters of A, and of B as compared, that lie before them.
        swaps: those of the whole alignment that lie in these columns; None for a method without swaps.
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

    def places(self, b: Sequence) -> tuple[int, int]:
        """Return the letters of the file of ``b`` that these are, 0-based and half open, whatever the strand."""
        b1 = self.b1
        if self.b0 == b1:
            return self.b0, b1
        first, last = sorted((b.place(self.b0), b.place(b1 - 1)))
        return first, last + 1

    def swap_tags(self, b: Sequence) -> Iterator[str]:
        """Yield ``zd:i`` and ``zs:Z``, see ``core.export.paf``."""
        if self.swaps is not None:
            yield f"zd:i:{Statistics.of(self.alignment).edits - len(self.swaps)}"
            if len(self.swaps):
                found = self.swaps
                yield f"zs:Z:{Swaps(found.a_first, found.a_last, b.place(found.b_first), b.place(found.b_last)).text()}"


def segments(b: Sequence, alignment: Alignment, swaps: Swaps | None = None) -> list[Segment]:
    """Return the segments of an alignment, first columns first: one, or two where the file of a turned B ends inside.

    Letters of A that are deleted where it ends are in the first one. Overhang, where ends are free, is in none;
    where all is overhang there is no segment.
    """
    whole, (a0, b0), alignment = alignment, alignment.start, alignment.aligned
    if whole.ops.size and not alignment.ops.size:
        return []
    end = len(b) - b.orientation.shift if b.orientation.turned else 0
    if not b0 < end < b0 + alignment.n_b:
        return [Segment(alignment, a0, b0, swaps)]
    passed = b0 + np.cumsum(alignment.lengths * CONSUMES_B[alignment.ops])
    # The run with letter ``end`` of B: up to it, deletions behind the letter before it included.
    run = int(np.searchsorted(passed, end, "right"))
    first = end - (int(passed[run - 1]) if run else b0)  # columns of that run which are before the end of the file
    ops, lengths = alignment.ops, alignment.lengths
    n_left = run + (first > 0)
    left = Alignment(ops[:n_left], np.append(lengths[:run], first)[:n_left])
    right = Alignment(ops[run:], np.concatenate([[lengths[run] - first], lengths[run + 1 :]]))
    a_end = a0 + left.n_a
    return [
        Segment(left, a0, b0, _inside(swaps, a_end, end, first=True)),
        Segment(right, a_end, end, _inside(swaps, a_end, end, first=False)),
    ]


def _inside(swaps: Swaps | None, a_end: int, b_end: int, *, first: bool) -> Swaps | None:
    """Return the swaps that lie before, or behind, the letters ``a_end`` and ``b_end``."""
    if swaps is None:
        return None
    before, behind = (
        (swaps.a_last < a_end) & (swaps.b_last < b_end),
        (swaps.a_first >= a_end) & (swaps.b_first >= b_end),
    )
    some = before if first else behind
    return Swaps(swaps.a_first[some], swaps.a_last[some], swaps.b_first[some], swaps.b_last[some])
