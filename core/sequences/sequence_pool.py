"""Many sequences in one array."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, freeze

NO_LETTER = ord("N")  # between two records of DNA: it matches nothing, see ``ExactMatchesJob``


@dataclass(frozen=True, slots=True, eq=False)
class SequencePool:
    """Concatenated sequences.

    Attributes:
        letters: shape (total,); uint8, or wider where a text has many characters.
        starts: int64, shape (number + 1,): where each begins, and where the last one ends.
    """

    letters: Letters
    starts: Counts

    def __post_init__(self) -> None:
        object.__setattr__(self, "letters", freeze(self.letters))
        object.__setattr__(self, "starts", freeze(np.asarray(self.starts, np.int64)))

    @classmethod
    def of(cls, sequences: Iterable[Letters]) -> SequencePool:
        """Copy ``sequences`` (uint8, 1-D) into a pool."""
        parts = list(sequences)
        starts = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([part.size for part in parts], out=starts[1:])
        return cls(np.concatenate([np.empty(0, np.uint8), *parts]), starts)

    def __len__(self) -> int:
        return int(self.starts.size) - 1

    def joined(self, between: int) -> tuple[Letters, Counts]:
        """Return all letters with ``between`` as separator, and the start of each sequence."""
        return np.insert(self.letters, self.starts[1:-1], between), self.starts[:-1] + np.arange(len(self))

    @property
    def sizes(self) -> Counts:
        """Length of each sequence, int64, shape (number,)."""
        return np.diff(self.starts)
