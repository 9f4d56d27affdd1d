"""Comparison of two texts by lines: an LCS of lines by the same kernels, then words inside lines that changed.

The LCS is of the lines that are not blank; blank lines between equal ones follow, so that one never costs a line with
letters. See ``matching`` for what is done with the rest.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.event_streams import EventTotals
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.jobs.line_result import LineKind, LineResult, LineRows
from wavediff.core.kernels.lines.matching import (
    ALONE,
    GAPS_A_STEP,
    Gap,
    Moved,
    gaps,
    moved_blocks,
    shifted,
    with_blank_lines,
    with_changed_lines,
)
from wavediff.core.kernels.lines.text_lines import LineNumbers, TextLines, number_lines, text_lines
from wavediff.core.kernels.lines.words import Runs, changed, joined
from wavediff.core.kernels.pairwise.lcs import run as lcs
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.methods.lines import LineJob

BYTES_PER_LETTER = 5  # of a text and its lines, about
BYTES_PER_LINE = 150  # of a number, its key and its row, about


def run(job: LineJob) -> Generator[Event, None, LineResult]:
    """Compute ``job``; see ``wavediff.core.jobs.line_result.LineResult``.

    Raises:
        SelfCheckFailed: the result contradicted itself.
    """
    tally = EventTotals()
    found, alignment, rows, moved = yield from tally.watch(_steps(job))
    return LineResult(
        rows=rows,
        moved=np.array(moved, np.int64).reshape(-1, 3),
        alignment=alignment,
        strategy=found.strategy,
        reason=found.reason,
        n_cells=found.n_cells,
        cells=found.cells,
        verification=found.verification,
        **tally.fields(job.id, "cpu"),
    )


def memory(job: LineJob) -> int:
    """Return the bytes that ``job`` takes beside its letters, without the LCS of its lines."""
    return BYTES_PER_LETTER * job.n_letters + BYTES_PER_LINE * sum(job.n_lines)


def _steps(job: LineJob) -> Generator[Event, None, tuple[LcsResult, Alignment | None, LineRows, list[Moved]]]:
    since = perf_counter()
    a, b = text_lines(job.a, job.characters), text_lines(job.b, job.characters)
    yield job.step.done("lines", since)
    numbers = yield from number_lines(job.step, a, b)
    found, mate = yield from _equal_lines(job, numbers)
    since = perf_counter()
    moved = moved_blocks(mate, numbers)
    mate = with_blank_lines(mate, numbers, moved)
    yield job.step.done("hunks", since)
    mate = yield from with_changed_lines(job.step, mate, moved, a, b)
    since = perf_counter()
    mate = shifted(mate, moved, numbers, a, b)
    moved = moved_blocks(mate, numbers)  # with the blank lines that they have now
    rows = _rows(mate, moved, numbers, a, b)
    yield job.step.done("hunks", since)
    alignment = None if job.path is TracebackMethod.NONE else (yield from _alignment(job, rows, a, b))
    return found, alignment, rows, moved


def _equal_lines(job: LineJob, numbers: LineNumbers) -> Generator[Event, None, tuple[LcsResult, Counts]]:
    """Return the LCS of the lines that are not blank, and the mate of each line of A."""
    at_a, at_b = (np.flatnonzero(~numbers.blank[one]) for one in (numbers.a, numbers.b))
    ours, theirs = numbers.a[at_a], numbers.b[at_b]
    found = yield from lcs.run(LcsJob(id=job.id, a=ours, b=theirs, threads=job.threads))
    assert found.alignment is not None
    mate = np.full(numbers.a.size, ALONE, np.int64)
    i = j = 0
    for op, n in found.alignment.runs():
        if op == Op.EQUAL:
            mate[at_a[i : i + n]] = at_b[j : j + n]
        i += n if op != Op.INSERTION else 0
        j += n if op != Op.DELETION else 0
    return found, mate


def _rows(mate: Counts, moved: list[Moved], numbers: LineNumbers, a: TextLines, b: TextLines) -> LineRows:
    lines_a, lines_b = [], []
    at_a = at_b = 0
    for gap in [*gaps(mate, len(b)), Gap(len(a), len(a), len(b), len(b))]:
        lines_a += [np.arange(at_a, gap.a1), np.full(gap.b1 - gap.b0, ALONE)]
        lines_b += [np.arange(at_b, gap.b0), np.full(gap.a1 - gap.a0, ALONE), np.arange(gap.b0, gap.b1)]
        at_a, at_b = gap.a1, gap.b1
    rows_a, rows_b = np.concatenate(lines_a), np.concatenate(lines_b)
    kind = np.full(rows_a.size, LineKind.EQUAL, np.uint8)
    pairs = np.flatnonzero((rows_a >= 0) & (rows_b >= 0))
    kind[pairs[numbers.a[rows_a[pairs]] != numbers.b[rows_b[pairs]]]] = LineKind.CHANGED
    kind[rows_a == ALONE], kind[rows_b == ALONE] = LineKind.ADDED, LineKind.REMOVED
    blank = np.where(rows_a >= 0, numbers.blank[numbers.a[rows_a]], numbers.blank[numbers.b[rows_b]])
    row_of_a, row_of_b = np.flatnonzero(rows_a >= 0), np.flatnonzero(rows_b >= 0)  # lines are in order
    for block in moved:
        for row_of, first, alone, kept in (
            (row_of_a, block.a, LineKind.REMOVED, LineKind.MOVED_FROM),
            (row_of_b, block.b, LineKind.ADDED, LineKind.MOVED_TO),
        ):
            _mark_moved(kind, row_of[first : first + block.n_lines], alone, kept, blank)
    differ = kind != LineKind.EQUAL
    hunk = np.cumsum(differ & ~np.append(False, differ[:-1])) * differ
    _join_hunks(hunk, [(int(row_of_a[block.a]), int(row_of_b[block.b])) for block in moved])
    return LineRows(kind, rows_a, rows_b, hunk, a.starts, b.starts)


def _mark_moved(kind: np.ndarray, rows: Counts, alone: LineKind, kept: LineKind, blank: np.ndarray) -> None:
    """Mark the rows of a block, and the blank lines beside it that have no other line."""
    first, end = int(rows[0]), int(rows[-1]) + 1
    while first > 0 and blank[first - 1] and kind[first - 1] == alone:
        first -= 1
    while end < kind.size and blank[end] and kind[end] == alone:
        end += 1
    kind[first:end] = kept


def _join_hunks(hunk: Counts, places: list[tuple[int, int]]) -> None:
    """Give both places of a block one number of a hunk, and no number to none."""
    if not places:
        return
    smaller = np.arange(hunk.max() + 1)
    for row, other in places:
        one, two = sorted((int(smaller[hunk[row]]), int(smaller[hunk[other]])))
        smaller[smaller == two] = one
    hunk[:] = np.unique(smaller, return_inverse=True)[1][hunk]


def _alignment(job: LineJob, rows: LineRows, a: TextLines, b: TextLines) -> Generator[Event, None, Alignment]:
    """Return the alignment of the letters, followed over the letters themselves."""
    runs: Runs = []
    since, at_a, at_b = perf_counter(), 0, 0
    edges = np.flatnonzero(np.diff(rows.kind != LineKind.EQUAL)) + 1
    for k, (first, end) in enumerate(zip([0, *edges.tolist()], [*edges.tolist(), rows.kind.size], strict=True)):
        if first == end:
            continue
        if rows.kind[first] == LineKind.EQUAL:
            runs += _equal_letters(a, b, int(rows.a[first]), int(rows.b[first]), end - first)
        else:
            for row in range(first, end):
                i, j = int(rows.a[row]), int(rows.b[row])
                runs += changed(a.line(i), b.line(j)) if i >= 0 and j >= 0 else _alone(a, b, i, j)
        if k % GAPS_A_STEP == 0:
            yield job.step.done("words", since)
            since = perf_counter()
    runs = joined(runs)
    for op, n in runs:
        if op == Op.EQUAL and not np.array_equal(job.a[at_a : at_a + n], job.b[at_b : at_b + n]):
            raise SelfCheckFailed(f"lines: letters {at_a:,} of A and {at_b:,} of B are not equal")
        at_a += n if op != Op.INSERTION else 0
        at_b += n if op != Op.DELETION else 0
    if (at_a, at_b) != (job.a.size, job.b.size):
        raise SelfCheckFailed("lines: the alignment does not have every letter")
    yield job.step.done("words", since)
    return Alignment(np.array([op for op, _ in runs], np.uint8), np.array([n for _, n in runs], np.int64))


def _equal_letters(a: TextLines, b: TextLines, i: int, j: int, n: int) -> Runs:
    """Return the letters of equal lines; the line end at the end of a text may be missing in one of them."""
    ours, theirs = int(a.starts[i + n] - a.starts[i]), int(b.starts[j + n] - b.starts[j])
    return [(Op.EQUAL, min(ours, theirs)), (Op.DELETION, max(ours - theirs, 0)), (Op.INSERTION, max(theirs - ours, 0))]


def _alone(a: TextLines, b: TextLines, i: int, j: int) -> Runs:
    if i >= 0:
        return [(Op.DELETION, int(a.starts[i + 1] - a.starts[i]))]
    return [(Op.INSERTION, int(b.starts[j + 1] - b.starts[j]))]
