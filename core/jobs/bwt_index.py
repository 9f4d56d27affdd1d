"""Index of a transform for searching, its form in a file, and its answers."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words, freeze
from wavediff.core.jobs.bwt_result import Positions

BLOCK_BITS = 384  # bits whose rank is kept: with their counts they fill a cache line
BLOCK_WORDS = 8  # HEAD words of counts, then six words of bits
HEAD_WORDS = 2  # ones before the block; ones of the block before each of its words, 9 bits each


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SavedBwt:
    """A transform as it stands in a file.

    Attributes:
        name: of the sequence.
        fold_case: the text was made upper case before.
        last, primary, n_runs: as in ``wavediff.core.jobs.bwt_result.BwtResult``.
        every: every so many positions of the text are sampled; 0 where the file has no samples.
        marks: uint64: bit ``row % 64`` of word ``row // 64`` is set where the row's position is sampled.
        samples: int32: the sampled positions, divided by ``every``, in the order of their rows.
    """

    name: str
    fold_case: bool
    last: Letters
    primary: int
    n_runs: int
    every: int = 0
    marks: Words | None = None
    samples: Positions | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BwtIndex:
    """A transform that can be searched; arrays are read-only.

    Attributes:
        name, fold_case, last, primary, n_runs, every, samples: as in ``SavedBwt``, with samples always.
        letters: uint8: the bytes that occur, rising; a letter's code is its place here.
        first: int64, shape (codes + 1,): first row that begins with each letter, and n + 1.
        levels: bits of a code, at least 1.
        ranks: uint64: ``last`` as a wavelet matrix, highest bit first: a level is ``stride`` words of blocks, each
            counts of ones (see ``HEAD_WORDS``) and ``BLOCK_BITS`` bits.
        zeros: int64, shape (levels,): zeros of each level.
        offsets: int64, shape (codes,): what turns the place after the lowest level into a row.
        marks: uint64: the sampled rows as one such level.
        seed: letters of the words of ``seeds``, 0 where there are none.
        seeds: int32: for each word of ``seed`` codes, the first one counting most, the first row and the row after the
            last that begin with it.
    """

    job_id: int
    name: str
    fold_case: bool
    last: Letters
    primary: int
    n_runs: int
    every: int
    samples: Positions
    letters: Letters
    first: Counts
    levels: int
    stride: int
    ranks: Words
    zeros: Counts
    offsets: Counts
    marks: Words
    seed: int
    seeds: Positions
    wall_seconds: float

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
                object.__setattr__(self, field.name, freeze(value))

    @property
    def length(self) -> int:
        return int(self.last.size)

    @property
    def n_bytes(self) -> int:
        """Bytes that the index keeps, the last column included."""
        return sum(one.nbytes for one in (self.last, self.ranks, self.marks, self.samples, self.seeds))

    def saved(self) -> SavedBwt:
        """Return what goes into a file; the ranks are made again from the last column."""
        bits = self.marks.reshape(-1, BLOCK_WORDS)[:, HEAD_WORDS:].ravel()
        return SavedBwt(
            name=self.name,
            fold_case=self.fold_case,
            last=self.last,
            primary=self.primary,
            n_runs=self.n_runs,
            every=self.every,
            marks=bits[: self.length // 64 + 1],
            samples=self.samples,
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FindResult:
    """Answer to a ``FindJob``.

    Attributes:
        lows, highs: int64, shape (patterns,): the rows that begin with each pattern, half-open; equal where none does.
        positions: int32: where in the text the patterns begin (0-based), those of a pattern together and rising.
        offsets: int64, shape (patterns + 1,): where each pattern's begin in ``positions``; all 0 if not asked for.
            Fewer than there are rows when the job set a limit.
        traces: for each pattern int64, shape (letters + 1, 2): the rows after 0, 1, 2... letters from its end, as
            far as there are any; empty if not asked for.
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
        """Occurrences of each pattern."""
        return self.highs - self.lows

    def positions_of(self, pattern: int) -> Positions:
        return self.positions[self.offsets[pattern] : self.offsets[pattern + 1]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowsResult:
    """Answer to a ``LocateRowsJob``.

    Attributes:
        rows: int64: as asked for.
        positions: int32: where in the text each row begins.
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
        positions: int64: as asked for.
        rows: int64: the row that begins at each.
    """

    job_id: int
    positions: Counts
    rows: Counts
