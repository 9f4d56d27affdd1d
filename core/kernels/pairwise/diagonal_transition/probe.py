"""Follow the diagonals outward from few edits, and give up when there are many.

Source: Ukkonen 1985 (with mismatches), Myers 1986 (insertions and deletions only): furthest-reaching points for costs
0, 1, 2... About D^2 steps, so it wins where sequences hardly differ and is stopped early where they do not.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from core.arrays import Letters
from core.jit.decorators import jit, jit_callee_no_nrt
from core.jit.simd import trailing_zeros
from core.jit.unaligned import load_u64
from core.jit.warmup import warm_up
from core.jobs.events import Event, StepDone
from core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from core.kernels.pairwise.diagonal_transition.extend import extend_matches
from core.kernels.pairwise.diagonal_transition.furthest_points import (
    NOWHERE,
    UNREACHED,
    Points,
    extend_points,
    trace_points,
)
from core.kernels.pairwise.problem import J, PairProblem, ScoreSteps
from core.translate import tr_noop

POINT_SECONDS = 3e-9  # seconds that a point takes, when ways are weighed
MIN_PROBE_EDITS = 64  # edits; takes no time
SLICE_SECONDS = 0.008  # seconds between two reports
SLICE_LETTERS = 1 << 26  # slid along in as long
INITIAL_STATE = -(1 << 62), 0
LoopState = tuple[int, int]  # a diagonal, and the point on the one before at the cost before


@jit_callee_no_nrt
def _slide(a, b, i, k):  # type: ignore[no-untyped-def]
    """``slide``, which mostly ends before the eighth letter, without a call where it does."""
    if i + 8 <= a.size and i + k + 8 <= b.size:
        differs = load_u64(a, i) ^ load_u64(b, i + k)
        if differs != 0:
            return np.int64(i + trailing_zeros(differs) // 8)
    return np.int64(extend_matches(a, b, i, i + k))


@jit
def probe_steps(
    delta_bits: Any,
    a: Letters,
    b: Letters,
    points: Points,
    low: int,
    first: int,
    last: int,
    place: LoopState,
    letters: int,
) -> tuple[int, int, int, int]:
    """Extend the furthest points from cost ``first`` to ``last - 1``, or until so many letters were slid along.

    Args:
        signs: tells the method, see ``core.kernels.pairwise.blocks.method_dispatch``.
        points: int64, at first all ``NOWHERE``: furthest letter of A on diagonal k at ``k - low + 1``, of ``low`` (0 or
            less) to ``low + points.size - 3`` (0 or more); updated.
        place: where to go on with ``first``; ``INITIAL_STATE`` where none of it is done.
        letters: from one look at what was found to the next; what is all alike is slid along on every diagonal.

    Returns:
        The distance when the end was reached, else -1; the cost to go on with, which is ``last`` when all are done; and
        the ``place`` there.
    """
    n, m = a.size, b.size
    zero, high = 1 - low, low + points.size - 3
    edit = len(delta_bits) == EDIT_SIGNS
    step = 1 if edit else 2
    left = letters
    for d in range(first, last):
        k = max(low, -d)
        if not edit:
            k += (k + d) & 1
        beside = points[zero + k - 1]  # of the cost before, while its place is taken by this one
        if d == first and place[0] >= k:
            k, beside = place
        while k <= min(high, d):
            same, above = points[zero + k], points[zero + k + 1]
            if not edit:
                beside = points[zero + k - 1]
            i = max(beside, same + 1 if edit and same >= 0 else same, above + 1 if above >= 0 else above)
            beside = same
            if d == 0:
                i = np.int64(0)
            if i >= 0:
                # What lies past an edge is reached at the edge: neighbours' costs differ by one at most.
                start = min(i, n, m - k)
                i = _slide(a, b, start, k)
                left -= i - start
            points[zero + k] = i
            if i == n and i + k == m:
                return d, d, k, beside
            k += step
            if left < 0:
                return -1, d, k, beside
    return -1, last, INITIAL_STATE[0], INITIAL_STATE[1]


def name(n_delta_bits: int) -> str:
    """Return what this is called for a method of so many signs, between processes."""
    return "edit probe" if n_delta_bits == EDIT_SIGNS else "probe"


def make_ready(job_id: int, delta_bits: tuple[int, ...]) -> Generator[Event, None, None]:
    """Compile (or load) all of this."""
    yield from warm_up(job_id, "diagonals", name(len(delta_bits)), lambda: _rehearse(delta_bits, np.zeros(1, np.uint8)))


def probe(problem: PairProblem[J], delta_bits: tuple[int, ...], limit: int, edits: str) -> ScoreSteps:
    """Return the cost of the best path and append it where it is wanted, or -1 when it is more than ``limit``.

    Args:
        edits: what a path costs, in words.
    """
    n, m = int(problem.a.size), int(problem.b.size)
    if abs(n - m) > limit or limit < 4:
        return -1
    yield from make_ready(problem.job.id, delta_bits)
    points = np.full(2 * limit + 3, NOWHERE, np.int64)
    d, found, place = 0, -1, INITIAL_STATE
    while found < 0 and d <= limit:
        start = perf_counter()
        end = min(limit + 1, d + _rounds(2 * d))
        found, d, *place = probe_steps(
            delta_bits, problem.a, problem.b, points, -limit, d, end, tuple(place), SLICE_LETTERS
        )
        yield StepDone(problem.job.id, "diagonals", 1, 0, perf_counter() - start)
    if found < 0:
        return -1
    grid, block_map = problem.one_block()
    yield problem.planned(
        "diagonals",
        tr_noop("found directly along the diagonals: {n} {edits}", n=found, edits=edits),
        block_map,
        grid,
        0,
    )
    if problem.wants_path:
        yield from _remember(problem, delta_bits, found)
    return found


def _rounds(points: int) -> int:
    """Return how many costs are done between two reports when each has about this many points."""
    return max(1, int(SLICE_SECONDS / POINT_SECONDS / max(points, 100)))


def _remember(problem: PairProblem[J], delta_bits: tuple[int, ...], found: int) -> ScoreSteps:
    """Do it again and remember what leads to the end: half the points, and none of a probe that fails."""
    n, m, width = int(problem.a.size), int(problem.b.size), 2 * found + 1
    source = np.full(width, UNREACHED, np.int64)
    source[found - (m - n)] = 0
    points, seen = np.full(width + 2, NOWHERE, np.int64), np.empty((found + 1) * width, np.uint32)
    d = 0
    while d <= found:
        start = perf_counter()
        end = min(found + 1, d + _rounds(2 * min(d, found - d)))
        extend_points(delta_bits, problem.a, problem.b, source, 0, m - n, found, points, seen, d, end)
        yield StepDone(problem.job.id, "diagonals", 1, 0, perf_counter() - start)
        d = end
    start = perf_counter()
    ops, lengths = np.empty(2 * found + 1, np.uint8), np.empty(2 * found + 1, np.int64)
    runs = int(trace_points(delta_bits, problem.a, problem.b, 0, n, m - n, found, width, seen, ops, lengths, 0)[2])
    problem.pieces.append((ops[:runs], lengths[:runs]))
    yield StepDone(problem.job.id, "traceback", 1, 0, perf_counter() - start)
    return found


def _rehearse(delta_bits: tuple[int, ...], tiny: Letters) -> None:
    points, seen = np.full(5, NOWHERE, np.int64), np.empty(1, np.uint32)
    found = probe_steps(delta_bits, tiny, tiny, points, -1, 0, 1, INITIAL_STATE, SLICE_LETTERS)[0]
    extend_points(delta_bits, tiny, tiny, np.zeros(1, np.int64), 0, 0, found, points[:3], seen, 0, 1)
    trace_points(delta_bits, tiny, tiny, 0, 1, 0, found, 1, seen, np.empty(1, np.uint8), np.empty(1, np.int64), 0)
