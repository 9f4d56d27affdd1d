"""Search index of a transform, its stored form, and its results."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from wavediff.core.base.arrays import Counts, Letters, Words, freeze_fields
from wavediff.core.jobs.bwt_result import Positions

BLOCK_BITS = 384  # bits whose rank is kept: with their counts they fill a cache line
BLOCK_WORDS = 8  # HEAD words of counts, then six words of bits
HEAD_WORDS = 2  # ones before the block; ones of the block before each of its words, 9 bits each


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SavedBwt:
    """Contents of a transform file.

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


class RankMatrix(NamedTuple):
    """The last column as a wavelet matrix; the first argument of its kernels.

    Attributes:
        words: uint64: the levels, highest bit of a code first: ``stride`` words of blocks each, a block being counts
            of ones (see ``HEAD_WORDS``) and ``BLOCK_BITS`` bits.
        levels: bits of a code, at least 1.
        zeros: int64, shape (levels,): zeros of each level.
        offsets: int64, shape (codes,): what turns the place after the lowest level into a row.
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
        letters: uint8: the bytes that occur, rising; a letter's code is its place here.
        first: int64, shape (codes + 1,): first row that begins with each letter, and n + 1.
        seed: letters of the words of ``seeds``, 0 where there are none.
        seeds: int32: for each word of ``seed`` codes, the first one counting most, the first row and the row after the
            last that begin with it.
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
    """Return the fields of ``SavedBwt`` by name."""
    return {field.name: getattr(saved, field.name) for field in fields(SavedBwt)}


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
