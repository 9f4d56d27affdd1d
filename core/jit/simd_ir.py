"""Machine-wide vector as a Numba type: ``LANES`` words of 64 bits, in one register if possible.

LLVM maps the type ``<LANES x i64>`` to a zmm, ymm, xmm or neon register and selects vpternlogq, vpshldq and valignq
itself, so a kernel reads like its formula. Functions here take ``Wide`` values inside ``@njit`` code only.

Counts such as the number of planes are passed as the length of a tuple, which is a compile-time constant; the value of
an integer is not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from wavediff.core.jit.quiet_numba import cgutils, extending, ir, models, overload, register_model, types
from wavediff.core.jit.simd import BITS, LANES, WORD

intrinsic: Any = extending.intrinsic

_I64, _I32 = ir.IntType(WORD), ir.IntType(32)
_VECTOR = ir.VectorType(_I64, LANES)
_UNDEFINED = ir.Constant(_VECTOR, ir.Undefined)


class Wide(types.Type):
    """Numba type of ``registers`` vectors with lanes of ``bits`` bits."""

    def __init__(self, bits: int = WORD, registers: int = 1) -> None:
        self.bits, self.lanes = bits, registers * BITS // bits
        self.item = ir.IntType(bits)
        self.vector = ir.VectorType(self.item, self.lanes)
        super().__init__(name=f"u{bits}x{self.lanes}")

    def all(self, value: int) -> Any:
        """Return the LLVM constant with all lanes ``value``."""
        return ir.Constant(self.vector, [ir.Constant(self.item, value)] * self.lanes)

    def splat(self, builder: Any, value: Any) -> Any:
        """Return the vector with all lanes ``value``, an LLVM value."""
        undefined = ir.Constant(self.vector, ir.Undefined)
        one = builder.insert_element(undefined, value, ir.Constant(_I32, 0))
        return builder.shuffle_vector(one, undefined, _order([0] * self.lanes))


wide: Any = Wide()


@register_model(Wide)
class _WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, frontend_type: Any) -> None:
        super().__init__(manager, frontend_type, frontend_type.vector)


def _all(value: int) -> Any:
    return ir.Constant(_VECTOR, [ir.Constant(_I64, value)] * LANES)


def _order(lanes: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_I32, len(lanes)), [ir.Constant(_I32, k) for k in lanes])


def _funnel(builder: Any, side: str, high: Any, low: Any, amount: Any) -> Any:
    vector = high.type
    signature = ir.FunctionType(vector, [vector] * 3)
    name = f"llvm.fsh{side}.v{vector.count}i{vector.element.width}"
    return builder.call(cgutils.get_or_insert_function(builder.module, signature, name), [high, low, amount])


def _item(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """Return the address of ``array[index]`` in a 1-d contiguous array, unchecked."""
    return builder.gep(context.make_array(array_type)(context, builder, array).data, [index])


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any, vector: Any = _VECTOR) -> Any:
    return builder.bitcast(_item(context, builder, array_type, array, index), ir.PointerType(vector))


def _loaded(context: Any, builder: Any, array_type: Any, array: Any, index: Any, kind: Wide = wide) -> Any:
    """Load a vector at ``array[index]``, aligned as a lane."""
    value = builder.load(_address(context, builder, array_type, array, index, kind.vector))
    value.align = kind.bits // 8
    return value


def _at_each(builder: Any, first: Any, step: Any, count: int, read: Callable[[Any], Any]) -> list[Any]:
    """Return ``read`` of ``count`` indices from ``first``, ``step`` apart."""
    out = []
    for _plane in range(count):
        out.append(read(first))
        first = builder.add(first, step)
    return out


def _operator(function: Any, instruction: str) -> None:
    @intrinsic
    def apply(_: Any, x: Any, y: Any) -> Any:
        return x(x, x), lambda context, builder, sig, args: getattr(builder, instruction)(*args)

    @overload(function)
    def _(x, y):  # type: ignore[no-untyped-def]  # Numba compares signatures, annotations included
        if isinstance(x, Wide) and x == y:
            return lambda x, y: apply(x, y)
        return None


_operator(operator.and_, "and_")
_operator(operator.or_, "or_")
_operator(operator.xor, "xor")


@intrinsic
def _invert(_: Any, x: Any) -> Any:
    return x(x), lambda context, builder, sig, args: builder.xor(args[0], x.all(-1))


@overload(operator.invert)
def _overload_invert(x):  # type: ignore[no-untyped-def]
    return (lambda x: _invert(x)) if isinstance(x, Wide) else None


def _three(table: int, plain: Any) -> Any:
    """Return a ternary logic function: one instruction on AVX-512; LLVM uses two with a NOT.

    Args:
        table: vpternlogq's truth table, bit ``4 * x + 2 * y + z``.
        plain: (all ones, builder, x, y, z) -> the same from instructions of every processor.
    """

    @intrinsic
    def apply(_: Any, x: Any, y: Any, z: Any) -> Any:
        def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            if LANES != 8 or x != wide:
                return plain(x.all(-1), builder, *args)
            signature = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR, _VECTOR, _I32])
            name = "llvm.x86.avx512.pternlog.q.512"
            function = cgutils.get_or_insert_function(builder.module, signature, name)
            return builder.call(function, [*args, ir.Constant(_I32, table)])

        return x(x, x, x), build

    return apply


# x | (y & z), x & (y | ~z), ~x | y | z, x | ~(y | z): each lane bit by bit.
or_and = _three(0xF8, lambda ones, b, x, y, z: b.or_(x, b.and_(y, z)))
and_or_not = _three(0xD0, lambda ones, b, x, y, z: b.and_(x, b.or_(y, b.xor(z, ones))))
not_or_or = _three(0xEF, lambda ones, b, x, y, z: b.or_(b.xor(x, ones), b.or_(y, z)))
or_nor = _three(0xF1, lambda ones, b, x, y, z: b.or_(x, b.xor(b.or_(y, z), ones)))


@intrinsic
def broadcast(_: Any, word: Any) -> Any:
    """Return the vector with all lanes ``word``."""
    return wide(types.uint64), lambda context, builder, sig, args: wide.splat(builder, args[0])


@intrinsic
def load(_: Any, array: Any, index: Any) -> Any:
    """Load ``array[index : index + LANES]``, unaligned."""
    return wide(array, types.intp), lambda context, builder, sig, args: _loaded(context, builder, sig.args[0], *args)


@intrinsic
def store(_: Any, array: Any, index: Any, x: Any) -> Any:
    """Store ``x`` at ``array[index]``."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, sig.args[0], args[0], args[1], x.vector)).align = x.bits // 8
        return context.get_dummy_value()

    return types.void(array, types.intp, x), build


@intrinsic
def shift_left_carry(_: Any, x: Any, word: Any) -> Any:
    """Shift ``x`` left by one bit across lanes; bit 63 of ``word`` enters bit 0."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        moved = builder.shuffle_vector(args[0], _UNDEFINED, _order([max(k - 1, 0) for k in range(LANES)]))
        moved = builder.insert_element(moved, args[1], ir.Constant(_I32, 0))
        return _funnel(builder, "l", args[0], moved, _all(1))

    return wide(wide, types.uint64), build


@intrinsic
def top_bit(_: Any, x: Any) -> Any:
    """Return the highest bit of the vector."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.lshr(builder.extract_element(args[0], ir.Constant(_I32, LANES - 1)), ir.Constant(_I64, WORD - 1))

    return types.uint64(wide), build


def _window(context: Any, builder: Any, array_type: Any, array: Any, bit: Any) -> Any:
    word = builder.lshr(bit, ir.Constant(_I64, 6))
    one = ir.Constant(_I64, 1)
    low, high = _at_each(builder, word, one, 2, lambda index: _loaded(context, builder, array_type, array, index))
    return _funnel(builder, "r", high, low, wide.splat(builder, builder.and_(bit, ir.Constant(_I64, WORD - 1))))


@intrinsic
def load_bits(_: Any, array: Any, bit: Any) -> Any:
    """Return ``KEY_BITS`` bits of the bit stream ``array`` from ``bit``.

    Reads one word beyond the last bit.
    """

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _window(context, builder, sig.args[0], *args)

    return wide(array, types.intp), build


@intrinsic
def load_bit_planes(_: Any, array: Any, stride: Any, bit: Any, planes: Any) -> Any:
    """Return ``len(planes)`` windows as a tuple; stream p starts at word ``p * stride`` of ``array``."""
    count = len(planes)
    result = types.UniTuple(wide, count)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits, window = builder.shl(args[1], ir.Constant(_I64, 6)), partial(_window, context, builder, sig.args[0])
        return context.make_tuple(builder, result, _at_each(builder, args[2], bits, count, partial(window, args[0])))

    return result(array, types.intp, types.intp, planes), build


@intrinsic
def mismatch(_: Any, array: Any, index: Any, stride: Any, letters: Any) -> Any:
    """Return the bits that differ in any plane: OR over p of ``load(array, index + p * stride) ^ letters[p]``."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        read = partial(_loaded, context, builder, sig.args[0], args[0])
        planes = enumerate(_at_each(builder, args[1], args[2], sig.args[3].count, read))
        differs = (builder.xor(value, builder.extract_value(args[3], plane)) for plane, value in planes)
        return reduce(builder.or_, differs)

    return wide(array, types.intp, types.intp, letters), build


@intrinsic
def trailing_zeros(_: Any, word: Any) -> Any:
    """Return the number of trailing zero bits of ``word``; 64 for 0."""
    return types.intp(types.uint64), lambda context, builder, sig, args: builder.cttz(
        args[0], ir.Constant(ir.IntType(1), 0)
    )


@intrinsic
def leading_zeros(_: Any, word: Any) -> Any:
    """Return the number of leading zero bits of ``word``; 64 for 0."""
    return types.intp(types.uint64), lambda context, builder, sig, args: builder.ctlz(
        args[0], ir.Constant(ir.IntType(1), 0)
    )


@intrinsic
def popcount(_: Any, word: Any) -> Any:
    """Return the number of one bits of ``word``."""
    return types.intp(types.uint64), lambda context, builder, sig, args: builder.ctpop(args[0])
