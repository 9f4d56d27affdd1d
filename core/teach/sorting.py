"""Sorted rotations of a short text in plain Python: an inspectable Burrows-Wheeler transform.

Rows are the rotations of the text and ``$``, which is less than any letter. A row is named by its first position, from
0, so ``$`` alone has the length of the text. Source: Burrows and Wheeler 1994; the ternary quicksort of Yamanaka, Ino
and Hagihara (section 3), with ranks for long repeats as in ``core.kernels.bwt.sort.ternary_sort``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from wavediff.core.base.errors import InputError
from wavediff.core.jobs.bwt_result import TernaryPart

END = "$"  # stands for the end of the text, less than any letter
MAX_TEXT_LETTERS = 2_000
LETTER_LEVELS = 32  # letters compared one by one, as by ``MAX_DEPTH_LETTERS`` of ``core.kernels.bwt.sort.ternary_sort``


class Interval(NamedTuple):
    """Row interval of a pattern suffix, half-open."""

    low: int
    high: int


class Transform:
    """Sorted rotations of a text.

    Attributes:
        text: without ``$``. order: first position of each row. first, last: the columns F and L, with ``$``.

    Raises:
        InputError: the text is too long, empty, or has a ``$``.
    """

    def __init__(self, text: str) -> None:
        if not 1 <= len(text) <= MAX_TEXT_LETTERS:
            raise InputError("a", f"the text has {len(text):,} letters", f"1 to {MAX_TEXT_LETTERS:,} can be stepped")
        if END in text:
            raise InputError(
                "a", f"the text has a {END} at letter {text.index(END) + 1:,}", f"{END} stands for its end"
            )
        self.text = text
        # ``$`` may be greater than a letter as a character, so suffixes are compared: the shorter one is less.
        self.order = sorted(range(len(text) + 1), key=lambda place: text[place:])
        whole = text + END
        self.first = "".join(whole[place] for place in self.order)
        self.last = "".join(whole[place - 1] for place in self.order)

    @property
    def primary(self) -> int:
        """Row of the text itself."""
        return self.order.index(0)

    @cached_property
    def lf(self) -> list[int]:
        """LF mapping: the k-th occurrence of a letter in L is the k-th in F."""
        return [self.first.index(letter) + self.rank(row) - 1 for row, letter in enumerate(self.last)]

    @property
    def n_runs(self) -> int:
        """Number of runs in L, without ``$``."""
        return sum(1 for _ in groupby(self.last.replace(END, "")))

    def rank(self, row: int) -> int:
        """Return the occurrence number (from 1) of a row's last letter in L."""
        return self.last.count(self.last[row], 0, row + 1)

    def rotation(self, row: int) -> str:
        return rotation(self.text, self.order[row])

    def walk(self) -> list[int]:
        """Return the rows of the LF walk, row 0 first."""
        rows = [0]
        while rows[-1] != self.primary:
            rows.append(self.lf[rows[-1]])
        return rows

    def narrow(self, rows: Interval, letter: str) -> Interval:
        """Return the rows that begin with ``letter`` followed by the common prefix of ``rows``."""
        begin = sum(other == END or other < letter for other in self.first)
        low, high = (begin + self.last.count(letter, 0, end) for end in rows)
        return Interval(low, high)

    def search(self, pattern: str) -> list[Interval]:
        """Return the row intervals after each pattern letter, from its end; all rows first."""
        intervals = [Interval(0, len(self.order))]
        for letter in reversed(pattern):
            intervals.append(self.narrow(intervals[-1], letter))
        return intervals


def rotation(text: str, place: int) -> str:
    """Return the rotation of text and ``$`` at ``place`` (0-based)."""
    whole = text + END
    return whole[place:] + whole[:place]


class Block(NamedTuple):
    """Rows of a segment assigned to one thread block.

    Attributes:
        start, end: places, half-open. less, equal, greater: number of its rows in each part. writes: its first place in
            each part.
    """

    start: int
    end: int
    less: int
    equal: int
    greater: int
    writes: tuple[int, int, int]


class Segment(NamedTuple):
    """Rows with a common prefix, partitioned in one level.

    Attributes:
        start, end: places, half-open. depth: known common letters of the rows. pivot: a letter, ``$``, or a rank in
            digits. equal, greater: first places of the equal and the greater rows. blocks: thread blocks.
    """

    start: int
    end: int
    depth: int
    pivot: str
    equal: int
    greater: int
    blocks: tuple[Block, ...]

    def part(self, place: int) -> TernaryPart:
        """Return the part that ``place`` belongs to after the level."""
        if place < self.equal:
            return TernaryPart.LESS
        return TernaryPart.EQUAL if place < self.greater else TernaryPart.GREATER


class Level(NamedTuple):
    """One level of the sort.

    Attributes:
        segments: those partitioned in this level. keys: of each row, by place before the level; empty outside segments.
        before, after: first positions of the rows, by place. by_rank: keys are ranks, not letters.
    """

    segments: tuple[Segment, ...]
    keys: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    by_rank: bool


class _Sort:
    def __init__(self, text: str, block_rows: int, letter_levels: int) -> None:
        self.text, self.block_rows, self.letter_levels = text, block_rows, letter_levels
        self.order = list(range(len(text) + 1))
        self.ranks: list[int] = []
        self.levels: list[Level] = []

    def run(self) -> None:
        waiting = self._part_all([(0, len(self.order), 0)])
        self.ranks = [0] * len(self.order) if waiting else []
        for place, row in enumerate(self.order if waiting else ()):
            self.ranks[row] = place
        while waiting:
            for start, end, _ in waiting:
                for row in self.order[start:end]:
                    self.ranks[row] = end - 1
            waiting, before = self._part_all(waiting), waiting
            for start, end, _ in before:
                for place in range(start, end):
                    self.ranks[self.order[place]] = place

    def _part_all(self, todo: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
        """Partition segments to single rows; return those with equal ranks or too many common letters."""
        waiting: list[tuple[int, int, int]] = []
        while todo:
            made = self._level(todo)
            todo = []
            for start, end, depth, is_equal in made:
                if end - start < 2:
                    continue
                if self.ranks:
                    (waiting if is_equal else todo).append((start, end, 2 * depth if is_equal else depth))
                else:
                    depth += is_equal
                    (waiting if depth >= self.letter_levels else todo).append((start, end, depth))
        return sorted(waiting)

    def _key(self, row: int, depth: int) -> int:
        at = row + depth
        if self.ranks:
            return self.ranks[at] if at < len(self.ranks) else 0
        return ord(self.text[at]) if at < len(self.text) else -1

    def _name(self, key: int) -> str:
        return str(key) if self.ranks else END if key < 0 else chr(key)

    def _pivot(self, keys: Sequence[int]) -> int:
        """Return the median of three keys, in long segments of three such medians, as in the kernel."""
        size = len(keys)

        def middle(places: tuple[int, int, int]) -> int:
            return sorted(keys[place] for place in places)[1]

        if size < 64:
            return middle((0, size // 2, size - 1))
        step = size // 9
        thirds = (third * (size // 3) for third in range(3))
        return sorted(middle((at, at + step, at + 2 * step)) for at in thirds)[1]

    def _level(self, todo: list[tuple[int, int, int]]) -> list[tuple[int, int, int, bool]]:
        before, named, segments = tuple(self.order), [""] * len(self.order), []
        made: list[tuple[int, int, int, bool]] = []
        for start, end, depth in todo:
            keys = [self._key(row, depth) for row in self.order[start:end]]
            named[start:end] = [self._name(key) for key in keys]
            pivot = self._pivot(keys)
            parts = [(key > pivot) - (key < pivot) + 1 for key in keys]
            equal = start + parts.count(TernaryPart.LESS)
            greater = equal + parts.count(TernaryPart.EQUAL)
            blocks, at = [], (start, equal, greater)
            for first in range(0, len(keys), self.block_rows):
                some = parts[first : first + self.block_rows]
                counts = some.count(0), some.count(1), some.count(2)
                blocks.append(Block(start + first, start + first + len(some), *counts, at))
                at = at[0] + counts[0], at[1] + counts[1], at[2] + counts[2]
            pairs = sorted(zip(parts, self.order[start:end], strict=True), key=lambda part: part[0])  # stable
            self.order[start:end] = [row for _, row in pairs]
            segments.append(Segment(start, end, depth, self._name(pivot), equal, greater, tuple(blocks)))
            bounds = (start, equal, greater, end)
            made += [(bounds[k], bounds[k + 1], depth, k == 1) for k in range(3) if bounds[k] < bounds[k + 1]]
        self.levels.append(Level(tuple(segments), tuple(named), before, tuple(self.order), bool(self.ranks)))
        return made


def ternary_levels(text: str, block_rows: int = 4, letter_levels: int = LETTER_LEVELS) -> list[Level]:
    """Return the record of each level of the ternary quicksort.

    Args:
        block_rows: rows of a thread block. letter_levels: letters to compare before ranks.
    """
    sort = _Sort(text, block_rows, letter_levels)
    sort.run()
    return sort.levels
