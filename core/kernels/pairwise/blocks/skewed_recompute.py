"""A strip computed again along a path, each lane of the vectors in columns of its own.

A path comes through the rows of one lane in about as many columns, a small part of those in which it comes through the
strip. What each lane handed to the next one was kept (``State.marks``), so none has to wait for its neighbour: all
start at once, where the path is likely to come through their rows, from states that were kept at different columns.
Where it came elsewhere the walk ends and this is done again from there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.kernels.pairwise.blocks.block_worker import copy_words
from wavediff.core.kernels.pairwise.blocks.matrix_plan import CARRY_WORDS, row, strip_workspace
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS, strip_steps_skewed
from wavediff.core.kernels.pairwise.blocks.row_borders import carry
from wavediff.core.kernels.pairwise.blocks.strip import StepLog, strip_of

# Columns that the path may lie aside of the straight line, times the square root of the rows to there: what makes the
# fewest steps, those that are done again where it came elsewhere included.
LCS_ASIDE, EDIT_ASIDE = 6.0, 4.5


class LaneOffsets(NamedTuple):
    """Data that lanes read in columns of their own.

    first: step of each lane at which it starts, int64, shape (LANES,).
    letters: of the streams of ``Plan.columns``, one after the other every ``stride`` words: the words that each lane
        comes to, from the last one on, ``LANES`` a time. place: bit of the second of them at which each starts.
    entering: what enters the lanes from above, lane k's as bit k, step after step of each stream of a row border.
    """

    first: Counts
    letters: Words
    stride: int
    place: int
    entering: Letters


@jit_callee_no_nrt
def lane_start_steps(plan, s, i, j, end, first):  # type: ignore[no-untyped-def]
    """Write the step at which each lane of strip s has to start for a walk from node (i, j) up to row ``end``.

    Returns:
        The steps that all have to do; the lane of the node has done then what the node needs.
    """
    top, height = s * plan.depth * BITS, plan.depth * WORD
    last = (i - 1 - top) // height
    aside = LCS_ASIDE if len(plan.delta_bits) == LCS_SIGNS else EDIT_ASIDE
    n: Any = 0
    for k in range(last, -1, -1):
        upper, lower = max(top + k * height, end), min(i, top + (k + 1) * height)
        left = j - (i - upper) * (j / i) - aside * (i - upper) ** 0.5
        right = min(j - (i - lower) * (j / i) + aside * (i - lower) ** 0.5, float(j))
        begin = max(int(left), 0) // GROUP_COLUMNS + (upper - top) // plan.depth
        kept = max(begin // plan.steps - plan.first[s], 0) // plan.keep
        first[k] = (plan.first[s] + kept * plan.keep) * plan.steps
        stop = (max(int(right), 1) - 1) // GROUP_COLUMNS + (lower - 1 - top) // plan.depth + 1
        n = max(n, stop - first[k])
    for k in range(last + 1, LANES):
        first[k] = first[last]
    return n


@jit_callee_no_nrt
def recompute_skewed(plan, state, s, n, every, memory):  # type: ignore[no-untyped-def]
    """Do ``n`` steps of strip s, each lane from ``memory.first`` on, remembering everything."""
    n_delta_bits, sign = len(plan.delta_bits), plan.depth * LANES
    size, carries = n_delta_bits * sign, n_delta_bits * CARRY_WORDS
    (v, h, rows), first = strip_workspace(plan, state, 0), memory.first
    copy_words(row(state.row_planes, s, rows.size), rows)
    for k in range(LANES):
        kept = (first[k] // plan.steps - plan.first[s]) // plan.keep
        at = plan.saved_at[s] + kept * (size + carries)
        for x in range(k, size, LANES):
            v[x] = state.saved[at + x]
        for x in range(k, carries, LANES):
            h[x] = state.saved[at + size + x]
    strip = strip_of(plan, state, s, v, h, rows)
    stride = (n // WORD + 3) * LANES
    start = (plan.n_cols + GROUP_COLUMNS - 1) // GROUP_COLUMNS + BITS
    _letters_of(plan.columns, plan.words, start, stride, first, memory.letters)
    _entering(strip, n_delta_bits * GROUP_COLUMNS, n, first, memory.entering)
    lanes = LaneOffsets(first, memory.letters, stride, start % WORD, memory.entering)
    seen = StepLog(0, memory.v, memory.h)
    inside = True
    for k in range(LANES):
        inside &= (first[k] >= strip.lo + WORD * (k + 1) - 1) & (first[k] + n <= strip.hi1 + WORD * k)
    if inside:
        strip_steps_skewed(strip, lanes, n, every, None, seen)
    else:
        strip_steps_skewed(strip, lanes, n, every, memory.edges, seen)


@jit_callee_no_nrt
def _letters_of(columns, words, start, stride, first, out):  # type: ignore[no-untyped-def]
    """Write the letters that each lane comes to; see ``LaneOffsets``. Behind the last one those at the end again."""
    for stream in range(columns.size // words):
        for k in range(LANES):
            word = ((start - first[k]) >> 6) + k + 1
            for x in range(stride // LANES):
                out[stream * stride + x * LANES + k] = columns[stream * words + max(word - x, 0)]


@jit_callee_no_nrt
def _entering(strip, streams, n, first, out):  # type: ignore[no-untyped-def]
    """Write what enters each lane: the first from the border above, the others from the marks of the step before."""
    size = strip.marks.size // streams
    for x in range(n * streams):
        out[np.uint64(x)] = 0
    for stream in range(streams):
        reach = strip.hi1 if stream % GROUP_COLUMNS else strip.hi0
        for u in range(min(n, reach - first[0])):
            bit = carry(strip.above, streams, stream, first[0] + u - strip.above_lo) >> np.uint64(63)
            out[np.uint64(stream * n + u)] = bit
        for k in range(1, LANES):
            before, lane = first[k] - 1 - strip.lo, np.uint64(1) << np.uint64(k)
            for u in range(max(0, -before), min(n, size - before)):
                mark = np.uint64(strip.marks[np.uint64(stream * size + before + u)])
                out[np.uint64(stream * n + u)] |= mark << np.uint64(1) & lane
