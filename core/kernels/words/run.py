"""Comparison by words: LCS of words and punctuation by the sequence kernels, white space between equal ones.

A row pairs the lines that share the most letters in equal words.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.axes import Axes
from wavediff.core.jobs.events import Event, EventTotals
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.jobs.line_result import LineRows
from wavediff.core.jobs.word_result import WordCounts, WordKind, WordResult
from wavediff.core.kernels.lines.breaks import Wrapped
from wavediff.core.kernels.lines.letters import NO_LETTERS, checked_alignment
from wavediff.core.kernels.lines.matching import ALONE, with_blank_lines
from wavediff.core.kernels.lines.rows import line_rows
from wavediff.core.kernels.lines.run import equal_units, fields_of_units, require_memory
from wavediff.core.kernels.lines.text_lines import Keys, LineNumbers, TextLines, text_lines
from wavediff.core.kernels.words.tokens import Tokens, tokens_of
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.words import WordJob

LETTER_BYTES = 16  # of a letter as text and its part of a word: numbers, places, about
MAX_INDENTATION = 200  # letters
MAX_SLIDE_WORDS = 64  # tried in each direction
BLANK, LINE_OF_A, LINE_OF_B = range(3)
Spans = Counts  # int64, shape (k, 4): from and to which token, or letter, of A and of B


def run(job: WordJob) -> Generator[Event, None, WordResult]:
    """Compute ``job``; see ``wavediff.core.jobs.word_result.WordResult``.

    Raises:
        NotEnoughMemory: the words exceed memory.
        SelfCheckFailed: the result contradicted itself.
    """
    tally = EventTotals()
    lcs, rows, changes, alignment = yield from tally.watch(_steps(job))
    marks = changes.changes[changes.kinds != WordKind.SPACE]
    (a0, a1, b0, b1), none = marks.T, alignment is None
    marks = np.stack((a0, a1, b0, b0, a1, a1, b0, b1), axis=1).reshape(-1, 4)
    return WordResult(
        rows=rows,
        moved=np.empty((0, 3), np.int64),
        alignment=alignment,
        marks=NO_LETTERS.marks if none else marks[(marks[:, 0] < marks[:, 1]) | (marks[:, 2] < marks[:, 3])],
        changes=changes.changes,
        kinds=changes.kinds,
        words=changes.words,
        counts=changes.counts,
        n_spaces=int(np.count_nonzero(changes.kinds == WordKind.SPACE)),
        **fields_of_units(job, lcs, tally),
    )


def memory(job: WordJob) -> tuple[int, int]:
    """Return the memory of ``job`` in bytes without letters and word LCS: (long words, short words)."""
    return LETTER_BYTES // 2 * job.n_letters, 2 * LETTER_BYTES * job.n_letters


def _steps(job: WordJob) -> Generator[Event, None, tuple[LcsResult, LineRows, Changes, Alignment | None]]:
    require_memory(LETTER_BYTES * job.n_letters, job.n_letters, "letters by words")
    a, b = yield from tokens_of(job, Keys(job.ignore))
    at_a, at_b = (np.flatnonzero(~one.space) for one in (a, b))
    axes = Axes.of("token", (np.arange(at_a.size), np.arange(at_b.size)), (a.starts[:-1][at_a], b.starts[:-1][at_b]))
    lcs, pairs = yield from equal_units(job, a.numbers[at_a], b.numbers[at_b], axes)
    since = perf_counter()
    ranks = whole_lines(a, b, pairs[0].copy(), pairs[1].copy(), at_a, at_b)
    mates = at_a[ranks[0]], at_b[ranks[1]]
    changes = find_changes(a, b, mates, ignore_space=job.ignore_space)
    for spans in (changes.changes, changes.unlike):
        _to_line_ends(spans, (job.a, job.b))
    rows = _rows(job, a, b, mates, changes)
    alignment = None
    if job.path is not TracebackMethod.NONE:
        alignment = checked_alignment(job, *_runs(changes.unlike, int(job.a.size), int(job.b.size)))
    yield job.step.done("changes", since)
    return lcs, rows, changes, alignment


def _runs(unlike: Spans, n: int, m: int) -> tuple[np.ndarray, Counts]:
    """Return the runs of an alignment with all letters equal except ``unlike``."""
    spans = np.concatenate((unlike, [(n, n, m, m)]))
    before = np.concatenate(([(0, 0)], spans[:-1][:, (1, 3)]))
    begins = np.append(True, (spans[1:, 0] > before[1:, 0]) | (spans[1:, 2] > before[1:, 1]))  # after equal letters
    first = np.flatnonzero(begins)
    deleted, inserted = (np.add.reduceat(spans[:, k + 1] - spans[:, k], first) for k in (0, 2))
    lengths = np.stack((spans[first, 0] - before[first, 0], deleted, inserted), axis=1).ravel()
    ops = np.tile(np.array((Op.EQUAL, Op.DELETION, Op.INSERTION), np.uint8), first.size)
    return ops[lengths > 0], lengths[lengths > 0]


def whole_lines(a: Tokens, b: Tokens, in_a: Counts, in_b: Counts, at_a: Counts, at_b: Counts) -> tuple[Counts, Counts]:
    """Move runs of words that only one text has to whole lines, and return the equal words.

    A run can move past an adjacent word that equals the word at its other end.

    Args:
        in_a, in_b: int64: the equal words, as ranks in ``at_a`` and ``at_b``; changed.
        at_a, at_b: int64: the tokens that are not white space.
    """
    for one, at, mine, other in ((a, at_a, in_a, in_b), (b, at_b, in_b, in_a)):
        words, behind_line = one.read[at], np.concatenate(([True], one.line_end[at[1:] - 1], [True]))
        for k in np.flatnonzero((np.diff(mine) > 1) & (np.diff(other) == 1)).tolist():
            first, end = int(mine[k]) + 1, int(mine[k + 1])
            slides = () if behind_line[first] and behind_line[end] else _slides(words, mine, other, k)
            for step in slides:
                if behind_line[first + step] and behind_line[end + step]:
                    moved = slice(k + 1, k + 1 + step) if step > 0 else slice(k + 1 + step, k + 1)
                    mine[moved] += first - end if step > 0 else end - first
                    break
    return in_a, in_b


def _slides(words: Letters, mine: Counts, other: Counts, k: int) -> Iterator[int]:
    """Yield by how many words the run behind equal word ``k`` can move, to the right (positive) and to the left."""
    first, end = int(mine[k]) + 1, int(mine[k + 1])
    for sign, left, right, at in ((1, first, end, k + 1), (-1, first - 1, end - 1, k)):
        for by in range(0, sign * MAX_SLIDE_WORDS, sign):  # each step moves the mate of one equal word
            if not 0 <= at + by < mine.size or words[left + by] != words[right + by]:
                break
            adjacent = (right if sign > 0 else left) + by, other[at] + by
            if (mine[at + by], other[at + by]) != adjacent:
                break
            yield by + sign


def _rows(job: WordJob, a: Tokens, b: Tokens, mates: tuple[Counts, Counts], changes: Changes) -> LineRows:
    texts = text_lines(job, fold_case=False)
    changed = changes.changes[changes.kinds != WordKind.SPACE]
    lines = [
        np.searchsorted(text.starts, one.starts[:-1], "right") - 1 for text, one in zip(texts, (a, b), strict=True)
    ]
    same, unlike, numbers = [], [], []
    for side, (text, one) in enumerate(zip(texts, (a, b), strict=True)):
        same.append(~_touched(text, changed[:, 2 * side : 2 * side + 2]))
        unlike.append(_touched(text, changes.unlike[:, 2 * side : 2 * side + 2]))
        of_lines = np.full(len(text), BLANK, np.uint8)
        of_lines[lines[side][~one.space]] = LINE_OF_A + side
        numbers.append(of_lines)
    blank = np.array((True, False, False))
    known = LineNumbers(numbers[0], numbers[1], blank, unlike[0] * np.uint8(1), unlike[1] * np.uint8(2))
    sizes = a.starts[mates[0] + 1] - a.starts[mates[0]]
    mate = with_blank_lines(_line_mates(lines[0][mates[0]], lines[1][mates[1]], sizes, len(texts[0])), known, [])
    return line_rows(mate, [], known, Wrapped(*same), *texts, blank_lines=True)


def _touched(text: TextLines, spans: Counts) -> np.ndarray:
    """Return the lines with letters of ``spans``, bool; a line whose end alone is in a longer span does not count."""
    spans = spans[spans[:, 0] < spans[:, 1]]
    first = np.searchsorted(text.starts, spans[:, 0], "right") - 1
    first += (spans[:, 0] + 1 == text.starts[first + 1]) & (spans[:, 0] + 1 < spans[:, 1])
    end = np.searchsorted(text.starts, spans[:, 1], "left")
    edges = np.zeros(len(text) + 1, np.int64)
    np.add.at(edges, first, 1)
    np.add.at(edges, end, -1)
    return np.cumsum(edges[:-1]) > 0


def _line_mates(i: Counts, j: Counts, sizes: Counts, n: int) -> Counts:
    """Return for each of ``n`` lines of A the line of B with the most equal letters; ties: ALONE.

    Args:
        i, j: line of A and of B of each equal word, ascending. sizes: its letters.
    """
    mate = np.full(n, ALONE, np.int64)
    if not i.size:
        return mate
    first = np.flatnonzero(np.append(True, (np.diff(i) > 0) | (np.diff(j) > 0)))
    i, j, weights = i[first], j[first], np.add.reduceat(sizes, first)
    for by_line_of_b in (False, True):
        side = (i, j)[by_line_of_b]
        best = np.lexsort((-weights, side))
        kept = np.sort(best[np.append(True, np.diff(side[best]) > 0)])
        i, j, weights = i[kept], j[kept], weights[kept]
    mate[i] = j
    return mate


class Changes(NamedTuple):
    """Fields of a ``WordResult``; ``unlike``: changed and ignored letters, in order."""

    changes: Spans
    kinds: npt.NDArray[np.uint8]
    words: Counts
    counts: WordCounts
    unlike: Spans


def find_changes(a: Tokens, b: Tokens, mates: tuple[Counts, Counts], *, ignore_space: bool) -> Changes:
    """Return the changes from text A to text B.

    Args:
        mates: int64: the tokens of A and of B that are equal words or signs, in order.
    """
    spans = _gaps(a, b, *mates)
    words_a, words_b = _within(a.word, spans[:, :2]), _within(b.word, spans[:, 2:])
    kinds = np.full(len(spans), WordKind.CHANGED, np.uint8)
    kinds[words_a == 0] = WordKind.ADDED
    kinds[words_b == 0] = WordKind.REMOVED
    kinds[(words_a == 0) & (words_b == 0)] = WordKind.SIGNS
    kinds[_within(~a.space, spans[:, :2]) + _within(~b.space, spans[:, 2:]) == 0] = WordKind.SPACE
    changed = np.minimum(words_a, words_b)
    words = np.stack((changed, words_b - changed, words_a - changed), axis=1)
    counts = WordCounts(int(a.word.sum()), int(b.word.sum()), int(a.word[mates[0]].sum()))
    differ = a.read[mates[0]] != b.read[mates[1]]
    ignored = np.stack((mates[0], mates[0] + 1, mates[1], mates[1] + 1), axis=1)[differ]
    unlike = _in_letters(_sorted(np.concatenate((spans, ignored))), a, b)
    kept = kinds != (WordKind.SPACE if ignore_space else 0)
    return Changes(_in_letters(spans[kept], a, b), kinds[kept], words[kept], counts, unlike)


def _gaps(a: Tokens, b: Tokens, at_a: Counts, at_b: Counts) -> Spans:
    """Return the unequal ranges in order: tokens between equal words without common white space at the ends, and
    changed white space.
    """
    a0, b0 = np.append(0, at_a + 1), np.append(0, at_b + 1)
    a1, b1 = np.append(at_a, a.numbers.size), np.append(at_b, b.numbers.size)
    unlike = (a0 < a1) | (b0 < b1)
    single = np.flatnonzero((a1 - a0 == 1) & (b1 - b0 == 1))
    unlike[single] = a.read[a0[single]] != b.read[b0[single]]
    a0, a1, b0, b1 = (each[unlike] for each in (a0, a1, b0, b1))
    both = (a0 < a1) & (b0 < b1)
    first, last, first_same, last_same = (both.copy() for _ in range(4))
    for i, j, spaces, same in ((a0, b0, first, first_same), (a1 - 1, b1 - 1, last, last_same)):
        spaces[both] = a.space[i[both]] & b.space[j[both]]
        same[both] = a.read[i[both]] == b.read[j[both]]
    one = (a1 - a0 == 1) | (b1 - b0 == 1)  # has room for white space at one end only
    of_lines = np.zeros_like(both)  # whole lines are added or removed from the line end before them on
    of_lines[both] = a.line_end[a0[both]] & b.line_end[b0[both]]
    first &= (first_same & ~of_lines) | ~(one & last & last_same)
    last &= ~(one & first)
    rest = np.stack((a0 + first, a1 - last, b0 + first, b1 - last), axis=1)
    begin, end = (np.stack((i, i + 1, j, j + 1), axis=1) for i, j in ((a0, b0), (a1 - 1, b1 - 1)))
    some = (rest[:, 0] < rest[:, 1]) | (rest[:, 2] < rest[:, 3])
    return _sorted(np.concatenate((begin[first & ~first_same], rest[some], end[last & ~last_same])))


def _to_line_ends(spans: Spans, texts: tuple[Letters, Letters]) -> None:
    """Move letters of one text that end with an indentation to the equal line end, or start of both texts, before."""
    empty_a, empty_b = spans[:, 0] == spans[:, 1], spans[:, 2] == spans[:, 3]
    ends = np.concatenate(([(0, 0)], spans[:-1][:, (1, 3)]))
    for k in np.flatnonzero(empty_a != empty_b).tolist():
        side = int(empty_a[k])
        (first, end), other = spans[k, 2 * side : 2 * side + 2].tolist(), int(spans[k, 2 - 2 * side])
        text, opposite = texts[side], texts[1 - side]
        room = min(end - first, *(spans[k, ::2] - ends[k]).tolist(), MAX_INDENTATION)
        for by in range(1, room + 1 if text[first] != ord("\n") else 1):
            sign = text[end - by]
            if sign not in b" \t\n" or not sign == text[first - by] == opposite[other - by]:
                break
            if sign == ord("\n") or first == other == by:
                spans[k] -= by
                break


def _sorted(spans: Spans) -> Spans:
    return spans[np.lexsort((spans[:, 2], spans[:, 0]))]


def _within(flags: npt.NDArray[np.bool_], spans: Counts) -> Counts:
    """Return the number of flags set in each span."""
    before = np.append(0, np.cumsum(flags))
    return np.asarray(before[spans[:, 1]] - before[spans[:, 0]])


def _in_letters(spans: Spans, a: Tokens, b: Tokens) -> Spans:
    return np.concatenate((a.starts[spans[:, :2]], b.starts[spans[:, 2:]]), axis=1)
