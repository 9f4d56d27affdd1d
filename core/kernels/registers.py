"""Up to 64 rows a machine word and some words of them as one integer, for pairs that are done within microseconds.

LLVM keeps such an integer in as many registers and adds it with their carries. A tuple as long as there are words says
how many, because the length of a tuple is known when a kernel is compiled. Where a letter occurs among the rows is
found by one comparison of a vector, so no table is filled that a short pair would hardly read.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import extending
from numba.core import cgutils, types

from core.kernels.borrowed import array_at
from core.simd import WORD

intrinsic: Any = extending.intrinsic
_types: Any = types
_cgutils: Any = cgutils

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(WORD)
_LETTERS = ir.VectorType(_I8, WORD)
_SAME = ir.Constant(ir.VectorType(_I32, WORD), [ir.Constant(_I32, 0)] * WORD)


def _tuple(n: int) -> Any:
    return _types.UniTuple(_types.uint64, n)


def _word(k: int) -> Any:
    return ir.Constant(_I64, k)


def _joined(builder: Any, words: Any, n: int) -> Any:
    """Return a tuple of words as one integer, the first one lowest."""
    wide = ir.IntType(WORD * n)
    total = ir.Constant(wide, 0)
    for k in range(n):
        word = builder.zext(builder.extract_value(words, k), wide)
        total = builder.or_(total, builder.shl(word, ir.Constant(wide, WORD * k)))
    return total


@intrinsic
def copied(_: Any, words: Any, letters: Any) -> Any:
    """Return ``WORD * len(words)`` letters on the stack, first those of ``letters``, which has no more, then zeros."""
    n = WORD * len(words)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = _cgutils.alloca_once(builder, _I8, size=_word(n))
        _cgutils.memset(builder, place, _word(n), 0)
        array = context.make_array(sig.args[1])(context, builder, args[1])
        _cgutils.raw_memcpy(builder, place, array.data, array.nitems, 1)
        return array_at(context, builder, sig.return_type, place, _word(n), 1)

    return _types.Array(_types.uint8, 1, "C")(words, letters), build


@intrinsic
def places(_: Any, words: Any, rows: Any, letter: Any) -> Any:
    """Return at which of the rows, ``copied``, is ``letter``: a tuple of words, the first row lowest."""
    n = len(words)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        undefined = ir.Constant(_LETTERS, ir.Undefined)
        one = builder.insert_element(undefined, args[2], ir.Constant(_I32, 0))
        every = builder.shuffle_vector(one, undefined, _SAME)
        data = context.make_array(sig.args[1])(context, builder, args[1]).data
        found = []
        for k in range(n):
            place = builder.gep(data, [_word(WORD * k)])
            value = builder.load(builder.bitcast(place, _LETTERS.as_pointer()))
            value.align = 1
            found.append(builder.bitcast(builder.icmp_unsigned("==", value, every), _I64))
        return context.make_tuple(builder, sig.return_type, found)

    return _tuple(n)(words, rows, _types.uint8), build


@intrinsic
def all_ones(_: Any, words: Any) -> Any:
    """Return a tuple of words with every bit set."""
    kind = _tuple(len(words))
    return kind(words), lambda context, builder, sig, args: context.make_tuple(builder, kind, [_word(-1)] * kind.count)


@intrinsic
def lcs_column(_: Any, rows: Any, match: Any) -> Any:
    """Return the rows after one more column of paper 1 (section 2.4): ``(V + (V & M)) | (V & ~M)``."""
    n = rows.count

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        v, m = (_joined(builder, words, n) for words in args)
        both = builder.and_(v, m)
        v = builder.or_(builder.add(v, both), builder.xor(v, both))
        out = [builder.trunc(builder.lshr(v, ir.Constant(v.type, WORD * k)), _I64) for k in range(n)]
        return context.make_tuple(builder, rows, out)

    return rows(rows, match), build


@intrinsic
def ones_of(_: Any, words: Any, n: Any) -> Any:
    """Return the one bits among the first ``n`` of a tuple of words; the last one has some of them."""

    def build(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        total = _word(0)
        for k in range(words.count):
            word = builder.extract_value(args[0], k)
            if k == words.count - 1:
                word = builder.shl(word, builder.sub(_word(WORD * (k + 1)), args[1]))
            total = builder.add(total, builder.ctpop(word))
        return total

    return _types.int64(words, _types.int64), build
