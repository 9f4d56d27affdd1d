"""Operations on vectors of 8-bit or 16-bit integers: ``Wide`` vectors with lanes of the array's element width.

As in ``wavediff.core.jit.simd``, compile-time constants are tuple lengths.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import ir, types
from wavediff.core.jit.simd_ir import _I32, _I64, Wide, _address, _item, _loaded, _order, intrinsic


def _of(array: Any) -> Wide:
    return Wide(array.dtype.bitwidth)


@intrinsic(lambda x, y: x(x, x))
def largest(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the larger of each two lanes, as signed numbers."""
    return builder.select(builder.icmp_signed(">", *args), *args)


@intrinsic(lambda array, value: _of(array)(array, types.int64))
def fill(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return a vector with all elements ``value``, of the element type of ``array``."""
    kind = _of(kinds[0])
    return kind.splat(builder, builder.trunc(args[1], kind.item))


@intrinsic(lambda array, index: _of(array)(array, types.intp))
def load(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Load the vector at ``array[index]``, unaligned."""
    return _loaded(context, builder, kinds[0], args[0], args[1], _of(kinds[0]))


@intrinsic(lambda x, array, index: x(x, array, types.intp))
def push(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Shift ``x`` up by one lane; ``array[index]`` enters lane 0."""
    x, array, _ = kinds
    element = builder.load(_item(context, builder, array, args[1], args[2]))
    return builder.shuffle_vector(x.splat(builder, element), args[0], _order([0, *range(x.lanes, 2 * x.lanes - 1)]))


@intrinsic(lambda array, index, x: types.void(array, types.intp, x))
def put_last(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    """Set ``array[index]`` to the highest lane of ``x``."""
    element = builder.extract_element(args[2], ir.Constant(_I32, kinds[2].lanes - 1))
    builder.store(element, _item(context, builder, kinds[0], args[0], args[1]))


@intrinsic(lambda array, index, ring, t, stages: _of(array)(array, types.intp, ring, types.intp, stages))
def load_skewed(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return a vector whose lane k is lane k of ``load(array, index)`` k calls ago.

    Stage p delays the lanes whose number has bit p set, by 2^p calls. ``ring`` has as many elements as a vector has,
    squared; ``t`` is the number of the call; ``stages`` is a tuple with one element per bit of a lane number.
    """
    array, _, ring, _, stages = kinds
    kind = _of(array)
    size = kind.bits // 8
    value = _loaded(context, builder, array, args[0], args[1], kind)
    for p in range(len(stages)):
        delay = 1 << p
        turn = builder.and_(args[3], ir.Constant(_I64, delay - 1))
        row = builder.mul(builder.add(turn, ir.Constant(_I64, delay - 1)), ir.Constant(_I64, kind.lanes))
        slot = _address(context, builder, ring, args[2], row, kind.vector)
        before = builder.load(slot, align=size)
        builder.store(value, slot, align=size)
        chosen = [k + kind.lanes if k & delay else k for k in range(kind.lanes)]
        value = builder.shuffle_vector(value, before, _order(chosen))
    return value


@intrinsic(lambda x, other, first, last: x(x, x, types.int64, types.int64))
def within(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Select ``x`` in lanes ``first`` to ``last`` (inclusive, 0 to 127), ``other`` elsewhere."""
    x = kinds[0]
    lanes = ir.Constant(x.vector, [ir.Constant(x.item, k) for k in range(x.lanes)])
    first, last = (x.splat(builder, builder.trunc(args[k], x.item)) for k in (2, 3))
    inside = builder.and_(builder.icmp_signed(">=", lanes, first), builder.icmp_signed("<=", lanes, last))
    return builder.select(inside, args[0], args[1])


@intrinsic(lambda x, y, bit: x(x, x, bit))
def flag(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return ``1 << len(bit)`` in lanes with equal ``x`` and ``y``, else 0."""
    x, _, bit = kinds
    return builder.select(builder.icmp_signed("==", *args[:2]), x.all(1 << len(bit)), x.all(0))
