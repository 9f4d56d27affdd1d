"""Tables of match words: one row a code, or two whose AND is the match."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np

from wavediff.core.base.arrays import Letters

NO_ROW = 0xFF
MAX_OWN_TABLE_ROWS = 8  # rows up to which a code has one of its own


@dataclass(frozen=True, slots=True, eq=False)
class MatchTables:
    """Table rows of codes.

    Attributes:
        low, high: uint8, shape (256,): rows of each code; NO_ROW for letters that the other sequence lacks. ``high`` is
            NO_ROW throughout where there is one table.
        null_row: the row of zeros.
        n_rows: rows of a strip's table.
        tables: 1 or 2.
    """

    low: Letters
    high: Letters
    null_row: int
    n_rows: int
    tables: int


def split_codes(n_shared: int) -> MatchTables:
    """Return the tables for ``n_shared`` codes that occur in both sequences; the others match nothing.

    Many codes are split into two halves, so that 256 of them need 33 rows of shared memory and not 257.
    """
    low, high = np.full(256, NO_ROW, np.uint8), np.full(256, NO_ROW, np.uint8)
    codes = np.arange(n_shared)
    if n_shared < MAX_OWN_TABLE_ROWS:
        low[:n_shared] = codes
        return MatchTables(low, high, n_shared, n_shared + 1, 1)
    width = isqrt(n_shared - 1) + 1
    low[:n_shared] = codes % width
    high[:n_shared] = width + 1 + codes // width
    return MatchTables(low, high, width, width + 1 + -(-n_shared // width), 2)
