"""Traceback through logged bits of a piece of the matrix.

A strip's rows are recomputed from a stored state up to the right edge of the needed part (each lane from its state, see
``wavediff.core.kernels.pairwise.blocks.block_recompute``). The carries into each step are stored, and the rows at
intervals. From these any stripe of at most 64 rows can be replayed as one machine word per column, so the whole block
is never in memory.

From the end: equal letters first (optimal for each method here), then a mismatch if the method has one and it is
optimal, then up, then left. So gaps are as far left as possible. In a band only computed cells are used; no optimal
path leaves a proven band.

``words[:, at]`` are the bits of up to 64 rows after a column. LCS: no growth from the row above. Edit distance: VP and
D0 (the cell equals its upper left neighbour).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import jit, jit_callee, jit_callee_no_nrt
from wavediff.core.jit.simd import LANES, WORD, leading_zeros
from wavediff.core.jit.unaligned import letter_shift, letters_of_word, load_u64, store_u64
from wavediff.core.jobs.alignment import Op
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.blocks.row_borders import ROW_LOG_STEPS
from wavediff.core.kernels.pairwise.diagonal_transition.extend import extend_matches_back
from wavediff.core.kernels.traceback.left_align import append_run
from wavediff.core.kernels.traceback.runs_from_trace import runs_of_trace

EQUAL, INSERTION, DELETION = int(Op.EQUAL), int(Op.INSERTION), int(Op.DELETION)
ONE, ZERO, DELETIONS = np.uint64(1), np.uint64(0), np.uint64(DELETION * 0x0101010101010101)
FEW_WORDS = 2 if LANES > 2 else 1 << 30  # of rows that go word by word: vectors of two words are no faster
TRACE_SLACK_BYTES = 16  # bytes that may be written behind what is met


@jit_callee_no_nrt
def _bit(words, at, bit):  # type: ignore[no-untyped-def]
    return (words[np.uint64(at)] >> np.uint64(bit)) & ONE


@jit_callee_no_nrt
def _equal_letters(a, b, i, j):  # type: ignore[no-untyped-def]
    """Return the number of equal letters before (i, j), up to one word."""
    most = letters_of_word(a)
    if min(i, j) >= most:
        return leading_zeros(load_u64(a, i - most) ^ load_u64(b, j - most)) >> letter_shift(a)
    return i - extend_matches_back(a, b, i, j, max(0, i - most))


@jit_callee_no_nrt
def trace_matches(a, b, i, j, end, edge, met, k):  # type: ignore[no-untyped-def]
    """Trace equal letters back to row ``end`` and column ``edge`` at most; see ``trace_cells``."""
    run = most = letters_of_word(a)
    while run == most and i > end and j > edge:
        run = min(_equal_letters(a, b, i, j), i - end, j - edge)
        i, j = i - run, j - run
        met[k] = run << 2
        k += run > 0
    return i, j, k


@jit_callee_no_nrt
def _put(met, k, equal, up, op):  # type: ignore[no-untyped-def]
    """Emit ``equal`` matches, ``up`` deletions and one ``op`` (EQUAL is counted instead).

    Returns:
        (next k, equal letters not written yet).
    """
    store_u64(met, k, DELETIONS)
    for x in range(8, up):
        met[k + x] = DELETION
    met[np.uint64(k + up)] = op
    met[np.uint64(k)] = equal << 2 | (DELETION if up else op)
    more = up + (op != 0)
    k, equal = k + more, (0 if more else equal) + (op == 0)
    met[np.uint64(k)] = equal << 2
    return k + (equal >> 3), equal & 7


@jit_callee_no_nrt
def trace_cells(delta_bits, b, match, i, j, end, edge, words, top, left, place, met, k):  # type: ignore[no-untyped-def]
    """Trace from (i, j) to row ``end`` or column ``edge`` through column-wise logged bits.

    In each column it goes up until letters are equal or up is not optimal, then to the next column. So its reads do not
    depend on its unpredictable results, and only the end of a word is a branch.

    Args:
        match: uint64, shape (codes, any): match masks of the rows from row ``top``.
        words: uint64, shape (delta bits, ...), of the columns from ``left`` on; row ``top`` is bit 0.
        place: distance from a column to the next, and from a word to the one below.
        met: output from ``met[k]`` on, see ``wavediff.core.kernels.traceback.runs_from_trace.runs_of_trace``.

    Returns:
        (i, j, k).
    """
    pending = np.int64(0)
    while i > end and j > edge:
        w = (i - 1 - top) // WORD
        first = top + w * WORD
        low, r = max(end - first, 0), i - 1 - first
        while r >= low and j > edge:
            at = np.uint64((j - 1 - left) * place[0] + w * place[1])
            equal = match[b[np.uint64(j - 1)], np.uint64(w)]
            diagonal, stays = equal, ~words[0, at]
            if len(delta_bits) == EDIT_SIGNS:
                diagonal |= ~words[1, at]
            up = leading_zeros((diagonal | stays) << np.uint64(63 - r))
            if up > r - low:
                k, pending = _put(met, k, pending, r - low, DELETION)
                r = low - 1
                break
            bit = np.uint64(r - up)
            down = np.int64(diagonal >> bit & ONE)
            op = 2 - down - np.int64(equal >> bit & ONE)
            k, pending = _put(met, k, pending, up, op)
            r, j = r - up - down, j - 1
        i = first + r + 1
    met[k] = pending << 2
    return i, j, k + (pending > 0)


@jit_callee_no_nrt
def _replay_stripe(here, stripe, t0, group_from, until, memory):  # type: ignore[no-untyped-def]
    """Fill ``memory.words`` with the stripe's rows after each column, up to ``until``.

    ``group_from + stripe`` must be a step with logged rows; it may be before the first column. The match masks of the
    rows are output in ``memory.masks``.
    """
    delta_bits, a, b, depth, top, lo, hi = here
    n_delta_bits = len(delta_bits)
    seen_v, seen_h, masks, words = memory.v, memory.h, memory.masks, memory.words
    kept = (group_from + stripe - t0) // ROW_LOG_STEPS * n_delta_bits * depth * LANES
    lane, bit = stripe // WORD, stripe % WORD
    first = top + stripe * depth
    n = min(depth, a.size - first)
    v = vn = ZERO  # of the LCS; VP and VN
    for r in range(depth):
        v |= _bit(seen_v, kept + r * LANES + lane, bit) << np.uint64(r)
        if n_delta_bits == EDIT_SIGNS:
            vn |= _bit(seen_v, kept + (depth + r) * LANES + lane, bit) << np.uint64(r)
    for r in range(n):
        masks[a[np.uint64(first + r)], 0] |= ONE << np.uint64(r)
    for j in range(GROUP_COLUMNS * max(group_from, lo), until + 1):
        group = j // GROUP_COLUMNS
        d0 = ZERO
        if group < hi:
            step = (group + stripe - t0) * n_delta_bits * GROUP_COLUMNS * LANES + (j % GROUP_COLUMNS) * LANES + lane
            equal = masks[b[np.uint64(j)], 0]
            carry = _bit(seen_h, step, bit)
            if n_delta_bits == EDIT_SIGNS:
                down = _bit(seen_h, step + GROUP_COLUMNS * LANES, bit)
                xv = equal | vn
                equal |= down
                d0 = (((equal & v) + v) ^ v) | equal | vn
                hp = ((vn | ~(d0 | v)) << ONE) | carry
                hn = ((d0 & v) << ONE) | down
                v = hn | ~(xv | hp)
                vn = hp & xv
            else:
                both = v & equal
                v = (v + both + carry) | (v & ~equal)
        at = np.uint64(j - GROUP_COLUMNS * group_from)
        words[0, at] = v
        if n_delta_bits == EDIT_SIGNS:
            words[1, at] = d0


@jit_callee_no_nrt
def trace_strip(here, n, i, j, end, edge, memory, k):  # type: ignore[no-untyped-def]
    """Trace through a recomputed strip from (i, j) until it, or its log, ends.

    Args:
        here: delta bits, rows, letters and depth of the plan; first row, first and last group of the strip.
        n: recomputed steps.
        i, j: letters of A and B left to align.
        end, edge: row and column of the end.
        memory: see ``wavediff.core.kernels.pairwise.blocks.block_recompute``; output from ``memory.met[k]`` on.

    Returns:
        (i, j, k).
    """
    delta_bits, a, b, depth, top, _, _ = here
    met = memory.met
    while i > end and j > edge:
        i, j, k = trace_matches(a, b, i, j, end, edge, met, k)
        if i == end or j == edge:
            break
        stripe = (i - 1 - top) // depth
        step, t0 = (j - 1) // GROUP_COLUMNS + stripe, memory.first[stripe // WORD]
        if not t0 <= step < t0 + n:
            break
        group = (step - t0) // ROW_LOG_STEPS * ROW_LOG_STEPS + t0 - stripe
        _replay_stripe(here, stripe, t0, group, j - 1, memory)
        first, left = top + stripe * depth, group * GROUP_COLUMNS
        upper, last = max(end, first), min(first + depth, a.size)
        i, j, k = trace_cells(
            delta_bits, b, memory.masks, i, j, upper, max(edge, left), memory.words, first, left, (1, 1), met, k
        )  # fmt: skip
        for r in range(first, last):
            memory.masks[a[np.uint64(r)], 0] = ZERO
    return i, j, k


@jit
def trace_matrix(delta_bits: Any, a: Letters, b: Letters, match: Words, words: Words) -> tuple[Letters, Counts, int]:
    """Trace through a whole small matrix from the end.

    Args:
        match: see ``match_masks``.
        words: uint64, see ``columns_log``.

    Returns:
        The operations and lengths of the runs, last column first; and the number of columns without equal letters.
    """
    met = np.empty(a.size + b.size + TRACE_SLACK_BYTES, np.uint8)
    nothing = np.int64(0)
    i, j, k = np.int64(a.size), np.int64(b.size), nothing
    place = match.shape[2], 1 + is_by_lanes(match) * LANES
    for s in range(match.shape[0] - 1, -1, -1):
        top = s * match.shape[2] * WORD
        i, j, k = trace_cells(delta_bits, b, match[s], i, j, top, nothing, words[s], top, nothing, place, met, k)
    ops, lengths = np.empty(2 * k + 4, np.uint8), np.empty(2 * k + 4, np.int64)
    runs = runs_of_trace(met[:k], ops, lengths)
    runs = append_run(ops, lengths, append_run(ops, lengths, runs, DELETION, i), INSERTION, j)
    edits = nothing
    for x in range(runs):
        edits += lengths[x] * (ops[x] != EQUAL)
    return ops[:runs], lengths[:runs], int(edits)


@jit
def match_masks(a: Letters, b: Letters) -> Words:
    """Return the match masks of ``a``, uint64, shape (strips, codes + 1, words per strip): the lanes of a vector, or
    all rows if these would hardly be filled.
    """
    highest = 0
    for i in range(a.size):
        highest = max(highest, a[i])
    for j in range(b.size):
        highest = max(highest, b[j])
    n_words = (a.size + WORD - 1) // WORD
    width = LANES if n_words > FEW_WORDS else max(n_words, 1)
    masks = np.zeros((max((n_words + width - 1) // width, 1), highest + 2, width), np.uint64)
    for w in range(n_words):
        s, lane = w // width, w % width
        for i in range(w * WORD, min(w * WORD + WORD, a.size)):
            masks[s, a[i], lane] |= ONE << np.uint64(i % WORD)
    return masks


@jit_callee_no_nrt
def is_by_lanes(match):  # type: ignore[no-untyped-def]
    """Return whether the words of a strip are vector lanes."""
    return match.shape[2] > FEW_WORDS


@jit
def columns_log(n_signs: int, match: Words, columns: int) -> Words:
    """Allocate a log for the bits of all cells, uint64, shape (strips, signs, any)."""
    return np.empty((match.shape[0], n_signs, match.shape[2] * (columns + is_by_lanes(match) * LANES)), np.uint64)


@jit_callee
def staggered(codes, nowhere):  # type: ignore[no-untyped-def]
    """Return the columns' mask indices in staggered vector order: reversed, padded with a code that matches nothing."""
    n = codes.size
    rows = np.empty(n + 2 * LANES, np.int64)
    for x in range(LANES):
        rows[x] = rows[n + LANES + x] = nowhere
    for j in range(n):
        rows[n + LANES - 1 - j] = codes[j]
    return rows
