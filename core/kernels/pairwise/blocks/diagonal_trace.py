"""Traceback through whole strips without recomputation, along diagonals from the upper border.

The border above gives the cost of each node in the last row of a strip and in the row above it. If the path has few
edits in the strip, furthest-reaching points from all nodes above it
(``wavediff.core.kernels.pairwise.diagonal_transition``) are cheaper than its blocks. Source: diagonal-transition
traceback in A*PA2 (Groot Koerkamp 2024), there backwards from the end. Here it goes forward from the border, which
gives the cost of each neighbour, so the path equals that of a recomputed block.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Letters, LetterType, Words
from wavediff.core.jit import background_compile
from wavediff.core.jit.bits import GROUP_COLUMNS, popcount_prefix
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.simd import BITS, LANES, WORD, popcount
from wavediff.core.jit.unaligned import load_u64
from wavediff.core.jit.warmup import kernel_name, variant, warm_up
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.matrix_plan import mark_row
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import (
    ANY,
    NOWHERE,
    UNREACHED,
    extend_points,
    trace_points,
)

POINT_SECONDS = 1.5e-9  # seconds for each sign and for half a square of edits, as the other half is not reached
RECOMPUTE_CELL_SECONDS = 5e-12  # seconds of a cell of a block that is computed again and remembered
TRACE_ROW_SECONDS = 8e-9  # seconds of a row walked through such a block
MAX_RUNS = 1 << 13  # of a call
MAX_EDITS = 2048  # edits; what is remembered grows with the square
COMPILE_WORTH_CELLS = 1 << 37  # to compile takes longer than to compute fewer again
ONE, BYTES = np.uint64(1), np.uint64(0x0101010101010101)


class StripBorders(NamedTuple):
    """Borders of all strips, from plan and state of a matrix."""

    border: Words
    border_at: Counts
    border_words: Counts
    marks: Letters
    marks_at: Counts
    lo: Counts
    hi: Counts


class TopBorder(NamedTuple):
    """Row border from group ``first``; valid left of column ``end``.

    The streams follow each other: packed in ``words``; or, with ``marks``, one byte per step, bit k being the border
    below lane k. A step is that of stripe 0.
    """

    words: Words
    marks: Letters
    lane: int
    first: int
    end: int


@jit_callee
def _step(delta_bits, row, j):  # type: ignore[no-untyped-def]
    """Return the cost difference across letter j of B."""
    n_streams = len(delta_bits) * GROUP_COLUMNS
    group, stream = j // GROUP_COLUMNS - row.first, j % GROUP_COLUMNS
    if row.marks.size:
        size = row.marks.size // n_streams
        at, bit = stream * size + group + (row.lane + 1) * WORD - 1, np.uint64(row.lane)
        one = np.int64(np.uint64(row.marks[at]) >> bit & ONE)
        if len(delta_bits) == EDIT_SIGNS:
            return one - np.int64(np.uint64(row.marks[at + GROUP_COLUMNS * size]) >> bit & ONE)
    else:
        size = row.words.size // n_streams
        at, bit = stream * size + group // WORD, np.uint64(group % WORD)
        one = np.int64(row.words[at] >> bit & ONE)
        if len(delta_bits) == EDIT_SIGNS:
            return one - np.int64(row.words[at + GROUP_COLUMNS * size] >> bit & ONE)
    return 1 - 2 * one


@jit_callee
def _set(delta_bits, row, stream, before, upto):  # type: ignore[no-untyped-def]
    """Return the set bits of a stream in groups ``before`` to ``upto``."""
    n_streams = len(delta_bits) * GROUP_COLUMNS
    if not row.marks.size:
        size = row.words.size // n_streams
        words = row.words[stream * size : (stream + 1) * size]
        return popcount_prefix(words, upto) - popcount_prefix(words, before)
    at = stream * (row.marks.size // n_streams) + (row.lane + 1) * WORD - 1
    total: Any = 0
    bit, g = np.uint64(row.lane), before
    while g + 8 <= upto:
        total += popcount(load_u64(row.marks, at + g) >> bit & BYTES)
        g += 8
    for last in range(g, upto):
        total += np.int64(np.uint64(row.marks[at + last]) >> bit & ONE)
    return total


@jit
def cost_along(delta_bits: Any, row: TopBorder, low: int, column: int) -> int:
    """Return the cost difference from ``low`` (even) to ``column`` along ``row``."""
    total = 0
    for c in range(GROUP_COLUMNS):
        before, upto = low // GROUP_COLUMNS - row.first, (column + GROUP_COLUMNS - 1 - c) // GROUP_COLUMNS - row.first
        grown = _set(delta_bits, row, c, before, upto)
        if len(delta_bits) == EDIT_SIGNS:
            total += grown - _set(delta_bits, row, GROUP_COLUMNS + c, before, upto)
        else:
            total += upto - before - 2 * grown
    return total


@jit_callee
def _edits_from(delta_bits, row, low, diagonal, corner, cost, near):  # type: ignore[no-untyped-def]
    """Write the edits from each possible origin in ``row`` to a node of ``cost``.

    Costs of neighbours differ by at most one, so a node that is too expensive for its distance excludes nodes beyond
    it.

    Args:
        diagonal: column where the end's diagonal crosses the row.
        corner: cost of the node of ``row`` after ``low`` letters.
        near: int64, shape (2 * most + 1,): of the nodes from ``diagonal - most`` on; -1 where there is none.

    Returns:
        The maximum edits; -1 without a path of at most ``most`` edits.
    """
    most = near.size // 2
    near[:] = -1
    middle = min(max(diagonal, low), row.end)
    here = corner + cost_along(delta_bits, row, low, middle)
    most_edits, edits, j = -1, cost - here, middle
    while edits >= abs(j - diagonal):
        if edits > most:
            return -1
        near[j - diagonal + most] = edits
        most_edits = max(most_edits, edits)
        if j == row.end:
            break
        edits -= _step(delta_bits, row, j)
        j += 1
    edits, j = cost - here, middle
    while edits >= abs(j - diagonal):
        if edits > most:
            return -1
        near[j - diagonal + most] = edits
        most_edits = max(most_edits, edits)
        if j == low:
            break
        j -= 1
        edits += _step(delta_bits, row, j)
    return most_edits


@jit_callee
def _above(delta_bits, strips, s, n_cols):  # type: ignore[no-untyped-def]
    """Return the border above strip s, and its computed columns."""
    at, nothing = strips.border_at[s], strips.marks[:0]
    words = strips.border[at : at + strips.border_words[s] * GROUP_COLUMNS * len(delta_bits)]
    if s == 0:
        return TopBorder(words, nothing, 0, 0 * n_cols, n_cols)
    return TopBorder(words, nothing, 0, strips.lo[s - 1], min(strips.hi[s - 1] * GROUP_COLUMNS, n_cols))


@jit
def trace_by_diagonals(
    delta_bits: Any,
    a: Letters,
    b: Letters,
    strips: StripBorders,
    depth: int,
    until: int,
    i: int,
    j: int,
    cost: int,
    block_map: BlockMap,
    board_rows: int,
    unit: int,
) -> tuple[int, int, Letters, Counts]:
    """Trace from node (i, j), the last of a strip, towards row ``until``, while likely faster than recomputation,
    through at most a dozen strips.

    Args:
        cost: of the node, minus that of the strip's first node.
        board_rows, unit: strips and columns of a place of ``block_map``.

    Returns:
        (i, j, operations, lengths), last column first.
    """
    height, n_cols = depth * BITS, np.int64(b.size)
    s, runs = (i - 1) // height, 0
    ops, lengths = np.empty(MAX_RUNS, np.uint8), np.empty(MAX_RUNS, np.int64)
    while True:
        top, right = s * height, j
        above = _above(delta_bits, strips, s, n_cols)
        marks = strips.marks[strips.marks_at[s] : strips.marks_at[s + 1]]
        marked = TopBorder(above.words[:0], marks, 0, strips.lo[s], min(strips.hi[s] * GROUP_COLUMNS, n_cols))
        i, j, some, of_them = _trace_strip(delta_bits, a, b, above, marked, depth, top, i, j, cost)
        if runs + some.size > ops.size:
            ops, lengths = np.append(ops[:runs], some), np.append(lengths[:runs], of_them)
        else:
            ops[runs : runs + some.size], lengths[runs : runs + some.size] = some, of_them
        runs += some.size
        mark_row(block_map, s // board_rows, unit, j, right)
        s -= 1
        if i > top or top - height < until or runs > MAX_RUNS // 2:
            break
        low = strips.lo[s] * GROUP_COLUMNS
        if not low < j <= strips.hi[s] * GROUP_COLUMNS:
            break
        cost = height + cost_along(delta_bits, _above(delta_bits, strips, s + 1, n_cols), low, j)
    return i, j, ops[:runs], lengths[:runs]


@jit_callee
def _trace_strip(delta_bits, a, b, above, marked, depth, top, i, j, cost):  # type: ignore[no-untyped-def]
    """Trace through one strip, from node (i, j) to row ``top``.

    Args:
        above: the border above the strip. marked: the strip's marks, to trace lane by lane; else the whole strip at
            once. Both start at the strip's first column; the border perhaps further left.
        cost: of the node, minus that of row ``top`` at the strip's first column.

    Returns:
        (i, j, operations, lengths), last column first.
    """
    low = marked.first * GROUP_COLUMNS
    lanes = LANES if marked.marks.size else 1
    height = depth * BITS // lanes
    share = GROUP_COLUMNS * (height + BITS)  # columns of a row that are computed again, where the walk comes through
    most = min(
        int((height * (share * RECOMPUTE_CELL_SECONDS + TRACE_ROW_SECONDS) / (len(delta_bits) * POINT_SECONDS)) ** 0.5),
        MAX_EDITS,
    )
    ops, lengths = np.empty(lanes * (2 * most + 1), np.uint8), np.empty(lanes * (2 * most + 1), np.int64)
    near = np.empty(2 * most + 1, np.int64)
    runs = 0
    while i > top and j > low:
        lane = (i - 1 - top) // height
        start = top + lane * height
        row = TopBorder(above.words, marked.marks, lane - 1, marked.first, marked.end) if lane > 0 else above
        to = j - i
        edits = _edits_from(delta_bits, row, low, start + to, start - top, cost, near)
        if edits < 0 or not (low == 0 or start + to - edits >= low):
            break  # in a band that proves nothing, what is cheaper outside is not to be taken
        if not (marked.end == b.size or i + to + edits <= marked.end):
            break
        width = 2 * edits + 1
        source = np.full(width, UNREACHED, np.int64)
        for x in range(width):
            if near[x + most - edits] >= 0:
                source[x] = edits - near[x + most - edits]
        points, seen = np.full(width + 2, NOWHERE, np.int64), np.empty((edits + 1) * width, np.uint32)
        extend_points(delta_bits, a, b, source, start, to, edits, points, seen, 0, edits + 1, ANY, 1)
        i, j, runs = trace_points(delta_bits, a, b, start, i, to, edits, width, seen, ops, lengths, runs)
        if i > start:
            break
        cost -= near[j - start - to + most]
    return i, j, ops[:runs], lengths[:runs]


def is_worthwhile(delta_bits: tuple[int, ...], n_cells: int) -> bool:
    """Return whether a matrix of ``n_cells`` may be traced this way; small ones do not wait for the compiler."""
    return n_cells > COMPILE_WORTH_CELLS or background_compile.is_available(
        kernel_name("traceback", name(len(delta_bits)))
    )


def make_ready(
    step: Step, delta_bits: tuple[int, ...], letter_type: LetterType = np.uint8
) -> Generator[Event, None, None]:
    """Compile (or load) this traceback, separate from the others as single-strip matrices never need it."""

    letter = np.zeros(1, letter_type)

    def rehearse() -> None:
        each = GROUP_COLUMNS * len(delta_bits)
        words, one, at = np.zeros(2 * each, np.uint64), np.ones(2, np.int64), np.array([0, each])
        cost = 0 * int(cost_along(delta_bits, TopBorder(words, letter[:0], 0, 0, 1), 0, 1))
        strips = StripBorders(words, at, one, np.zeros(0, np.uint8), 0 * one, 0 * one[:1], one[:1])
        trace_by_diagonals(delta_bits, letter, letter, strips, 1, 0, 1, 1, cost, np.zeros((1, 1), np.uint8), 1, 1)

    yield from warm_up(step, "traceback", variant(name(len(delta_bits)), letter), rehearse)


def name(n_delta_bits: int) -> str:
    """Return the name of the kernel for a number of signs, used across processes."""
    return "edit shortcut" if n_delta_bits == EDIT_SIGNS else "shortcut"
