"""Recomputation of blocks from stored states, with the log for a traceback through them.

Each lane of a recomputed strip processes its own columns along the path.

A path crosses the rows of one lane in few columns, a small part of its columns in the strip. The carries between lanes
were stored (``MatrixState.marks``), so no lane waits for its neighbour. All lanes start at once where the path probably
crosses their rows, from states stored at different columns. If the guess is wrong, the traceback stops and repeats from
there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words, aligned_words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.kernels.pairwise.blocks.block_worker import copy_words
from wavediff.core.kernels.pairwise.blocks.cell_traceback import TRACE_SLACK_BYTES, trace_strip
from wavediff.core.kernels.pairwise.blocks.matrix_plan import (
    CARRY_WORDS,
    MatrixPlan,
    MatrixState,
    mark_row,
    row,
    strip_workspace,
)
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS, strip_steps_skewed
from wavediff.core.kernels.pairwise.blocks.row_borders import ROW_LOG_STEPS, carry
from wavediff.core.kernels.pairwise.blocks.strip import StepLog, run_steps, strip_of
from wavediff.core.kernels.traceback.runs_from_trace import runs_of_trace

# Columns that the path may lie aside of the straight line, times the square root of the rows to there: what makes the
# fewest steps, those that are done again where it came elsewhere included.
LCS_ASIDE, EDIT_ASIDE = 6.0, 4.5


class LaneOffsets(NamedTuple):
    """Per-lane column data.

    first: step at which each lane starts, int64, shape (LANES,). letters: for each stream of ``MatrixPlan.columns``,
    ``stride`` words apart: the words that each lane reads, last one first, ``LANES`` at a time. place: bit of the
    second word at which each lane starts. entering: carries into the lanes from above, lane k's as bit k, per step of
    each stream of a row border.
    """

    first: Counts
    letters: Words
    stride: int
    place: int
    entering: Letters


@jit_callee_no_nrt
def lane_start_steps(plan, s, i, j, end, first):  # type: ignore[no-untyped-def]
    """Write to ``first`` the start step of each lane of strip s for a traceback from node (i, j) up to row ``end``.

    Returns:
        Number of steps, the same for all lanes, after which node (i, j) is computed.
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
    """Compute ``n`` steps of strip s, each lane from ``memory.first``, logging everything."""
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
    """Write the letters of each lane; see ``LaneOffsets``. Past the end the last ones repeat."""
    for stream in range(columns.size // words):
        for k in range(LANES):
            word = ((start - first[k]) >> 6) + k + 1
            for x in range(stride // LANES):
                out[stream * stride + x * LANES + k] = columns[stream * words + max(word - x, 0)]


@jit_callee_no_nrt
def _entering(strip, streams, n, first, out):  # type: ignore[no-untyped-def]
    """Write the carries into each lane: from the upper border, or from the marks of the previous step."""
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


TRACE_COLUMNS_PER_CALL = 1 << 18  # columns that a walk may meet before it looks at Python again, where strips are short


class RecomputeBuffers(NamedTuple):
    """Log of a recomputed block: carries of every step, rows of each ``ROW_LOG_STEPS``-th step.

    first: int64, shape (LANES,): first logged step of each lane. letters, entering, edges: buffers of
    ``wavediff.core.kernels.pairwise.blocks.block_recompute``; empty if unused. masks, words: buffers of a stripe. met:
    trace codes, see ``wavediff.core.kernels.traceback.runs_from_trace.runs_of_trace``.
    """

    h: Words
    v: Words
    first: Counts
    letters: Words
    entering: Letters
    edges: Words
    masks: Words
    words: Words
    met: Letters


def recompute_buffers(
    n_delta_bits: int, depth: int, n_steps: int, code_planes: int, planes: int = 0
) -> RecomputeBuffers:
    """Allocate a log for ``n_steps`` steps, with a margin.

    Args:
        code_planes: of the letters.
        planes: of lanes with their own columns; 0: no such lanes.
    """
    apart = planes > 0
    return RecomputeBuffers(
        aligned_words(n_delta_bits * n_steps * GROUP_COLUMNS * LANES),
        aligned_words(n_delta_bits * (n_steps // ROW_LOG_STEPS + 1) * depth * LANES),
        np.zeros(LANES, np.int64),
        aligned_words(GROUP_COLUMNS * planes * (n_steps // WORD + 3) * LANES),
        np.empty(apart * n_delta_bits * n_steps * GROUP_COLUMNS, np.uint8),
        aligned_words(apart * GROUP_COLUMNS * LANES),
        np.zeros((max(256, 1 << code_planes), 1), np.uint64),
        np.empty((2, GROUP_COLUMNS * (ROW_LOG_STEPS + 1)), np.uint64),
        np.empty(depth * BITS + 2 * GROUP_COLUMNS * n_steps + TRACE_COLUMNS_PER_CALL + TRACE_SLACK_BYTES, np.uint8),
    )


@jit_callee_no_nrt
def _replay_block(plan, state, s, kept, t1, few, every, memory):  # type: ignore[no-untyped-def]
    """Recompute strip s from stored state ``kept`` to step ``t1``, logging everything; return the steps.

    The border below is written again with the same bits, which is cheaper than a scratch buffer. Bits of its last word
    that are not written again are kept.
    """
    size, carries = len(plan.delta_bits) * plan.depth * LANES, len(plan.delta_bits) * CARRY_WORDS
    t0 = (plan.first[s] + kept * plan.keep) * plan.steps
    at = plan.saved_at[s] + kept * (size + carries)
    v, h, rows = strip_workspace(plan, state, 0)
    copy_words(row(state.row_planes, s, rows.size), rows)
    copy_words(state.saved[at : at + size], v)
    copy_words(state.saved[at + size : at + size + carries], h)
    for k in range(LANES):
        memory.first[k] = t0
    strip, seen = strip_of(plan, state, s, v, h, rows), StepLog(t0, memory.v, memory.h)
    streams, behind = len(plan.delta_bits) * GROUP_COLUMNS, max(t1 - (BITS - 1) - strip.lo, 0)
    words, at, not_again = strip.below.size // streams, behind >> 6, ~np.uint64(0) << np.uint64(behind & 63)
    for stream in range(streams):
        memory.words[0, stream] = strip.below[stream * words + at] & not_again
    run_steps(strip, s, t0, t1, few, every, plan.edge, plan.rare_a, plan.rare_b, seen)
    if behind & 63:
        for stream in range(streams):
            strip.below[stream * words + at] |= memory.words[0, stream]
    return t1 - t0


@jit_no_nrt
def trace_strips(
    plan: MatrixPlan, state: MatrixState, s: int, upto: int, i: int, j: int, common: int, few: tuple[int, ...],
    every: tuple[int, ...], apart: Any, memory: RecomputeBuffers, known: int, budget: int, ops: Letters,
    lengths: Counts,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Trace back from node (i, j) through strips s to ``upto``, recomputing block by block.

    It ends at the first row of the last strip, at the output or cell limit, or if nothing was computed in the strip
    above because that ended further left.

    Args:
        common: equal letters at the front; the traceback may end there.
        few, every: see ``run_steps``.
        apart: None unless lanes may be computed in separate columns; a compile-time choice, as it doubles compilation.
        known: first logged step of strip s; -1: none.
        budget: maximum cells; 0: compute only the columns that the node needs.
        ops, lengths: output of the runs, last column first; 2 * memory.met.size + 2.

    Returns:
        (i, j, runs, recomputed blocks, their cells).
    """
    longest, unit = (
        memory.h.size // (len(plan.delta_bits) * GROUP_COLUMNS * LANES),
        plan.steps * GROUP_COLUMNS * plan.board_cols,
    )
    calls, cells, k = 0, 0, np.int64(0)  # a literal 0 would have all that takes it compiled twice
    while True:
        top, right = s * plan.depth * BITS, j
        rows = min(plan.depth * BITS, plan.rows.size - top)
        end, edge = max(top, common), max(plan.lo[s] * GROUP_COLUMNS, common)
        while i > end and j > edge and (calls == 0 or cells < budget):
            if k + i - end + GROUP_COLUMNS * longest + TRACE_SLACK_BYTES > memory.met.size:
                break
            n = longest
            if known >= 0:
                for lane in range(LANES):
                    memory.first[lane] = known
            else:
                n = longest + 1
                if apart is not None:
                    n = lane_start_steps(plan, s, i, j, end, memory.first)
                    if n <= longest:
                        recompute_skewed(plan, state, s, n, every, memory)
                if n > longest:
                    step = (j - 1) // GROUP_COLUMNS + (i - 1 - top) // plan.depth
                    kept = (step // plan.steps - plan.first[s]) // plan.keep
                    n = _replay_block(plan, state, s, kept, step + 1, few, every, memory)
                calls, cells = calls + 1, cells + n * GROUP_COLUMNS * rows
                if budget == 0:
                    break
            here = plan.delta_bits, plan.rows, plan.letters, plan.depth, top, plan.lo[s], plan.hi[s]
            i, j, k = trace_strip(here, n, i, j, end, edge, memory, k)
            known = -1
        if budget == 0:
            break
        mark_row(state.block_map, s // plan.board_rows, unit, j, right)
        if i > top or i <= common or j <= common or s == upto or cells >= budget:
            break
        if not plan.lo[s - 1] * GROUP_COLUMNS < j <= plan.hi[s - 1] * GROUP_COLUMNS:
            break
        s -= 1
    return i, j, runs_of_trace(memory.met[:k], ops, lengths), calls, cells
