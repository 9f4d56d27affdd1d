"""Comparison of one short pair in Python: cost and path by bit vectors; the cost is verified by other formulas."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.edit_result import EditResult, Skip, SkipReason
from wavediff.core.jobs.events import Event, EventTotals, Planned, pass_on
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.jobs.results import TieBreak
from wavediff.core.jobs.verification import Check, Verification
from wavediff.core.kernels.traceback.fewest_gaps import fewest_gaps
from wavediff.core.kernels.traceback.tie_rules import Settled
from wavediff.core.kernels.uncompiled.bit_vectors import EQUAL, least_cost, least_cost_steps, walk
from wavediff.core.kernels.uncompiled.fewest_gaps import IN_PYTHON, assemble_alignment
from wavediff.core.methods.base import BlockJob, Ties, TracebackMethod
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.sequences.characters import folding_of

MIN_TIMED_CELLS = 100_000  # fewer take the time of the start: they say nothing of a cell


def edit(job: EditJob) -> Generator[Event, None, EditResult]:
    """Compute ``job``; same result as ``wavediff.core.kernels.pairwise.edit.run``."""
    distance, skips, fields = yield from _compared(job, job.ties, paired=False)
    return EditResult(distance=distance, exact=True, skips=skips, bands=(), **fields)


def lcs(job: LcsJob) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; same result as ``wavediff.core.kernels.pairwise.lcs.run``."""
    cost, _, fields = yield from _compared(job, job.ties, paired=True)
    return LcsResult(length=(job.n_letters - cost) // 2, **fields)


def _compared(
    job: BlockJob, ties: Ties, *, paired: bool
) -> Generator[Event, None, tuple[int, tuple[Skip, ...], dict[str, Any]]]:
    """Return the cost, the cells skipped because of common ends, and the result fields of all methods."""
    tally, step, start = EventTotals(), job.step, perf_counter()
    table = folding_of(job.fold_case, job.a, job.b)
    a, b = table.take(job.a), table.take(job.b)
    prefix = _common(a, b)
    suffix = _common(a[prefix:][::-1], b[prefix:][::-1])
    x, y = (some[prefix : some.size - suffix].tolist() for some in (a, b))
    n, m = len(x), len(y)
    grid = BlockGrid(n, m, max(n, 1), max(m, 1), prefix, prefix)
    block_map = np.array([[BlockState.WAITING]], np.uint8)[:n, :m]
    watched = block_map.view()
    watched.setflags(write=False)
    strategy, reason = "full", "short: done before kernels are compiled"
    if not n or not m:
        strategy, reason = "common-ends", "one is the other with a single gap" if n or m else "identical"
    yield Planned(job.id, grid, watched, strategy, reason, n * m)
    settled = None
    if job.path is TracebackMethod.NONE:
        cost = least_cost(x, y, paired=paired)
        again = least_cost_steps(b.tolist(), a.tolist(), paired=paired).cost
        yield tally.add(step.done("uncompiled", start, 1, n * m))
    else:
        steps = least_cost_steps(x, y, paired=paired)
        cost, runs = steps.cost, [(EQUAL, suffix), *walk(x, y, steps, paired=paired)]
        piece = np.array([op for op, _ in runs], np.uint8), np.array([length for _, length in runs], np.int64)
        yield tally.add(step.done("uncompiled", start, 1, n * m))
        path = yield from pass_on(assemble_alignment(step, [piece], a, b, prefix, 0), tally.add)
        settled = Settled(path, TieBreak(ties))
        if ties is Ties.FEWEST_GAPS:
            ties_steps = fewest_gaps(step, path, a, b, prefix, IN_PYTHON, paired=paired)
            settled = yield from pass_on(ties_steps, tally.add)
        start = perf_counter()
        _check(a, b, settled, cost)
        again = least_cost(a.tolist(), b.tolist(), paired=paired)
    if again != cost:
        raise SelfCheckFailed(
            f"the edits between {a.size:,} and {b.size:,} letters came out as {cost:,}, and as {again:,} when "
            "recomputed in another way; the result was discarded"
        )
    block_map[:] = BlockState.DONE if settled is None else BlockState.PATH
    yield tally.add(step.done("verify", start))
    fields = {
        **tally.fields(job.id, "cpu"),
        "alignment": None if settled is None else settled.alignment,
        "ties": None if settled is None else settled.ties,
        "strategy": strategy,
        "reason": reason,
        "verification": Verification(Check.RECOMPUTED),
        "n_cells": job.n_cells,
        "cells": tally.cells,
    }
    cells, seconds = tally.total("uncompiled")
    left_out = job.n_cells - n * m
    saved = left_out * seconds / max(cells, MIN_TIMED_CELLS)
    return cost, (Skip(SkipReason.ENDS, 0, left_out, saved),) if left_out else (), fields


def _common(a: Letters, b: Letters) -> int:
    n = min(a.size, b.size)
    differ = np.flatnonzero(a[:n] != b[:n])
    return int(differ[0]) if differ.size else n


def _check(a: Letters, b: Letters, settled: Settled, cost: int) -> None:
    """Raise an error unless the alignment fits the letters and the cost."""
    ops, lengths = settled.alignment.ops, settled.alignment.lengths
    columns = np.repeat(ops, lengths)
    in_a, in_b = columns != Op.INSERTION, columns != Op.DELETION
    fits = (int(in_a.sum()), int(in_b.sum())) == (a.size, b.size)
    if fits:
        pairs = in_a & in_b
        equal = a[(np.cumsum(in_a) - 1)[pairs]] == b[(np.cumsum(in_b) - 1)[pairs]]
        fits = bool((equal == (columns[pairs] == Op.EQUAL)).all()) and int((columns != Op.EQUAL).sum()) == cost
    if not fits:
        raise SelfCheckFailed(
            f"the alignment of {a.size:,} and {b.size:,} letters is not what was claimed; the result was discarded"
        )
