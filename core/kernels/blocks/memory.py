"""Recompute a block from its kept state, remembering what a walk back through it asks for."""

from __future__ import annotations

import numpy as np

from core.arrays import aligned_words
from core.bits import COLUMNS
from core.kernels.blocks.advance import Planes, run_steps
from core.kernels.blocks.borders import SAVE_EVERY
from core.kernels.blocks.plan import CARRIES, Plan, State, row
from core.simd import LANES


class Memory:
    """What a recomputed block leaves for the walk: carries of every step, rows of every ``SAVE_EVERY``-th.

    Args:
        n_steps: steps that must fit.
    """

    def __init__(self, n_signs: int, depth: int, n_steps: int) -> None:
        self.h = aligned_words(n_signs * n_steps * COLUMNS * LANES)
        self.v = aligned_words(n_signs * (n_steps // SAVE_EVERY + 1) * depth * LANES)
        self.masks = np.zeros(256, np.uint64)
        self.words = np.empty((2, COLUMNS * (SAVE_EVERY + 1)), np.uint64)


def replay_block(plan: Plan, state: State, s: int, kept: int, t1: int, planes: Planes, memory: Memory) -> int:
    """Recompute strip s from its ``kept``-th kept state to step ``t1``, remembering everything.

    The border below is written again with the same bits: cheaper than a place to throw them away.

    Returns:
        The first step recomputed.
    """
    size, carries = len(plan.signs) * plan.depth * LANES, len(plan.signs) * CARRIES
    t0 = (int(plan.first[s]) + kept * plan.keep) * plan.steps
    at = int(plan.saved_at[s]) + kept * (size + carries)
    v, h = row(state.v, 0, size), row(state.h, 0, carries)
    v[:] = state.saved[at : at + size]
    h[:] = state.saved[at + size : at + size + carries]
    run_steps(plan, state, s, t0, t1, v, h, *planes, memory.v, memory.h)
    return t0
