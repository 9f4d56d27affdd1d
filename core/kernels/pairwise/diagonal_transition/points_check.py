"""Verification of stored furthest points: plain extension in a window of diagonals.

The last stored points must reach the end at the reported cost and no earlier. Some other stored points are sampled:
those in a window of diagonals are extended to the next stored cost and must agree there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, LetterType, freeze
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.jit.simd import trailing_zeros
from wavediff.core.jit.unaligned import letter_shift, letters_of_word, load_u64
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import NOWHERE
from wavediff.core.kernels.pairwise.look_again import Original, Recheck, budget
from wavediff.core.sequences.characters import folding_of

CALL_SECONDS = 4e-5  # seconds that a window takes besides its points
POINT_SECONDS, LETTER_SECONDS = 3e-9, 1.2e-10  # seconds that a point and an equal letter take
KEY = "points again"
NOT_REACHED, FAR = -1, 1 << 62
# (cost, first diagonal, diagonals) -> the points of that cost, int64, ``NOWHERE`` or less where there is none.
Fetch = Callable[[int, int, int], Counts]


@jit_no_nrt
def _extend(edit, folds, a, b, table, points, low, steps, end, left, right):  # type: ignore[no-untyped-def]
    """Extend points by ``steps`` edits; each step loses the outermost diagonals.

    Args:
        folds: whether ``table`` makes different letters equal.
        points: int64, from diagonal ``low``; updated. end: diagonal of the end; outside the points: none.
        left, right: diagonals beyond which there are no points.

    Returns:
        The edits to reach the end, or ``NOT_REACHED``.
    """
    n, m, step = np.int64(a.size), np.int64(b.size), letters_of_word(a)
    first, last = 0, points.size - 1  # with points
    while first < last and points[first] == NOWHERE:
        first += 1
    while first < last and points[last] == NOWHERE:
        last -= 1
    for d in range(1, steps + 1):
        first, last = max(first - 1, d), min(last + 1, points.size - 1 - d)
        before, same = points[first - 1], points[first]
        for x in range(first, last + 1):
            k, above = low + x, points[np.uint64(x + 1)]
            i = max(before, above + 1)
            if edit:
                i = max(i, same + 1)
            before, same = same, above
            if i < 0 or k < left or k > right:
                points[np.uint64(x)] = NOWHERE
                continue
            edge = min(n, m - k)
            i = max(min(i, edge), -1)
            if i >= 0 and i + k >= 0:
                differs = np.uint64(0)
                while i + step <= edge:
                    differs = load_u64(a, i) ^ load_u64(b, i + k)
                    if differs != 0:
                        i += trailing_zeros(differs) >> letter_shift(a)
                        break
                    i += step
                while (folds or differs == 0) and i < edge and table[a[i]] == table[b[i + k]]:
                    i += 1
            points[np.uint64(x)] = i
            if k == end and i == n:
                return d
    return NOT_REACHED


def make_ready(step: Step, letter_type: LetterType = np.uint8) -> Generator[Event, None, None]:
    """Compile (or load) the check."""
    frozen = freeze(np.zeros(1, letter_type))
    points, table = np.zeros(3, np.int64), folding_of(False, frozen)
    letters = False, frozen, frozen, table
    yield from warm_up(step, "verify", variant(KEY, frozen), lambda: _extend(True, *letters, points, -1, 0, 0, -1, 1))


def least_cost(step: Step, original: Original, edit: bool, most: int) -> Generator[Event, None, int]:
    """Return the cost of two sequences, computed from the first point on; ``most`` + 1 if it is larger."""
    a, b, fold_case = original
    yield from make_ready(step, a.dtype.type)
    start, end, reach, table = perf_counter(), int(b.size) - int(a.size), most + 1, folding_of(fold_case, a, b)
    points = np.full(2 * reach + 3, NOWHERE, np.int64)
    points[reach + 1 - end + (not edit)] = -1  # of cost -1: at cost 0 diagonal 0 is extended
    reached = int(_extend(edit, fold_case, a, b, table, points, end - reach - 1, reach, end, -FAR, FAR))
    yield step.done("verify", start)
    return reach if reached == NOT_REACHED else reached - 1


def recheck(
    step: Step,
    n_delta_bits: int,
    original: Original,
    costs: list[int],
    claimed: int,
    fetch: Fetch,
    seconds: float,
    band: tuple[int, int] = (-FAR, FAR),
    leaves_band: bool = False,
) -> Generator[Event, None, Recheck]:
    """Verify stored points.

    Args:
        costs: with stored points, ascending, all less than ``claimed``, the cost of the end.
        seconds: expected for the job. band: diagonals of the stored points.
        leaves_band: points between two ``costs`` may lie outside the band.
    """
    yield from make_ready(step, original.a.dtype.type)
    start, edit, end = perf_counter(), n_delta_bits == EDIT_SIGNS, int(original.b.size) - int(original.a.size)
    letters = original.fold_case, original.a, original.b, folding_of(original.fold_case, original.a, original.b)
    limits = (-FAR, FAR) if leaves_band else band
    each = 1 if edit else 2  # every cost has every second diagonal of the LCS

    def extended(cost: int, to: int, diagonal: int) -> tuple[Any, Counts]:
        reach = to - cost
        points = np.maximum(fetch(cost, diagonal - reach - 1, 2 * reach + 3), NOWHERE)
        target = end if to == claimed else FAR
        reached = int(_extend(edit, *letters, points, diagonal - reach - 1, reach, target, *limits))
        return reached, points[reach + 1 : reach + 2]

    last = costs[-1]
    reached, _ = extended(last, claimed, end)
    value = last + reached if reached != NOT_REACHED else claimed + 1
    value = value if edit else (int(original.a.size) + int(original.b.size) - value) // 2  # the length of the LCS
    total = claimed * claimed / each
    done = (claimed - last) ** 2 / each
    yield step.done("verify", start)
    left = budget(seconds)
    random = np.random.default_rng((original.a.size, original.b.size, claimed))
    for at in random.permutation(len(costs) - 1).tolist():
        start, cost, to = perf_counter(), costs[at], costs[at + 1]
        points = (to - cost) ** 2 / each
        if points * POINT_SECONDS > left:
            break
        reach = min(to, claimed - to)  # further away nothing was kept that could come to the end
        low, high = max(end - reach, band[0]), min(end + reach, band[1])
        low += (low + to) % each
        if low > high:
            continue
        diagonal = low + each * int(random.integers((high - low) // each + 1))
        _, again = extended(cost, to, diagonal)
        kept = fetch(to, diagonal, 1)
        done += points
        left -= CALL_SECONDS + points * POINT_SECONDS
        yield step.done("verify", start)
        if max(int(again[0]), NOWHERE) != max(int(kept[0]), NOWHERE):
            return Recheck(value, 0.0, f"the point of {to:,} edits on diagonal {diagonal:,}")
    return Recheck(value, min(1.0, done / max(total, 1)))
