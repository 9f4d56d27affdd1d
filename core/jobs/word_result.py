"""Result of a comparison by words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.line_result import LineResult


class WordKind(IntEnum):
    """Kinds of changes."""

    CHANGED = 1
    ADDED = 2  # words of B alone
    REMOVED = 3  # words of A alone
    SIGNS = 4  # signs without a letter or digit
    SPACE = 5  # white space alone


class WordCounts(NamedTuple):
    """Number of words (tokens with a letter or digit) in both texts."""

    a: int
    b: int
    equal: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WordResult(LineResult):
    """Answer to a ``WordJob``; a row is unequal if its lines have changed words or punctuation.

    Attributes:
        changes: int64, shape (k, 4): each run of unequal words: start and end in A, in B.
        kinds: uint8, shape (k,), a ``WordKind`` each.
        words: int64, shape (k, 3): words of each change: changed, added, removed. Of p words of A and q of B, min(p, q)
            are changed; the others are added or removed.
        counts: of words.
        n_spaces: changes of white space only.
    """

    changes: Counts
    kinds: npt.NDArray[np.uint8]
    words: Counts
    counts: WordCounts

    @property
    def n_changes(self) -> int:
        """Number of changes other than white space."""
        return int(self.kinds.size) - self.n_spaces

    @property
    def n_signs(self) -> int:
        return int(np.count_nonzero(self.kinds == WordKind.SIGNS))
