"""Unaligned access to adjacent letters as one word.

Match masks of 64 adjacent letters against one letter, by vector comparisons.

Prefetching hides the latency of random access.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import ir, types
from wavediff.core.jit.simd import WORD
from wavediff.core.jit.simd_ir import _I32, _I64, _item, intrinsic


@intrinsic(lambda array, index: types.uint64(array, types.intp))
def load_u64(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Load 8 bytes at ``array[index]`` as a word, first byte lowest on little-endian machines."""
    pointer = builder.bitcast(_item(context, builder, kinds[0], *args), ir.PointerType(_I64))
    return builder.load(pointer, align=1)


@intrinsic(lambda array, index, word: types.void(array, types.intp, types.uint64))
def store_u64(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    """Store ``word`` in 8 bytes at ``array[index]`` (uint8); see ``load_u64``."""
    pointer = builder.bitcast(_item(context, builder, kinds[0], *args[:2]), ir.PointerType(_I64))
    builder.store(args[2], pointer, align=1)


@intrinsic(lambda array: types.int64(array))
def letters_of_word(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the number of letters of ``array`` in a word; a compile-time constant."""
    return ir.Constant(_I64, 64 // kinds[0].dtype.bitwidth)


@intrinsic(lambda array: types.int64(array))
def letter_shift(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return log2 of the bits per letter of ``array``; a compile-time constant."""
    return ir.Constant(_I64, kinds[0].dtype.bitwidth.bit_length() - 1)


@intrinsic(lambda word: types.uint64(types.uint64))
def reversed_bytes(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Reverse the bytes of ``word`` (uint64), so that words compare like their letters."""
    return builder.bswap(args[0])


@intrinsic(lambda array, index, letter: types.uint64(array, types.intp, array.dtype))
def equal_mask(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return a word with bit k set if ``array[index + k]`` is ``letter``; reads 64 letters."""
    vector = ir.VectorType(ir.IntType(kinds[0].dtype.bitwidth), WORD)
    pointer = builder.bitcast(_item(context, builder, kinds[0], *args[:2]), ir.PointerType(vector))
    letters = builder.load(pointer, align=1)
    undefined = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(undefined, args[2], ir.Constant(_I32, 0))
    zeros = ir.Constant(ir.VectorType(_I32, WORD), [ir.Constant(_I32, 0)] * WORD)
    same = builder.icmp_unsigned("==", letters, builder.shuffle_vector(one, undefined, zeros))
    return builder.bitcast(same, _I64)


def prefetch(builder: Any, pointer: Any) -> None:
    """Prefetch the cache line at ``pointer`` for reading, into every cache."""
    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    signature = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
    function = builder.module.declare_intrinsic("llvm.prefetch", [byte], signature)
    how = [ir.Constant(number, k) for k in (0, 3, 1)]  # to read, into every cache, data
    builder.call(function, [builder.bitcast(pointer, byte), *how])


@intrinsic(lambda array, index: types.void(array, types.intp))
def prefetch_line(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    """Prefetch the cache line of ``array[index]``; invalid indices are harmless."""
    prefetch(builder, _item(context, builder, kinds[0], *args))
