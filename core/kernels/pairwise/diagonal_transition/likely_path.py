"""Heuristic path of similar sequences; its cost is an upper bound.

Furthest-reaching points as in ``probe``, but only on diagonals close behind the furthest one (the adaptive reduction of
Marco-Sola et al. 2021): a few per edit. It is abandoned at many edits per letter, so that it costs little for
dissimilar sequences.
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
FREE_POINTS = 1 << 14  # of every try, plus one for each two letters, and for each two passed
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
        delta_bits: selects the method, see ``wavediff.core.kernels.pairwise.blocks.method_dispatch``.
        points: int64: furthest letter of A on diagonal k at ``k + points.size // 2``; may be uninitialized.
        state: int64, shape (STATE,), initially 0: last cost, its diagonals, the diagonals in ``points``, and the work
            so far in points; updated.
        allowed: points of this call.
        lag: maximum lag of a point behind the furthest, letters of both.

    Returns:
        The cost of the path; ``GIVEN_UP``; ``UNFINISHED``: call again.
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
        left, same = points[x - 1], points[x]
        for k in range(low, high + 1, step):
            above = points[np.uint64(x + 1)]
            if edit:
                i = max(left, same + 1, above + 1)
                left, same = same, above
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
