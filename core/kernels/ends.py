"""What plain calls for short pairs begin with."""

from __future__ import annotations

import numpy as np

from core.bits import common_prefix, common_suffix
from core.jitted import inner
from core.kernels.borrowed import lent
from core.simd import WORD


@inner
def without_ends(arguments, n, names):  # type: ignore[no-untyped-def]
    """Return what is left of two arrays once equal ends are gone, the shorter one first, and how many letters they had.

    That is -1 where what came is something else, see ``lent``.
    """
    a, b = lent(arguments, n, names, 0), lent(arguments, n, names, 1)
    if min(a.size, b.size) < 0:
        return a, b, -1
    prefix = common_prefix(a, b)
    a, b = a[prefix:], b[prefix:]
    suffix = common_suffix(a, b)
    a, b = a[: a.size - suffix], b[: b.size - suffix]
    if a.size > b.size:
        a, b = b, a
    return a, b, prefix + suffix


@inner
def match_bytes(a):  # type: ignore[no-untyped-def]
    """Return where each byte occurs in ``a``, uint64, shape (256, words of rows)."""
    match = np.zeros((256, (a.size + WORD - 1) // WORD), np.uint64)
    for i in range(a.size):
        match[a[i], i // WORD] |= np.uint64(1) << np.uint64(i % WORD)
    return match
