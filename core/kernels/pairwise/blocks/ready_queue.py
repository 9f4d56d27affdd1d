"""Queue of ready blocks (Sudo and Shinohara): chooses the strip a thread goes on with.

A thread stays with its strip, whose state is in its cache, as long as the next block of it is ready. Else it takes the
most urgent of those that are: the one whose next block has the longest chain of blocks from it to the end. Among the
last strips it leaves its own for one that is more urgent by ``SWITCH_LEAD_BLOCKS`` blocks, so that these end together:
the very last one would be the work of one thread alone, and cores are not equally fast. Nobody waits for a thread that
the system has taken a core from while there is another strip to go on with.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.atomics import fetch_add, load_acquire, store_release
from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.simd import BITS

SWITCH_LEAD_BLOCKS = 4
NOTHING_READY = -1


@jit_callee_no_nrt
def _is_ready(progress, last, steps, s):  # type: ignore[no-untyped-def]
    """Return whether strip s has a next block, and the strip above all that is needed for it."""
    q = load_acquire(progress, s)
    if q >= last[s]:
        return False
    return s == 0 or load_acquire(progress, s - 1) >= min(q + _behind(steps), last[s - 1])


@jit_callee_no_nrt
def _behind(steps):  # type: ignore[no-untyped-def]
    """Return by how many blocks a strip is behind the one above, at least: its stripes are staggered."""
    return (BITS - 1 + steps - 1) // steps + 1


@jit_callee_no_nrt
def next_strip(steps, last, progress, owner, shared, n_active, mine, me):  # type: ignore[no-untyped-def]
    """Return the strip that thread ``me`` goes on with, which is its own then.

    Args:
        steps, last: see ``wavediff.core.kernels.pairwise.blocks.matrix_plan.MatrixPlan``; the others ``State``.
        at_work: strips, from the first that is not finished on, that may be begun.
        mine: the strip it is at; -1: none.

    Returns:
        ``NOTHING_READY`` where it has to wait, and has no strip then; the number of strips where there are enough
        threads without it for all that are left.
    """
    n, far = last.size, _behind(steps)
    most: Any = n * far + last[n - 1]  # more than the urgency of any; a lower one is more urgent
    if mine == n:
        return mine
    if mine >= 0 and _is_ready(progress, last, steps, mine):
        if mine < n - n_active:
            return mine
        most = mine * far + progress[mine] - SWITCH_LEAD_BLOCKS
    elif mine >= 0:
        store_release(owner, mine, 0)
        mine = -1
    top = load_acquire(shared, 0)
    if top < n and load_acquire(progress, top) == last[top]:
        while top < n and load_acquire(progress, top) == last[top]:
            top += 1
        store_release(shared, 0, top)  # perhaps less than another thread has just written: it is where to begin to look
    best = NOTHING_READY
    for s in range(top, min(top + n_active, n)):
        if load_acquire(owner, s) == 0 and _is_ready(progress, last, steps, s):
            urgency = s * far + load_acquire(progress, s)
            if urgency < most:
                best, most = s, urgency
    if best >= 0 and fetch_add(owner, best, 1) == 0:
        if _is_ready(progress, last, steps, best):
            if mine >= 0:
                store_release(owner, mine, 0)
            return best
        store_release(owner, best, 0)  # another thread has had it meanwhile
    if mine >= 0:
        return mine
    return n if n - top <= me else NOTHING_READY
