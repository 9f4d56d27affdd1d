"""CPU clock in compiled code: about ten nanoseconds per call, hundreds in Python."""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt, made_in
from wavediff.core.system import cpu_levels

LONG_CELLS = 10**12  # of a matrix: what takes minutes has longer ticks, of which 32 bits hold a day
SINCE, BITS_PER_TICK = 2, 3  # in the counters that the threads of a job share: where ``tick`` finds what it needs
clock = made_in("wavediff.core.jit.clock_ir")("clock")


def tick_bits(n_cells: int) -> int:
    """Return the number of clock bits per tick: about 0.1 us, or 20 us if ``n_cells`` take minutes."""
    return (0 if cpu_levels.is_arm() else 8) + (8 if n_cells > LONG_CELLS else 0)


@jit_callee_no_nrt
def tick(shared):  # type: ignore[no-untyped-def]
    """Return the ticks since ``begin_ticks`` of ``core.kernels.block_threads``, uint32 from 1 (0: never)."""
    return np.uint32((clock() - shared[SINCE]) >> shared[BITS_PER_TICK]) + np.uint32(1)


@jit_no_nrt
def now() -> int:
    """Return ``clock()``, callable from Python."""
    return clock()  # type: ignore[no-any-return]
