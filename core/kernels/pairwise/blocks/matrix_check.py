"""A matrix of blocks that is computed, looked at again: its value along other borders, and rows by another kernel.

The value is read along the top and down the right edge; here it is read down the left edge and along the border below
the last strip. The first rows of some strips are computed again from the border above them, on the letters themselves
and by words of columns with additions: what they rise by behind the last column must be what the strip has there.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jobs.events import Event, StepDone
from wavediff.core.kernels.pairwise.blocks.border_values import border_value, right_column
from wavediff.core.kernels.pairwise.blocks.matrix_plan import MatrixPlan, MatrixState, strip_rows
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.look_again import Original, Recheck, budget
from wavediff.core.kernels.pairwise.recompute import EDIT, INDEL, WordRows, make_ready, rows_seconds, start_seconds
from wavediff.core.kernels.pairwise.word_rows import join_columns

MAX_SAMPLES = 8  # strips of which rows are computed again
START_SHARE = 4  # a sample may take so many times as long as it takes to begin


def second_value(plan: MatrixPlan, state: MatrixState, padding: bool) -> int:
    """Return the value of the whole matrix, or band: along the left and a border between strips, then up or down.

    Args:
        padding: whether the rows were computed with which the last strip is filled up; its lower border is used then.
    """
    last = int(plan.lo.size) - 1
    rows = int(plan.rows.size) - last * strip_rows(plan.depth)
    right = right_column(plan, state.final[last])
    if padding:
        return border_value(plan, state.border, last + 1, plan.n_cols) - int(right[rows:].sum(dtype=np.int64))
    return border_value(plan, state.border, last, plan.n_cols) + int(right[:rows].sum(dtype=np.int64))


def recheck(
    job_id: int, plan: MatrixPlan, state: MatrixState, original: Original, seconds: float, *, padding: bool
) -> Generator[Event, None, Recheck]:
    """Look at a matrix that is computed again.

    Args:
        seconds: that the job took so far. padding: see ``second_value``.
    """
    start, n_strips = perf_counter(), int(plan.lo.size)
    kind = INDEL if len(plan.delta_bits) == LCS_SIGNS else EDIT
    yield from make_ready(job_id, kind)
    value = second_value(plan, state, padding)
    yield StepDone(job_id, "verify", 1, 0, perf_counter() - start)
    widths = np.minimum(plan.hi * GROUP_COLUMNS, plan.n_cols) - plan.lo * GROUP_COLUMNS
    whole = budget(seconds)
    widest = int(widths.max())
    _, behind = np.unique(plan.border_at[::-1], return_index=True)
    strips = n_strips - behind[behind > 0]  # those above which no other border was written since
    n_samples = min(MAX_SAMPLES, strips.size, max(1, int(whole / (START_SHARE * start_seconds(0, widest)))))
    chosen = np.random.default_rng((plan.rows.size, plan.n_cols, abs(value))).permutation(strips)[:n_samples]
    cells = 0
    for s in chosen.tolist():
        start, width = perf_counter(), int(widths[s])
        rows = (whole / n_samples - start_seconds(0, width)) / rows_seconds(kind, 1, width)
        top = s * strip_rows(plan.depth)
        n_rows = min(int(rows), strip_rows(plan.depth), int(plan.rows.size) - top)
        if n_rows < 1:
            break
        right = _sample_is_right(plan, state, original, kind, s, n_rows)
        cells += n_rows * width
        yield StepDone(job_id, "verify", 1, 0, perf_counter() - start)
        if not right:
            return Recheck(value, 0.0, f"rows {top + 1:,} to {top + n_rows:,}")
    return Recheck(value, cells / (int(plan.rows.size) * plan.n_cols))


def _sample_is_right(plan: MatrixPlan, state: MatrixState, original: Original, kind: int, s: int, n_rows: int) -> bool:
    """Return whether the first rows of strip s rise behind its last column as they do when they are computed again."""
    top, lo = s * strip_rows(plan.depth), int(plan.lo[s])
    first, end = lo * GROUP_COLUMNS, min(int(plan.hi[s]) * GROUP_COLUMNS, plan.n_cols)
    again = WordRows(original.a[top : top + n_rows], original.b[first:end], original.fold_case, kind)
    signs = [_border_row(plan, state.border, s, sign, again.up.size) for sign in range(len(plan.delta_bits))]
    again.begin(~signs[0] if kind == INDEL else signs[0], signs[-1])
    before, rises = again.value(), right_column(plan, state.final[s])
    for begin, upto in ((0, n_rows // 2), (n_rows // 2, n_rows)):
        again.advance(begin, upto)
        if again.value() - before != int(rises[:upto].sum(dtype=np.int64)):
            return False
    return True


def _border_row(plan: MatrixPlan, border: Words, s: int, sign: int, n_words: int) -> Words:
    """Return the bits of a sign of the border above strip s, column by column from its first one on."""
    words, at = int(plan.border_words[s]), int(plan.border_at[s])
    streams = border[at : at + words * GROUP_COLUMNS * len(plan.delta_bits)].reshape(-1, words)
    out = np.empty(n_words, np.uint64)
    group = int(plan.lo[s]) - (int(plan.lo[s - 1]) if s else 0)
    join_columns(streams[GROUP_COLUMNS * sign], streams[GROUP_COLUMNS * sign + 1], group, out)
    return out
