"""Row borders packed as bit streams, and masks for stripes outside the matrix."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Words
from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.simd import BITS, LANES, WORD, load, store

TOP, ZERO = np.uint64(63), np.uint64(0)
ROW_LOG_STEPS = 24
EDGE_ZERO = 2 * BITS


def edge_stream() -> Words:
    """Return a bit stream with ones above ``EDGE_ZERO``; a window of it masks one side."""
    words = np.zeros(5 * LANES + 2, np.uint64)
    words[EDGE_ZERO // 64 + 1 :] = ~np.uint64(0)
    words[EDGE_ZERO // 64] = ~np.uint64(1)
    return words


@jit_callee_no_nrt
def carry(border, streams, stream, group):  # type: ignore[no-untyped-def]
    """Return the bit of ``group`` in a stream of a packed row border, moved to bit 63."""
    return (border[stream * (border.size // streams) + (group >> 6)] >> np.uint64(group & 63)) << TOP


@jit_callee_no_nrt
def append_carry(border, streams, stream, group, bit):  # type: ignore[no-untyped-def]
    """Append a bit to a stream of a packed row border."""
    at, place = stream * (border.size // streams) + (group >> 6), np.uint64(group & 63)
    if place == 0:
        border[at] = bit
    else:
        border[at] |= bit << place


@jit_callee_no_nrt
def checkpoint_rows(seen, step, v):  # type: ignore[no-untyped-def]
    """Log the rows ``v`` entering a step, if it is due; see ``wavediff.core.kernels.pairwise.blocks.strip``."""
    if step % ROW_LOG_STEPS == 0:
        for i in range(0, v.size, LANES):
            store(seen.v, step // ROW_LOG_STEPS * v.size + i, load(v, i))


@jit_callee_no_nrt
def outside_mask(first, step, lo, hi0, hi1, out):  # type: ignore[no-untyped-def]
    """Write the masks of stripes outside ``lo <= group < hi`` for both columns of a group, ``LANES`` words each.

    Args:
        first: int64, shape (LANES,): step of each lane; this step comes that many steps later.
    """
    for k in range(LANES):
        t = first[k] + step - WORD * k  # the group of the lane's first stripe; the others are behind
        left = _upwards(t - lo + 1)
        out[k] = left | ~_upwards(t - hi0 + 1)
        out[LANES + k] = left | ~_upwards(t - hi1 + 1)


@jit_callee_no_nrt
def _upwards(bit):  # type: ignore[no-untyped-def]
    """Return a word with all bits from ``bit`` set; 0 from ``WORD`` on."""
    return ~ZERO << np.uint64(max(bit, 0)) if bit < WORD else ZERO
