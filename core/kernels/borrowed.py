"""Functions that Python enters at once, with letters that they borrow: for calls of a microsecond.

Numba's dispatcher looks up the types of the arguments at every call and takes a reference to each array in an object of
its own; that, a tuple to hold them and a frame of Python's cost more than a pair of a hundred letters. Here the
interpreter calls what was compiled as it calls its own built-in functions, and where the letters are is read from the
arrays themselves, whose layout is part of NumPy's C interface.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, ParamSpec, cast

import numpy as np
from llvmlite import binding, ir
from numba import extending
from numba.core import cgutils, types
from numba.np import arrayobj

from core.arrays import Letters
from core.kernel_cache import callback

_extending: Any = extending
_cgutils: Any = cgutils
_types: Any = types
_arrayobj: Any = arrayobj

P = ParamSpec("P")
HEAD = object.__basicsize__
CLASS = HEAD - 8  # the last of the head
NDARRAY = "wavediff_ndarray"  # under this name compiled code, which may be of another process, finds the class
binding.add_symbol(NDARRAY, id(np.ndarray))
# Behind the head of an ``ndarray``: where it is, how many axes, lengths, strides, owner, kind.
DATA, AXES, LENGTHS, STRIDES, KIND = HEAD, HEAD + 8, HEAD + 16, HEAD + 24, HEAD + 40
NUMBER = HEAD + 12  # of a kind of items, in its description
UBYTE = int(np.dtype(np.uint8).num)
_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_POINTER = _I8.as_pointer()
_letters = _types.Array(_types.uint8, 1, "C", readonly=True)
_object = _types.voidptr
# What a built-in function gets: what it belongs to, its arguments, how many have no names, the names of the others.
_called = _object(_object, _types.voidptr, _types.intp, _object)
CALL = "PyObject_Vectorcall"  # calls what a built-in function belongs to with just what it got
FAST, NAMES = 0x80, 0x02  # METH_FASTCALL, METH_KEYWORDS


class _Method(ctypes.Structure):
    """Python's ``PyMethodDef``."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


class _Entrance:
    """A built-in function: until its first call, and for what the compiled one leaves over, it calls this."""

    def __init__(self, compiled: Any, function: Callable[..., int]) -> None:
        self._compile, self._function = compiled, function
        passing_on = ctypes.cast(getattr(ctypes.pythonapi, CALL), ctypes.c_void_p)
        name, doc = function.__name__.encode(), (function.__doc__ or "").encode()
        self._method = _Method(name, passing_on, FAST | NAMES, doc)
        new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
        make = new(("PyCFunction_NewEx", ctypes.pythonapi))
        self.built_in = make(ctypes.addressof(self._method), self, function.__module__)

    def __call__(self, *args: Any, **named: Any) -> int:
        if self._compile is None:
            return self._function(*args, **named)
        self._code = callback(self._compile, _called)
        self._method.code, self._compile = self._code.address, None
        return cast(int, self.built_in(*args, **named))


def entered_by(compiled: Any) -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Return a decorator of functions of two sequences that are left with what ``compiled`` cannot do.

    Args:
        compiled: is compiled (or loaded) at the first call; gets what a built-in function does, see ``lent`` and
            ``answer``.
    """
    return lambda function: cast(Callable[P, int], _Entrance(compiled, function).built_in)


@_extending.intrinsic
def lent(_: Any, arguments: Any, n: Any, names: Any, k: Any) -> Any:
    """Return the letters of argument ``k`` as an array that owns nothing.

    There are -1 of them where that is anything but letters side by side, or where other than two arguments came.
    """

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        def field(start: Any, offset: int, what: Any = _POINTER) -> Any:
            place = builder.gep(builder.bitcast(start, _POINTER), [ir.Constant(_I64, offset)])
            return builder.load(builder.bitcast(place, what.as_pointer()))

        def equal(value: Any, what: int) -> Any:
            return builder.icmp_signed("==", value, ir.Constant(value.type, what))

        data = _cgutils.alloca_once_value(builder, ir.Constant(_POINTER, None))
        size = _cgutils.alloca_once_value(builder, ir.Constant(_I64, -1))
        unnamed = builder.icmp_unsigned("==", args[2], ir.Constant(_POINTER, None))
        with builder.if_then(builder.and_(unnamed, equal(args[1], 2))):
            array = field(args[0], 8 * sig.args[3].literal_value)
            module = builder.module
            ndarray = module.globals.get(NDARRAY) or _cgutils.add_global_variable(module, _I8, NDARRAY)
            with builder.if_then(builder.icmp_unsigned("==", field(array, CLASS), ndarray)):
                of_bytes = equal(field(field(array, KIND), NUMBER, _I32), UBYTE)
                with builder.if_then(builder.and_(of_bytes, equal(field(array, AXES, _I32), 1))):
                    length, stride = field(field(array, LENGTHS), 0, _I64), field(field(array, STRIDES), 0, _I64)
                    few = builder.icmp_signed("<=", length, ir.Constant(_I64, 1))
                    with builder.if_then(builder.or_(few, equal(stride, 1))):
                        builder.store(field(array, DATA), data)
                        builder.store(length, size)
        return array_at(context, builder, _letters, builder.load(data), builder.load(size), 1)

    return (_letters(arguments, n, names, k), build) if isinstance(k, _types.IntegerLiteral) else None


@_extending.intrinsic
def answer(_: Any, number: Any, this: Any, arguments: Any, n: Any, names: Any) -> Any:
    """Return a Python number; where it is negative, what the function that was decorated returns."""

    def build(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        number, *call = args
        with builder.if_else(builder.icmp_signed("<", number, ir.Constant(_I64, 0))) as (left, done):
            with left:
                kind = ir.FunctionType(_POINTER, [_POINTER, _POINTER, _I64, _POINTER])
                other = builder.call(_cgutils.get_or_insert_function(builder.module, kind, CALL), call)
                after_left = builder.block
            with done:
                own = context.get_python_api(builder).long_from_longlong(number)
                after_done = builder.block
        found = builder.phi(_POINTER)
        found.add_incoming(other, after_left)
        found.add_incoming(own, after_done)
        return found

    return _object(_types.int64, this, arguments, n, names), build


def array_at(context: Any, builder: Any, kind: Any, data: Any, size: Any, step: int) -> Any:
    """Return the code of an array of ``size`` items of ``step`` bytes each at ``data``, which it does not own."""
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
