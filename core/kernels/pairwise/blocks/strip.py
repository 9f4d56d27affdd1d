"""One strip for the inner loops: views into the arrays of plan and state.

Numba unpacks every array of every tuple argument, in the function and in its caller. A function with plan and state as
arguments takes ten times as long to compile as one with the strip or an array of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wavediff.core.base.arrays import Letters, Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_inline
from wavediff.core.jit.simd import BITS, WORD
from wavediff.core.kernels.pairwise.blocks.method_dispatch import strip_steps


class Strip(NamedTuple):
    """Views of one strip.

    rows: bit planes of its rows. v, h: state of its rows, and carries between its stripes; updated. above, below: row
    borders, from groups ``above_lo`` and ``lo``; ``below`` is written. marks: of this strip. lo: its first group. hi0,
    hi1: end of column 0, of column 1 of a group. Others: see the plan.
    """

    delta_bits: tuple[int, ...]
    rows: Words
    v: Words
    h: Words
    above: Words
    above_lo: int
    below: Words
    marks: Letters
    lo: int
    hi0: int
    hi1: int
    columns: Words
    words: int
    n_planes: int
    n_cols: int
    depth: int


class StepLog(NamedTuple):
    """Log of a strip's steps; disabled if ``h`` is empty.

    h: carries into each step from step ``first``. v: the rows before every ``ROW_LOG_STEPS``-th step.
    """

    first: int
    v: Words
    h: Words


@jit_inline
def border(words, at, each, s, n_delta_bits):  # type: ignore[no-untyped-def]
    """Return the row border above strip s, ``COLUMNS`` streams per sign."""
    return words[at[s] : at[s] + each[s] * GROUP_COLUMNS * n_delta_bits]


@jit_inline
def strip_of(plan: Any, state: Any, s: Any, v: Any, h: Any, rows: Any) -> Any:
    """Return strip s with its ``strip_workspace``."""
    above = border(state.border, plan.border_at, plan.border_words, s, len(plan.delta_bits))
    below = border(state.border, plan.border_at, plan.border_words, s + 1, len(plan.delta_bits))
    marks = state.marks[plan.marks_at[s] : plan.marks_at[s + 1]]
    hi0 = plan.hi[s]
    return Strip(
        plan.delta_bits, rows, v, h, above, plan.above_lo[s], below, marks, plan.lo[s], hi0, min(hi0,
        plan.n_cols // GROUP_COLUMNS),
        plan.columns, plan.words, plan.n_planes, plan.n_cols, plan.depth,
    )  # fmt: skip


@jit_callee_no_nrt
def run_steps(strip, s, t0, t1, few, every, edge, rare_a, rare_b, seen):  # type: ignore[no-untyped-def]
    """Compute steps t0 to t1 of strip s; only its ends need the masked loop.

    Args:
        few, every: tuples with one element per plane of the common codes, and of all codes.
        edge, rare_a, rare_b: of the plan.
    """
    inside, outside = strip.lo + BITS - 1, strip.hi1  # every stripe is inside from step to step
    if len(few) < len(every) and _has_rare(rare_a, rare_b, strip.depth, s, t0, t1):
        inside = outside
    t = t0
    while t < t1:
        if inside <= t < outside:
            end = min(outside, t1)
            strip_steps(strip, t, end, few, None, seen)
        else:
            end = t1 if t >= inside else min(inside, t1)
            strip_steps(strip, t, end, every, edge, seen)
        t = end


@jit_callee_no_nrt
def _has_rare(rare_a, rare_b, depth, s, t0, t1):  # type: ignore[no-untyped-def]
    """Return whether strip s, or its columns in steps t0 to t1, contain a rare code."""
    first, end = s * depth * BITS // WORD, min((s + 1) * depth * BITS // WORD, rare_a.size - 1)
    from_word = max(t0 - BITS + 1, 0) * GROUP_COLUMNS // WORD
    to_word = max(min(t1 * GROUP_COLUMNS // WORD + 1, rare_b.size - 1), from_word)
    return rare_a[end] > rare_a[first] or rare_b[to_word] > rare_b[from_word]
