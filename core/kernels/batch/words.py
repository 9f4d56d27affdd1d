"""One column of every word of a group of pairs, for each method: the same steps as for one pair, a pair a lane.

LCS: paper 1, section 2.4. Edit distance: paper 2, section 2.1. With swaps: ``core.kernels.swap_edit.word``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from core.kernels.inner import inner
from core.kernels.swap_edit.word import swap_word
from core.lanes import append, loads, plus, top_bits
from core.simd import LANES, fill, load, mismatch, or_nor, store

# Vectors that a word of rows keeps from column to column: what tells the methods apart while compiling.
LCS, EDIT, SWAP = (0,), (0,) * 2, (0,) * 5


def columns(kind: Any, words: int, rows: Any, at: int, masks: Any, first: int, last: int, v: Any, every: Any) -> None:
    """Do columns ``first`` to ``last`` of a group of ``words`` words.

    Args:
        kind: a tuple as long as one of the above.
        rows: uint64, the bit planes of the rows from ``at`` on, (words, planes, LANES).
        masks: uint64, shape (columns, planes + 1, LANES) flattened: the planes of each column's letters as all-ones
            masks; then all ones where the pair has begun, 0 where the column lies before its first.
        v: uint64, (words, len(kind), LANES) flattened: the state of the rows; updated.
        every: a tuple as long as there are planes.
    """
    raise NotImplementedError("compiled code only")


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


@inner
def _lcs(words, rows, at, masks, first, last, v, every):  # type: ignore[no-untyped-def]
    stride = (len(every) + 1) * LANES
    for j in range(first, last):
        letters = loads(masks, j * stride, LANES, every)
        over = fill(np.uint64(0))
        for w in range(words):
            V = load(v, w * LANES)
            both = V & ~mismatch(rows, at + w * (stride - LANES), LANES, letters)
            total = plus(plus(V, both), top_bits(over))
            over = both | (V & ~total)  # ``both`` is part of V
            store(v, w * LANES, total | (V ^ both))


@inner
def _edit(words, rows, at, masks, first, last, v, every):  # type: ignore[no-untyped-def]
    stride = (len(every) + 1) * LANES
    for j in range(first, last):
        letters = loads(masks, j * stride, LANES, every)
        hp, hn = load(masks, j * stride + stride - LANES), fill(np.uint64(0))
        for w in range(words):
            VP, VN = load(v, w * 2 * LANES), load(v, w * 2 * LANES + LANES)
            reached = ~mismatch(rows, at + w * (stride - LANES), LANES, letters) | top_bits(hn)
            D0 = (plus(reached & VP, VP) ^ VP) | reached | VN
            HP, HN = or_nor(VN, D0, VP), D0 & VP
            up, fell = append(HP, hp), append(HN, hn)
            store(v, w * 2 * LANES, or_nor(fell, D0, up))
            store(v, w * 2 * LANES + LANES, D0 & up)
            hp, hn = HP, HN


@inner
def _swap(words, rows, at, masks, first, last, v, every):  # type: ignore[no-untyped-def]
    stride = (len(every) + 1) * LANES
    allow = fill(~np.uint64(0))
    for j in range(first, last):
        letters = loads(masks, j * stride, LANES, every)
        hp = load(masks, j * stride + stride - LANES)
        eq_a = d0_a = o1 = hn = fill(np.uint64(0))
        for w in range(words):
            k = w * 5 * LANES
            eq = ~mismatch(rows, at + w * (stride - LANES), LANES, letters)
            VP, VN, D0, O2, o1, hn, hp, _ = swap_word(
                eq, allow, load(v, k), load(v, k + LANES), load(v, k + 2 * LANES), load(v, k + 3 * LANES),
                load(v, k + 4 * LANES), eq_a, d0_a, o1, hn, hp,
            )  # fmt: skip
            store(v, k, VP)
            store(v, k + LANES, VN)
            store(v, k + 2 * LANES, D0)
            store(v, k + 3 * LANES, O2)
            store(v, k + 4 * LANES, eq)
            eq_a, d0_a = eq, D0


@njit(nogil=True, cache=True)
def begin(kind, words, v):  # type: ignore[no-untyped-def]
    """Write the state before the first column: nothing found yet (LCS), each row one more than the row above."""
    size = len(kind) * LANES
    for w in range(words):
        for k in range(size):
            v[w * size + k] = ~np.uint64(0) if k < LANES else np.uint64(0)
