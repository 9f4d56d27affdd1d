"""Result of a comparison by lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, freeze_fields
from wavediff.core.jobs.ignore import Ignore
from wavediff.core.jobs.results import PairResult


class LineKind(IntEnum):
    """Kinds of rows."""

    EQUAL = 0
    CHANGED = 1  # a line of A and one of B that are more than half alike
    ADDED = 2  # a line of B alone
    REMOVED = 3  # a line of A alone
    MOVED_FROM = 4  # a line of A that B has elsewhere
    MOVED_TO = 5  # the same line of B


KIND_NAMES = ("equal", "changed", "added", "removed", "moved", "moved")


@dataclass(frozen=True, eq=False)
class LineRows:
    """The two texts as rows; a row has one line of each text or of one of them.

    Attributes:
        kind: uint8, shape (n,), a ``LineKind`` each.
        a, b: int64, shape (n,): the line, -1 for none.
        hunk: int64, shape (n,): number of the hunk (from 1), 0 for equal lines. A moved block is one hunk in two
            places.
        ignored: bool, shape (n,): whether the row is EQUAL only by an option, see ``Ignore``. It may have a single
            line: a blank or rewrapped one.
        partner: int64, shape (n,): for a row of a moved block, its row at the other place; else -1.
        starts_a, starts_b: int64: start of each line, then the number of letters.
    """

    kind: npt.NDArray[np.uint8]
    a: Counts
    b: Counts
    hunk: Counts
    ignored: npt.NDArray[np.bool_]
    partner: Counts
    starts_a: Counts
    starts_b: Counts

    def __post_init__(self) -> None:
        freeze_fields(self)

    @cached_property
    def n_hunks(self) -> int:
        return int(self.hunk.max(initial=0))

    def count(self, kind: LineKind) -> int:
        return int(self._counts[kind])

    @cached_property
    def _counts(self) -> Counts:
        return np.bincount(self.kind, minlength=len(LineKind))

    @cached_property
    def kinds_of_hunks(self) -> Counts:
        """Rows of each kind per hunk: int64, shape (n_hunks + 1, kinds); hunk 0 is empty."""
        inside = np.flatnonzero(self.hunk)
        n = len(LineKind)
        counts = np.bincount(self.hunk[inside] * n + self.kind[inside], minlength=n * (self.n_hunks + 1))
        return counts.reshape(-1, n)

    @cached_property
    def places(self) -> Counts:
        """Rows ``[from, to)`` of each run of unequal rows, in order: int64, shape (p, 2)."""
        differ = np.concatenate(([False], self.hunk > 0, [False]))
        return np.flatnonzero(differ[1:] != differ[:-1]).reshape(-1, 2)

    @cached_property
    def first_rows(self) -> Counts:
        """First row of each hunk: int64, shape (n_hunks,)."""
        firsts = self.places[:, 0]
        hunks = self.hunk[firsts]
        return firsts[hunks > np.append(0, np.maximum.accumulate(hunks))[: hunks.size]]

    @cached_property
    def before(self) -> tuple[Counts, Counts]:
        """Number of lines of A and B before each row, and in total."""
        a, b = (np.append(0, np.cumsum(lines >= 0)) for lines in (self.a, self.b))
        return a, b

    @cached_property
    def row_of(self) -> tuple[Counts, Counts]:
        """Row of each line of A, and of B."""
        return np.flatnonzero(self.a >= 0), np.flatnonzero(self.b >= 0)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LineResult(PairResult):
    """Answer to a ``LineJob``; checked before it is returned.

    Attributes:
        rows: of the two texts.
        moved: shape (k, 3): for each moved block, first line of A, of B, and number of lines.
        alignment: of the letters: equal lines, equal words of changed lines, and letters in one text only.
        marks: int64, shape (k, 4): differences inside changed lines, in order: start and end in A, in B; one range is
            empty. None without an alignment.
        n_spaces: changed lines that differ in white space only; 0 without an alignment.
        ignore: ignored differences.
    """

    rows: LineRows
    moved: Counts
    marks: Counts
    n_spaces: int
    ignore: Ignore
