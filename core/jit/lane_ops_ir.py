"""Lane operations of a ``Wide`` vector: carries within and between words.

``wavediff.core.jit.simd`` treats a vector as bits; here each lane is a word of its own, as in Myers' and Hyyro's column
steps. The carry into the lowest bit of a word is the highest bit of the same lane of another vector ("above"), so the
words of a sequence may be in one lane or in neighbouring lanes. Words have 64 bits, or fewer in vectors from
``zero_lanes``, so that several short sequences share a word.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from wavediff.core.jit.lane_ops import SHORT_REGISTERS
from wavediff.core.jit.quiet_numba import cgutils, ir, types
from wavediff.core.jit.simd import LANES, WORD
from wavediff.core.jit.simd_ir import (
    _I32,
    _I64,
    _UNDEFINED,
    Wide,
    _address,
    _all,
    _at_each,
    _funnel,
    _item,
    _loaded,
    _order,
    intrinsic,
    wide,
)


@intrinsic
def zero_lanes(_: Any, width: Any) -> Any:
    """Return ``SHORT_REGISTERS`` zero vectors with lanes of ``len(width)`` bytes."""
    lanes = Wide(8 * width.count, SHORT_REGISTERS)
    return lanes(width), lambda context, builder, sig, args: lanes.all(0)


@intrinsic
def load_like(_: Any, x: Any, array: Any, index: Any) -> Any:
    """Load from ``array[index]`` with the lane layout of ``x``."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _loaded(context, builder, sig.args[1], args[1], args[2], x)

    return x(x, array, types.intp), build


@intrinsic
def store_int32(_: Any, array: Any, index: Any, x: Any) -> Any:
    """Store the lanes of ``x`` as signed numbers in ``array``, int32, from ``index``."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = ir.VectorType(_I32, x.lanes)
        value = args[2] if x.bits == 32 else (builder.sext if x.bits < 32 else builder.trunc)(args[2], vector)
        builder.store(value, _address(context, builder, sig.args[0], args[0], args[1], vector)).align = 4
        return context.get_dummy_value()

    return types.void(array, types.intp, x), build


@intrinsic
def plus(_: Any, x: Any, y: Any) -> Any:
    """Add lanes, modulo 2 to the power of their bits."""
    return x(x, x), lambda context, builder, sig, args: builder.add(*args)


@intrinsic
def minus(_: Any, x: Any, y: Any) -> Any:
    """Subtract lanes, modulo 2 to the power of their bits."""
    return x(x, x), lambda context, builder, sig, args: builder.sub(*args)


@intrinsic
def popcounts(_: Any, x: Any) -> Any:
    """Return the number of one bits of every lane."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        signature = ir.FunctionType(x.vector, [x.vector])
        function = cgutils.get_or_insert_function(builder.module, signature, f"llvm.ctpop.v{x.lanes}i{x.bits}")
        return builder.call(function, args)

    return x(x), build


@intrinsic
def top_bits(_: Any, x: Any) -> Any:
    """Return the highest bit of every lane, 0 or 1."""
    return x(x), lambda context, builder, sig, args: builder.lshr(args[0], x.all(x.bits - 1))


@intrinsic
def movemask(_: Any, x: Any) -> Any:
    """Return the highest bits of all lanes, lane k as bit k."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = builder.trunc(builder.lshr(args[0], _all(WORD - 1)), ir.VectorType(ir.IntType(1), LANES))
        return builder.zext(builder.bitcast(bits, ir.IntType(LANES)), _I64)

    return types.uint64(wide), build


@intrinsic
def shift_left_lanes(_: Any, x: Any, above: Any) -> Any:
    """Shift each lane left by one bit; bit 0 is the highest bit of the same lane of ``above``."""
    return x(x, x), lambda context, builder, sig, args: _funnel(builder, "l", args[0], args[1], x.all(1))


@intrinsic
def bit_to_top(_: Any, x: Any, bit: Any) -> Any:
    """Shift each lane so that its bit ``len(bit)`` becomes the highest."""
    amount = WORD - 1 - len(bit)
    return wide(wide, bit), lambda context, builder, sig, args: builder.shl(args[0], _all(amount))


@intrinsic
def shift_lanes_up(_: Any, x: Any, word: Any) -> Any:
    """Shift lanes up by one; ``word`` enters lane 0."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        moved = builder.shuffle_vector(args[0], _UNDEFINED, _order([max(k - 1, 0) for k in range(LANES)]))
        return builder.insert_element(moved, args[1], ir.Constant(_I32, 0))

    return wide(wide, types.uint64), build


@intrinsic
def last_lane(_: Any, x: Any) -> Any:
    """Return the highest lane."""
    return types.uint64(wide), lambda context, builder, sig, args: builder.extract_element(
        args[0], ir.Constant(_I32, LANES - 1)
    )


@intrinsic
def load_planes(_: Any, array: Any, index: Any, stride: Any, planes: Any) -> Any:
    """Load ``len(planes)`` vectors as a tuple; vector p is ``array[index + p * stride :][:LANES]``."""
    count = len(planes)
    result = types.UniTuple(wide, count)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        read = partial(_loaded, context, builder, sig.args[0], args[0])
        return context.make_tuple(builder, result, _at_each(builder, args[1], args[2], count, read))

    return result(array, types.intp, types.intp, planes), build


@intrinsic
def with_lane(_: Any, x: Any, lane: Any, word: Any) -> Any:
    """Return ``x`` with one lane replaced."""
    return wide(wide, types.intp, types.uint64), lambda context, builder, sig, args: builder.insert_element(
        args[0], args[2], builder.trunc(args[1], _I32)
    )


@intrinsic
def lane_of(_: Any, x: Any, lane: Any) -> Any:
    """Return one lane."""
    return types.uint64(wide, types.intp), lambda context, builder, sig, args: builder.extract_element(
        args[0], builder.trunc(args[1], _I32)
    )


@intrinsic
def gather_rows(_: Any, table: Any, rows: Any, index: Any) -> Any:
    """Return the vector with lane k = ``table[rows[index + k], k]``; ``table``: uint64, shape (any, LANES)."""
    flat = types.Array(types.uint64, 1, "C")

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        words = context.make_array(sig.args[0])(context, builder, args[0]).data
        out = _UNDEFINED
        for lane in range(LANES):
            row = builder.load(_item(context, builder, flat, args[1], builder.add(args[2], ir.Constant(_I64, lane))))
            place = builder.add(builder.mul(row, ir.Constant(_I64, LANES)), ir.Constant(_I64, lane))
            out = builder.insert_element(out, builder.load(builder.gep(words, [place])), ir.Constant(_I32, lane))
        return out

    return wide(table, rows, types.intp), build


@intrinsic
def expand_mask(_: Any, array: Any, index: Any) -> Any:
    """Return the vector whose highest bit in lane k is bit k of the byte ``array[index]``, other bits 0."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        byte = builder.load(_item(context, builder, sig.args[0], *args))
        bits = byte if LANES == 8 else builder.trunc(byte, ir.IntType(LANES))
        lanes = builder.bitcast(bits, ir.VectorType(ir.IntType(1), LANES))
        return builder.select(lanes, _all(1 << WORD - 1), _all(0))

    return wide(array, types.intp), build


@intrinsic
def load_shifted(_: Any, array: Any, index: Any, stride: Any, planes: Any, amount: Any) -> Any:
    """Return ``len(planes)`` vectors as a tuple: ``WORD`` bits per lane from bit ``amount`` of a double word. Its low
    word is in ``array[index + p * stride :][LANES : 2 * LANES]``, its high word in the ``LANES`` words before."""
    count = len(planes)
    result = types.UniTuple(wide, count)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        read, by = partial(_loaded, context, builder, sig.args[0], args[0]), wide.splat(builder, args[4])
        highs = _at_each(builder, args[1], args[2], count, read)
        lows = _at_each(builder, builder.add(args[1], ir.Constant(_I64, LANES)), args[2], count, read)
        shifted = [_funnel(builder, "r", high, low, by) for high, low in zip(highs, lows, strict=True)]
        return context.make_tuple(builder, result, shifted)

    return result(array, types.intp, types.intp, planes, types.uint64), build


assert _I64.width == WORD
