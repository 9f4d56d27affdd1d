"""Probe: O(ND) from few edits, abandoned if there are many.

Source: Ukkonen 1985 (with mismatches), Myers 1986 (insertions and deletions only): furthest-reaching points for costs
0, 1, 2... It takes about D^2 steps: fast for very similar sequences, and stopped early for others.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, LetterType
from wavediff.core.base.errors import count_noun
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition import points_check
from wavediff.core.kernels.pairwise.diagonal_transition.extend import extend_matches, slide
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import (
    NOWHERE,
    SHIFT,
    UNREACHED,
    FurthestPoints,
    Points,
    PointStore,
    extend_points,
    trace_kept,
    trace_stretch,
)
from wavediff.core.kernels.pairwise.diagonal_transition.likely_path import STATE, lead
from wavediff.core.kernels.pairwise.look_again import LookAgain
from wavediff.core.kernels.pairwise.problem import J, PairProblem, ScoreSteps

POINT_SECONDS = 2e-9  # seconds that a point takes, when ways are weighed
MIN_PROBE_EDITS = 64  # edits; takes no time
KEPT_COSTS = 64  # costs from those of which points are kept to the next: what lies between is found again
SLICE_SECONDS = 0.008  # seconds between two reports
SLICE_LETTERS = 1 << 26  # slid along in as long
INITIAL_STATE = -(1 << 62), 0
LoopState = tuple[int, int]  # a diagonal, and the point on the one before at the cost before


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
    """Extend the furthest points from cost ``first`` to ``last - 1``, or until ``letters`` letters were compared.

    Args:
        delta_bits: selects the method, see ``wavediff.core.kernels.pairwise.blocks.method_dispatch``.
        points: int64, at first all ``NOWHERE``: furthest letter of A on diagonal k at ``k - low + 1``, of ``low`` (0 or
            less) to ``low + points.size - 3`` (0 or more); updated.
        place: where to resume ``first``; at first ``INITIAL_STATE``.
        letters: maximum per call.

    Returns:
        The distance at the end, else -1; the next cost (``last`` when done); the ``place`` there.
    """
    n, m = a.size, b.size
    zero, high = 1 - low, low + points.size - 3
    edit = len(delta_bits) == EDIT_SIGNS
    step = np.int64(1 if edit else 2)
    left = letters
    i: Any
    if first == 0:
        points[zero] = extend_matches(a, b, 0, 0)
        if points[zero] == n == m:
            return 0, 0, INITIAL_STATE[0], INITIAL_STATE[1]
    for d in range(max(first, 1), last):
        k, last_k = max(low, -d), min(high, d)
        if not edit:
            k += (k + d) & 1
        x = zero + k
        prior = points[x - 1]  # of the cost before, while its place is taken by this one
        if d == first and place[0] >= k:
            k, prior = place
            x = zero + k
        above = points[x]
        while k <= last_k:
            if edit:
                same, above = above, points[np.uint64(x + 1)]
                i = max(prior, same + 1, above + 1)  # where nothing is reached, there is less than 0 still
                prior = same
            else:
                i = max(points[np.uint64(x - 1)], points[np.uint64(x + 1)] + 1)
            i, more = slide(a, b, i, k)
            left -= more
            points[np.uint64(x)] = i
            k, x = k + step, x + step  # type: ignore[assignment]
            if left < 0:
                break
        if points[zero + m - n] == n:
            return d, d, k, prior
        if left < 0:
            return -1, d, k, prior
    return -1, last, INITIAL_STATE[0], INITIAL_STATE[1]


def name(n_delta_bits: int) -> str:
    """Return the name of the kernel for a number of signs, used across processes."""
    return "edit probe" if n_delta_bits == EDIT_SIGNS else "probe"


def make_ready(
    step: Step, delta_bits: tuple[int, ...], letter_type: LetterType = np.uint8
) -> Generator[Event, None, None]:
    """Compile (or load) the probe."""
    tiny = np.zeros(1, letter_type)
    yield from warm_up(step, "diagonals", variant(name(len(delta_bits)), tiny), lambda: _rehearse(delta_bits, tiny))


def probe(problem: PairProblem[J], delta_bits: tuple[int, ...], limit: int) -> ScoreSteps:
    """Return the cost of the best path (appended if requested), or -1 if it exceeds ``limit``.

    Args:
        limit: maximum cost; a tight limit is faster, as points that cannot meet it are left out.
    """
    step, a, b = problem.step, problem.a, problem.b
    n, m = int(a.size), int(b.size)
    if len(delta_bits) != EDIT_SIGNS:
        limit -= (limit - n + m) % 2  # so many cannot be
    width = 2 * limit + 1
    if abs(n - m) > limit or limit < 1:
        return -1
    yield from make_ready(step, delta_bits, a.dtype.type)
    source = np.full(width, UNREACHED, np.int64)
    source[limit - (m - n)] = 0
    points = np.full(width + 2, NOWHERE, np.int64)
    # Memory that no one writes to is none.
    every = KEPT_COSTS
    kept, d, edits = np.zeros((limit // every + 1) * width, np.uint32), 0, -1
    while edits < 0 and d <= limit:
        start = perf_counter()
        end = min(limit + 1, d + _rounds(2 * min(d, limit - d)))
        d = int(extend_points(delta_bits, a, b, source, 0, m - n, limit, points, kept, d, end, SLICE_LETTERS, every))
        if points[limit + 1] == n:
            edits = d - 1
        yield step.done("diagonals", start)
    if edits < 0:
        return -1
    problem.look_again = _look_again(len(delta_bits), kept, width, m - n, edits)
    grid, block_map = problem.one_block()
    yield problem.planned(
        "diagonals",
        f"found directly along the diagonals: {count_noun(edits, 'edit')}",
        block_map,
        grid,
        0,
    )
    if problem.wants_path:
        start = perf_counter()
        ops, lengths = np.empty(2 * edits + 3, np.uint8), np.empty(2 * edits + 3, np.int64)
        i, j, runs = trace_kept(delta_bits, a, b, kept, width, every, edits, ops, lengths)
        problem.pieces.append((ops[:runs], lengths[:runs]))
        if i or j:
            problem.pieces.append((np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([i, j], np.int64)))
        yield step.done("traceback", start)
    return edits


def _look_again(signs: int, kept: PointStore, width: int, to: int, claimed: int) -> LookAgain:
    rows, low, costs = kept.reshape(-1, width), to - width // 2, list(range(0, max(claimed, 1), KEPT_COSTS))

    def fetch(cost: int, first: int, n: int) -> Counts:
        points = rows[cost // KEPT_COSTS].astype(np.int64) - SHIFT
        return FurthestPoints(cost, low, points).fetch(first, n)

    return lambda step, original, seconds: points_check.recheck(step, signs, original, costs, claimed, fetch, seconds)


def _rounds(points: int) -> int:
    return max(1, int(SLICE_SECONDS / POINT_SECONDS / max(points, 100)))


def _rehearse(delta_bits: tuple[int, ...], tiny: Letters) -> None:
    points, kept = np.full(5, NOWHERE, np.int64), np.zeros(1, np.uint32)
    probe_steps(delta_bits, tiny, tiny, points, -1, 0, 1, INITIAL_STATE, SLICE_LETTERS)
    lead(delta_bits, tiny, tiny, points, np.zeros(STATE, np.int64), 1, 0)
    extend_points(delta_bits, tiny, tiny, np.zeros(1, np.int64), 0, 0, 0, points[:3], kept, 0, 1, SLICE_LETTERS, 1)
    runs = np.empty(1, np.uint8), np.empty(1, np.int64)
    trace_kept(delta_bits, tiny, tiny, kept, 1, 1, 0, *runs)
    trace_stretch(delta_bits, tiny, tiny, points, 0, 0, np.zeros(2 * points.size, np.uint32), *runs, 0)
