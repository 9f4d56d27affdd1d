"""Edit distance as a plain call, for many short pairs and for long ones that hardly differ: one compiled function."""

from __future__ import annotations

import numpy as np

from core.arrays import Letters, freeze
from core.bits import ones_before
from core.jitted import inner
from core.jobs import EditJob, PathMethod
from core.kernels.borrowed import answer, entered_by, side_by_side
from core.kernels.diagonals.points import NOWHERE
from core.kernels.diagonals.probe import BEGIN, LEAST, LETTERS, probe_steps
from core.kernels.edit.lanes import lanes_distance
from core.kernels.edit.run import run
from core.kernels.edit.words import ONE, all_columns, step
from core.kernels.ends import match_bytes, without_ends
from core.kernels.registers import copied, ones_of, places
from core.kernels.steps import returned
from core.simd import WORD

SHORT_CELLS = 1 << 17  # more are faster in vectors,
FEW_WORDS = 2  # unless their rows are so few
COLUMNS = 1 << 22  # more would keep the interpreter to themselves for too long
LANES_CELLS = 1 << 25  # more are faster in blocks
ZERO = np.uint64(0)
WORDS_AN_EDIT = 1 << 10  # cells, in words, for which a probe of as many edits is worth while


@inner
def _one_word(a, b):  # type: ignore[no-untyped-def]
    rows, vp, vn = copied((0,), a), ~ZERO, ZERO
    for j in range(b.size):
        vp, vn, _, _, _ = step(vp, vn, places((0,), rows, b[j])[0], ONE, ZERO)
    return b.size + ones_of((vp,), a.size) - ones_of((vn,), a.size)


@inner
def _distance(arguments, n, names):  # type: ignore[no-untyped-def]
    """Return the distance, -1 where it would take long: equal ends, a few edits, then Myers' column step by words."""
    a, b, common = without_ends(arguments, n, names)
    if common < 0:
        return -1
    if a.size == 0:
        return int(b.size)
    n_words = (a.size + WORD - 1) // WORD
    limit = min(n_words * b.size // WORDS_AN_EDIT, LEAST)
    if limit > 0 and b.size - a.size <= limit:
        points = np.full(2 * limit + 3, NOWHERE, np.int64)
        found = probe_steps((0, 0), a, b, points, -limit, 0, limit + 1, BEGIN, LETTERS)[0]
        if found >= 0:
            return int(found)
    if b.size > COLUMNS or (n_words > FEW_WORDS and a.size * b.size > SHORT_CELLS):
        return -1
    if n_words == 1:
        return int(_one_word(a, b))
    vp, vn = np.full(n_words, ~ZERO), np.zeros(n_words, np.uint64)
    all_columns(match_bytes(a), b, vp, vn)
    return int(b.size + ones_before(vp, a.size) - ones_before(vn, a.size))


def _short(this, arguments, n, names):  # type: ignore[no-untyped-def]
    return answer(_distance(arguments, n, names), this, arguments, n, names)


@entered_by(_short)
def edit_distance(a: Letters, b: Letters, threads: int = 1) -> int:
    """Return the edit distance of two uint8 arrays, letters compared as bytes."""
    a, b = side_by_side(a), side_by_side(b)
    if 0 < a.size * b.size <= LANES_CELLS:
        return lanes_distance(a, b)
    job = EditJob(a=freeze(a), b=freeze(b), path=PathMethod.NONE, threads=threads)
    return returned(run(job)).distance
