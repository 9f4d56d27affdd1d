"""Ask for memory before it is needed: what random access waits for otherwise."""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import ir, types
from wavediff.core.jit.simd import _item, intrinsic

PREFETCH_STEPS = 32  # steps between the asking and the use


@intrinsic
def prefetch_line(_: Any, array: Any, index: Any) -> Any:
    """Bring the cache line of ``array[index]`` nearer; an index that does not exist does no harm."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        pointer = builder.bitcast(_item(context, builder, sig.args[0], *args), byte)
        signature = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], signature)
        builder.call(function, [pointer, ir.Constant(number, 0), ir.Constant(number, 3), ir.Constant(number, 1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), build
