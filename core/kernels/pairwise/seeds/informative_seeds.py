"""Selection of the informative seeds, and of the diagonals on which most of them match."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.decorators import jit
from wavediff.core.kernels.pairwise.seeds.chain import BROKEN, Diagonals

TRIMMED_SHARE = 0.05  # of the diagonals of neighbouring seeds that are left out on each side, as met by chance
NEIGHBOURS = 64


@jit
def matched_diagonals(lowest: Diagonals, highest: Diagonals, low: int, high: int) -> tuple[int, int]:
    """Return the lowest and highest diagonal on which seeds that are met once are met, or ``low`` and ``high``.

    Args:
        lowest, highest: of the diagonals on which each seed is met.
    """
    ranked, n, whole = np.empty(NEIGHBOURS, np.int32), 0, False
    for s in range(lowest.size):
        if lowest[s] == highest[s]:
            at = n
            while at and ranked[at - 1] > lowest[s]:
                ranked[at] = ranked[at - 1]
                at -= 1
            ranked[at] = lowest[s]
            n += 1
        if n == NEIGHBOURS or (n and s == lowest.size - 1 and not whole):
            cut = int(n * TRIMMED_SHARE)
            low, high = min(low, int(ranked[cut])), max(high, int(ranked[n - 1 - cut]))
            n, whole = 0, True
    return low, high


@jit
def keep_informative(lowest: Diagonals, highest: Diagonals, low: int, high: int) -> Counts:
    """Put the diagonals of seeds that tell something to the front of ``lowest``, ``BROKEN`` for those met nowhere.

    That a seed is met on several diagonals, or beyond ``low`` and ``high``, tells nothing.

    Returns:
        int64, shape (2,): seeds that do, and how many of them are broken.
    """
    found = np.zeros(2, np.int64)
    for s in range(lowest.size):
        broken = lowest[s] > highest[s]
        if broken or (lowest[s] == highest[s] and low <= lowest[s] <= high):
            lowest[found[0]] = BROKEN if broken else lowest[s]
            found[0] += 1
            found[1] += broken
    return found
