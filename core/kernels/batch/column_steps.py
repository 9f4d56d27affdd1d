"""Column step for each word of a group of pairs, by method, with one pair per lane.

LCS: Kawanami and Fujimoto, section 2.4. Edit distance: Sudo and Shinohara, section 2.1. With swaps:
``wavediff.core.kernels.swap_edit.swap_column``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.jit.decorators import jit, jit_callee, jit_inline_with_nrt, overload
from wavediff.core.jit.lane_ops import (
    SHORT_REGISTERS,
    load_like,
    load_planes,
    minus,
    plus,
    popcounts,
    shift_left_lanes,
    store_int32,
    top_bits,
    zero_lanes,
)
from wavediff.core.jit.simd import LANES, broadcast, load, mismatch, or_nor, store
from wavediff.core.kernels.swap_edit.swap_column import swap_word

# Vectors that a word of rows keeps from column to column: which distinguishes the methods while compiling.
LCS, EDIT, SWAP = (0,), (0,) * 2, (0,) * 5
SHORT_WORDS = SHORT_REGISTERS * LANES  # words of a vector of a group of short rows
KINDS = {"lcs": LCS, "edit": EDIT, "swap": SWAP}  # by ``Method.id``


def columns(kind: Any, words: int, rows: Any, at: int, masks: Any, first: int, last: int, v: Any, every: Any) -> None:
    """Process columns ``first`` to ``last`` of a group of ``words`` words.

    Args:
        kind: a tuple whose length selects the method, e.g. ``LCS``.
        rows: uint64, the bit planes of the rows from ``at`` on, (words, planes, LANES).
        masks: uint64, shape (columns, planes + 1, LANES) flattened: the planes of each column's letters as all-ones
            masks; then all ones in a pair's columns, 0 before its first column.
        v: uint64, (words, len(kind), LANES) flattened: the state of the rows; updated.
        every: a tuple with one element per plane.
    """
    raise NotImplementedError("compiled code only")


def columns_by_table(kind: Any, words: int, table: Any, cols: Any, first: int, last: int, v: Any) -> None:
    """Process columns ``first`` to ``last`` of ``cols``, common to all lanes, for a group of ``words`` words.

    Args:
        kind, v: see ``columns``.
        table: uint64, (codes, words, LANES) flattened: the rows with each code, from ``tabulate``.
        cols: uint8, codes.
    """
    raise NotImplementedError("compiled code only")


def short_columns(kind: Any, width: Any, table: Any, cols: Any, first: int, last: int, v: Any, begins: bool) -> None:
    """Process columns ``first`` to ``last`` of ``cols`` for a group of short rows, several lanes per word.

    Args:
        kind: see ``columns``. cols: see ``columns_by_table``.
        width: a tuple with one element per byte of a lane; a row fits in its bits.
        table: uint64, (codes, SHORT_WORDS) flattened.
        v: uint64, (len(kind), SHORT_WORDS) flattened; if a pair ``begins``, it is written before it is read.
    """
    raise NotImplementedError("compiled code only")


@overload(short_columns)
def _short_columns(kind, width, table, cols, first, last, v, begins):  # type: ignore[no-untyped-def]
    step = _lcs_short if len(kind) == len(LCS) else _edit_short if len(kind) == len(EDIT) else _swap_short
    return lambda kind, width, table, cols, first, last, v, begins: step(width, table, cols, first, last, v, begins)


@overload(columns_by_table)
def _columns_by_table(kind, words, table, cols, first, last, v):  # type: ignore[no-untyped-def]
    if len(kind) == len(LCS):
        return lambda kind, words, table, cols, first, last, v: _lcs_by_table(words, table, cols, first, last, v)
    if len(kind) == len(EDIT):
        return lambda kind, words, table, cols, first, last, v: _edit_by_table(words, table, cols, first, last, v)
    return lambda kind, words, table, cols, first, last, v: _swap_by_table(words, table, cols, first, last, v)


@overload(columns)
def _columns(kind, words, rows, at, masks, first, last, v, every):  # type: ignore[no-untyped-def]
    if len(kind) == len(LCS):
        return lambda kind, words, rows, at, masks, first, last, v, every: _lcs(
            words, rows, at, masks, first, last, v, every
        )
    if len(kind) == len(EDIT):
        return lambda kind, words, rows, at, masks, first, last, v, every: _edit(
            words, rows, at, masks, first, last, v, every
        )
    return lambda kind, words, rows, at, masks, first, last, v, every: _swap(
        words, rows, at, masks, first, last, v, every
    )


@jit_inline_with_nrt
def _lcs_word(eq, V, over):  # type: ignore[no-untyped-def]
    both = V & eq
    total = plus(plus(V, both), top_bits(over))
    return total | (V ^ both), both | (V & ~total)  # ``both`` is part of V


@jit_inline_with_nrt
def _edit_word(eq, VP, VN, hp, hn):  # type: ignore[no-untyped-def]
    reached = eq | top_bits(hn)
    D0 = (plus(reached & VP, VP) ^ VP) | reached | VN
    HP, HN = or_nor(VN, D0, VP), D0 & VP
    up, fell = shift_left_lanes(HP, hp), shift_left_lanes(HN, hn)
    return or_nor(fell, D0, up), D0 & up, HP, HN


@jit_callee
def _lcs(words, rows, at, masks, first, last, v, every):  # type: ignore[no-untyped-def]
    stride = (len(every) + 1) * LANES
    for j in range(first, last):
        letters = load_planes(masks, j * stride, LANES, every)
        over = broadcast(np.uint64(0))
        for w in range(words):
            eq = ~mismatch(rows, at + w * (stride - LANES), LANES, letters)
            V, over = _lcs_word(eq, load(v, w * LANES), over)
            store(v, w * LANES, V)


@jit_callee
def _lcs_by_table(words, table, cols, first, last, v):  # type: ignore[no-untyped-def]
    for j in range(first, last):
        row = cols[j] * words * LANES
        over = broadcast(np.uint64(0))
        for w in range(words):
            V, over = _lcs_word(load(table, row + w * LANES), load(v, w * LANES), over)
            store(v, w * LANES, V)


@jit_callee
def _lcs_short(width, table, cols, first, last, v, begins):  # type: ignore[no-untyped-def]
    none = zero_lanes(width)
    V = ~none if begins else load_like(none, v, 0)
    for j in range(first, last):
        V, _ = _lcs_word(load_like(none, table, cols[j] * SHORT_WORDS), V, none)
    store(v, 0, V)


@jit_callee
def _edit(words, rows, at, masks, first, last, v, every):  # type: ignore[no-untyped-def]
    stride = (len(every) + 1) * LANES
    for j in range(first, last):
        letters = load_planes(masks, j * stride, LANES, every)
        hp, hn = load(masks, j * stride + stride - LANES), broadcast(np.uint64(0))
        for w in range(words):
            k = w * 2 * LANES
            eq = ~mismatch(rows, at + w * (stride - LANES), LANES, letters)
            VP, VN, hp, hn = _edit_word(eq, load(v, k), load(v, k + LANES), hp, hn)
            store(v, k, VP)
            store(v, k + LANES, VN)


@jit_callee
def _edit_by_table(words, table, cols, first, last, v):  # type: ignore[no-untyped-def]
    ones, none = broadcast(~np.uint64(0)), broadcast(np.uint64(0))
    even = last - (last - first) % 2 if words else first
    for j in range(first, even, 2):
        # The second column follows one word behind the first: neither waits for its own carries alone.
        row, next_row = cols[j] * words * LANES, cols[j + 1] * words * LANES
        hp, hn, next_hp, next_hn = ones, none, ones, none
        VP, VN, hp, hn = _edit_word(load(table, row), load(v, 0), load(v, LANES), hp, hn)
        for w in range(1, words):
            k = w * 2 * LANES
            eq = load(table, next_row + (w - 1) * LANES)
            next_VP, next_VN, next_hp, next_hn = _edit_word(eq, VP, VN, next_hp, next_hn)
            VP, VN, hp, hn = _edit_word(load(table, row + w * LANES), load(v, k), load(v, k + LANES), hp, hn)
            store(v, k - 2 * LANES, next_VP)
            store(v, k - LANES, next_VN)
        k = (words - 1) * 2 * LANES
        VP, VN, hp, hn = _edit_word(load(table, next_row + (words - 1) * LANES), VP, VN, next_hp, next_hn)
        store(v, k, VP)
        store(v, k + LANES, VN)
    for j in range(even, last):
        row = cols[j] * words * LANES
        hp, hn = ones, none
        for w in range(words):
            k = w * 2 * LANES
            VP, VN, hp, hn = _edit_word(load(table, row + w * LANES), load(v, k), load(v, k + LANES), hp, hn)
            store(v, k, VP)
            store(v, k + LANES, VN)


@jit_callee
def _edit_short(width, table, cols, first, last, v, begins):  # type: ignore[no-untyped-def]
    none = zero_lanes(width)
    VP, VN = (~none, none) if begins else (load_like(none, v, 0), load_like(none, v, SHORT_WORDS))
    for j in range(first, last):
        VP, VN, _, _ = _edit_word(load_like(none, table, cols[j] * SHORT_WORDS), VP, VN, ~none, none)
    store(v, 0, VP)
    store(v, SHORT_WORDS, VN)


@jit_callee
def _swap(words, rows, at, masks, first, last, v, every):  # type: ignore[no-untyped-def]
    stride = (len(every) + 1) * LANES
    allow = broadcast(~np.uint64(0))
    for j in range(first, last):
        letters = load_planes(masks, j * stride, LANES, every)
        hp = load(masks, j * stride + stride - LANES)
        eq_a = d0_a = o1 = hn = broadcast(np.uint64(0))
        for w in range(words):
            eq = ~mismatch(rows, at + w * (stride - LANES), LANES, letters)
            eq_a, d0_a, o1, hn, hp = _swap_in_place(eq, allow, v, w * 5 * LANES, eq_a, d0_a, o1, hn, hp)


@jit_callee
def _swap_by_table(words, table, cols, first, last, v):  # type: ignore[no-untyped-def]
    allow = broadcast(~np.uint64(0))
    for j in range(first, last):
        row = cols[j] * words * LANES
        hp = allow
        eq_a = d0_a = o1 = hn = broadcast(np.uint64(0))
        for w in range(words):
            eq = load(table, row + w * LANES)
            eq_a, d0_a, o1, hn, hp = _swap_in_place(eq, allow, v, w * 5 * LANES, eq_a, d0_a, o1, hn, hp)


@jit_callee
def _swap_short(width, table, cols, first, last, v, begins):  # type: ignore[no-untyped-def]
    none = zero_lanes(width)
    VP, VN, D0, O2, EQ = ~none, none, none, none, none
    if not begins:
        VP, VN = load_like(none, v, 0), load_like(none, v, SHORT_WORDS)
        D0, O2 = load_like(none, v, 2 * SHORT_WORDS), load_like(none, v, 3 * SHORT_WORDS)
        EQ = load_like(none, v, 4 * SHORT_WORDS)
    for j in range(first, last):
        eq = load_like(none, table, cols[j] * SHORT_WORDS)
        VP, VN, D0, O2, _, _, _, _ = swap_word(eq, ~none, VP, VN, D0, O2, EQ, none, none, none, none, ~none)
        EQ = eq
    store(v, 0, VP)
    store(v, SHORT_WORDS, VN)
    store(v, 2 * SHORT_WORDS, D0)
    store(v, 3 * SHORT_WORDS, O2)
    store(v, 4 * SHORT_WORDS, EQ)


@jit_inline_with_nrt
def _swap_in_place(eq, allow, v, k, eq_a, d0_a, o1, hn, hp):  # type: ignore[no-untyped-def]
    VP, VN, D0, O2, o1, hn, hp, _ = swap_word(
        eq, allow, load(v, k), load(v, k + LANES), load(v, k + 2 * LANES), load(v, k + 3 * LANES),
        load(v, k + 4 * LANES), eq_a, d0_a, o1, hn, hp,
    )  # fmt: skip
    store(v, k, VP)
    store(v, k + LANES, VN)
    store(v, k + 2 * LANES, D0)
    store(v, k + 3 * LANES, O2)
    store(v, k + 4 * LANES, eq)
    return eq, D0, o1, hn, hp


@jit_callee
def tabulate(words, rows, at, n_codes, masks, table, every):  # type: ignore[no-untyped-def]
    """Write the table of ``columns_by_table``; ``rows``, ``at``: see ``columns``. ``masks``: scratch memory."""
    stride = len(every) * LANES
    for code in range(n_codes):
        for p in range(len(every)):
            store(masks, p * LANES, broadcast(np.uint64(0) - ((np.uint64(code) >> np.uint64(p)) & np.uint64(1))))
        letters = load_planes(masks, 0, LANES, every)
        for w in range(words):
            store(table, (code * words + w) * LANES, ~mismatch(rows, at + w * stride, LANES, letters))


@jit_callee
def count(kind, words, rows, v, totals):  # type: ignore[no-untyped-def]
    """Write the total of each lane: its LCS length, or the cost difference from row 0 to the last cell.

    Args:
        kind, v: as for ``columns``.
        rows: uint64, (words, LANES) flattened: the rows of each lane.
        totals: int32, (LANES,).
    """
    total, size = broadcast(np.uint64(0)), len(kind) * LANES
    for w in range(words):
        total = plus(total, _found(kind, load(rows, w * LANES), load(v, w * size), v, w * size + LANES))
    store_int32(totals, 0, total)


@jit_callee
def short_count(kind, width, rows, v, totals):  # type: ignore[no-untyped-def]
    """``count`` for short rows; arguments as for ``short_columns``, ``totals``: one per lane."""
    none = zero_lanes(width)
    store_int32(totals, 0, _found(kind, load_like(none, rows, 0), load_like(none, v, 0), v, SHORT_WORDS))


@jit_inline_with_nrt
def _found(kind, has, V, v, at):  # type: ignore[no-untyped-def]
    """Return the totals of the rows selected by ``has``, from the final state ``V`` and ``v`` at ``at``."""
    if len(kind) == len(LCS):
        return popcounts(has & ~V)
    return minus(popcounts(has & V), popcounts(has & load_like(V, v, at)))


@jit
def begin(kind, words, v):  # type: ignore[no-untyped-def]
    """Write the initial state of a group: no matches (LCS), or costs that increase by one per row."""
    for w in range(words):
        store(v, w * len(kind) * LANES, broadcast(~np.uint64(0)))
        for k in range(1, len(kind)):
            store(v, (w * len(kind) + k) * LANES, broadcast(np.uint64(0)))
