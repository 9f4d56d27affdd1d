"""Run-length encoded alignment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, freeze


class Op(IntEnum):
    """CIGAR operations that turn the reference A into the query B."""

    EQUAL = 0  # '=' consumes both
    MISMATCH = 1  # 'X' consumes both
    INSERTION = 2  # 'I' consumes the query B
    DELETION = 3  # 'D' consumes the reference A


LETTER = "=XID"
CONSUMES_A = np.array([1, 1, 0, 1], np.int64)
CONSUMES_B = np.array([1, 1, 1, 0], np.int64)
PYTHON_RUNS = 1 << 10  # turned into Python's numbers at a time


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """An alignment of A (reference) and B (query), from end to end.

    Attributes:
        ops: uint8, shape (k,): an ``Op`` each, no two neighbours equal.
        lengths: int64, shape (k,): letters (columns) of each run, all positive.
        head_runs, tail_runs: runs at its start and at its end that are overhang: letters of one sequence beyond the
            aligned part, where ends are free. They are insertions or deletions that count as nothing; ``n_columns``,
            ``n_a``, ``n_b`` and ``runs`` have them, what counts differences asks ``aligned``.
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
        """Letters of A and B before the aligned part."""
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
        """Return the number of columns with operation ``op``."""
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


@lru_cache(maxsize=1)  # the letters, their list and the statistics of one answer ask one after the other
def with_substitutions(alignment: Alignment) -> Alignment:
    """Merge each deletion and the insertion after it into substitutions.

    There are as many as the shorter of both has letters, behind what is left of the longer. In the alignment of an LCS,
    which knows no substitution, no letters of such a gap are equal, so any of them may stand opposite each other.

    >>> with_substitutions(Alignment(np.array([0, 3, 2, 0]), np.array([5, 3, 1, 2]))).cigar()
    '5=2D1X2='
    """
    return pairs_read(alignment, gap_pairs(alignment))[0]


def gap_pairs(alignment: Alignment) -> Counts:
    """Return each run of deletions followed by insertions; empty if ends are free."""
    ops = alignment.ops
    if alignment.head_runs + alignment.tail_runs:
        return np.empty(0, np.int64)
    return np.flatnonzero((ops[:-1] == Op.DELETION) & (ops[1:] == Op.INSERTION))


def pairs_read(alignment: Alignment, first: Counts) -> tuple[Alignment, Counts]:
    """Merge the pairs of runs that begin with ``first`` into substitutions.

    Returns:
        it, and the first column of the substitutions of each pair.
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
