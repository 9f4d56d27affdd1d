"""Edit distance of some thousand letters: Myers' words of rows in the lanes of a vector, staggered.

Word w is at column ``t - w`` at time t (paper 2, Fig. 2), so what a word hands to the next one moves by one lane a
step: ``LANES`` words cost what one costs. Shorter pairs do not fill the lanes, longer ones the bit-sliced blocks.
So are tiles that a walk comes by, of as many rows as there are lanes.
"""

from __future__ import annotations

import numpy as np

from core.arrays import Letters
from core.jitted import inner, jit, jit_with
from core.lanes import append, hand_down, last_lane, loads, picked, plus, top_bits, with_lane
from core.simd import BITS, LANES, WORD, fill, mismatch, ones, or_nor, store

PLANES = (3, 5, 9)  # bit planes that code is compiled for
TOP_AT, ONES = np.uint64(63), ~np.uint64(0)
TOP = np.uint64(1) << TOP_AT


def lanes_distance(a: Letters, b: Letters) -> int:
    """Return the edit distance of two uint8 arrays, neither empty, letters compared as bytes."""
    table = np.empty(256, np.uint8)
    n_codes = int(_number(a, table))
    planes = next(p for p in PLANES if n_codes < 1 << p)
    return int(_distance(a, b, table, n_codes, (0,) * planes))


@jit
def _number(a: Letters, table: Letters) -> int:
    """Write a code for each letter of ``a`` to ``table``, uint8, shape (256,), and one more for all others."""
    here = np.zeros(256, np.uint8)
    for i in range(a.size):
        here[a[i]] = 1
    n_codes = 0
    for letter in range(256):
        if here[letter]:
            table[letter] = n_codes
            n_codes += 1
    for letter in range(256):
        if not here[letter]:
            table[letter] = n_codes
    return n_codes


@inner
def _step(equal, VP, VN, HP, HN, up, down):  # type: ignore[no-untyped-def]
    """Do one column of each lane; ``up`` and ``down``: words whose top bits enter the first one."""
    hp_above, hn_above = hand_down(HP, up), hand_down(HN, down)
    reached = equal | top_bits(hn_above)
    D0 = (plus(reached & VP, VP) ^ VP) | reached | VN
    HP, HN = or_nor(VN, D0, VP), D0 & VP
    up, down = append(HP, hp_above), append(HN, hn_above)
    return or_nor(down, D0, up), D0 & up, HP, HN, D0


@inner
def kept_columns(match, rows, vps, vns, ups, downs, seen, zeros):  # type: ignore[no-untyped-def]
    """Bring at most ``BITS`` rows past all columns, writing VP to ``seen`` and D0 to ``zeros`` step by step.

    Those of word w after column j are at ``(j + w) * LANES + w``.

    Args:
        match: uint64, shape (any, LANES): where a letter occurs among the rows.
        rows: of ``match``: int64, that of column j at ``columns + LANES - 1 - j``, and ``LANES`` of letters that occur
            nowhere at either end.
        vps, vns: uint64, one a word: the rows before the first column.
        ups, downs: one a column, what enters from above, 0 or 1.
    """
    n = ups.size
    VP, VN = fill(ONES), fill(np.uint64(0))  # as a lane that has not begun, and matches nothing, stays
    HP, HN = fill(np.uint64(0)), fill(np.uint64(0))
    for t in range(n + LANES - 1):
        if t < vps.size:
            VP, VN = with_lane(VP, t, vps[t]), with_lane(VN, t, vns[t])
        column = min(t, n - 1)
        up, down = ups[column] << TOP_AT, downs[column] << TOP_AT
        VP, VN, HP, HN, D0 = _step(picked(match, rows, n + LANES - 1 - t), VP, VN, HP, HN, up, down)
        store(seen, t * LANES, VP)
        store(zeros, t * LANES, D0)


@jit_with(error_model="numpy")
def _distance(a, b, table, pad, every):  # type: ignore[no-untyped-def]
    """Return the distance; ``pad``: the code of what no row has, ``every``: a tuple as long as there are planes.

    Lanes that have not begun meet ``pad`` with nothing from above, which leaves their rows as they are.
    """
    n, m = a.size, b.size
    words = m + 2 * LANES
    masks = np.empty(len(every) * words, np.uint64)  # of the letters of b, the last one first
    for x in range(words):
        j = m + LANES - 1 - x
        code = np.uint64(table[b[j]] if 0 <= j < m else pad)
        for p in range(len(every)):
            masks[p * words + x] = np.uint64(0) - ((code >> np.uint64(p)) & np.uint64(1))
    ups, downs = np.full(m + LANES, TOP, np.uint64), np.zeros(m + LANES, np.uint64)  # the border above the strip
    packed, last = np.empty(len(every) * LANES, np.uint64), np.empty(2 * LANES * LANES, np.uint64)
    total = m
    for top in range(0, n, BITS):
        packed[:] = np.uint64(0)
        for r in range(min(BITS, n - top)):
            code = np.uint64(table[a[top + r]])
            for p in range(len(every)):
                packed[p * LANES + r // WORD] |= (code >> np.uint64(p) & np.uint64(1)) << np.uint64(r % WORD)
        rows = loads(packed, 0, LANES, every)
        VP, VN = fill(ONES), fill(np.uint64(0))
        HP, HN = fill(np.uint64(0)), fill(np.uint64(0))
        for t in range(m - 1):
            equal = ~mismatch(masks, m + LANES - 1 - t, words, rows)
            VP, VN, HP, HN, _ = _step(equal, VP, VN, HP, HN, ups[t], downs[t])
            ups[max(t - (LANES - 1), 0)], downs[max(t - (LANES - 1), 0)] = last_lane(HP), last_lane(HN)
        for k in range(LANES):  # word k is past the last column after this step
            t = m - 1 + k
            equal = ~mismatch(masks, m + LANES - 1 - t, words, rows)
            VP, VN, HP, HN, _ = _step(equal, VP, VN, HP, HN, ups[t], downs[t])
            if t >= LANES - 1:
                ups[t - (LANES - 1)], downs[t - (LANES - 1)] = last_lane(HP), last_lane(HN)
            store(last, 2 * LANES * k, VP)
            store(last, 2 * LANES * k + LANES, VN)
        for k in range(min(LANES, (n - top + WORD - 1) // WORD)):
            inside = ONES >> np.uint64(max(0, WORD - (n - top - k * WORD)))
            total += ones(last[2 * LANES * k + k] & inside) - ones(last[2 * LANES * k + LANES + k] & inside)
    return total
