"""An alignment as runs of operations: never a padded string, whatever its length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from core.arrays import Counts, freeze


class Op(IntEnum):
    """Operations of a CIGAR that turn the reference A into the query B."""

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
    """A global alignment of A (reference) and B (query).

    Attributes:
        ops: uint8, shape (k,): an ``Op`` each, no two neighbours equal.
        lengths: int64, shape (k,): letters (columns) of each run, all positive.
    """

    ops: npt.NDArray[np.uint8]
    lengths: Counts

    def __post_init__(self) -> None:
        object.__setattr__(self, "ops", freeze(np.asarray(self.ops, np.uint8)))
        object.__setattr__(self, "lengths", freeze(np.asarray(self.lengths, np.int64)))

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
        """Runs of insertions and runs of deletions; an insertion beside a deletion makes two."""
        return int(np.isin(self.ops, (Op.INSERTION, Op.DELETION)).sum())

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield operation and length of each run; who needs a few does not pay for all."""
        for first in range(0, self.ops.size, PYTHON_RUNS):
            some = slice(first, first + PYTHON_RUNS)
            yield from zip(self.ops[some].tolist(), self.lengths[some].tolist(), strict=True)

    def count(self, op: Op) -> int:
        """Return the number of columns with operation ``op``."""
        return int(self.lengths[self.ops == op].sum())

    def cigar(self) -> str:
        """Return the CIGAR with ``=`` and ``X``; empty for an alignment of nothing."""
        return "".join(f"{n}{LETTER[op]}" for op, n in zip(self.ops, self.lengths, strict=True))
