"""Vectors of 8-bit or 16-bit integers as a Numba type, with the width of the machine's registers.

The type of an array says how wide the elements are: int8 or int16. Sums and differences wrap round. As in
``wavediff.core.jit.simd``, what must be known when a kernel is compiled travels as the length of a tuple.
"""

# ruff: noqa: ARG001, ARG005 - numba hands these functions arguments they need not use
from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import extending, ir, models, register_model, types
from wavediff.core.jit.simd import BITS
from wavediff.core.jit.simd_ir import _item

intrinsic: Any = extending.intrinsic
_I32, _I64 = ir.IntType(32), ir.IntType(64)


class Narrow(types.Type):
    """Numba type of a vector of ``bits``-bit integers."""

    def __init__(self, bits: int) -> None:
        self.bits, self.lanes = bits, BITS // bits
        self.element = ir.IntType(bits)
        self.vector = ir.VectorType(self.element, self.lanes)
        super().__init__(name=f"i{bits}x{self.lanes}")


@register_model(Narrow)
class _NarrowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, frontend_type: Any) -> None:
        super().__init__(manager, frontend_type, frontend_type.vector)


def _of(array: Any) -> Narrow:
    return Narrow(array.dtype.bitwidth)


def _order(lanes: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_I32, len(lanes)), [ir.Constant(_I32, k) for k in lanes])


def _splat(builder: Any, kind: Narrow, element: Any) -> Any:
    undefined = ir.Constant(kind.vector, ir.Undefined)
    one = builder.insert_element(undefined, element, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, undefined, _order([0] * kind.lanes))


def _all(kind: Narrow, value: int) -> Any:
    return ir.Constant(kind.vector, [ir.Constant(kind.element, value)] * kind.lanes)


def _address(context: Any, builder: Any, kind: Narrow, array_type: Any, array: Any, index: Any) -> Any:
    item = _item(context, builder, array_type, array, index)
    return builder.bitcast(item, ir.PointerType(kind.vector))


def _two(build: Any) -> Any:
    @intrinsic
    def apply(_: Any, x: Any, y: Any) -> Any:
        return x(x, x), lambda context, builder, sig, args: build(builder, *args)

    return apply


def _larger(builder: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.icmp_signed(">", x, y), x, y)


plus = _two(lambda builder, x, y: builder.add(x, y))
minus = _two(lambda builder, x, y: builder.sub(x, y))
both = _two(lambda builder, x, y: builder.or_(x, y))
largest = _two(_larger)


@intrinsic
def fill(_: Any, array: Any, value: Any) -> Any:
    """Return a vector with all elements ``value``, of the element type of ``array``."""
    kind = _of(array)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _splat(builder, kind, builder.trunc(args[1], kind.element))

    return kind(array, types.int64), build


@intrinsic
def load(_: Any, array: Any, index: Any) -> Any:
    """Load the vector at ``array[index]``, unaligned."""
    kind = _of(array)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = builder.load(_address(context, builder, kind, sig.args[0], *args))
        value.align = kind.bits // 8
        return value

    return kind(array, types.intp), build


@intrinsic
def store(_: Any, array: Any, index: Any, x: Any) -> Any:
    """Store ``x`` at ``array[index]``."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = _address(context, builder, sig.args[2], sig.args[0], args[0], args[1])
        builder.store(args[2], place).align = sig.args[2].bits // 8
        return context.get_dummy_value()

    return types.void(array, types.intp, x), build


@intrinsic
def push(_: Any, x: Any, array: Any, index: Any) -> Any:
    """Shift ``x`` up by one lane; ``array[index]`` enters lane 0."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        element = builder.load(_item(context, builder, sig.args[1], args[1], args[2]))
        lanes = sig.args[0].lanes
        return builder.shuffle_vector(
            _splat(builder, sig.args[0], element), args[0], _order([0, *range(lanes, 2 * lanes - 1)])
        )

    return x(x, array, types.intp), build


@intrinsic
def put_last(_: Any, array: Any, index: Any, x: Any) -> Any:
    """Set ``array[index]`` to the highest lane of ``x``."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        element = builder.extract_element(args[2], ir.Constant(_I32, sig.args[2].lanes - 1))
        builder.store(element, _item(context, builder, sig.args[0], args[0], args[1]))
        return context.get_dummy_value()

    return types.void(array, types.intp, x), build


@intrinsic
def load_skewed(_: Any, array: Any, index: Any, ring: Any, t: Any, stages: Any) -> Any:
    """Return a vector whose lane k is lane k of ``load(array, index)`` k calls ago.

    Stage p holds back the lanes whose number has bit p set, by 2^p calls.

    Args:
        ring: as many elements as a vector has, squared; t: number of the call.
        stages: a tuple as long as the number of a lane has bits.
    """
    kind = _of(array)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        size = kind.bits // 8

        def place(k: Any) -> Any:
            begin = _item(context, builder, sig.args[2], args[2], builder.mul(k, ir.Constant(_I64, kind.lanes)))
            return builder.bitcast(begin, ir.PointerType(kind.vector))

        value = builder.load(_address(context, builder, kind, sig.args[0], args[0], args[1]))
        value.align = size
        for p in range(len(sig.args[4])):
            delay = 1 << p
            turn = builder.and_(args[3], ir.Constant(_I64, delay - 1))
            slot = place(builder.add(turn, ir.Constant(_I64, delay - 1)))
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
        kind = sig.args[0]
        lanes = ir.Constant(kind.vector, [ir.Constant(kind.element, k) for k in range(kind.lanes)])
        first, last = (_splat(builder, kind, builder.trunc(args[k], kind.element)) for k in (2, 3))
        inside = builder.and_(builder.icmp_signed(">=", lanes, first), builder.icmp_signed("<=", lanes, last))
        return builder.select(inside, args[0], args[1])

    return x(x, x, types.int64, types.int64), build


@intrinsic
def flag(_: Any, x: Any, y: Any, bit: Any) -> Any:
    """Return ``1 << len(bit)`` in lanes with equal ``x`` and ``y``, else 0."""
    value = 1 << len(bit)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        return builder.select(builder.icmp_signed("==", *args[:2]), _all(kind, value), _all(kind, 0))

    return x(x, x, bit), build
