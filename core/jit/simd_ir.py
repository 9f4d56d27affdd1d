"""Machine-wide vector as a Numba type: ``LANES`` words of 64 bits, in one register if possible.

LLVM maps the type ``<LANES x i64>`` to a zmm, ymm, xmm or neon register and selects vpternlogq, vpshldq and valignq
itself, so a kernel reads like its formula. Functions here take ``Wide`` values inside ``@njit`` code only.

Counts such as the number of planes are passed as the length of a tuple, which is a compile-time constant; the value of
an integer is not.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from functools import partial, reduce, wraps
from typing import Any

from wavediff.core.jit.quiet_numba import cgutils, extending, ir, models, overload, register_model, types
from wavediff.core.jit.simd import BITS, LANES, WORD

_I64, _I32 = ir.IntType(WORD), ir.IntType(32)
_VECTOR = ir.VectorType(_I64, LANES)
_CONTEXT = inspect.Parameter("context", inspect.Parameter.POSITIONAL_ONLY)
_UNDEFINED = ir.Constant(_VECTOR, ir.Undefined)


def intrinsic(signature: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator: calls in compiled code become the instructions that the decorated function builds.

    That function takes Numba's context, LLVM's builder, and types and values of the arguments. It returns a value, a
    list for a tuple, or None.

    Args:
        signature: returns Numba's signature for the types of the arguments, by their names.
    """

    def decorated(build: Callable[..., Any]) -> Any:
        def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = build(context, builder, sig.args, args)
            if isinstance(value, list):
                return context.make_tuple(builder, sig.return_type, value)
            return context.get_dummy_value() if value is None else value

        @wraps(build)
        def typed(_: Any, *kinds: Any) -> Any:
            return signature(*kinds), code

        names = inspect.signature(signature).parameters.values()
        typed.__signature__ = inspect.Signature([_CONTEXT, *names])  # type: ignore[attr-defined]
        return extending.intrinsic(typed)

    return decorated


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


def _wides(planes: Any) -> Any:
    """Return the type of a tuple of as many vectors as ``planes`` has elements."""
    return types.UniTuple(wide, len(planes))


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
    return builder.load(_address(context, builder, array_type, array, index, kind.vector), align=kind.bits // 8)


def _at_each(builder: Any, first: Any, step: Any, count: int, read: Callable[[Any], Any]) -> list[Any]:
    """Return ``read`` of ``count`` indices from ``first``, ``step`` apart."""
    out = []
    for _plane in range(count):
        out.append(read(first))
        first = builder.add(first, step)
    return out


def _operator(function: Any, instruction: str) -> None:
    @intrinsic(lambda x, y: x(x, x))
    def apply(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)

    @overload(function)
    def _(x, y):  # type: ignore[no-untyped-def]  # Numba compares signatures, annotations included
        if isinstance(x, Wide) and x == y:
            return lambda x, y: apply(x, y)
        return None


_operator(operator.and_, "and_")
_operator(operator.or_, "or_")
_operator(operator.xor, "xor")


@intrinsic(lambda x: x(x))
def _invert(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    return builder.xor(args[0], kinds[0].all(-1))


@overload(operator.invert)
def _overload_invert(x):  # type: ignore[no-untyped-def]
    return (lambda x: _invert(x)) if isinstance(x, Wide) else None


def _three(table: int, plain: Any) -> Any:
    """Return a ternary logic function: one instruction on AVX-512; LLVM uses two with a NOT.

    Args:
        table: vpternlogq's truth table, bit ``4 * x + 2 * y + z``.
        plain: (all ones, builder, x, y, z) -> the same from instructions of every processor.
    """

    @intrinsic(lambda x, y, z: x(x, x, x))
    def apply(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
        if LANES != 8 or kinds[0] != wide:
            return plain(kinds[0].all(-1), builder, *args)
        signature = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR, _VECTOR, _I32])
        name = "llvm.x86.avx512.pternlog.q.512"
        function = cgutils.get_or_insert_function(builder.module, signature, name)
        return builder.call(function, [*args, ir.Constant(_I32, table)])

    return apply


# x | (y & z), x & (y | ~z), ~x | y | z, x | ~(y | z): each lane bit by bit.
or_and = _three(0xF8, lambda ones, b, x, y, z: b.or_(x, b.and_(y, z)))
and_or_not = _three(0xD0, lambda ones, b, x, y, z: b.and_(x, b.or_(y, b.xor(z, ones))))
not_or_or = _three(0xEF, lambda ones, b, x, y, z: b.or_(b.xor(x, ones), b.or_(y, z)))
or_nor = _three(0xF1, lambda ones, b, x, y, z: b.or_(x, b.xor(b.or_(y, z), ones)))


@intrinsic(lambda word: wide(types.uint64))
def broadcast(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the vector with all lanes ``word``."""
    return wide.splat(builder, args[0])


@intrinsic(lambda array, index: wide(array, types.intp))
def load(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Load ``array[index : index + LANES]``, unaligned."""
    return _loaded(context, builder, kinds[0], *args)


@intrinsic(lambda array, index, x: types.void(array, types.intp, x))
def store(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    """Store ``x`` at ``array[index]``."""
    array, _, x = kinds
    builder.store(args[2], _address(context, builder, array, args[0], args[1], x.vector), align=x.bits // 8)


@intrinsic(lambda x, word: wide(wide, types.uint64))
def shift_left_carry(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Shift ``x`` left by one bit across lanes; bit 63 of ``word`` enters bit 0."""
    moved = builder.shuffle_vector(args[0], _UNDEFINED, _order([max(k - 1, 0) for k in range(LANES)]))
    moved = builder.insert_element(moved, args[1], ir.Constant(_I32, 0))
    return _funnel(builder, "l", args[0], moved, _all(1))


@intrinsic(lambda x: types.uint64(wide))
def top_bit(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the highest bit of the vector."""
    return builder.lshr(builder.extract_element(args[0], ir.Constant(_I32, LANES - 1)), ir.Constant(_I64, WORD - 1))


def _window(context: Any, builder: Any, array_type: Any, array: Any, bit: Any) -> Any:
    word = builder.lshr(bit, ir.Constant(_I64, 6))
    one = ir.Constant(_I64, 1)
    low, high = _at_each(builder, word, one, 2, lambda index: _loaded(context, builder, array_type, array, index))
    return _funnel(builder, "r", high, low, wide.splat(builder, builder.and_(bit, ir.Constant(_I64, WORD - 1))))


@intrinsic(lambda array, bit: wide(array, types.intp))
def load_bits(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return ``KEY_BITS`` bits of the bit stream ``array`` from ``bit``.

    Reads one word beyond the last bit.
    """
    return _window(context, builder, kinds[0], *args)


@intrinsic(lambda array, stride, bit, planes: _wides(planes)(array, types.intp, types.intp, planes))
def load_bit_planes(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return ``len(planes)`` windows as a tuple; stream p starts at word ``p * stride`` of ``array``."""
    bits, window = builder.shl(args[1], ir.Constant(_I64, 6)), partial(_window, context, builder, kinds[0], args[0])
    return _at_each(builder, args[2], bits, len(kinds[3]), window)


@intrinsic(lambda array, index, stride, letters: wide(array, types.intp, types.intp, letters))
def mismatch(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the bits that differ in any plane: OR over p of ``load(array, index + p * stride) ^ letters[p]``."""
    read = partial(_loaded, context, builder, kinds[0], args[0])
    planes = enumerate(_at_each(builder, args[1], args[2], kinds[3].count, read))
    differs = (builder.xor(value, builder.extract_value(args[3], plane)) for plane, value in planes)
    return reduce(builder.or_, differs)


@intrinsic(lambda word: types.intp(types.uint64))
def trailing_zeros(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the number of trailing zero bits of ``word``; 64 for 0."""
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))


@intrinsic(lambda word: types.intp(types.uint64))
def leading_zeros(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the number of leading zero bits of ``word``; 64 for 0."""
    return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))


@intrinsic(lambda word: types.intp(types.uint64))
def popcount(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return the number of one bits of ``word``."""
    return builder.ctpop(args[0])
