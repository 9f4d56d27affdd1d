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
    _wides,
    intrinsic,
    wide,
)


def _short(width: Any) -> Wide:
    return Wide(8 * width.count, SHORT_REGISTERS)


@intrinsic(lambda width: _short(width)(width))
def zero_lanes(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return ``SHORT_REGISTERS`` zero vectors with lanes of ``len(width)`` bytes."""
    return _short(kinds[0]).all(0)


@intrinsic(lambda x, array, index: x(x, array, types.intp))
def load_like(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Load from ``array[index]`` with the lane layout of ``x``."""
    return _loaded(context, builder, kinds[1], args[1], args[2], kinds[0])


@intrinsic(lambda array, index, x: types.void(array, types.intp, x))
def store_int32(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    """Store the lanes of ``x`` as signed numbers in ``array``, int32, from ``index``."""
    array, _, x = kinds
    vector = ir.VectorType(_I32, x.lanes)
    value = args[2] if x.bits == 32 else (builder.sext if x.bits < 32 else builder.trunc)(args[2], vector)
    builder.store(value, _address(context, builder, array, args[0], args[1], vector), align=4)


@intrinsic(lambda x, y: x(x, x))
def plus(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Add lanes, modulo 2 to the power of their bits."""
    return builder.add(*args)


@intrinsic(lambda x, y: x(x, x))
def minus(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Subtract lanes, modulo 2 to the power of their bits."""
    return builder.sub(*args)


@intrinsic(lambda x: x(x))
def popcounts(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the number of one bits of every lane."""
    (x,) = kinds
    signature = ir.FunctionType(x.vector, [x.vector])
    function = cgutils.get_or_insert_function(builder.module, signature, f"llvm.ctpop.v{x.lanes}i{x.bits}")
    return builder.call(function, args)


@intrinsic(lambda x: x(x))
def top_bits(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the highest bit of every lane, 0 or 1."""
    return builder.lshr(args[0], kinds[0].all(kinds[0].bits - 1))


@intrinsic(lambda x: types.uint64(wide))
def movemask(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the highest bits of all lanes, lane k as bit k."""
    bits = builder.trunc(builder.lshr(args[0], _all(WORD - 1)), ir.VectorType(ir.IntType(1), LANES))
    return builder.zext(builder.bitcast(bits, ir.IntType(LANES)), _I64)


@intrinsic(lambda x, above: x(x, x))
def shift_left_lanes(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Shift each lane left by one bit; bit 0 is the highest bit of the same lane of ``above``."""
    return _funnel(builder, "l", args[0], args[1], kinds[0].all(1))


@intrinsic(lambda x, bit: wide(wide, bit))
def bit_to_top(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Shift each lane so that its bit ``len(bit)`` becomes the highest."""
    return builder.shl(args[0], _all(WORD - 1 - len(kinds[1])))


@intrinsic(lambda x, word: wide(wide, types.uint64))
def shift_lanes_up(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Shift lanes up by one; ``word`` enters lane 0."""
    moved = builder.shuffle_vector(args[0], _UNDEFINED, _order([max(k - 1, 0) for k in range(LANES)]))
    return builder.insert_element(moved, args[1], ir.Constant(_I32, 0))


@intrinsic(lambda x: types.uint64(wide))
def last_lane(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the highest lane."""
    return builder.extract_element(args[0], ir.Constant(_I32, LANES - 1))


@intrinsic(lambda array, index, stride, planes: _wides(planes)(array, types.intp, types.intp, planes))
def load_planes(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Load ``len(planes)`` vectors as a tuple; vector p is ``array[index + p * stride :][:LANES]``."""
    read = partial(_loaded, context, builder, kinds[0], args[0])
    return _at_each(builder, args[1], args[2], len(kinds[3]), read)


@intrinsic(lambda x, lane, word: wide(wide, types.intp, types.uint64))
def with_lane(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return ``x`` with one lane replaced."""
    return builder.insert_element(args[0], args[2], builder.trunc(args[1], _I32))


@intrinsic(lambda x, lane: types.uint64(wide, types.intp))
def lane_of(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return one lane."""
    return builder.extract_element(args[0], builder.trunc(args[1], _I32))


@intrinsic(lambda table, rows, index: wide(table, rows, types.intp))
def gather_rows(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the vector with lane k = ``table[rows[index + k], k]``; ``table``: uint64, shape (any, LANES)."""
    flat = types.Array(types.uint64, 1, "C")
    words = context.make_array(kinds[0])(context, builder, args[0]).data
    out = _UNDEFINED
    for lane in range(LANES):
        row = builder.load(_item(context, builder, flat, args[1], builder.add(args[2], ir.Constant(_I64, lane))))
        place = builder.add(builder.mul(row, ir.Constant(_I64, LANES)), ir.Constant(_I64, lane))
        out = builder.insert_element(out, builder.load(builder.gep(words, [place])), ir.Constant(_I32, lane))
    return out


@intrinsic(lambda array, index: wide(array, types.intp))
def expand_mask(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the vector whose highest bit in lane k is bit k of the byte ``array[index]``, other bits 0."""
    byte = builder.load(_item(context, builder, kinds[0], *args))
    bits = byte if LANES == 8 else builder.trunc(byte, ir.IntType(LANES))
    lanes = builder.bitcast(bits, ir.VectorType(ir.IntType(1), LANES))
    return builder.select(lanes, _all(1 << WORD - 1), _all(0))


@intrinsic(
    lambda array, index, stride, planes, amount: _wides(planes)(array, types.intp, types.intp, planes, types.uint64)
)
def load_shifted(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return ``len(planes)`` vectors as a tuple: ``WORD`` bits per lane from bit ``amount`` of a double word. Its low
    word is in ``array[index + p * stride :][LANES : 2 * LANES]``, its high word in the ``LANES`` words before."""
    count, by = len(kinds[3]), wide.splat(builder, args[4])
    read = partial(_loaded, context, builder, kinds[0], args[0])
    highs = _at_each(builder, args[1], args[2], count, read)
    lows = _at_each(builder, builder.add(args[1], ir.Constant(_I64, LANES)), args[2], count, read)
    return [_funnel(builder, "r", high, low, by) for high, low in zip(highs, lows, strict=True)]


assert _I64.width == WORD
