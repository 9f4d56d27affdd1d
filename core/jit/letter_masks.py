"""Masks of the letters among 64 neighbours that equal one letter: a vector comparison, or a few."""

# ruff: noqa: ARG001 - numba hands these functions arguments they need not use

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import ir, types
from wavediff.core.jit.simd import _I32, _I64, WORD, _item, intrinsic


@intrinsic
def equal_mask(_: Any, array: Any, index: Any, letter: Any) -> Any:
    """Return a word whose bit k is set where ``array[index + k]`` is ``letter``; 64 letters are read."""
    vector = ir.VectorType(ir.IntType(array.dtype.bitwidth), WORD)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = builder.bitcast(_item(context, builder, sig.args[0], *args[:2]), ir.PointerType(vector))
        letters = builder.load(pointer)
        letters.align = 1
        undefined = ir.Constant(vector, ir.Undefined)
        one = builder.insert_element(undefined, args[2], ir.Constant(_I32, 0))
        zeros = ir.Constant(ir.VectorType(_I32, WORD), [ir.Constant(_I32, 0)] * WORD)
        same = builder.icmp_unsigned("==", letters, builder.shuffle_vector(one, undefined, zeros))
        return builder.bitcast(same, _I64)

    return types.uint64(array, types.intp, array.dtype), build
