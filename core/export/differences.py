"""Some of the differences of an alignment as a table, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.core.export.tsv import HEADER, rows_lines
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import DifferenceRows, all_rows, rows_of
from wavediff.core.sequences.sequence import Sequence

_PIECE_ROWS = 1 << 12  # rows made at a time: some ms of work


@dataclass(frozen=True, slots=True, eq=False)
class ListedDifferences:
    """Differences of A and B, and their order.

    Attributes:
        kinds: that are counted.
        order: uint32, number (from 0) of each difference that is listed; None for all, as they are.
    """

    a: Sequence
    b: Sequence
    index: AlignmentIndex
    kinds: Kinds
    order: npt.NDArray[np.uint32] | None = None

    def __len__(self) -> int:
        return self.index.n_differences(self.kinds) if self.order is None else int(self.order.size)


def listed_tsv(found: ListedDifferences) -> Iterator[bytes]:
    """Yield the header and a line for each difference, as ``wavediff.core.export.tsv.tsv`` writes them.

    The number is that of the difference among those of its kinds, wherever it stands.
    """
    yield ("\t".join(HEADER) + "\n").encode("ascii")
    yield from rows_lines(found.a, found.b, _pieces(found))


def _pieces(found: ListedDifferences) -> Iterator[DifferenceRows]:
    if found.order is None:
        yield from all_rows(found.index, found.kinds)
        return
    for first in range(0, found.order.size, _PIECE_ROWS):
        numbers = found.order[first : first + _PIECE_ROWS].astype(np.int64)
        yield rows_of(found.index, numbers, found.kinds)
