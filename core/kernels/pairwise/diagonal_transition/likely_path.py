"""Heuristic path of similar sequences; its cost is an upper bound.

Furthest-reaching points as in ``probe``, but of those diagonals only on which one is not far behind the furthest of all
(the adaptive reduction of Marco-Sola et al. 2021): some few for each edit, whatever their number. It is given up where
edits are many for the letters that were come by, so that the try costs little where two are not alike.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition.extend import slide
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import NOWHERE, Points

MAX_LAG = 1024  # letters of both together that a point may be behind the furthest
FREE_POINTS = 1 << 14  # that every try has, beside one for each two letters that there are and that were come by
LETTERS_PER_POINT = 32  # slid along in about the time of a point
CALL_POINTS = 1 << 21  # between two reports: some milliseconds
MAX_DIAGONALS = 1 << 20
GIVEN_UP = -1
UNFINISHED = -2
STATE = 6  # numbers, see ``lead``


@jit
def lead(delta_bits: Any, a: Letters, b: Letters, points: Points, state: Counts, allowed: int, lag: int) -> int:
    """Extend the furthest points near the leading one, cost by cost.

    Args:
        signs: selects the method, see ``wavediff.core.kernels.pairwise.blocks.method_dispatch``.
        points: int64: furthest letter of A on diagonal k at ``k + points.size // 2``; need not be set.
        state: int64, shape (STATE,), zeros at first: the cost before, the diagonals that it has, those that ``points``
            has of any cost, and the points so far, with what they slid; updated.
        allowed: points of this call.
        lag: letters of both together that a point may be behind the furthest.

    Returns:
        What the path costs; ``GIVEN_UP``; ``UNFINISHED`` to be called again.
    """
    n, m, zero = a.size, b.size, np.int64(points.size // 2)
    edit = len(delta_bits) == EDIT_SIGNS
    step, end = np.int64(1 if edit else 2), zero + m - n
    cost, low, high, first, last, work = state[0], state[1], state[2], state[3], state[4], state[5]
    if cost == 0:
        points[zero - 1] = points[zero + 1] = NOWHERE
        points[zero], slid = slide(a, b, np.int64(0), np.int64(0))
        work, first, last = slid // LETTERS_PER_POINT, np.int64(-1), np.int64(1)
        if m == n == points[zero]:
            return 0
    answer: Any = np.int64(UNFINISHED)
    until = work + allowed
    while answer == UNFINISHED and work < until:
        cost, low, high = cost + 1, low - 1, high + 1
        if zero + low < 1 or zero + high + 1 >= points.size:
            answer = np.int64(GIVEN_UP)
            break
        if low <= first:
            points[zero + low - 1], first = NOWHERE, low - 1
        if high >= last:
            points[zero + high + 1], last = NOWHERE, high + 1
        x, best, all_slid = zero + low, np.int64(0), np.int64(0)
        beside, same = points[x - 1], points[x]
        for k in range(low, high + 1, step):
            above = points[np.uint64(x + 1)]
            if edit:
                i = max(beside, same + 1, above + 1)
                beside, same = same, above
            else:
                i = max(points[np.uint64(x - 1)], above + 1)
            i, slid = slide(a, b, i, k)
            all_slid += slid
            points[np.uint64(x)] = i
            best = max(best, 2 * i + k)
            x += step
        work += (high - low) // step + 1 + all_slid // LETTERS_PER_POINT
        if points[end] == n and low <= m - n <= high:
            answer = cost
        elif work > FREE_POINTS + (min(n, m) + best // 2) // 2:
            answer = np.int64(GIVEN_UP)
        while low < high and 2 * points[zero + low] + low < best - lag:
            low += step
        while low < high and 2 * points[zero + high] + high < best - lag:
            high -= step
    state[0], state[1], state[2], state[3], state[4], state[5] = cost, low, high, first, last, work
    return int(answer)


def likely_cost(step: Step, a: Letters, b: Letters, delta_bits: tuple[int, ...]) -> Generator[Event, None, int]:
    """Return the cost of the heuristic path of ``a`` and ``b``, or ``GIVEN_UP``."""
    if abs(a.size - b.size) >= MAX_DIAGONALS:
        return GIVEN_UP  # the last diagonal is none of ``points``
    most = min(a.size + b.size, MAX_DIAGONALS)
    points, state, answer = np.empty(2 * int(most) + 3, np.int64), np.zeros(STATE, np.int64), UNFINISHED
    while answer == UNFINISHED:
        start = perf_counter()
        answer = int(lead(delta_bits, a, b, points, state, CALL_POINTS, MAX_LAG))
        yield step.done("diagonals", start)
    return answer
