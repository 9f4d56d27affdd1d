"""The length of an LCS as a plain call, for many short pairs: no job, no events, one compiled function."""

from __future__ import annotations

import numpy as np

from core.arrays import Letters, freeze
from core.bits import ones_before
from core.jitted import inner
from core.jobs import LcsJob, PathMethod
from core.kernels.borrowed import answer, entered_by, side_by_side
from core.kernels.ends import match_bytes, without_ends
from core.kernels.lcs.run import run
from core.kernels.lcs.words import all_columns
from core.kernels.registers import all_ones, copied, lcs_column, ones_of, places
from core.kernels.steps import returned
from core.simd import WORD

SHORT_CELLS = 1 << 24
COLUMNS = 1 << 24  # more would keep the interpreter to themselves for too long


@inner
def _in_registers(words, a, b):  # type: ignore[no-untyped-def]
    rows, v = copied(words, a), all_ones(words)
    for j in range(b.size):
        v = lcs_column(v, places(words, rows, b[j]))
    return a.size - ones_of(v, a.size)


@inner
def _length(arguments, n, names):  # type: ignore[no-untyped-def]
    """Return the length, -1 where there are too many cells: equal ends, then paper 1's column step, word by word."""
    a, b, common = without_ends(arguments, n, names)
    if common < 0 or b.size > COLUMNS or (a.size > WORD and a.size * b.size > SHORT_CELLS):
        return -1
    n_words = (a.size + WORD - 1) // WORD
    if n_words == 0:
        return common
    if n_words == 1:
        return common + _in_registers((0,), a, b)
    if n_words == 2:
        return common + _in_registers((0,) * 2, a, b)
    if n_words == 3:
        return common + _in_registers((0,) * 3, a, b)
    if n_words == 4:
        return common + _in_registers((0,) * 4, a, b)
    if n_words == 5:
        return common + _in_registers((0,) * 5, a, b)
    if n_words == 6:
        return common + _in_registers((0,) * 6, a, b)
    if n_words == 7:
        return common + _in_registers((0,) * 7, a, b)
    if n_words == 8:
        return common + _in_registers((0,) * 8, a, b)
    v = np.full(n_words, ~np.uint64(0))
    all_columns(match_bytes(a), b, v)
    return common + a.size - ones_before(v, a.size)


def _short(this, arguments, n, names):  # type: ignore[no-untyped-def]
    return answer(_length(arguments, n, names), this, arguments, n, names)


@entered_by(_short)
def lcs_length(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the length of the LCS of two uint8 arrays, letters compared as bytes."""
    a, b = side_by_side(a), side_by_side(b)
    job = LcsJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads)
    return returned(run(job)).length
