"""Letter alignment of two texts with known rows, and marks within changed lines."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.line_result import LineKind, LineRows
from wavediff.core.kernels.lines.matching import GAPS_A_STEP
from wavediff.core.kernels.lines.text_lines import STEP_SECONDS, Keys, TextLines
from wavediff.core.kernels.lines.words import ANY_OP, Runs, changed, joined, unmarked
from wavediff.core.methods.lines import LineJob
from wavediff.core.sequences.characters import case_folding

_SAME, _MOVED, _OTHER = range(3)  # rows that are read together


class LineLetters(NamedTuple):
    """Fields of a ``LineResult`` for the letters."""

    alignment: Alignment | None
    marks: Counts
    n_spaces: int


NO_LETTERS = LineLetters(None, np.empty((0, 4), np.int64), 0)


def line_letters(
    job: LineJob, rows: LineRows, a: TextLines, b: TextLines, keys: Keys
) -> Generator[Event, None, LineLetters]:
    """Return the letter alignment, verified on the letters, and the marks.

    Raises:
        SelfCheckFailed: it aligns different letters as equal, or misses letters.
    """
    runs: Runs = []
    since, n_spaces = perf_counter(), 0
    kinds = np.where(rows.kind >= LineKind.MOVED_FROM, _MOVED, _OTHER)
    kinds[(rows.kind == LineKind.EQUAL) & ~rows.ignored] = _SAME
    edges = (np.flatnonzero(np.diff(kinds)) + 1).tolist()
    for k, (first, end) in enumerate(zip([0, *edges], [*edges, kinds.size], strict=True)):
        if first == end:
            continue
        if kinds[first] == _SAME:
            runs += _equal_letters(a, b, int(rows.a[first]), int(rows.b[first]), end - first)
        elif job.ignore_breaks and kinds[first] == _OTHER:
            runs += changed(_text(a, rows.a[first:end]), _text(b, rows.b[first:end]), keys)
        else:
            for row in range(first, end):
                i, j = int(rows.a[row]), int(rows.b[row])
                if i >= 0 and j >= 0:
                    one, other = a.line(i), b.line(j)
                    words = changed(one, other, keys)
                    n_spaces += rows.kind[row] == LineKind.CHANGED and "".join(one.split()) == "".join(other.split())
                else:
                    words = _alone(a, b, i, j)
                runs += words if rows.kind[row] == LineKind.CHANGED else unmarked(words)
                if perf_counter() - since > STEP_SECONDS:
                    yield job.step.done("words", since)
                    since = perf_counter()
        if k % GAPS_A_STEP == 0:
            yield job.step.done("words", since)
            since = perf_counter()
    marks = _marks(np.array(runs, np.int64).reshape(-1, 2))
    ops, n = np.array(joined([(op & ANY_OP, n) for op, n in runs]), np.int64).reshape(-1, 2).T
    alignment = checked_alignment(job, ops.astype(np.uint8), n)
    yield job.step.done("words", since)
    return LineLetters(alignment, marks, int(n_spaces))


def checked_alignment(job: LineJob, ops: npt.NDArray[np.uint8], lengths: Counts) -> Alignment:
    """Verify and return an alignment of the letters.

    Raises:
        SelfCheckFailed: it aligns different letters as equal, or misses letters.
    """
    alignment = Alignment(ops, lengths)
    table = case_folding(job.characters)
    at_a = at_b = 0
    for op, n in alignment.runs():
        ours, theirs = job.a[at_a : at_a + n], job.b[at_b : at_b + n]
        if op == Op.EQUAL and not np.array_equal(*((table[ours], table[theirs]) if job.fold_case else (ours, theirs))):
            raise SelfCheckFailed(f"lines: letters {at_a:,} of A and {at_b:,} of B are not equal")
        at_a += n if op != Op.INSERTION else 0
        at_b += n if op != Op.DELETION else 0
    if (at_a, at_b) != (job.a.size, job.b.size):
        raise SelfCheckFailed("lines: the alignment does not have every letter")
    return alignment


def _marks(runs: Counts) -> Counts:
    ops, n = runs.T
    in_a, in_b = n * (ops & ANY_OP != Op.INSERTION), n * (ops & ANY_OP != Op.DELETION)
    a, b = np.cumsum(in_a), np.cumsum(in_b)
    marked = (ops == Op.DELETION) | (ops == Op.INSERTION)
    marks: Counts = np.stack((a - in_a, a, b - in_b, b), axis=1)[marked]
    return marks


def _equal_letters(a: TextLines, b: TextLines, i: int, j: int, n: int) -> Runs:
    """Return the runs of equal lines; the final line end may be missing in one text."""
    ours, theirs = int(a.starts[i + n] - a.starts[i]), int(b.starts[j + n] - b.starts[j])
    more = [(Op.DELETION, max(ours - theirs, 0)), (Op.INSERTION, max(theirs - ours, 0))]
    return joined([(Op.EQUAL, min(ours, theirs)), *unmarked(more)])


def _text(lines: TextLines, at: Counts) -> str:
    return "".join(lines.line(k) for k in at[at >= 0].tolist())


def _alone(a: TextLines, b: TextLines, i: int, j: int) -> Runs:
    if i >= 0:
        return [(Op.DELETION, int(a.starts[i + 1] - a.starts[i]))]
    return [(Op.INSERTION, int(b.starts[j + 1] - b.starts[j]))]
