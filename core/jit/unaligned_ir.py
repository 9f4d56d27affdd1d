"""Unaligned access to adjacent letters as one word.

Match masks of 64 adjacent letters against one letter, by vector comparisons.

Prefetching hides the latency of random access.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import ir, types
from wavediff.core.jit.simd import WORD
from wavediff.core.jit.simd_ir import _I32, _I64, _item, intrinsic


@intrinsic
def load_u64(_: Any, array: Any, index: Any) -> Any:
    """Load 8 bytes at ``array[index]`` as a word, first byte lowest on little-endian machines."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = builder.bitcast(_item(context, builder, sig.args[0], *args), ir.PointerType(_I64))
        value = builder.load(pointer)
        value.align = 1
        return value

    return types.uint64(array, types.intp), build


@intrinsic
def store_u64(_: Any, array: Any, index: Any, word: Any) -> Any:
    """Store ``word`` in 8 bytes at ``array[index]`` (uint8); see ``load_u64``."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = builder.bitcast(_item(context, builder, sig.args[0], *args[:2]), ir.PointerType(_I64))
        builder.store(args[2], pointer).align = 1
        return context.get_dummy_value()

    return types.void(array, types.intp, types.uint64), build


@intrinsic
def letters_of_word(_: Any, array: Any) -> Any:
    """Return the number of letters of ``array`` in a word; a compile-time constant."""
    return types.int64(array), lambda *_: ir.Constant(_I64, 64 // array.dtype.bitwidth)


@intrinsic
def letter_shift(_: Any, array: Any) -> Any:
    """Return log2 of the bits per letter of ``array``; a compile-time constant."""
    return types.int64(array), lambda *_: ir.Constant(_I64, array.dtype.bitwidth.bit_length() - 1)


@intrinsic
def reversed_bytes(_: Any, word: Any) -> Any:
    """Reverse the bytes of ``word`` (uint64), so that words compare like their letters."""
    return types.uint64(types.uint64), lambda context, builder, sig, args: builder.bswap(args[0])


@intrinsic
def equal_mask(_: Any, array: Any, index: Any, letter: Any) -> Any:
    """Return a word with bit k set if ``array[index + k]`` is ``letter``; reads 64 letters."""
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


@intrinsic
def prefetch_line(_: Any, array: Any, index: Any) -> Any:
    """Prefetch the cache line of ``array[index]``; invalid indices are harmless."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        pointer = builder.bitcast(_item(context, builder, sig.args[0], *args), byte)
        signature = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], signature)
        builder.call(function, [pointer, ir.Constant(number, 0), ir.Constant(number, 3), ir.Constant(number, 1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), build
