"""Which strip a thread goes on with: paper 2's queue of ready blocks.

A thread stays with its strip, whose state is in its cache, as long as the next block of it is ready. Else it takes the
most urgent of those that are: the one whose next block has the longest chain of blocks from it to the end. Among the
last strips it leaves its own for one that is more urgent by ``PATIENCE`` blocks, so that these end together: the very
last one would be the work of one thread alone, and cores are not equally fast. Nobody waits for a thread that the
system has taken a core from while there is another strip to go on with.
"""

from __future__ import annotations

from typing import Any

from core.atomics import observe, publish, take
from core.jitted import lean_inner
from core.simd import BITS

PATIENCE = 4
NOTHING_READY = -1


@lean_inner
def _is_ready(progress, last, steps, s):  # type: ignore[no-untyped-def]
    """Whether strip s has a next block, and the strip above all that is needed for it."""
    q = observe(progress, s)
    if q >= last[s]:
        return False
    return s == 0 or observe(progress, s - 1) >= min(q + _behind(steps), last[s - 1])


@lean_inner
def _behind(steps):  # type: ignore[no-untyped-def]
    """Return by how many blocks a strip is behind the one above, at least: its stripes are staggered."""
    return (BITS - 1 + steps - 1) // steps + 1


@lean_inner
def next_strip(steps, last, progress, owner, shared, at_work, mine, me):  # type: ignore[no-untyped-def]
    """Return the strip that thread ``me`` goes on with, which is its own then.

    Args:
        steps, last: see ``core.kernels.blocks.plan.Plan``; the others ``State``.
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
        if mine < n - at_work:
            return mine
        most = mine * far + progress[mine] - PATIENCE
    elif mine >= 0:
        publish(owner, mine, 0)
        mine = -1
    top = observe(shared, 0)
    if top < n and observe(progress, top) == last[top]:
        while top < n and observe(progress, top) == last[top]:
            top += 1
        publish(shared, 0, top)  # perhaps less than another thread has just written: it is where to begin to look
    best = NOTHING_READY
    for s in range(top, min(top + at_work, n)):
        if observe(owner, s) == 0 and _is_ready(progress, last, steps, s):
            urgency = s * far + observe(progress, s)
            if urgency < most:
                best, most = s, urgency
    if best >= 0 and take(owner, best, 1) == 0:
        if _is_ready(progress, last, steps, best):
            if mine >= 0:
                publish(owner, mine, 0)
            return best
        publish(owner, best, 0)  # another thread has had it meanwhile
    if mine >= 0:
        return mine
    return n if n - top <= me else NOTHING_READY
