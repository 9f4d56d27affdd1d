"""Row borders packed as bit streams, and the masks for stripes outside the matrix."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Words
from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.simd import BITS, LANES, WORD, load, store

TOP, ZERO = np.uint64(63), np.uint64(0)
ROW_LOG_STEPS = 24
EDGE_ZERO = 2 * BITS


def edge_stream() -> Words:
    """Return the bit stream whose bits above ``EDGE_ZERO`` are ones: a window of it masks one side."""
    words = np.zeros(5 * LANES + 2, np.uint64)
    words[EDGE_ZERO // 64 + 1 :] = ~np.uint64(0)
    words[EDGE_ZERO // 64] = ~np.uint64(1)
    return words


@jit_callee_no_nrt
def carry(border, streams, stream, group):  # type: ignore[no-untyped-def]
    """Return the bit of ``group`` in a stream of a packed row border of ``streams`` streams, moved to bit 63."""
    return (border[stream * (border.size // streams) + (group >> 6)] >> np.uint64(group & 63)) << TOP


@jit_callee_no_nrt
def append_carry(border, streams, stream, group, bit):  # type: ignore[no-untyped-def]
    """Append the next group's bit to a stream of a packed row border of ``streams`` streams."""
    at, place = stream * (border.size // streams) + (group >> 6), np.uint64(group & 63)
    if place == 0:
        border[at] = bit
    else:
        border[at] |= bit << place


@jit_callee_no_nrt
def checkpoint_rows(seen, step, v):  # type: ignore[no-untyped-def]
    """Write down the rows ``v`` as they enter a step, where it is one of those; see
    ``wavediff.core.kernels.pairwise.blocks.strip``."""
    if step % ROW_LOG_STEPS == 0:
        for i in range(0, v.size, LANES):
            store(seen.v, step // ROW_LOG_STEPS * v.size + i, load(v, i))


@jit_callee_no_nrt
def outside_mask(first, step, lo, hi0, hi1, out):  # type: ignore[no-untyped-def]
    """Write the stripes that are outside ``lo <= group < hi`` of the two columns of a group, each ``LANES`` words.

    Args:
        first: int64, shape (LANES,): step of each lane; this one is so many steps later.
    """
    for k in range(LANES):
        t = first[k] + step - WORD * k  # the group of the lane's first stripe; the others are behind
        left = _upwards(t - lo + 1)
        out[k] = left | ~_upwards(t - hi0 + 1)
        out[LANES + k] = left | ~_upwards(t - hi1 + 1)


@jit_callee_no_nrt
def _upwards(bit):  # type: ignore[no-untyped-def]
    """Return the word of which ``bit`` is the lowest one that is set, and all above it; none from ``WORD`` on."""
    return ~ZERO << np.uint64(max(bit, 0)) if bit < WORD else ZERO
