"""Verification of a cost by full recomputation, if that takes a small fraction of the time.

A path is checked letter by letter, but its optimality depends on the kernels: bit vectors, bands, stripped ends. This
check uses none of these: it computes rows of words with additions (``word_rows``) on the letters, within Ukkonen's band
(1985) for the claim; for few edits the furthest points of all costs (``points_check``); with swaps the recurrence of
Lowrance and Wagner 1975, cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, LetterType, Words, freeze
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.jit.simd import LANES
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.verification import Check, Verification
from wavediff.core.kernels.pairwise.diagonal_transition import points_check
from wavediff.core.kernels.pairwise.estimate import ukkonen_band
from wavediff.core.kernels.pairwise.look_again import FULL_SECONDS, Original, budget
from wavediff.core.kernels.pairwise.word_rows import (
    ALL,
    edit_block,
    edit_rows,
    fill_match,
    indel_block,
    indel_rows,
    join_columns,
    look_up,
    ones,
)
from wavediff.core.methods.second import RowsJob
from wavediff.core.sequences.characters import folding_of

INDEL, EDIT, SWAP = range(3)  # what a change costs: two gaps, one edit, and swaps count as one too
WORD_SECONDS = {INDEL: 8e-10, EDIT: 1.7e-9}  # a word of 64 columns takes
ROW_SECONDS, LETTER_SECONDS, SWAP_CELL_SECONDS = 4e-9, 1.5e-9, 4e-9
REPORT_SECONDS = 0.01  # between two reports, about
MAX_SWAP_CELLS = 1 << 24  # of four bytes each
FULL_SWAP_SECONDS = 2.2e-3  # that every job with swaps has, of which no samples are taken
MAX_COLUMNS = 1 << 22  # each takes a bit for each letter that occurs
MAX_WIDE_COLUMNS = 1 << 18  # the same where more letters than bytes can occur
SCORE_NAMES = {INDEL: "length of the LCS", EDIT: "edit distance", SWAP: "edit distance with swaps"}


@jit_no_nrt
def _recompute_rows_with_swaps(a, b, table, costs, last_row, first, last):  # type: ignore[no-untyped-def]
    """Advance ``costs``, int32, shape (rows + 1, columns + 1), from row ``first`` to ``last``.

    Args:
        last_row: int64, shape (codes,): the last row of each letter, 1-based.
    """
    m = b.size
    for i in range(first + 1, last + 1):
        letter, column = table[a[i - 1]], 0
        costs[i, 0] = i
        for j in range(1, m + 1):
            other = table[b[j - 1]]
            row = last_row[other]
            cost = min(costs[i - 1, j - 1] + (letter != other), costs[i - 1, j] + 1, costs[i, j - 1] + 1)
            if row > 0 and column > 0:
                cost = min(cost, costs[row - 1, column - 1] + (i - row) + (j - column) - 1)
            if letter == other:
                column = j
            costs[i, j] = cost
        last_row[letter] = i


def make_ready(step: Step, kind: int, letter_type: LetterType = np.uint8) -> Generator[Event, None, None]:
    """Compile (or load) ``recompute_score`` and ``WordRows`` for this kind of edits."""
    letter = freeze(np.zeros(1, letter_type))

    def compute_one_cell() -> None:
        if kind == SWAP:
            n_steps, advance, _ = _with_swaps(letter, letter, False)
            advance(0, n_steps)
            return
        rows = WordRows(letter, letter, False, kind)
        rows.advance(0, 1)
        rows.value()
        join_columns(rows.up, rows.up, 0, rows.up)
        rows.block(2, (rows.up, rows.up), (rows.up, rows.up))

    yield from warm_up(step, "verify", variant(kernel_key(kind), letter), compute_one_cell)


def kernel_key(kind: int) -> str:
    """Return the variant name compiled by ``make_ready``; see ``wavediff.core.jit.warmup``."""
    return ("indel rows", "edit rows", "swaps")[kind]


class WordRows:
    """Rows of the matrix of two sequences: edit distances, or LCS lengths (``INDEL``).

    Args:
        a, b: letters, neither empty. band: the diagonals that are computed; None for all.

    Attributes:
        up, down: uint64, bits where the row rises and falls; LCS: ``up`` where it stays the same.
    """

    def __init__(self, a: Letters, b: Letters, fold_case: bool, kind: int, band: tuple[int, int] | None = None) -> None:
        self.n, self.m, self._kind = int(a.size), int(b.size), kind
        self._band = (-self.n, self.m) if band is None else band
        table = folding_of(fold_case, a, b)
        seen, self._rows, columns = np.zeros(table.size, np.bool_), np.empty(a.size, a.dtype), np.empty(b.size, a.dtype)
        look_up(b, table, columns, seen)
        occurring = np.flatnonzero(seen)
        # Where all codes occur nothing else does.
        dense = np.full(table.size, min(occurring.size, table.size - 1), a.dtype)
        dense[occurring] = np.arange(occurring.size)
        dense = dense[table]
        look_up(a, dense, self._rows, seen)
        look_up(b, dense, columns, seen)
        self._match = np.zeros((occurring.size + 1, (self.m + 63) // 64), np.uint64)
        fill_match(columns, self._match, 0, self.m)
        self.up, self.down = np.full(self._match.shape[1], ALL), np.zeros(self._match.shape[1], np.uint64)
        self._place = np.zeros(2, np.int64)

    def begin(self, up: Words, down: Words) -> None:
        """Continue below another row; values are relative to its first column."""
        self.up, self.down = up, down
        self._place[:] = 0

    def advance(self, first: int, last: int) -> None:
        """Compute rows ``first`` to ``last`` - 1."""
        low, high = self._band
        if self._kind == INDEL:
            indel_rows(self._rows, self._match, self.up, low, high, self.m, first, last, self._place)
        else:
            edit_rows(self._rows, self._match, self.up, self.down, low, high, self.m, first, last, self._place)

    def block(self, depth: int, rows: tuple[Words, Words], carries: tuple[Words, Words]) -> int:
        """Compute a block of staggered stripes from the row above; return the number of rows that match the stored
        ones.

        Args:
            depth: rows of a stripe. rows, carries: before and after the block, see ``word_rows.edit_block``.
        """
        kept = *rows, *carries
        if self._kind == INDEL:
            return int(indel_block(self._rows, self._match, depth, LANES, self.up, *kept))
        return int(edit_block(self._rows, self._match, depth, LANES, self.up, self.down, *kept))

    def least(self) -> int:
        """Return the minimum cost in the last computed row; only without a band."""
        rises = (_unpacked(self.up) - _unpacked(self.down))[: self.m]
        return int(self._place[0] + min(0, np.cumsum(rises).min()))

    def value(self) -> int:
        """Return the cost or the LCS length at the end of the last computed row."""
        left, begin = self._place.tolist()
        rising = int(ones(self.up, 64 * begin, self.m))
        if self._kind == INDEL:
            return int(left + self.m - 64 * begin - rising)
        return int(left + rising - ones(self.down, 64 * begin, self.m))


def _unpacked(words: Words) -> Counts:
    return np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.int64)


def rows_seconds(kind: int, n_rows: int, n_columns: int) -> float:
    """Estimate the seconds of ``n_rows`` by ``n_columns``."""
    return n_rows * (ROW_SECONDS + WORD_SECONDS[kind] * (n_columns / 64 + 1))


def start_seconds(n: int, m: int) -> float:
    """Estimate the seconds that the preparation takes before the first row."""
    return LETTER_SECONDS * (2 * n + 3 * m)


class _Way(NamedTuple):
    """Method of recomputation: number of steps, step function, function for the result."""

    n_steps: int
    advance: Callable[[int, int], object]
    result: Callable[[], int]


def recompute_score(
    step: Step, a: Letters, b: Letters, fold_case: bool, kind: int, claimed: int, seconds: float,
    least: float = FULL_SECONDS,
) -> Generator[Event, None, Verification | None]:  # fmt: skip
    """Recompute ``claimed`` if cheap, else None.

    Args:
        a, b: letters. kind: cost model. claimed: result of the kernels; for ``INDEL`` the length of the LCS.
        seconds: expected for the job. least: see ``budget``; without swaps.

    Raises:
        SelfCheckFailed: the two results differ.
    """
    n, m = int(a.size), int(b.size)
    cost = n + m - 2 * claimed if kind == INDEL else claimed
    takes = _seconds(n, m, kind, cost, MAX_COLUMNS if a.dtype == np.uint8 else MAX_WIDE_COLUMNS)
    along = float("inf") if kind == SWAP else n * points_check.LETTER_SECONDS + cost * cost * points_check.POINT_SECONDS
    if min(takes, along) > budget(seconds, FULL_SWAP_SECONDS if kind == SWAP else least):
        return None
    if not n or not m:
        recomputed = n + m
    elif kind != SWAP and not abs(n - m) <= cost <= n + m:
        recomputed = n + m + 1  # larger
    elif along < takes:
        recomputed = yield from points_check.least_cost(step, Original(a, b, fold_case), kind == EDIT, cost)
    else:
        yield from make_ready(step, kind, a.dtype.type)
        start = perf_counter()
        if kind == SWAP:
            way = _with_swaps(a, b, fold_case)
        else:
            rows = WordRows(a, b, fold_case, kind, ukkonen_band(n, m, cost))
            way = _Way(n, rows.advance, rows.value)
        yield from _in_steps(step, way, takes, start)
        recomputed = way.result()
        if kind == INDEL:
            recomputed = n + m - 2 * recomputed
    if recomputed != cost:
        again = (n + m - recomputed) // 2 if kind == INDEL else recomputed
        raise SelfCheckFailed(contradiction(kind, n, m, claimed, again if recomputed <= cost or kind == SWAP else None))
    return Verification(Check.RECOMPUTED)


def run(job: RowsJob) -> Generator[Event, None, int]:
    """Compute ``job``; return the edit distance, or the length of the LCS."""
    kind, n, m = INDEL if job.indel else EDIT, int(job.a.size), int(job.b.size)
    if not n or not m:
        return 0 if job.indel else n + m
    yield from make_ready(job.step, kind, job.a.dtype.type)
    start = perf_counter()
    band = ukkonen_band(n, m, job.edits)
    rows = WordRows(job.a, job.b, job.fold_case, kind, band)
    takes = rows_seconds(kind, n, min(band[1] - band[0] + 1, m))
    yield from _in_steps(job.step, _Way(n, rows.advance, rows.value), takes, start)
    return rows.value()


def _in_steps(step: Step, way: _Way, takes: float, start: float) -> Generator[Event, None, None]:
    n = max(1, int(way.n_steps * min(1.0, REPORT_SECONDS / takes)))
    for first in range(0, way.n_steps, n):
        way.advance(first, min(way.n_steps, first + n))
        yield step.done("verify", start)
        start = perf_counter()


def contradiction(kind: int, n: int, m: int, claimed: int, again: int | None) -> str:
    """Return the contradiction of two scores as text; None if ``again`` is a valid upper bound."""
    other = "larger" if again is None else f"as {again:,}"
    return (
        f"the {SCORE_NAMES[kind]} of {n:,} and {m:,} letters came out as {claimed:,}, "
        f"and {other} when recomputed in another way; the result was discarded"
    )


def _seconds(n: int, m: int, kind: int, cost: int, max_columns: int) -> float:
    """Estimate the seconds to recompute a cost; infinity if memory is insufficient."""
    if kind == SWAP:
        return SWAP_CELL_SECONDS * n * m if n * m <= MAX_SWAP_CELLS else float("inf")
    low, high = ukkonen_band(n, m, cost)
    return float("inf") if m > max_columns else start_seconds(n, m) + rows_seconds(kind, n, min(high - low + 1, m))


def _with_swaps(a: Letters, b: Letters, fold_case: bool) -> _Way:
    n, m = int(a.size), int(b.size)
    table = folding_of(fold_case, a, b)
    costs, last_row = np.empty((n + 1, m + 1), np.int32), np.zeros(table.size, np.int64)
    costs[0] = np.arange(m + 1)
    advance = partial(_recompute_rows_with_swaps, a, b, table, costs, last_row)
    return _Way(n, advance, lambda: int(costs[n, m]))
