"""Lower bound on the cost of any path by chaining seeds.

Between two consecutive seed hits a path has at least as many gaps as the distance of their diagonals, and one edit in
each missed seed between. With insertions and deletions only, the parity of the edits is that of the diagonal distance.
Adjacent hits on one diagonal form a run; there are about two runs per edit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt

BROKEN = np.int32(2**31 - 1)  # instead of the diagonal of a seed that is met nowhere
FIRST, LAST, DIAGONAL, BEFORE, BEHIND = range(5)
MARGIN_SHARE = 64  # of a margin that it may be too wide: to know better takes longer than to compute so much more
Diagonals = npt.NDArray[np.int32]


@jit
def chain(diagonals: Diagonals, end: int, parity: bool, back: int) -> Counts:
    """Return the runs of seeds, and the cost of paths through them.

    Args:
        diagonals: of each seed's match, or ``BROKEN``; in their order in A.
        end: diagonal on which paths end; they begin on 0.
        parity: insertions and deletions only.
        back: preceding runs examined one by one; for earlier ones, only missed seeds are counted.

    Returns:
        int64, shape (5, runs): first and last seed, diagonal, and least cost before and after the run of a path that
            hits it. The first run is the start, seed -1; the last one is the end, seed ``diagonals.size``.
    """
    n_runs, before = 2, BROKEN
    for s in range(diagonals.size):
        n_runs += diagonals[s] != BROKEN and diagonals[s] != before
        before = diagonals[s]
    runs = np.zeros((5, n_runs), np.int64)
    at, before = 0, BROKEN
    runs[FIRST, 0] = runs[LAST, 0] = -1
    for s in range(diagonals.size):
        if diagonals[s] != BROKEN:
            if diagonals[s] != before:
                at += 1
                runs[FIRST, at], runs[DIAGONAL, at] = s, diagonals[s]
            runs[LAST, at] = s
        before = diagonals[s]
    runs[FIRST, -1] = runs[LAST, -1] = diagonals.size
    runs[DIAGONAL, -1] = end
    far = np.empty(n_runs, np.int64)  # the least cost less seeds of all runs up to each, or from each on
    far[0] = runs[BEFORE, 0] - runs[LAST, 0]
    for t in range(1, n_runs):
        first, others = max(0, t - back), runs[FIRST, t] - 1
        best = far[max(0, first - 1)] + others
        for s in range(t - 1, first - 1, -1):
            if far[s] + others >= best:  # none so far away leads here for less
                break
            missed, apart = others - runs[LAST, s], abs(runs[DIAGONAL, t] - runs[DIAGONAL, s])
            best = min(best, runs[BEFORE, s] + _between(missed, apart, parity))
        runs[BEFORE, t], far[t] = best, min(far[t - 1], best - runs[LAST, t])
    far[-1] = runs[BEHIND, -1] + runs[FIRST, -1]
    for s in range(n_runs - 2, -1, -1):
        last, others = min(n_runs - 1, s + back), runs[LAST, s] + 1
        best = far[min(n_runs - 1, last + 1)] - others
        for t in range(s + 1, last + 1):
            if far[t] - others >= best:
                break
            missed, apart = runs[FIRST, t] - others, abs(runs[DIAGONAL, t] - runs[DIAGONAL, s])
            best = min(best, runs[BEHIND, t] + _between(missed, apart, parity))
        runs[BEHIND, s], far[s] = best, min(far[s + 1], best + runs[FIRST, s])
    return runs


@jit_callee_no_nrt
def _between(missed, apart, parity):  # type: ignore[no-untyped-def]
    cost = max(missed, apart)
    return cost + ((cost - apart) & 1) if parity else cost


@jit
def least_margin(runs: Counts, edits: int) -> int:
    """Return how far a path of at most ``edits`` edits may leave the diagonals of the seeds, or little more."""
    n_runs = runs.shape[1]
    before, behind = runs[BEFORE].copy(), runs[BEHIND].copy()
    for s in range(n_runs - 2, -1, -1):
        before[s] = min(before[s], before[s + 1])
    for t in range(1, n_runs):
        behind[t] = min(behind[t], behind[t - 1])
    few, enough, most = 0, 1, edits // 2 + 1
    while enough < most and _is_affordable(runs, before, behind, 2 * (enough + 1), edits):
        few, enough = enough + 1, min(2 * enough, most)
    while few + few // MARGIN_SHARE < enough:  # the least margin that makes it too dear to leave, nearly
        margin = (few + enough) // 2
        if _is_affordable(runs, before, behind, 2 * (margin + 1), edits):
            few = margin + 1
        else:
            enough = margin
    return enough


@jit_callee_no_nrt
def _is_affordable(runs, before, behind, gaps, edits):  # type: ignore[no-untyped-def]
    """Return whether a path with ``gaps`` gaps between two hit seeds may have ``edits`` edits.

    It misses the seeds between; if these outnumber the gaps, each costs an edit.

    Args:
        before, behind: minimum cost before this run or any later one, and after this run or any earlier one.
    """
    n_runs = runs.shape[1]
    # So many seeds between, or fewer: the more, the fewer are left to be paid for before and behind.
    t = 0
    for s in range(n_runs):
        while t + 1 < n_runs and runs[FIRST, t + 1] <= runs[LAST, s] + gaps + 1:
            t += 1
        if before[s] + gaps + behind[t] <= edits:
            return True
    # More than that, each of which costs an edit.
    s, least = 0, np.int64(1) << 60
    for t in range(n_runs):
        while s < n_runs and runs[LAST, s] <= runs[FIRST, t] - gaps - 1:
            least = min(least, runs[BEFORE, s] - runs[LAST, s])
            s += 1
        if least + runs[BEHIND, t] + runs[FIRST, t] - 1 <= edits:
            return True
    return False
