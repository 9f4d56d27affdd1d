"""Edit distance as a plain call, for many short pairs and for long ones that hardly differ: one compiled function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from core.arrays import Letters, freeze
from core.bits import ones_before
from core.jobs import EditJob, PathMethod
from core.kernels.borrowed import entrance, side_by_side, zeros_here
from core.kernels.diagonals.points import NOWHERE
from core.kernels.diagonals.probe import LEAST, probe_steps
from core.kernels.edit.lanes import lanes_distance
from core.kernels.edit.run import run
from core.kernels.edit.words import ONE, all_columns, step
from core.kernels.ends import match_bytes, without_ends
from core.kernels.inner import inner
from core.kernels.steps import returned
from core.simd import WORD, ones

SHORT_CELLS = 1 << 17  # more are faster in vectors
LANES_CELLS = 1 << 25  # more are faster in blocks
ZERO = np.uint64(0)
WORDS_AN_EDIT = 1 << 10  # cells, in words, for which a probe of as many edits is worth while


def edit_distance(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the edit distance of two uint8 arrays, letters compared as bytes."""
    distance = _enter(a, b)
    if distance < 0:
        a, b = side_by_side(a), side_by_side(b)
        if 0 < a.size * b.size <= LANES_CELLS:
            return lanes_distance(a, b)
        job = EditJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads)
        distance = returned(run(job)).distance
    return distance


def _first(a: Letters, b: Letters) -> int:
    """Compile (or load) what is called from then on."""
    global _enter
    _enter = entrance(_short)
    return _enter(a, b)


_enter: Callable[[Letters, Letters], int] = _first


# Not nogil: to let go of the interpreter's lock costs a short pair a tenth of its time, and this takes 0.2 ms at most.
@njit(cache=True)
def _short(lent_a, lent_b):  # type: ignore[no-untyped-def]
    """Return the distance, -1 where it would take long: equal ends, a few edits, then Myers' column step by words."""
    a, b, common = without_ends(lent_a, lent_b)
    if common < 0:
        return -1
    if a.size == 0:
        return int(b.size)
    n_words = (a.size + WORD - 1) // WORD
    limit = min(n_words * b.size // WORDS_AN_EDIT, LEAST)
    if limit > 0 and b.size - a.size <= limit:
        points = np.full(2 * limit + 3, NOWHERE, np.int64)
        found = probe_steps((0, 0), a, b, points, 0, limit + 1)
        if found >= 0:
            return int(found)
    if n_words == 1 and b.size <= SHORT_CELLS // WORD:
        return int(_one_word(a, b))
    if a.size * b.size > SHORT_CELLS:
        return -1
    vp, vn = np.full(n_words, ~ZERO), np.zeros(n_words, np.uint64)
    all_columns(match_bytes(a), b, vp, vn)
    return int(b.size + ones_before(vp, a.size) - ones_before(vn, a.size))


@inner
def _one_word(a, b):  # type: ignore[no-untyped-def]
    match = zeros_here((0,))
    for i in range(a.size):
        match[a[i]] |= ONE << np.uint64(i)
    vp, vn = ~ZERO, ZERO
    for j in range(b.size):
        vp, vn, _, _, _ = step(vp, vn, match[b[j]], ONE, ZERO)
    rows = ~ZERO >> np.uint64(WORD - a.size)
    return b.size + ones(vp & rows) - ones(vn & rows)
