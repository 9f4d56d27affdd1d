"""Run-length encoded alignment, and swaps in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, freeze
from wavediff.core.sequences.sequence import Sequence


class Op(IntEnum):
    """CIGAR operations that turn the reference A into the query B."""

    EQUAL = 0  # '=' consumes both
    MISMATCH = 1  # 'X' consumes both
    INSERTION = 2  # 'I' consumes the query B
    DELETION = 3  # 'D' consumes the reference A


LETTER = "=XID"
SWAP, APART = 4, 5  # follow the codes of ``Op``: runs of all columns of one swap, and of columns counted apart
CONSUMES_A = np.array([1, 1, 0, 1], np.int64)
CONSUMES_B = np.array([1, 1, 1, 0], np.int64)
PYTHON_RUNS = 1 << 10  # runs converted to Python numbers at a time


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """An alignment of A (reference) and B (query), from end to end.

    Attributes:
        ops: uint8, shape (k,): the ``Op`` of each run; neighbouring runs differ.
        lengths: int64, shape (k,): columns of each run, all positive.
        head_runs, tail_runs: overhang runs at start and end: letters of one sequence beyond the aligned part (free
            ends). They are insertions or deletions without cost; ``n_columns``, ``n_a``, ``n_b`` and ``runs`` include
            them, ``aligned`` does not.
    """

    ops: npt.NDArray[np.uint8]
    lengths: Counts
    head_runs: int = 0
    tail_runs: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "ops", freeze(np.asarray(self.ops, np.uint8)))
        object.__setattr__(self, "lengths", freeze(np.asarray(self.lengths, np.int64)))

    @property
    def aligned(self) -> Alignment:
        """The alignment without its overhang."""
        if not self.head_runs + self.tail_runs:
            return self
        inside = slice(self.head_runs, self.ops.size - self.tail_runs)
        return Alignment(self.ops[inside], self.lengths[inside])

    @property
    def start(self) -> tuple[int, int]:
        head = Alignment(self.ops[: self.head_runs], self.lengths[: self.head_runs])
        return head.n_a, head.n_b

    @property
    def n_columns(self) -> int:
        return int(self.lengths.sum())

    @property
    def n_a(self) -> int:
        return int((self.lengths * CONSUMES_A[self.ops]).sum())

    @property
    def n_b(self) -> int:
        return int((self.lengths * CONSUMES_B[self.ops]).sum())

    @property
    def n_gaps(self) -> int:
        """Number of runs of insertions and runs of deletions; an insertion next to a deletion counts as two."""
        return int(np.isin(self.ops, (Op.INSERTION, Op.DELETION)).sum())

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield operation and length of each run, lazily."""
        for first in range(0, self.ops.size, PYTHON_RUNS):
            some = slice(first, first + PYTHON_RUNS)
            yield from zip(self.ops[some].tolist(), self.lengths[some].tolist(), strict=True)

    def count(self, op: Op) -> int:
        return int(self.lengths[self.ops == op].sum())

    def pairs(self) -> tuple[Counts, Counts]:
        """Return the positions in A and B of the columns with two letters."""
        return paired(np.repeat(self.ops, self.lengths))

    def cigar(self) -> str:
        """Return the CIGAR with ``=`` and ``X``; empty for an empty alignment."""
        return "".join(f"{n}{LETTER[op]}" for op, n in self.runs())


def paired(columns: npt.NDArray[np.uint8]) -> tuple[Counts, Counts]:
    """Return the positions in A and B (from 0) of the columns with two letters; ``columns``: one ``Op`` each."""
    in_a, in_b = columns != Op.INSERTION, columns != Op.DELETION
    both = np.flatnonzero(in_a & in_b)
    return np.cumsum(in_a)[both] - 1, np.cumsum(in_b)[both] - 1


@lru_cache(maxsize=1)  # cached, as letters, list and statistics of an answer request it in turn
def with_substitutions(alignment: Alignment) -> Alignment:
    """Merge each deletion and the insertion after it into substitutions.

    The number of substitutions is the length of the shorter run; the remaining letters of the longer run come first. In
    the alignment of an LCS no letters of such a gap are equal, so any pairs are valid.

    >>> with_substitutions(Alignment(np.array([0, 3, 2, 0]), np.array([5, 3, 1, 2]))).cigar()
    '5=2D1X2='
    """
    return pairs_read(alignment, gap_pairs(alignment))[0]


def gap_pairs(alignment: Alignment) -> Counts:
    """Return the index of each run of deletions that insertions follow; empty if the alignment has overhang."""
    ops = alignment.ops
    if alignment.head_runs + alignment.tail_runs:
        return np.empty(0, np.int64)
    return np.flatnonzero((ops[:-1] == Op.DELETION) & (ops[1:] == Op.INSERTION))


def pairs_read(alignment: Alignment, first: Counts) -> tuple[Alignment, Counts]:
    """Merge each pair of runs (``first[k]`` and the next one; see ``gap_pairs``) into substitutions.

    Returns:
        The alignment, and for each pair the first column of its substitutions.
    """
    ops, lengths = alignment.ops, alignment.lengths
    if not first.size:
        return alignment, first
    deleted, inserted = lengths[first], lengths[first + 1]
    ops, lengths = ops.copy(), lengths.copy()
    ops[first] = np.where(deleted > inserted, Op.DELETION, Op.INSERTION)
    ops[first + 1] = Op.MISMATCH
    lengths[first], lengths[first + 1] = np.abs(deleted - inserted), np.minimum(deleted, inserted)
    columns = np.cumsum(lengths)[first]
    ops, lengths = ops[lengths > 0], lengths[lengths > 0]
    heads = np.flatnonzero(np.append(True, ops[1:] != ops[:-1]))  # of an affine alignment X may lie next to them
    return Alignment(ops[heads], np.add.reduceat(lengths, heads)), columns


@dataclass(frozen=True, slots=True, eq=False)
class Swaps:
    """Pairs of letters in reverse order in B, sorted, non-overlapping.

    Letters ``a_first`` and ``a_last`` of A equal letters ``b_last`` and ``b_first`` of B. Between them are deleted
    letters of A, or inserted letters of B, or nothing (never both). In an ``Alignment`` a swap is an X, a run of D or
    of I, and an X: one edit more than the swap costs.

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
