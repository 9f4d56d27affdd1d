"""Comparison by lines: LCS of lines by the sequence kernels, then words within changed lines."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.axes import Axes
from wavediff.core.jobs.events import Event, EventTotals, Planned, pass_on
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.jobs.line_result import LineKind, LineResult, LineRows
from wavediff.core.kernels.lines.breaks import no_breaks, with_breaks
from wavediff.core.kernels.lines.letters import NO_LETTERS, LineLetters, line_letters
from wavediff.core.kernels.lines.matching import (
    ALONE,
    Moved,
    lines_of,
    moved_blocks,
    shifted,
    with_blank_lines,
    with_changed_lines,
)
from wavediff.core.kernels.lines.rows import line_rows
from wavediff.core.kernels.lines.text_lines import Keys, number_lines, text_lines
from wavediff.core.kernels.pairwise.blocks.block_shape import UNCHECKED_BYTES
from wavediff.core.kernels.pairwise.lcs import run as lcs
from wavediff.core.kernels.uncompiled import run as uncompiled
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.methods.lines import LineJob
from wavediff.core.system.machine import available_memory

LINE_BYTES = 140  # of a line, its number, key and row, about
TEXT_BYTES = 150  # more of a line as text with its number, next to its letters
ALONE_BYTES = 250  # more of a line that is not equal: hunks, and blocks that moved
CHANGED_BYTES = 1000  # more of two lines that changed: their words


def run(job: LineJob) -> Generator[Event, None, LineResult]:
    """Compute ``job``; see ``wavediff.core.jobs.line_result.LineResult``.

    Raises:
        NotEnoughMemory: the lines, the changed lines or their words exceed memory.
        SelfCheckFailed: the result contradicted itself.
    """
    tally = EventTotals()
    aligned, rows, moved, letters = yield from tally.watch(_steps(job))
    return LineResult(
        rows=rows,
        moved=np.array(moved, np.int64).reshape(-1, 3),
        **letters._asdict(),
        **fields_of_units(job, aligned, tally),
    )


def memory(job: LineJob) -> tuple[int, int]:
    """Return the memory of ``job`` in bytes without letters and line LCS: (equal lines, maximum)."""
    n, width = sum(job.n_lines), job.a.itemsize
    as_text = width > 1 or any((job.fold_case, job.ignore_space, job.ignore_matching))
    least = (LINE_BYTES + TEXT_BYTES * as_text) * n + (as_text + job.fold_case) * width * job.n_letters
    return least, least + (ALONE_BYTES + CHANGED_BYTES // 2) * n


def require_memory(size: int, n: int, what: str) -> None:
    if size > UNCHECKED_BYTES and size > (free := available_memory()):
        raise NotEnoughMemory(
            f"a comparison by lines of {n:,} {what} needs about {size / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; "
            "compare a part of each file (FILE:1-100M) or letters (--method edit)",
            method="edit",
        )


def _steps(job: LineJob) -> Generator[Event, None, tuple[LcsResult, LineRows, list[Moved], LineLetters]]:
    require_memory(memory(job)[0], sum(job.n_lines), "lines")
    since, keys = perf_counter(), Keys(job.ignore)
    read = text_lines(job, fold_case=False)
    a, b = text_lines(job, fold_case=True) if job.fold_case else read
    yield job.step.done("lines", since)
    numbers = yield from number_lines(job.step, read, (a, b), keys)
    at_a, at_b = (np.flatnonzero(~numbers.blank[one]) for one in (numbers.a, numbers.b))
    axes = Axes.of("line", (at_a, at_b), (a.starts[:-1], b.starts[:-1]))
    aligned, (i, j) = yield from equal_units(job, numbers.a[at_a], numbers.b[at_b], axes)
    mate = np.full(len(a), ALONE, np.int64)
    mate[at_a[i]] = at_b[j]
    n_alone = len(a) + len(b) - 2 * int(np.count_nonzero(mate >= 0))
    require_memory(ALONE_BYTES * n_alone, n_alone, "lines that are not equal")
    since = perf_counter()
    wrapped = no_breaks(a, b)
    moved = moved_blocks(mate, numbers, wrapped)
    mate = with_blank_lines(mate, numbers, moved)
    if job.ignore_breaks:
        mate, wrapped = with_breaks(mate, moved, a, b, keys)
    yield job.step.done("hunks", since)
    gone, came = lines_of(moved)
    done = gone | {*np.flatnonzero(wrapped.a).tolist()}, came | {*np.flatnonzero(wrapped.b).tolist()}
    mate = yield from with_changed_lines(job.step, mate, done, a, b)
    since = perf_counter()
    mate = shifted(mate, moved, numbers, a, b)
    moved = moved_blocks(mate, numbers, wrapped)  # with the blank lines that they have now
    rows = line_rows(mate, moved, numbers, wrapped, a, b, blank_lines=not job.ignore_blank)
    yield job.step.done("hunks", since)
    if job.path is TracebackMethod.NONE:
        return aligned, rows, moved, NO_LETTERS
    n_changed = rows.count(LineKind.CHANGED)
    require_memory(CHANGED_BYTES * n_changed, n_changed, "lines that changed")
    letters = yield from line_letters(job, rows, a, b, keys)
    return aligned, rows, moved, letters


def equal_units(
    job: LineJob, ours: Letters, theirs: Letters, axes: Axes
) -> Generator[Event, None, tuple[LcsResult, tuple[Counts, Counts]]]:
    """Return the LCS of lines or words by number, and the positions of equal ones."""
    units = LcsJob(id=job.id, a=ours, b=theirs, threads=job.threads)
    steps = uncompiled.lcs(units) if units.is_short else lcs.run(units)
    aligned = yield from pass_on(steps, lambda event: with_axes(event, axes))
    assert aligned.alignment is not None
    columns = np.repeat(aligned.alignment.ops, aligned.alignment.lengths)
    equal = columns == Op.EQUAL
    return aligned, (np.flatnonzero(equal[columns != Op.INSERTION]), np.flatnonzero(equal[columns != Op.DELETION]))


def fields_of_units(job: LineJob, aligned: LcsResult, tally: EventTotals) -> dict[str, Any]:
    """Return the result fields derived from the LCS of lines or words."""
    computed = {name: getattr(aligned, name) for name in ("strategy", "reason", "n_cells", "cells", "verification")}
    return {"ignore": job.ignore, **computed, **tally.fields(job.id, "cpu")}


def with_axes(event: Event, axes: Axes) -> Event:
    return event._replace(axes=axes, kept=None) if isinstance(event, Planned) else event
