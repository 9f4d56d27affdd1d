"""Edit distance as a plain call, for many short pairs and for long ones that hardly differ: one compiled function."""

from __future__ import annotations

import numpy as np
from numba import njit

from core import bits
from core.arrays import Letters, freeze
from core.jobs import EditJob, PathMethod
from core.kernels.diagonals.points import NOWHERE
from core.kernels.diagonals.probe import LEAST, probe_steps
from core.kernels.edit.run import run
from core.kernels.inner import inner
from core.kernels.steps import returned
from core.simd import WORD

SHORT_CELLS = 1 << 22
WORDS_AN_EDIT = 1 << 10  # cells, in words, for which a probe of as many edits is worth while
ONE, ZERO = np.uint64(1), np.uint64(0)


def edit_distance(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the edit distance of two uint8 arrays, letters compared as bytes."""
    distance: int = _short(a, b)
    if distance < 0:
        job = EditJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads)
        distance = returned(run(job)).distance
    return distance


@njit(nogil=True, cache=True)
def _short(a: Letters, b: Letters) -> int:
    """Return the distance, -1 where it would take long: equal ends, a few edits, then Myers' column step by words."""
    prefix = bits.common_prefix(a, b)
    a, b = a[prefix:], b[prefix:]
    suffix = bits.common_suffix(a, b)
    a, b = a[: a.size - suffix], b[: b.size - suffix]
    if a.size > b.size:
        a, b = b, a
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
    match = np.zeros((256, n_words), np.uint64)
    for i in range(a.size):
        match[a[i], i >> 6] |= ONE << np.uint64(i & 63)
    vp, vn = np.full(n_words, ~ZERO), np.zeros(n_words, np.uint64)
    n = b.size - b.size % 2
    for j in range(0, n, 2):  # two columns at once: the second does not wait for what the first hands down
        m0, m1 = match[b[j]], match[b[j + 1]]
        p0, p1, n0, n1 = ONE, ONE, ZERO, ZERO
        for w in range(n_words):
            up, down, p0, n0 = _step(vp[w], vn[w], m0[w], p0, n0)
            vp[w], vn[w], p1, n1 = _step(up, down, m1[w], p1, n1)
    for j in range(n, b.size):
        m0 = match[b[j]]
        p0, n0 = ONE, ZERO
        for w in range(n_words):
            vp[w], vn[w], p0, n0 = _step(vp[w], vn[w], m0[w], p0, n0)
    return int(b.size + bits.ones_before(vp, a.size) - bits.ones_before(vn, a.size))


@inner
def _step(vp, vn, equal, up, down):  # type: ignore[no-untyped-def]
    """Return VP and VN of a word of rows after one more column, and the steps up and down below it (0 or 1)."""
    xv = equal | vn
    equal |= down
    d0 = (((equal & vp) + vp) ^ vp) | equal | vn
    hp = vn | ~(d0 | vp)
    hn = d0 & vp
    p, n = (hp << ONE) | up, (hn << ONE) | down
    return n | ~(xv | p), p & xv, hp >> np.uint64(63), hn >> np.uint64(63)
