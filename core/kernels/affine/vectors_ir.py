"""Operations on vectors of 8-bit or 16-bit integers: ``Wide`` vectors with lanes of the array's element width.

As in ``wavediff.core.jit.simd``, compile-time constants are tuple lengths.
"""

# ruff: noqa: ARG001 - numba hands these functions arguments they need not use
from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import ir, types
from wavediff.core.jit.simd_ir import _I32, _I64, Wide, _address, _item, _loaded, _order, intrinsic


def _of(array: Any) -> Wide:
    return Wide(array.dtype.bitwidth)


@intrinsic
def largest(_: Any, x: Any, y: Any) -> Any:
    """Return the larger of each two lanes, as signed numbers."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(builder.icmp_signed(">", *args), *args)

    return x(x, x), build


@intrinsic
def fill(_: Any, array: Any, value: Any) -> Any:
    """Return a vector with all elements ``value``, of the element type of ``array``."""
    kind = _of(array)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return kind.splat(builder, builder.trunc(args[1], kind.item))

    return kind(array, types.int64), build


@intrinsic
def load(_: Any, array: Any, index: Any) -> Any:
    """Load the vector at ``array[index]``, unaligned."""
    kind = _of(array)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _loaded(context, builder, sig.args[0], args[0], args[1], kind)

    return kind(array, types.intp), build


@intrinsic
def push(_: Any, x: Any, array: Any, index: Any) -> Any:
    """Shift ``x`` up by one lane; ``array[index]`` enters lane 0."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        element = builder.load(_item(context, builder, sig.args[1], args[1], args[2]))
        return builder.shuffle_vector(x.splat(builder, element), args[0], _order([0, *range(x.lanes, 2 * x.lanes - 1)]))

    return x(x, array, types.intp), build


@intrinsic
def put_last(_: Any, array: Any, index: Any, x: Any) -> Any:
    """Set ``array[index]`` to the highest lane of ``x``."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        element = builder.extract_element(args[2], ir.Constant(_I32, x.lanes - 1))
        builder.store(element, _item(context, builder, sig.args[0], args[0], args[1]))
        return context.get_dummy_value()

    return types.void(array, types.intp, x), build


@intrinsic
def load_skewed(_: Any, array: Any, index: Any, ring: Any, t: Any, stages: Any) -> Any:
    """Return a vector whose lane k is lane k of ``load(array, index)`` k calls ago.

    Stage p delays the lanes whose number has bit p set, by 2^p calls.

    Args:
        ring: as many elements as a vector has, squared; t: number of the call.
        stages: a tuple with one element per bit of a lane number.
    """
    kind = _of(array)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        size = kind.bits // 8

        value = _loaded(context, builder, sig.args[0], args[0], args[1], kind)
        for p in range(len(sig.args[4])):
            delay = 1 << p
            turn = builder.and_(args[3], ir.Constant(_I64, delay - 1))
            row = builder.mul(builder.add(turn, ir.Constant(_I64, delay - 1)), ir.Constant(_I64, kind.lanes))
            slot = _address(context, builder, sig.args[2], args[2], row, kind.vector)
            before = builder.load(slot)
            before.align = size
            builder.store(value, slot).align = size
            chosen = [k + kind.lanes if k & delay else k for k in range(kind.lanes)]
            value = builder.shuffle_vector(value, before, _order(chosen))
        return value

    return kind(array, types.intp, ring, types.intp, stages), build


@intrinsic
def within(_: Any, x: Any, other: Any, first: Any, last: Any) -> Any:
    """Select ``x`` in lanes ``first`` to ``last`` (inclusive, 0 to 127), ``other`` elsewhere."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lanes = ir.Constant(x.vector, [ir.Constant(x.item, k) for k in range(x.lanes)])
        first, last = (x.splat(builder, builder.trunc(args[k], x.item)) for k in (2, 3))
        inside = builder.and_(builder.icmp_signed(">=", lanes, first), builder.icmp_signed("<=", lanes, last))
        return builder.select(inside, args[0], args[1])

    return x(x, x, types.int64, types.int64), build


@intrinsic
def flag(_: Any, x: Any, y: Any, bit: Any) -> Any:
    """Return ``1 << len(bit)`` in lanes with equal ``x`` and ``y``, else 0."""
    value = 1 << len(bit)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(builder.icmp_signed("==", *args[:2]), x.all(value), x.all(0))

    return x(x, x, bit), build
