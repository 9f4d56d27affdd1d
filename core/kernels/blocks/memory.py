"""Recompute blocks from their kept states, remembering what a walk back through them asks for, and walk."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from core.arrays import Counts, Letters, Words, aligned_words
from core.bits import COLUMNS
from core.jitted import lean, lean_inner
from core.kernels.blocks.advance import copy_words
from core.kernels.blocks.apart import compute_apart, starts
from core.kernels.blocks.borders import SAVE_EVERY
from core.kernels.blocks.plan import CARRIES, Plan, State, mark_row, row, workplace
from core.kernels.blocks.strip import Seen, run_steps, strip_of
from core.kernels.blocks.walk import AHEAD, walk_strip
from core.simd import BITS, LANES, WORD
from core.traceback.gather import gather

MORE = 1 << 18  # columns that a walk may meet before it looks at Python again, where strips are short


class Memory(NamedTuple):
    """What a recomputed block leaves for the walk: carries of every step, rows of every ``SAVE_EVERY``-th.

    first: int64, shape (LANES,): the first of these steps, lane by lane. letters, entering, edges: room for what
    ``core.kernels.blocks.apart`` needs; empty where it is not called.
    masks, words: room for a stripe. met: for what a walk meets, see ``core.traceback.gather.gather``.
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


def memory(n_signs: int, depth: int, n_steps: int, planes: int = 0) -> Memory:
    """Return room for ``n_steps`` steps, and to walk through twice as many and once through a strip's rows, and more.

    Args:
        planes: of the letters, for lanes that are computed in columns of their own; 0: none are.
    """
    apart = planes > 0
    return Memory(
        aligned_words(n_signs * n_steps * COLUMNS * LANES),
        aligned_words(n_signs * (n_steps // SAVE_EVERY + 1) * depth * LANES),
        np.zeros(LANES, np.int64),
        aligned_words(COLUMNS * planes * (n_steps // WORD + 3) * LANES),
        np.empty(apart * n_signs * n_steps * COLUMNS, np.uint8),
        aligned_words(apart * COLUMNS * LANES),
        np.zeros((256, 1), np.uint64),
        np.empty((2, COLUMNS * (SAVE_EVERY + 1)), np.uint64),
        np.empty(depth * BITS + 2 * COLUMNS * n_steps + MORE + AHEAD, np.uint8),
    )


@lean_inner
def _replay_block(plan, state, s, kept, t1, few, every, memory):  # type: ignore[no-untyped-def]
    """Recompute strip s from its ``kept``-th kept state to step ``t1``, remembering everything; return how many steps.

    The border below is written again with the same bits: cheaper than a place to throw them away.
    """
    size, carries = len(plan.signs) * plan.depth * LANES, len(plan.signs) * CARRIES
    t0 = (plan.first[s] + kept * plan.keep) * plan.steps
    at = plan.saved_at[s] + kept * (size + carries)
    v, h, rows = workplace(plan, state, 0)
    copy_words(row(state.row_planes, s, rows.size), rows)
    copy_words(state.saved[at : at + size], v)
    copy_words(state.saved[at + size : at + size + carries], h)
    for k in range(LANES):
        memory.first[k] = t0
    strip, seen = strip_of(plan, state, s, v, h, rows), Seen(t0, memory.v, memory.h)
    run_steps(strip, s, t0, t1, few, every, plan.edge, plan.rare_a, plan.rare_b, seen)
    return t1 - t0


@lean
def walk_back(
    plan: Plan, state: State, s: int, upto: int, i: int, j: int, common: int, few: tuple[int, ...],
    every: tuple[int, ...], apart: Any, memory: Memory, known: int, budget: int, ops: Letters, lengths: Counts,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Walk from node (i, j) back through strips s to ``upto``, a block after the other computed again.

    It ends at the first row of the last one, where too much was met or computed, and where nothing was computed in the
    strip above: that ended further left.

    Args:
        common: letters at the front where the walk may end.
        few, every: see ``run_steps``.
        apart: None, or anything else where lanes may be computed in columns of their own; known while compiling, as
            that takes as long again.
        known: step from which on memory holds strip s as far as the node needs it; -1: nothing.
        budget: cells after which it returns; 0: only compute what the node needs.
        ops, lengths: where the runs go, last column first; 2 * memory.met.size + 2.

    Returns:
        (i, j, runs, blocks computed again, their cells).
    """
    longest, unit = memory.h.size // (len(plan.signs) * COLUMNS * LANES), plan.steps * COLUMNS * plan.board_cols
    calls, cells, k = 0, 0, np.int64(0)  # a literal 0 would have all that takes it compiled twice
    while True:
        top, right = s * plan.depth * BITS, j
        rows = min(plan.depth * BITS, plan.rows.size - top)
        end, edge = max(top, common), max(plan.lo[s] * COLUMNS, common)
        while i > end and j > edge and (calls == 0 or cells < budget):
            if k + i - end + COLUMNS * longest + AHEAD > memory.met.size:
                break
            n = longest
            if known >= 0:
                for lane in range(LANES):
                    memory.first[lane] = known
            else:
                n = longest + 1
                if apart is not None:
                    n = starts(plan, s, i, j, end, memory.first)
                    if n <= longest:
                        compute_apart(plan, state, s, n, every, memory)
                if n > longest:
                    step = (j - 1) // COLUMNS + (i - 1 - top) // plan.depth
                    kept = (step // plan.steps - plan.first[s]) // plan.keep
                    n = _replay_block(plan, state, s, kept, step + 1, few, every, memory)
                calls, cells = calls + 1, cells + n * COLUMNS * rows
                if budget == 0:
                    break
            here = plan.signs, plan.rows, plan.letters, plan.depth, top, plan.lo[s], plan.hi[s]
            i, j, k = walk_strip(here, n, i, j, end, edge, memory, k)
            known = -1
        if budget == 0:
            break
        mark_row(state.board, s // plan.board_rows, unit, j, right)
        if i > top or i <= common or j <= common or s == upto or cells >= budget:
            break
        if not plan.lo[s - 1] * COLUMNS < j <= plan.hi[s - 1] * COLUMNS:
            break
        s -= 1
    return i, j, gather(memory.met[:k], ops, lengths), calls, cells
