"""The Burrows-Wheeler transform, its inverse, and the record of its sorting.

The rule everywhere: the rotations of ``T$`` are sorted, ``$`` being smaller than every byte. ``$`` is not stored: the
last column has the n letters of ``T``, and the *primary row* says where it stands among the n + 1 rows, 0 to n.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters, freeze_fields
from wavediff.core.base.errors import count_noun
from wavediff.core.jobs.results import Result

Positions = npt.NDArray[np.int32]


class TernaryPart(IntEnum):
    """Part of a ternary partition."""

    LESS = 0
    EQUAL = 1
    GREATER = 2


@dataclass(frozen=True, slots=True, eq=False)
class SortLevel:
    """One level of the ternary quicksort: its segments after partitioning.

    Attributes:
        order: int32, shape (n + 1,): the suffixes (n is ``$`` alone) as they lie after the level.
        starts, ends: int32: each segment made by this level, half-open, empty ones left out.
        parts: uint8: a ``TernaryPart`` a segment.
        pivots: int32: what the segment's parent was parted by: a letter (-1 is ``$``), or a rank.
        depths: int32: letters that the suffixes of the parent are known to share.
        by_rank: the suffixes were distinguished by the ranks of the suffixes ``depths`` further on, not by a letter.
    """

    order: Positions
    starts: Positions
    ends: Positions
    parts: Letters
    pivots: Positions
    depths: Positions
    by_rank: bool

    def __post_init__(self) -> None:
        freeze_fields(self)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BwtResult(Result):
    """Answer to a ``BwtJob``, verified by its inverse.

    Attributes:
        last: uint8, shape (n,), read-only: the last column without ``$``.
        primary: row of the text itself, 0 to n; ``$`` stands there in the last column.
        suffixes: int32 (int64 from 2^31 letters on), shape (n + 1,): where in the text each row begins, the first being
            n; None if not asked for.
        levels: levels of the ternary quicksort if asked for, else empty.
        n_runs: runs of equal letters in ``last``.
        strategy: ``packed``, ``induced`` or ``ternary``; ``run`` where all letters are equal, ``tiny`` below two.
        reason: why that way, one sentence.
        check_seconds: inside the kernels of the check alone.
    """

    last: Letters
    primary: int
    suffixes: Positions | None
    levels: tuple[SortLevel, ...]
    n_runs: int
    strategy: str
    reason: str
    check_seconds: float

    def __repr__(self) -> str:
        letters, most = self.last.tobytes().decode("ascii", "backslashreplace"), 60
        if self.length <= most and len(letters) == self.length:
            letters = f"{letters[: self.primary]}${letters[self.primary :]}"
        shown = f"{letters[:most]}…" if len(letters) > most + 1 else letters
        size, runs = count_noun(self.length, "letter"), count_noun(self.n_runs, "run")
        return f"<Transform of {size}: {shown}, $ in row {self.primary:,}, {runs}>"

    @property
    def length(self) -> int:
        return int(self.last.size)

    @property
    def mean_run_length(self) -> float:
        """n / r; 0 for the empty text."""
        return self.length / self.n_runs if self.n_runs else 0.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class InverseBwtResult(Result):
    """Answer to an ``InverseBwtJob``.

    Attributes:
        text: uint8, shape (n,), read-only.
    """

    text: Letters
