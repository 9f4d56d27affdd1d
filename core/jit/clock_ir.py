"""CPU time stamp counter as a compiled instruction."""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import ir, types
from wavediff.core.jit.simd_ir import intrinsic
from wavediff.core.system import cpu_levels


@intrinsic(lambda: types.int64())
def clock(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the CPU's time stamp counter, int64; constant rate, synchronous on all cores.

    On x86 the time stamp counter; on ARM the virtual counter, since programs may not read the cycle counter.
    """
    word = ir.FunctionType(ir.IntType(64), ())
    if cpu_levels.is_arm():
        return builder.asm(word, "mrs $0, cntvct_el0", "=r", (), side_effect=True)
    return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", (), word), ())
