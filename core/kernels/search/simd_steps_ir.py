"""Inner loop: interleaved text streams as vectors, with a single hit test per block.

One stream waits for its last step; eight interleaved ones use the processor fully. Functions here work inside ``@njit``
code only. ``shape`` is a tuple of tuples whose lengths are compile-time constants: streams, words of a vector, steps of
a block, letters of a step, rows of states (errors allowed plus one), kinds of errors (1: mismatches, 2: edits).
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import ir, types
from wavediff.core.jit.simd import WORD
from wavediff.core.jit.simd_ir import _item, intrinsic
from wavediff.core.jit.unaligned_ir import prefetch
from wavediff.core.kernels.search.simd_steps import PACK_LETTERS, PREFETCH_LETTERS, UNTESTED_STEPS

_I64 = ir.IntType(WORD)


def counts(shape: Any) -> list[int]:
    """Return the lengths encoded in ``shape``'s type."""
    return [len(one) for one in shape]


@intrinsic(
    lambda symbols, at, segment, table, masks, state, old, new, shape: types.uint64(
        symbols, types.intp, types.intp, table, masks, state, types.intp, types.intp, shape
    )
)
def block(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Process one block of every stream; return 1 if an accepting state was reached.

    Stream s reads ``symbols`` (uint8) from ``at + s * segment``. Its states, ``rows * width`` words, are read from
    ``state[old + ...]`` and written to ``state[new + ...]``.
    """
    streams, width, steps, shift, rows, kind = counts(kinds[8])
    vector = ir.VectorType(_I64, width)

    def address(which: int, index: Any) -> Any:
        return builder.bitcast(_item(context, builder, kinds[which], args[which], index), ir.PointerType(vector))

    def load(which: int, index: Any) -> Any:
        return builder.load(address(which, index), align=8)

    def plus(value: Any, number: int) -> Any:
        return builder.add(value, ir.Constant(_I64, number)) if number else value

    def moved(value: Any) -> Any:
        return builder.and_(builder.shl(value, by), keep)

    by = ir.Constant(vector, [ir.Constant(_I64, shift)] * width)
    keep, tested = (load(4, ir.Constant(_I64, k * width)) for k in (0, 3))
    every = UNTESTED_STEPS + 1 if shift == rows == 1 else 1
    at, segment, old, new = args[1], args[2], args[6], args[7]
    start = [builder.add(at, builder.mul(segment, ir.Constant(_I64, s))) for s in range(streams)]
    states = [[load(5, plus(old, (s * rows + d) * width)) for d in range(rows)] for s in range(streams)]
    reached = None
    for u in range(steps):
        for s in range(streams):
            symbol = builder.zext(builder.load(_item(context, builder, kinds[0], args[0], plus(start[s], u))), _I64)
            row = load(3, builder.mul(symbol, ir.Constant(_I64, width)))
            states[s] = _advanced(builder, states[s], row, moved, kind)
            if (u + 1) % every == 0:
                last = states[s][-1]
                reached = last if reached is None else builder.and_(reached, last)
    for s in range(streams):
        for d in range(rows):
            builder.store(states[s][d], address(5, plus(new, (s * rows + d) * width)), align=8)
    hit = builder.and_(builder.not_(reached), tested)
    bits = ir.IntType(WORD * width)
    return builder.zext(builder.icmp_unsigned("!=", builder.bitcast(hit, bits), ir.Constant(bits, 0)), _I64)


def _advanced(builder: Any, old: list[Any], row: Any, moved: Any, kind: int) -> list[Any]:
    """Advance all rows; row d holds the states with at most d errors (Wu and Manber)."""
    new = [builder.or_(moved(old[0]), row)]
    for d in range(1, len(old)):
        fits = builder.or_(moved(old[d]), row)
        if kind == 1:
            new.append(builder.and_(fits, moved(old[d - 1])))
        else:  # a letter more; one exchanged or one less
            more = builder.and_(fits, old[d - 1])
            new.append(builder.and_(more, moved(builder.and_(old[d - 1], new[d - 1]))))
    return new


_LETTER = ir.IntType(8)
_WIDE, _NARROW = ir.VectorType(ir.IntType(32), PACK_LETTERS // 4), ir.VectorType(_LETTER, PACK_LETTERS // 4)


def _pack(builder: Any, letters: Any, out: Any) -> None:
    """Pack ``PACK_LETTERS`` letters at address ``letters`` to ``out``, four per byte."""

    def all_(number: int) -> Any:
        return ir.Constant(_WIDE, [ir.Constant(_WIDE.element, number)] * _WIDE.count)

    given = builder.load(builder.bitcast(letters, _WIDE.as_pointer()), align=1)
    codes = builder.and_(builder.lshr(given, all_(1)), all_(0x03030303))
    codes = builder.or_(codes, builder.lshr(codes, all_(6)))
    codes = builder.or_(codes, builder.lshr(codes, all_(12)))
    builder.store(builder.trunc(codes, _NARROW), builder.bitcast(out, _NARROW.as_pointer()), align=1)


@intrinsic(lambda text, first, out, at: types.void(text, types.intp, out, types.intp))
def pack_letters(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    """Pack ``PACK_LETTERS`` letters from ``text[first]`` to ``out[at]``, four per byte."""
    letters, place = (_item(context, builder, kinds[k], args[k], args[k + 1]) for k in (0, 2))
    _pack(builder, letters, place)


@intrinsic(
    lambda text, first, segment, out, at, shape: types.void(text, types.intp, types.intp, out, types.intp, shape)
)
def pack_block(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    """Pack one block of every stream, and prefetch a later one.

    Stream s reads the letters from ``text[first + 4 * s * segment]``, all of which exist; its codes are written from
    ``out[at + s * segment]``.
    """
    streams, _width, steps = counts(kinds[5])[:3]
    letters, codes = (_item(context, builder, kinds[k], args[k], args[k + 1]) for k in (0, 3))
    letters, codes = (builder.bitcast(one, _LETTER.as_pointer()) for one in (letters, codes))
    for s in range(streams):
        away = builder.mul(args[2], ir.Constant(_I64, s))
        mine, place = builder.gep(letters, [builder.shl(away, ir.Constant(_I64, 2))]), builder.gep(codes, [away])
        for u in range(0, 4 * steps, PACK_LETTERS):
            prefetch(builder, builder.gep(mine, [ir.Constant(_I64, u + PREFETCH_LETTERS)]))
            _pack(builder, builder.gep(mine, [ir.Constant(_I64, u)]), builder.gep(place, [ir.Constant(_I64, u // 4)]))


@intrinsic(lambda text, at, gram, mask: types.uint64(text, types.intp, types.uint64, types.uint64))
def places_of(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Return a bit mask of the 64 places from ``text[at]`` with the q-gram, first place lowest.

    ``text`` (uint8) has at least 71 letters from ``at``. ``gram`` and ``mask`` (uint64) are eight letters, the first
    lowest, and their bits to compare.
    """
    vector = ir.VectorType(_LETTER, WORD)

    def everywhere(word: Any, k: int) -> Any:
        letter = builder.trunc(builder.lshr(word, ir.Constant(_I64, 8 * k)), _LETTER)
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), letter, ir.Constant(_I64, 0))
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), WORD), None))

    equal = None
    for k in range(8):
        place = builder.add(args[1], ir.Constant(_I64, k))
        place = builder.bitcast(_item(context, builder, kinds[0], args[0], place), vector.as_pointer())
        letters = builder.load(place, align=1)
        here = builder.icmp_unsigned("==", builder.and_(letters, everywhere(args[3], k)), everywhere(args[2], k))
        equal = here if equal is None else builder.and_(equal, here)
    return builder.bitcast(equal, _I64)
