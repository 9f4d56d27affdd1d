"""Back through a whole strip without computing it again: over the diagonals, from its border above.

Row borders tell what every node in the row above a strip and in its last row costs. Where the path has few edits in
the strip, furthest-reaching points from all nodes above it (``core.kernels.diagonals``) cost less than its blocks.
Source: the traces by diagonal transition in A*PA2 (Groot Koerkamp 2024), there from the end backwards; going forward
from the border we know what every neighbour of the walk costs, so it takes the path that a recomputed block gives.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from core.arrays import Counts, Letters, Words
from core.bits import COLUMNS, ones_before
from core.events import Event
from core.kernels.blocks.method import EDIT_SIGNS
from core.kernels.diagonals.points import FAR, NOWHERE, spread, walk_points
from core.kernels.inner import inner
from core.kernels.warm import warm_up
from core.simd import BITS, WORD, ones

POINT = 2e-9  # seconds that a point takes, for each sign
CELL = 5e-12  # seconds of a cell of a block that is computed again and remembered
MOST = 2048  # edits; what is remembered grows with the square


class Row(NamedTuple):
    """A row border: ``words``, one stream after the other, from group ``first`` on; nodes left of column ``end``."""

    words: Words
    first: int
    end: int


@njit(nogil=True, cache=True)
def cost_along(signs: Any, row: Row, low: int, column: int) -> int:
    """Return what the node of ``row`` behind ``column`` letters costs more than the one behind ``low`` (even)."""
    size = row.words.size // (len(signs) * COLUMNS)
    total = 0
    for c in range(COLUMNS):
        before, upto = low // COLUMNS - row.first, (column + COLUMNS - 1 - c) // COLUMNS - row.first
        stream = row.words[c * size :]
        grown = ones_before(stream, upto) - ones_before(stream, before)
        if len(signs) == EDIT_SIGNS:
            stream = row.words[(COLUMNS + c) * size :]
            total += grown - (ones_before(stream, upto) - ones_before(stream, before))
        else:
            total += upto - before - 2 * grown
    return total


@inner
def _step(signs, row, j):  # type: ignore[no-untyped-def]
    """Return what the node behind letter j of B costs more than the one before it."""
    size = row.words.size // (len(signs) * COLUMNS)
    group = j // COLUMNS - row.first
    word, bit = j % COLUMNS * size + group // WORD, np.uint64(group % WORD)
    one = np.int64((row.words[word] >> bit) & np.uint64(1))
    if len(signs) == EDIT_SIGNS:
        return one - np.int64((row.words[word + COLUMNS * size] >> bit) & np.uint64(1))
    return 1 - 2 * one


@inner
def _word_step(signs, row, j):  # type: ignore[no-untyped-def]
    """The same of ``COLUMNS * WORD`` letters at once, j being the first of a word."""
    size = row.words.size // (len(signs) * COLUMNS)
    word, total = (j // COLUMNS - row.first) // WORD, 0
    for c in range(COLUMNS):
        grown = ones(row.words[c * size + word])
        if len(signs) == EDIT_SIGNS:
            total += grown - ones(row.words[(COLUMNS + c) * size + word])
        else:
            total += WORD - 2 * grown
    return total


@njit(nogil=True, cache=True)
def edits_inside(signs: Any, above: Row, low: int, top: int, to: int, cost: int, most: int) -> int:
    """Return the most edits that a path from row ``top`` to a node of ``cost`` on diagonal ``to`` may have.

    Costs are what a node costs more than that of row ``top`` at column ``low``, the first of a word. -1: there is no
    such path, or more than ``most`` are possible.
    """
    edits, here, j = -1, 0, low
    while j <= above.end:
        far = abs(j - top - to)
        whole_word = (j - low) % (COLUMNS * WORD) == 0 and j + COLUMNS * WORD <= above.end
        if whole_word and cost - here + 2 * COLUMNS * WORD < far:  # none of it is near and cheap enough
            here += _word_step(signs, above, j)
            j += COLUMNS * WORD
            continue
        if cost - here >= far:
            edits = max(edits, cost - here)
            if edits > most:
                return -1
        if j < above.end:
            here += _step(signs, above, j)
        j += 1
    return edits


@njit(nogil=True, cache=True)
def through_strip(
    signs: Any, a: Letters, b: Letters, above: Row, low: int, top: int, i: int, j: int, cost: int
) -> tuple[int, int, Letters, Counts]:
    """Walk from node (i, j) back to row ``top``, if that is likely to be faster than to compute the strip again.

    Args:
        above: the border above the strip. low: its first column.
        cost: what the node costs more than that of row ``top`` at column ``low``.

    Returns:
        (i, j, operations, lengths), last column first; without runs and with (i, j) as given where it is not.
    """
    ops, lengths = np.empty(0, np.uint8), np.empty(0, np.int64)
    to, rows = j - i, i - top
    most = min(int((rows * (rows + COLUMNS * BITS) * CELL / (len(signs) * POINT)) ** 0.5), MOST)
    edits = edits_inside(signs, above, low, top, to, cost, most)
    if edits < 0:
        return i, j, ops, lengths
    width = 2 * edits + 1
    source = np.full(width, FAR, np.int64)
    first = max(low, top + to - edits)
    here = cost_along(signs, above, low, first) - (cost - edits)
    for column in range(first, min(above.end, top + to + edits) + 1):
        if here >= 0:
            source[column - (top + to - edits)] = here
        if column < above.end:
            here += _step(signs, above, column)
    points, seen = np.full(width + 2, NOWHERE, np.int64), np.empty((edits + 1) * width, np.int32)
    spread(signs, a, b, source, top, to, edits, points, seen, 0, edits + 1)
    ops, lengths = np.empty(2 * edits + 1, np.uint8), np.empty(2 * edits + 1, np.int64)
    i, j, runs = walk_points(signs, a, b, top, i, to, edits, width, seen, ops, lengths)
    return i, j, ops[:runs], lengths[:runs]


def make_ready(job_id: int, signs: tuple[int, ...]) -> Generator[Event, None, None]:
    """Compile (or load) all of this; apart from the rest of a walk back, as matrices of one strip need none of it."""

    def rehearse() -> None:
        letter, words = np.zeros(1, np.uint8), np.zeros(2 * COLUMNS * len(signs), np.uint64)
        above = Row(words, 0, 1)
        through_strip(signs, letter, letter, above, 0, 0, 1, 1, 0 * int(cost_along(signs, above, 0, 1)))

    yield from warm_up(job_id, "traceback", name(len(signs)), rehearse)


def name(n_signs: int) -> str:
    """Return what this is called for a method of so many signs, between processes."""
    return "edit shortcut" if n_signs == EDIT_SIGNS else "shortcut"
