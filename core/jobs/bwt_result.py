"""Results of the jobs on the Burrows-Wheeler transform: transform, inverse, steps of the sorting, index, search.

The rotations of ``T$`` are sorted, with ``$`` smaller than every byte. ``$`` is not stored: the last column has the n
letters of ``T``, and the *primary row* is the row of ``$``, 0 to n.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, Words, freeze_fields
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
        order: int32, shape (n + 1,): the suffixes (n is ``$`` alone) after the level.
        starts, ends: int32: non-empty segments made by this level, half-open.
        parts: uint8: ``TernaryPart`` of each segment.
        pivots: int32: pivot of the segment's parent: a letter (-1 is ``$``), or a rank.
        depths: int32: known common letters of the parent's suffixes.
        by_rank: compared by the ranks of the suffixes ``depths`` further on, not by a letter.
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
        primary: row of the text itself, 0 to n, with ``$`` in the last column.
        suffixes: int32 (int64 from 2^31 letters on), shape (n + 1,): text position of each row, the first being n; None
            if not requested.
        levels: levels of the ternary quicksort if requested, else empty.
        n_runs: runs of equal letters in ``last``.
        strategy: ``packed``, ``induced`` or ``ternary``; ``run`` where all letters are equal, ``tiny`` below two.
        reason: reason for the strategy, one sentence.
        check_seconds: time in the kernels that verify the transform.
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
    """Answer to an ``InverseBwtJob``; ``text``: uint8, shape (n,), read-only."""

    text: Letters


BLOCK_BITS = 384  # bits whose rank is kept: with their counts they fill a cache line
BLOCK_WORDS = 8  # HEAD words of counts, then six words of bits
HEAD_WORDS = 2  # ones before the block; ones of the block before each of its words, 9 bits each


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SavedBwt:
    """Contents of a transform file.

    Attributes:
        name: of the sequence.
        fold_case: the text was converted to upper case.
        last, primary, n_runs: as in ``wavediff.core.jobs.bwt_result.BwtResult``.
        every: distance of sampled positions; 0: no samples.
        marks: uint64: bit ``row % 64`` of word ``row // 64`` is set if the row's position is sampled.
        samples: int32: the sampled positions, divided by ``every``, in row order.
    """

    name: str
    fold_case: bool
    last: Letters
    primary: int
    n_runs: int
    every: int = 0
    marks: Words | None = None
    samples: Positions | None = None


class RankMatrix(NamedTuple):
    """The last column as a wavelet matrix; the first argument of its kernels.

    Attributes:
        words: uint64: the levels, highest bit of a code first: ``stride`` words of blocks each, a block being counts
            of ones (see ``HEAD_WORDS``) and ``BLOCK_BITS`` bits.
        levels: bits of a code, at least 1.
        zeros: int64, shape (levels,): zeros of each level.
        offsets: int64, shape (codes,): added to the place after the lowest level to get the row.
        primary: as in ``SavedBwt``.
    """

    words: Words
    stride: int
    levels: int
    zeros: Counts
    offsets: Counts
    primary: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BwtIndex(SavedBwt):
    """Searchable transform with samples; its arrays are read-only.

    Attributes:
        marks: uint64: the sampled rows as a level of a ``RankMatrix``.
        letters: uint8: the bytes that occur, ascending; the code of a letter is its index.
        first: int64, shape (codes + 1,): first row that begins with each letter, and n + 1.
        seed: letters of the words of ``seeds``; 0: none.
        seeds: int32: for each word of ``seed`` codes (the first most significant): its rows, half-open.
    """

    job_id: int
    marks: Words
    samples: Positions
    letters: Letters
    first: Counts
    ranks: RankMatrix
    seed: int
    seeds: Positions
    wall_seconds: float

    def __post_init__(self) -> None:
        for name in ("marks", "letters", "first", "seeds"):
            getattr(self, name).setflags(write=False)
        freeze_fields(self)

    @property
    def length(self) -> int:
        return int(self.last.size)

    @property
    def n_bytes(self) -> int:
        """Memory of the index in bytes, the last column included."""
        return sum(array.nbytes for array in (self.last, self.ranks.words, self.marks, self.samples, self.seeds))

    def saved(self) -> SavedBwt:
        """Return the fields to store; ranks are recomputed from the last column."""
        bits = self.marks.reshape(-1, BLOCK_WORDS)[:, HEAD_WORDS:].ravel()
        return SavedBwt(**stored_fields(self) | {"marks": bits[: self.length // 64 + 1]})


def stored_fields(saved: SavedBwt) -> dict[str, Any]:
    return {field.name: getattr(saved, field.name) for field in fields(SavedBwt)}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FindResult:
    """Answer to a ``FindJob``.

    Attributes:
        lows, highs: int64, shape (patterns,): rows that begin with each pattern, half-open; equal if none does.
        positions: int32: text positions (0-based), grouped by pattern and ascending.
        offsets: int64, shape (patterns + 1,): start of each pattern in ``positions``; all 0 if not requested. A limit
            of the job leaves fewer positions than rows.
        traces: for each pattern int64, shape (letters + 1, 2): rows after 0, 1, 2... letters from its end, up to the
            first empty range; empty if not requested.
    """

    job_id: int
    lows: Counts
    highs: Counts
    positions: Positions
    offsets: Counts
    traces: tuple[Counts, ...]
    wall_seconds: float

    @property
    def counts(self) -> Counts:
        return self.highs - self.lows

    def positions_of(self, pattern: int) -> Positions:
        return self.positions[self.offsets[pattern] : self.offsets[pattern + 1]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowsResult:
    """Answer to a ``LocateRowsJob``.

    Attributes:
        rows: int64: as requested.
        positions: int32: text position of each row.
        before: int64: the row one letter earlier (LF); 0 for the row of the whole text.
    """

    job_id: int
    rows: Counts
    positions: Positions
    before: Counts


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PositionsResult:
    """Answer to a ``RowsOfPositionsJob``.

    Attributes:
        positions: int64: as requested.
        rows: int64: the row of each.
    """

    job_id: int
    positions: Counts
    rows: Counts
