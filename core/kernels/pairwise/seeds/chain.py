"""Lower bound on the cost of any path by chaining seeds.

Between two seeds that it hits one after the other a path has as many gaps as their diagonals are apart, and an edit in
each seed between, as it misses them; only insertions and deletions come out even or odd as the diagonals are apart.
Seeds that are hit side by side on one diagonal make a run, and runs are few: about two for each edit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt

BROKEN = np.int32(2**31 - 1)  # instead of the diagonal of a seed that is met nowhere
FIRST, LAST, DIAGONAL, BEFORE, BEHIND = range(5)
Diagonals = npt.NDArray[np.int32]


@jit
def chain(diagonals: Diagonals, end: int, parity: bool, back: int) -> Counts:
    """Return the runs of seeds, and the cost of paths through them.

    Args:
        diagonals: on which each seed is met, or ``BROKEN``; in their order in A.
        end: diagonal on which paths end; they begin on 0.
        parity: there are no mismatches.
        back: runs that are looked back at one by one; from those before, only missed seeds are counted.

    Returns:
        int64, shape (5, runs): first and last seed, diagonal, and what a path that hits the run costs at least before
        and behind it. The first run is the start, seed -1, and the last one the end, seed ``diagonals.size``.
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
    far = runs[BEFORE, 0] - runs[LAST, 0]  # the least cost less seeds of all runs that are not looked back at
    for t in range(1, n_runs):
        first = max(0, t - back)
        if first:
            far = min(far, runs[BEFORE, first - 1] - runs[LAST, first - 1])
        best = far + runs[FIRST, t] - 1
        for s in range(first, t):
            missed, apart = runs[FIRST, t] - runs[LAST, s] - 1, abs(runs[DIAGONAL, t] - runs[DIAGONAL, s])
            best = min(best, runs[BEFORE, s] + _between(missed, apart, parity))
        runs[BEFORE, t] = best
    far = runs[BEHIND, -1] + runs[FIRST, -1]
    for s in range(n_runs - 2, -1, -1):
        last = min(n_runs - 1, s + back)
        if last < n_runs - 1:
            far = min(far, runs[BEHIND, last + 1] + runs[FIRST, last + 1])
        best = far - runs[LAST, s] - 1
        for t in range(s + 1, last + 1):
            missed, apart = runs[FIRST, t] - runs[LAST, s] - 1, abs(runs[DIAGONAL, t] - runs[DIAGONAL, s])
            best = min(best, runs[BEHIND, t] + _between(missed, apart, parity))
        runs[BEHIND, s] = best
    return runs


@jit_callee_no_nrt
def _between(missed, apart, parity):  # type: ignore[no-untyped-def]
    """Return the minimum cost between two hit seeds."""
    cost = max(missed, apart)
    return cost + ((cost - apart) & 1) if parity else cost


@jit
def lower_bound_with_gaps(runs: Counts, gaps: int) -> int:
    """Return the minimum cost of a path with ``gaps`` gaps between two hit seeds.

    It misses the seeds between; where they are more than the gaps, it costs as many edits.
    """
    n_runs = runs.shape[1]
    before, behind = runs[BEFORE].copy(), runs[BEHIND].copy()
    for s in range(n_runs - 2, -1, -1):
        before[s] = min(before[s], before[s + 1])
    for t in range(1, n_runs):
        behind[t] = min(behind[t], behind[t - 1])
    best = np.int64(1) << 60
    # So many seeds between, or fewer: the more, the fewer are left to be paid for before and behind.
    t = 0
    for s in range(n_runs):
        while t + 1 < n_runs and runs[FIRST, t + 1] <= runs[LAST, s] + gaps + 1:
            t += 1
        best = min(best, before[s] + gaps + behind[t])
    # More than that, each of which costs an edit.
    s, least = 0, np.int64(1) << 60
    for t in range(n_runs):
        while s < n_runs and runs[LAST, s] <= runs[FIRST, t] - gaps - 1:
            least = min(least, runs[BEFORE, s] - runs[LAST, s])
            s += 1
        best = min(best, least + runs[BEHIND, t] + runs[FIRST, t] - 1)
    return int(best)
