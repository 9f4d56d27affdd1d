"""Verification of a computed block matrix: its value along other borders, and sampled blocks by another kernel.

The value is the sum along the top and right edges; the check uses the left edge and the border below the last strip,
or above it if padding rows were not computed. Sampled blocks are recomputed from the stored state before them and the
border above, by word columns with additions, and must reproduce the next stored state. Without states the first rows of
some strips are recomputed up to the last column.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.border_values import border_value, right_column
from wavediff.core.kernels.pairwise.blocks.matrix_plan import CARRY_WORDS, MatrixPlan, MatrixState, n_cells, strip_rows
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.look_again import Original, Recheck, budget
from wavediff.core.kernels.pairwise.recompute import EDIT, INDEL, WordRows, make_ready, rows_seconds, start_seconds
from wavediff.core.kernels.pairwise.word_rows import join_columns

MAX_STRIPS, MAX_BLOCKS = 8, 8  # of which some are computed again, and how many of each
LEAST_ROWS = 512  # of a sample
CALL_SECONDS = 6e-5  # that a sample takes besides its cells
BLOCK_SHARE = 3  # times as long as other rows those of a block take, one by one
START_SHARE = 4  # a sample may take so many times as long as it takes to begin


def second_value(plan: MatrixPlan, state: MatrixState, padding: bool) -> int:
    """Return the value along the left and an inner border, then up or down.

    Args:
        padding: whether the padding rows of the last strip were computed; its lower border is used then.
    """
    last = int(plan.lo.size) - 1
    rows = int(plan.rows.size) - last * strip_rows(plan.depth)
    right = right_column(plan, state.final[last])
    if padding:
        return border_value(plan, state.border, last + 1, plan.n_cols) - int(right[rows:].sum(dtype=np.int64))
    return border_value(plan, state.border, last, plan.n_cols) + int(right[:rows].sum(dtype=np.int64))


def recheck(
    step: Step,
    plan: MatrixPlan,
    state: MatrixState,
    original: Original,
    seconds: float,
    padding: bool,
    states: bool,
) -> Generator[Event, None, Recheck]:
    """Verify a computed matrix.

    Args:
        seconds: expected for the job. padding: see ``second_value``. states: whether block states were stored.
    """
    kind = INDEL if len(plan.delta_bits) == LCS_SIGNS else EDIT
    yield from make_ready(step, kind, original.a.dtype.type)
    start = perf_counter()
    value = second_value(plan, state, padding)
    yield step.done("verify", start)
    left, cells, random = budget(seconds), 0, np.random.default_rng((plan.rows.size, plan.n_cols, abs(value)))
    blocks = _inner_blocks(plan, random) if states else []
    for sample in blocks or _top_rows(plan, random, left, kind):
        start = perf_counter()
        row_seconds = BLOCK_SHARE * rows_seconds(kind, 1, sample.width)
        affordable = int((left - start_seconds(0, sample.width)) / row_seconds)
        if cells and affordable < LEAST_ROWS:
            break
        sample = sample._replace(n_rows=min(sample.n_rows, max(affordable, LEAST_ROWS)))
        right = (_block_is_right if blocks else _rows_are_right)(plan, state, original, kind, sample)
        cells += sample.n_rows * sample.width
        left -= CALL_SECONDS + start_seconds(0, sample.width) + sample.n_rows * row_seconds
        yield step.done("verify", start)
        if not right:
            top = sample.strip * strip_rows(plan.depth)
            return Recheck(value, 0.0, f"rows {top + 1:,} to {top + sample.n_rows:,}")
    return Recheck(value, cells / n_cells(plan))


class _Sample(NamedTuple):
    """First ``n_rows`` rows of a strip in ``width`` columns; ``state``: number of the stored state before them."""

    strip: int
    n_rows: int
    width: int
    state: int = 0


def _inner_blocks(plan: MatrixPlan, random: np.random.Generator) -> list[_Sample]:
    """Return a few random inner blocks of each strip between two stored states."""
    samples, long = [], plan.keep * plan.steps
    for s in random.permutation(plan.lo.size)[:MAX_STRIPS].tolist():
        rows = min(strip_rows(plan.depth), int(plan.rows.size) - s * strip_rows(plan.depth))
        begins = np.arange(int(plan.first[s]), int(plan.last[s]) - plan.keep, plan.keep) * plan.steps
        end = min(int(plan.hi[s]), plan.n_cols // GROUP_COLUMNS)
        inside = np.flatnonzero((begins >= plan.lo[s] + BITS - 1) & (begins + long <= end))
        samples += [_Sample(s, rows, long * GROUP_COLUMNS, k) for k in random.permutation(inside)[:MAX_BLOCKS].tolist()]
    return [samples[k] for k in random.permutation(len(samples)).tolist()]


def _top_rows(plan: MatrixPlan, random: np.random.Generator, seconds: float, kind: int) -> list[_Sample]:
    """Return the first rows of strips with stored upper borders, as many as fit into ``seconds``."""
    widths = np.minimum(plan.hi * GROUP_COLUMNS, plan.n_cols) - plan.lo * GROUP_COLUMNS
    _, behind = np.unique(plan.border_at[::-1], return_index=True)
    strips = plan.lo.size - behind[behind > 0]  # no other border was written in its place since
    begins = start_seconds(0, int(widths.max()))
    n = min(MAX_BLOCKS, strips.size, max(1, int(seconds / (START_SHARE * begins))))
    samples = []
    for s in random.permutation(strips)[:n].tolist():
        width, most = int(widths[s]), min(strip_rows(plan.depth), int(plan.rows.size) - s * strip_rows(plan.depth))
        rows = int((0.9 * seconds / n - start_seconds(0, width)) / rows_seconds(kind, 1, width))
        samples += [_Sample(s, min(rows, most), width)] if rows > 0 else []
    return samples


def _block_is_right(plan: MatrixPlan, state: MatrixState, original: Original, kind: int, sample: _Sample) -> bool:
    """Return whether recomputing a block leads from one stored state to the next."""
    s, top = sample.strip, sample.strip * strip_rows(plan.depth)
    begin = (int(plan.first[s]) + sample.state * plan.keep) * plan.steps
    first = GROUP_COLUMNS * (begin - (BITS - 1))  # column of the last stripe
    letters = original.a[top : top + sample.n_rows], original.b[first : GROUP_COLUMNS * begin + sample.width]
    again = WordRows(*letters, original.fold_case, kind)
    signs, n_words = len(plan.delta_bits), sample.width // WORD
    group = begin - (int(plan.lo[s - 1]) if s else 0)
    again.begin(*(_border_row(plan, state.border, s, sign, group, n_words) for sign in (0, signs - 1)))
    size, carries = signs * plan.depth * LANES, signs * CARRY_WORDS
    at = int(plan.saved_at[s]) + sample.state * (size + carries)
    before, after = (state.saved[at + k * (size + carries) :][: size + carries] for k in range(2))
    return again.block(plan.depth, (before[:size], after[:size]), (before[size:], after[size:])) == sample.n_rows


def _rows_are_right(plan: MatrixPlan, state: MatrixState, original: Original, kind: int, sample: _Sample) -> bool:
    """Return whether recomputing the first rows of strip s reproduces their right border."""
    s, n_rows = sample.strip, sample.n_rows
    top, first = s * strip_rows(plan.depth), int(plan.lo[s]) * GROUP_COLUMNS
    letters = original.a[top : top + n_rows], original.b[first : first + sample.width]
    again = WordRows(*letters, original.fold_case, kind)
    group = int(plan.lo[s]) - (int(plan.lo[s - 1]) if s else 0)
    signs = [_border_row(plan, state.border, s, sign, group, again.up.size) for sign in (0, len(plan.delta_bits) - 1)]
    again.begin(~signs[0] if kind == INDEL else signs[0], signs[-1])
    before, rises = again.value(), right_column(plan, state.final[s])
    for begin, upto in ((0, n_rows // 2), (n_rows // 2, n_rows)):
        again.advance(begin, upto)
        if again.value() - before != int(rises[:upto].sum(dtype=np.int64)):
            return False
    return True


def _border_row(plan: MatrixPlan, border: Words, s: int, sign: int, group: int, n_words: int) -> Words:
    """Return the column-wise bits of a sign of the border above strip s, from a group on."""
    words, at = int(plan.border_words[s]), int(plan.border_at[s])
    streams = border[at : at + words * GROUP_COLUMNS * len(plan.delta_bits)].reshape(-1, words)
    out = np.empty(n_words, np.uint64)
    join_columns(streams[GROUP_COLUMNS * sign], streams[GROUP_COLUMNS * sign + 1], group, out)
    return out
