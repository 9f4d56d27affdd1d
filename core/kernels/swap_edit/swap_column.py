"""Bit-parallel column step of a word of rows with swaps: 64 cells in about thirty operations.

Kim, Na and Sim: ``H[i,j] = min(..., H[p-1,q-1] + (i-p-1) + 1 + (j-q-1))`` (Lowrance and Wagner), where p is the last
row before i with letter b_j and q the last column before j with letter a_i. Zhao and Sahni: only p = i-1 or q = j-1 can
win, since otherwise substitutions cost no more. Both compute scores; we use Myers' differences:

- Along a diagonal H stays or grows by one (D0: it stays), so a swap matters where it costs at most H[i-1,j-1], no less.
- q = j-1: from H[p-1,j-2] = H[p,j-1] - 1 on, the cost of a swap grows by one a row, and so it matters as long as column
  j-1 does: from row p, where a_p = b_j and D0[p,j-1] = 0, while VP[.,j-1] holds, at any row with a_i = b_{j-1}. That is
  a carry, from the rows with the one to those with the other through VP: an addition finds all of them.
- p = i-1: the same along row i-1, from a column q with b_q = a_i and D0[i-1,q] = 0, while HP[i-1,.] holds: one more
  bit a row that is kept from column to column (``O2``).

Cells where a swap matters then count as equal letters (D0 = 1). The remaining operations are Myers' column step in
Hyyro's form.
"""

from __future__ import annotations

from wavediff.core.jit.decorators import jit_inline_with_nrt
from wavediff.core.jit.lane_ops import plus, shift_left_lanes, top_bits
from wavediff.core.jit.simd import or_and, or_nor


@jit_inline_with_nrt
def swap_word(eq, allow, VP, VN, D0, O2, EQ, eq_a, d0_a, o1_a, hn_a, hp_a):  # type: ignore[no-untyped-def]
    """Process one column of the rows of each lane.

    Args:
        eq: rows whose letter is that of the column.
        allow: all ones; zeros for the edit distance without swaps.
        VP, VN, D0, O2, EQ: results of the previous column.
        eq_a ... hp_a: vectors; the top bits are those of the row above in this column (``o1_a``: the carry).

    Returns:
        VP, VN, D0, O2 for the next column (EQ is ``eq``), then O1, HN and HP for the word below, and the rows where a
        swap with q = j-1 matters.
    """
    starts = eq & ~D0 & allow
    through = VP | starts
    O1 = plus(plus(through, starts), top_bits(o1_a)) ^ through ^ starts
    down = O1 & EQ
    match = or_and(eq | down, O2, shift_left_lanes(eq, eq_a))
    reached = match | top_bits(hn_a)
    d0 = (plus(reached & VP, VP) ^ VP) | reached | VN
    HP, HN = or_nor(VN, d0, VP), d0 & VP
    up, fell = shift_left_lanes(HP, hp_a), shift_left_lanes(HN, hn_a)
    O2 = or_and(eq & ~shift_left_lanes(d0, d0_a) & allow, O2, up)
    return or_nor(fell, d0, up), d0 & up, d0, O2, or_and(starts, through, O1), HN, HP, down
