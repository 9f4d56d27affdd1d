"""Edit distance as a plain call, for many short pairs and for long ones that hardly differ: one compiled function."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.arrays import Letters, freeze
from core.bits import ones_before
from core.jobs import EditJob, PathMethod
from core.kernels.diagonals.points import NOWHERE
from core.kernels.diagonals.probe import LEAST, probe_steps
from core.kernels.edit.lanes import lanes_distance
from core.kernels.edit.run import run
from core.kernels.edit.words import all_columns
from core.kernels.ends import match_bytes, without_ends
from core.kernels.steps import returned
from core.simd import WORD

SHORT_CELLS = 1 << 17  # more are faster in vectors
LANES_CELLS = 1 << 25  # more are faster in blocks
WORDS_AN_EDIT = 1 << 10  # cells, in words, for which a probe of as many edits is worth while


def edit_distance(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the edit distance of two uint8 arrays, letters compared as bytes."""
    distance: int = _short(a, b)
    if distance < 0 and a.size * b.size <= LANES_CELLS:
        distance = lanes_distance(a, b)
    elif distance < 0:
        job = EditJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads)
        distance = returned(run(job)).distance
    return distance


# Not nogil: to let go of the interpreter's lock costs a short pair a tenth of its time, and this takes 0.2 ms at most.
@njit(cache=True)
def _short(a: Letters, b: Letters) -> int:
    """Return the distance, -1 where it would take long: equal ends, a few edits, then Myers' column step by words."""
    a, b, _ = without_ends(a, b)
    if a.size == 0:
        return int(b.size)
    n_words = (a.size + WORD - 1) // WORD
    limit = min(n_words * b.size // WORDS_AN_EDIT, LEAST)
    if b.size - a.size <= limit:
        points = np.full(2 * limit + 3, NOWHERE, np.int64)
        found = probe_steps((0, 0), a, b, points, 0, limit + 1)
        if found >= 0:
            return int(found)
    if a.size * b.size > SHORT_CELLS:
        return -1
    vp, vn = np.full(n_words, ~np.uint64(0)), np.zeros(n_words, np.uint64)
    all_columns(match_bytes(a), b, vp, vn)
    return int(b.size + ones_before(vp, a.size) - ones_before(vn, a.size))
