"""A whole alignment from the pieces of a walk, and its check: in parts side by side where it is long.

Each part of a walk is put in order as if no gap came over from the part before. They begin where hardly any does; a
part into which one comes all the same is put in order again, so the runs are those of a single pass.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import pairwise
from threading import Event as Flag
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import Counts, Letters
from core.events import Event, StepDone
from core.results.alignment import Alignment, Op
from core.traceback.abreast import abreast
from core.traceback.runs import MORE, RIGHT, Runs, count_columns, replay, tidy

Array = npt.NDArray[Any]
BUDGET = 1 << 17  # runs put in order between two reports
LETTERS = 1 << 22  # followed between two reports
PART = 1 << 16  # runs of a part, at least
PIECE = 1 << 12  # runs that are taken up at once, at least, where there are several parts
MANY = 1 << 22  # runs that are counted by several threads
LOOK = 64  # runs among which a part begins
NOTHING: Runs = np.zeros(0, np.uint8), np.zeros(0, np.int64)


class Verdict(NamedTuple):
    """What following an alignment came to.

    Attributes:
        right: every column is what it says, and both sequences are used up.
        run: the first that is wrong. columns: of each operation, int64, shape (4,).
    """

    right: bool
    run: int
    columns: Counts


class _Order:
    """Runs that are being put in order; see ``core.traceback.runs.tidy``.

    Args:
        i, j: letters of A and of B that are still before them. most: runs that come.
    """

    def __init__(self, a: Letters, b: Letters, prefix: int, i: int, j: int, most: int) -> None:
        self._a, self._b, self._prefix = a, b, prefix
        self._out, self._sizes = np.empty(2 * most + 6, np.uint8), np.empty(2 * most + 6, np.int64)
        self._place = np.array([0, 0, i, j, 0, 0, 0], np.int64)

    def take(self, runs: Runs, last: bool = False) -> bool:
        """Go on with a piece; return whether it is done."""
        return bool(tidy(self._a, self._b, self._prefix, *runs, last, self._out, self._sizes, self._place, BUDGET))

    @property
    def at(self) -> tuple[int, int, int, int]:
        """Letters of A and of B before what is done, D and I of a gap that goes on there."""
        i, j, deleted, inserted = self._place[2:6].tolist()
        return i, j, deleted, inserted

    def go_on_from(self, at: tuple[int, int, int, int]) -> None:
        self._place[:] = 0, 0, *at, 0

    @property
    def found(self) -> Runs:
        runs = int(self._place[6])
        return self._out[:runs], self._sizes[:runs]


def from_walk(
    job_id: int, pieces: list[Runs], a: Letters, b: Letters, prefix: int, suffix: int, threads: int = 1
) -> Generator[Event, None, Alignment]:
    """Join the pieces of a walk (last column first, in the order walked) to the alignment of ``a`` and ``b`` (codes).

    Args:
        prefix: letters that ``a`` and ``b`` have in common at the front, whether the walk covers them or not.
        suffix: letters at the end that the walk does not cover, all equal.
    """
    whole = [(np.array([Op.EQUAL], np.uint8), np.array([suffix], np.int64)), *pieces]
    n_runs = _size(whole)
    if min(threads, n_runs // PART) > 1:
        found = yield from _parts(job_id, whole, a, b, prefix, min(threads, n_runs // PART))
        return Alignment(*found)
    start, order = perf_counter(), _Order(a, b, prefix, a.size, b.size, n_runs)
    for runs in (*whole, NOTHING):
        while not order.take(runs, last=runs is NOTHING):
            yield StepDone(job_id, "traceback", 0, 0, perf_counter() - start)
            start = perf_counter()
    ops, lengths = (x[::-1].copy() for x in order.found)
    yield StepDone(job_id, "traceback", 0, 0, perf_counter() - start)
    return Alignment(_frozen(ops), _frozen(lengths))


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array


def _parts(job_id: int, whole: list[Runs], a: Letters, b: Letters, prefix: int, n: int) -> Generator[Event, None, Runs]:
    """Return the runs in order, first column first, from ``n`` parts."""

    def ordered(part: list[Runs], at: tuple[int, int, int, int]) -> Callable[[Flag], _Order]:
        def put_in_order(stop: Flag) -> _Order:
            order = _Order(a, b, prefix, 0, 0, _size(part))
            order.go_on_from(at)
            for runs in part:
                while not stop.is_set() and not order.take(runs):
                    pass
            return order

        return put_in_order

    def turned(runs: Runs, end: int) -> Callable[[Flag], None]:
        def turn(_: Flag) -> None:
            (ops, lengths), first = runs, end - runs[0].size
            out[0][first:end], out[1][first:end] = ops[::-1], lengths[::-1]

        return turn

    parts = _cut(_joined(whole), n)
    at, starts = (a.size, b.size, 0, 0), []
    for equal, mismatch, insertion, deletion in (yield from _counts(job_id, "traceback", parts)):
        starts.append(at)
        at = at[0] - equal - mismatch - deletion, at[1] - equal - mismatch - insertion, 0, 0
    orders = yield from abreast(job_id, "traceback", [ordered(*one) for one in zip(parts, starts, strict=True)])
    at = starts[0]
    found: list[Runs] = []
    for part, start, order in zip(parts, starts, orders, strict=True):
        if at != start:  # a gap came over, or the prefix is reached
            (order,) = yield from abreast(job_id, "traceback", [ordered(part, at)])
        at = order.at
        _append(found, order.found)
    rest = _Order(a, b, prefix, 0, 0, 0)
    rest.go_on_from(at)
    while not rest.take(NOTHING, last=True):
        yield StepDone(job_id, "traceback", 0, 0, 0.0)
    _append(found, rest.found)
    ends = np.cumsum([ops.size for ops, _ in found[::-1]])[::-1].tolist()
    out = np.empty(ends[0], np.uint8), np.empty(ends[0], np.int64)
    yield from abreast(job_id, "traceback", [turned(runs, end) for runs, end in zip(found, ends, strict=True)])
    return _frozen(out[0]), _frozen(out[1])


def _counts(job_id: int, kernel: str, parts: list[list[Runs]]) -> Generator[Event, None, list[Counts]]:
    """Return the columns of each operation, int64, shape (4,), of each part."""

    def counted(part: list[Runs]) -> Callable[[Flag], Counts]:
        return lambda _: np.sum([count_columns(_frozen(ops[:]), _frozen(lengths[:])) for ops, lengths in part], axis=0)

    tasks = [counted(part) for part in parts]
    if sum(map(_size, parts)) > MANY:
        return (yield from abreast(job_id, kernel, tasks))
    since, found = perf_counter(), [task(Flag()) for task in tasks]
    yield StepDone(job_id, kernel, 0, 0, perf_counter() - since)
    return found


def _joined(whole: list[Runs]) -> list[Runs]:
    """Return the pieces, small ones as one with those behind them: to take up a piece has its price."""
    out: list[Runs] = []
    few: list[Runs] = []
    n = 0
    for runs in whole:
        few.append(runs)
        n += runs[0].size
        if n >= PIECE:
            out.append(_as_one(few))
            few, n = [], 0
    return [*out, _as_one(few)] if few else out


def _size(pieces: list[Runs]) -> int:
    """Return how many runs they have."""
    return sum(ops.size for ops, _ in pieces)


def _as_one(pieces: list[Runs]) -> Runs:
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate([ops for ops, _ in pieces]), np.concatenate([lengths for _, lengths in pieces])


def _append(found: list[Runs], runs: Runs) -> None:
    """Append runs; where one goes on from the last, they become one."""
    ops, lengths = runs
    if found and ops.size and found[-1][0][-1] == ops[0]:
        before_ops, before_lengths = found.pop()
        lengths[0] += before_lengths[-1]
        if before_ops.size > 1:
            found.append((before_ops[:-1], before_lengths[:-1]))
    if ops.size:
        found.append((ops, lengths))


def _cut(whole: list[Runs], n: int) -> list[list[Runs]]:
    """Return the pieces in ``n`` parts of about as many runs, cut behind an X or behind long equal stretches."""
    most = -(-_size(whole) // n)
    parts: list[list[Runs]] = [[]]
    filled = 0
    for ops, lengths in whole:
        first = 0
        while filled + ops.size - first >= most and len(parts) < n:
            cut = first + most - filled
            near = slice(max(first, cut - LOOK), cut)
            # An X stops every gap; equal letters do where one would have to be moved past all of them.
            stops = np.where(ops[near] == Op.MISMATCH, np.iinfo(np.int64).max, lengths[near] * (ops[near] == Op.EQUAL))
            end = near.start + int(np.argmax(stops)) + 1
            parts[-1].append((ops[first:end], lengths[first:end]))
            parts.append([])
            first, filled = end, 0
        parts[-1].append((ops[first:], lengths[first:]))
        filled += ops.size - first
    return [part for part in parts if part]


def follow(
    job_id: int, a: Letters, b: Letters, table: Letters, alignment: Alignment, threads: int = 1
) -> Generator[Event, None, Verdict]:
    """Follow an alignment over the letters themselves.

    Args:
        table: uint8, shape (256,): letters with the same entry are equal.
    """
    ops, lengths = alignment.ops, alignment.lengths
    n = min(threads, ops.size // PART)
    if n <= 1:
        since, place = perf_counter(), np.zeros(5, np.int64)
        while replay(a, b, table, ops, lengths, place, LETTERS) == MORE:
            yield StepDone(job_id, "check", 1, 0, perf_counter() - since)
            since = perf_counter()
        columns = count_columns(ops, lengths)
        yield StepDone(job_id, "check", 1, 0, perf_counter() - since)
        return Verdict(place[0] == RIGHT, int(place[1]), columns)
    cuts = [ops.size * k // n for k in range(n + 1)]
    parts = list(pairwise(cuts))
    each = yield from _counts(job_id, "check", [[(ops[first:end], lengths[first:end])] for first, end in parts])
    total = np.cumsum(each, axis=0)
    i, j = (np.concatenate([[0], total[:, 0] + total[:, 1] + total[:, op]]) for op in (Op.DELETION, Op.INSERTION))
    if (i[-1], j[-1]) != (a.size, b.size):
        return Verdict(False, ops.size, total[-1])

    def followed(k: int) -> Callable[[Flag], Counts]:
        first, end = parts[k]

        def follow_part(stop: Flag) -> Counts:
            place = np.array([0, first, i[k], j[k], 0], np.int64)
            while not stop.is_set():
                if replay(a[: i[k + 1]], b[: j[k + 1]], table, ops[:end], lengths[:end], place, LETTERS) != MORE:
                    break
            return place

        return follow_part

    places = yield from abreast(job_id, "check", [followed(k) for k in range(n)])
    wrong = [int(place[1]) for place in places if place[0] != RIGHT]
    return Verdict(not wrong, min(wrong, default=ops.size), total[-1])
