"""Changes that turn A into B: substitutions of single letters, and stretches that are replaced."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from wavediff.core.export.segments import Segment
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Op

_TAKES_A, _TAKES_B = CONSUMES_A.tolist(), CONSUMES_B.tolist()
_KIND: dict[int, int] = {Op.EQUAL: 0, Op.MISMATCH: 1, Op.INSERTION: 2, Op.DELETION: 2}


class Change(NamedTuple):
    """Letters ``[a0, a1)`` of A become letters ``[b0, b1)`` of B; one of both may be none. 0-based."""

    a0: int
    a1: int
    b0: int
    b1: int

    @property
    def is_gap(self) -> bool:
        """True where letters are only deleted or only inserted."""
        return self.a0 == self.a1 or self.b0 == self.b1

    @property
    def is_substitution(self) -> bool:
        """True for one letter instead of one other."""
        return self.a1 - self.a0 == self.b1 - self.b0 == 1


def changes(one: Segment) -> Iterator[Change]:
    """Yield the changes from first to last; applied to A together they give B, and none has a letter of another.

    Columns of two different letters are substitutions, each for itself. Insertions and deletions side by side are one
    change: as many letters instead of as many others are substitutions, letter by letter (so the alignment of a longest
    common subsequence, which has no such columns, says of a substituted letter what others say of it); else a stretch
    replaces another one, as nothing tells which of its letters stands for which. Overhang, where ends are free, is no
    change.
    """
    a, b = one.a0, one.b0
    for kind, runs in groupby(one.alignment.runs(), key=lambda run: _KIND[run[0]]):
        end_a, end_b = a, b
        for op, n in runs:
            end_a, end_b = end_a + n * _TAKES_A[op], end_b + n * _TAKES_B[op]
        if kind and end_a - a == end_b - b:
            yield from (Change(a + k, a + k + 1, b + k, b + k + 1) for k in range(end_a - a))
        elif kind:
            yield Change(a, end_a, b, end_b)
        a, b = end_a, end_b
