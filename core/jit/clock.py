"""The processor's clock, read inside compiled code: some ten nanoseconds, where Python's takes hundreds."""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.jit.quiet_numba import binding, ir, types
from wavediff.core.jit.simd import intrinsic

LONG_CELLS = 10**12  # of a matrix: what takes minutes has longer ticks, of which 32 bits hold a day
SINCE, BITS_PER_TICK = 2, 3  # in the counters that the threads of a job share: where ``tick`` finds what it needs
_ARM = binding.get_process_triple().startswith(("aarch64", "arm64"))


@intrinsic
def clock(_: Any) -> Any:
    """Return the processor's counter of time, int64; it runs evenly, and alike on all cores.

    On x86 the time-stamp counter; on ARM the virtual counter, as a program may not read the one of cycles.
    """

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = ir.FunctionType(ir.IntType(64), ())
        if _ARM:
            return builder.asm(word, "mrs $0, cntvct_el0", "=r", (), side_effect=True)
        return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", (), word), ())

    return types.int64(), build


def tick_bits(n_cells: int) -> int:
    """Return how many bits of the clock make a tick: about 0.1 us, and 20 us where ``n_cells`` take minutes."""
    return (0 if _ARM else 8) + (8 if n_cells > LONG_CELLS else 0)


@jit_callee_no_nrt
def tick(shared):  # type: ignore[no-untyped-def]
    """Return the ticks since ``begin_ticks`` of ``core.kernels.block_threads``, uint32 from 1 on: 0 is never."""
    return np.uint32((clock() - shared[SINCE]) >> shared[BITS_PER_TICK]) + np.uint32(1)


@jit_no_nrt
def now() -> int:
    """Return ``clock()`` to Python."""
    return clock()  # type: ignore[no-any-return]
