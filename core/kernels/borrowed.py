"""Letters of an array that a compiled function reads while it is called, and does not keep: for calls of a microsecond.

Numba's dispatcher looks up the types of the arguments at every call and takes a reference to each array in an object of
its own, which costs more than a pair of a hundred letters. A function for ``borrowed`` letters is entered directly and
reads where the letters are from the array itself, whose layout is part of NumPy's C interface.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import extending
from numba.core import cgutils, types
from numba.np import arrayobj

from core.arrays import Letters

_extending: Any = extending
_cgutils: Any = cgutils
_types: Any = types
_arrayobj: Any = arrayobj

HEAD = object.__basicsize__
CLASS = HEAD - 8  # the last of the head
NDARRAY = "wavediff_ndarray"  # under this name compiled code, which may be of another process, finds the class
binding.add_symbol(NDARRAY, id(np.ndarray))
# Behind the head of an ``ndarray``: where it is, how many axes, lengths, strides, owner, kind.
DATA, AXES, LENGTHS, STRIDES, KIND = HEAD, HEAD + 8, HEAD + 16, HEAD + 24, HEAD + 40
NUMBER = HEAD + 12  # of a kind of items, in its description
UBYTE = int(np.dtype(np.uint8).num)
_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_letters = _types.Array(_types.uint8, 1, "C", readonly=True)


class Borrowed(_types.Type):
    """See the module."""

    def __init__(self) -> None:
        super().__init__(name="borrowed letters")


borrowed = Borrowed()


@_extending.register_model(Borrowed)
class _Model(_extending.models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("data", _types.voidptr), ("size", _types.intp)])


@_extending.unbox(Borrowed)
def _unbox(kind: Any, array: Any, c: Any) -> Any:
    """Read an ``ndarray``; anything but letters side by side has -1 of them."""
    builder = c.builder

    def field(start: Any, offset: int, what: Any) -> Any:
        place = builder.gep(builder.bitcast(start, _I8.as_pointer()), [ir.Constant(_I64, offset)])
        return builder.load(builder.bitcast(place, what.as_pointer()))

    def equal(value: Any, what: int) -> Any:
        return builder.icmp_signed("==", value, ir.Constant(value.type, what))

    out = _cgutils.create_struct_proxy(kind)(c.context, builder)
    out.size = ir.Constant(_I64, -1)
    module = builder.module
    ndarray = module.globals.get(NDARRAY) or _cgutils.add_global_variable(module, _I8, NDARRAY)
    with builder.if_then(builder.icmp_unsigned("==", field(array, CLASS, _I8.as_pointer()), ndarray)):
        of_bytes = equal(field(field(array, KIND, _I8.as_pointer()), NUMBER, _I32), UBYTE)
        with builder.if_then(builder.and_(of_bytes, equal(field(array, AXES, _I32), 1))):
            size = field(field(array, LENGTHS, _I8.as_pointer()), 0, _I64)
            stride = field(field(array, STRIDES, _I8.as_pointer()), 0, _I64)
            few = builder.icmp_signed("<=", size, ir.Constant(_I64, 1))
            with builder.if_then(builder.or_(few, equal(stride, 1))):
                out.data = field(array, DATA, _I8.as_pointer())
                out.size = size
    return _extending.NativeValue(out._getvalue())


@_extending.intrinsic
def usable(_: Any, letters: Any) -> Any:
    """Return whether what was lent are letters side by side."""

    zero = ir.Constant(_I64, 0)
    return _types.boolean(letters), lambda context, builder, sig, args: builder.icmp_signed(
        ">=", builder.extract_value(args[0], 1), zero
    )


@_extending.intrinsic
def as_array(_: Any, letters: Any) -> Any:
    """Return the letters as an array that owns nothing."""

    def build(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        data, size = (builder.extract_value(args[0], k) for k in range(2))
        return _array(context, builder, _letters, data, size, 1)

    return _letters(letters), build


@_extending.intrinsic
def zeros_here(_: Any, count: Any) -> Any:
    """Return ``256 * len(count)`` words on the stack, zeros; they are gone when the function that asks for them is."""
    words = _types.Array(_types.uint64, 1, "C")
    n = 256 * len(count)

    def build(context: Any, builder: Any, _sig: Any, _args: Any) -> Any:
        place = _cgutils.alloca_once(builder, _I64, size=ir.Constant(_I64, n))
        _cgutils.memset(builder, place, ir.Constant(_I64, 8 * n), 0)
        return _array(context, builder, words, place, ir.Constant(_I64, n), 8)

    return words(count), build


def _array(context: Any, builder: Any, kind: Any, data: Any, size: Any, step: int) -> Any:
    array = _arrayobj.make_array(kind)(context, builder)
    place = builder.bitcast(data, array.data.type)
    _arrayobj.populate_array(array, place, [size], [ir.Constant(_I64, step)], ir.Constant(_I64, step), None)
    return array._getvalue()


def side_by_side(letters: Letters) -> Letters:
    """Return what cannot be borrowed, as it lies in another order, in one that can.

    Raises:
        TypeError: these are no letters.
    """
    if not isinstance(letters, np.ndarray) or letters.dtype != np.uint8 or letters.ndim != 1:
        raise TypeError(f"letters are a uint8 array of one axis, not {type(letters).__name__}: {letters!r:.60}")
    return np.ascontiguousarray(letters)


def entrance(function: Any) -> Callable[[Any, Any], int]:
    """Return ``function``, compiled for two arrays whose letters it borrows. It must only be called with such."""
    function.compile((borrowed, borrowed))
    found: Callable[[Any, Any], int] = function.overloads[borrowed, borrowed].entry_point
    return found
