"""Recomputation of matrix cells from stored parts, or from the beginning."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from importlib import import_module
from typing import Any

from wavediff.core.jobs.events import Event, EventTotals, StepDone
from wavediff.core.jobs.kept_matrix import MAX_KEPT_BYTES, KeptMatrix, Values, has_cells
from wavediff.core.methods import method_of
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.window_job import WindowJob, WindowResult


def run(job: WindowJob) -> Generator[Event, None, WindowResult]:
    """Compute ``job``.

    Raises:
        NotEnoughMemory: without stored borders, the rows above the cells exceed memory.
        ValueError: the comparison has no cells; see ``wavediff.core.methods.base.Method.table_of``.
    """
    tally, method = EventTotals(), method_of(job.pair)
    if not method.table_of(job.pair):
        raise ValueError(f"no cells of a comparison by {method.long_name} with these choices can be shown")
    values, kept, before = yield from tally.watch(_steps(job))
    values += before * method.equal_adds
    words = kept.words(job.row - before, job.col - before, job.n_rows, job.n_cols)
    again = kept if job.kept is not kept and kept.n_bytes <= MAX_KEPT_BYTES else None
    return WindowResult(
        row=job.row, col=job.col, values=values, words=words, kept=again, layout=kept.layout, before=before,
        **tally.fields(job.id, "cpu"),
    )  # fmt: skip


def _steps(job: WindowJob) -> Generator[Event, None, tuple[Values, KeptMatrix, int]]:
    kept, before = job.kept, job.before
    if kept is None or not has_cells(kept, job.row - before, job.col - before, job.n_rows, job.n_cols):
        kept, before = (yield from _above(job)), 0
    values = yield from kept.values(job.step, job.row - before, job.col - before, job.n_rows, job.n_cols)
    return values, kept, before


def _above(job: WindowJob) -> Generator[Event, None, KeptMatrix]:
    """Compute everything above the window's end and on its left, with progress events."""
    pair: Any = job.pair
    letters = {"a": pair.a[: job.row + job.n_rows], "b": pair.b[: job.col + job.n_cols]}
    part: Any = replace(pair, **letters, path=TracebackMethod.BLOCKS, id=job.id)
    steps: Generator[Event, None, KeptMatrix] = import_module(pair.modules.cpu).keep(part)
    done = 0
    while True:
        try:
            event = next(steps)
        except StopIteration as ended:
            kept: KeptMatrix = ended.value
            return kept
        yield event
        if isinstance(event, StepDone) and event.kernel == "blocks":
            done += event.cells
            yield job.step.progress("window", min(done, part.n_cells), part.n_cells, "cells")
