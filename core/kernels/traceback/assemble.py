"""Assembly of an alignment from traceback pieces, in parallel stretches if long.

Each stretch of the path is normalized as if no gap crossed its start; stretches start at places where gaps are
unlikely. A stretch whose start a gap does cross is normalized again, so the runs equal those of a single pass.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import accumulate, pairwise
from threading import Event as Flag
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops, Runs
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.traceback.left_align import (
    NOTHING,
    NormalizedRuns,
    NormalizedStretch,
    Normalizer,
    count_letters,
    frozen,
    normalize_stretch,
    safe_split,
)
from wavediff.core.kernels.traceback.parallel import REPORT_SECONDS, run_parallel

MIN_THREAD_RUNS = 1 << 15  # runs of what a thread takes, at least
STRETCH_RUNS = 1 << 15  # runs of a stretch
SPLIT_SEARCH_RUNS = 64  # runs among which a stretch begins


def assemble_alignment(
    step: Step, pieces: list[Runs], a: Letters, b: Letters, prefix: int, suffix: int, threads: int = 1
) -> Generator[Event, None, Alignment]:
    """Join the pieces of a traceback (last column first) to the alignment of ``a`` and ``b`` (codes).

    Args:
        prefix: common letters at the front, traced or not.
        suffix: equal letters at the end, not traced.
    """
    whole = pieces
    if suffix or not pieces:
        whole = [(np.array([Op.EQUAL], np.uint8), np.array([suffix], np.int64)), *pieces]
    n_runs = 0
    for piece in whole:
        n_runs += piece[0].size
    n = max(1, min(threads, n_runs // MIN_THREAD_RUNS))
    if n > 1:
        return Alignment(*(yield from _by_stretches(step, _stretches(whole), a, b, prefix, n)))
    start, order = perf_counter(), Normalizer(a, b, prefix, (a.size, b.size, 0, 0), n_runs)
    for k, runs in enumerate(whole, 1):
        while not order.take(runs, last=k == len(whole)):
            yield step.done("traceback", start, 0)
            start = perf_counter()
    ops, lengths = order.found.runs
    alignment = Alignment(ops[::-1], lengths[::-1])
    yield step.done("traceback", start, 0)
    return alignment


def _by_stretches(
    step: Step, stretches: list[Runs], a: Letters, b: Letters, prefix: int, n: int
) -> Generator[Event, None, Runs]:
    """Return the runs in column order, from stretches processed by ``n`` threads."""
    since = perf_counter()
    starts, each = [(a.size, b.size, 0, 0)], list[NormalizedStretch | None]()
    plain = iter(count_letters([runs for runs in stretches if not isinstance(runs, NormalizedRuns)]).tolist())
    for runs in stretches:
        letters = runs.letters if isinstance(runs, NormalizedRuns) else next(plain)
        end = starts[-1][0] - letters[0], starts[-1][1] - letters[1], 0, 0
        starts.append(end)
        each.append(
            NormalizedStretch(runs, end) if isinstance(runs, NormalizedRuns) and min(end[:2]) > prefix else None
        )
    left = [k for k, one in enumerate(each) if one is None]
    yield step.done("traceback", since, 0)

    def ordered(first: int, end: int) -> Callable[[Flag], None]:
        def put_some(halt: Flag) -> None:
            for k in left[first:end]:
                each[k] = normalize_stretch(a, b, prefix, stretches[k], starts[k], halt)

        return put_some

    def turned(first: int, end: int) -> Callable[[Flag], None]:
        def turn(_: Flag) -> None:
            for (ops, lengths), last in zip(pieces[first:end], ends[first:end], strict=True):
                out[0][last - ops.size : last], out[1][last - ops.size : last] = ops[::-1], lengths[::-1]

        return turn

    shares = _shares([stretches[k] for k in left], n)
    if len(shares) > 1:
        yield from run_parallel(step, "traceback", [ordered(*span) for span in shares])
    since, pieces, at = perf_counter(), list[Runs](), starts[0]
    for runs, start, one in zip(stretches, starts, each, strict=False):
        if one is None or at != start:  # a gap came over, or the prefix is reached
            one = normalize_stretch(a, b, prefix, runs, at, Flag())
        if perf_counter() - since > REPORT_SECONDS:
            yield step.done("traceback", since, 0)
            since = perf_counter()
        _append(pieces, one.runs)
        at = one.end
    rest = Normalizer(a, b, prefix, at, 0)
    while not rest.take(NOTHING, last=True):
        yield step.took("traceback", 0.0, 0)
    _append(pieces, rest.found.runs)
    pieces = [piece for ops, lengths in pieces for piece in _cut(ops, lengths)]
    n_runs = sum(ops.size for ops, _ in pieces)
    out = np.empty(n_runs, np.uint8), np.empty(n_runs, np.int64)
    ends = list(accumulate((-ops.size for ops, _ in pieces[:-1]), initial=n_runs))
    yield step.done("traceback", since, 0)
    yield from run_parallel(step, "traceback", [turned(*span) for span in _shares(pieces, n)])
    return frozen(out[0]), frozen(out[1])


def _shares(some: list[Runs], n: int) -> list[tuple[int, int]]:
    """Return the ranges of at most ``n`` threads with similar numbers of runs."""
    sizes = np.cumsum([ops.size for ops, _ in some])
    total = int(sizes[-1]) if some else 0
    n = min(n, max(1, total // MIN_THREAD_RUNS))
    ends = np.searchsorted(sizes, [total * k / n for k in range(1, n)]).tolist()
    return [(first, end) for first, end in pairwise([0, *ends, len(some)]) if first < end]


def _append(joined: list[Runs], runs: Runs) -> None:
    ops, lengths = runs
    if joined and ops.size and joined[-1][0][-1] == ops[0]:
        before_ops, before_lengths = joined.pop()
        lengths = lengths.copy()
        lengths[0] += before_lengths[-1]
        if before_ops.size > 1:
            joined.append((before_ops[:-1], before_lengths[:-1]))
    if ops.size:
        joined.append((ops, lengths))


def _cut(ops: Ops, lengths: Counts) -> Iterator[Runs]:
    for first in range(0, ops.size, STRETCH_RUNS):
        yield ops[first : first + STRETCH_RUNS], lengths[first : first + STRETCH_RUNS]


def _stretches(whole: list[Runs]) -> list[Runs]:
    """Split the pieces into stretches; borders of pieces are merged into one stretch."""
    out: list[Runs] = []
    rest: list[Runs] = []
    for piece in whole:
        ops, lengths = piece
        if ops.size <= 2 * SPLIT_SEARCH_RUNS:
            rest.append(piece)
            continue
        cuts = (
            [SPLIT_SEARCH_RUNS]
            if isinstance(piece, NormalizedRuns)
            else [*range(SPLIT_SEARCH_RUNS, ops.size - SPLIT_SEARCH_RUNS, STRETCH_RUNS), ops.size]
        )
        places = [
            0,
            *(
                cut
                - SPLIT_SEARCH_RUNS
                + safe_split(ops[cut - SPLIT_SEARCH_RUNS : cut], lengths[cut - SPLIT_SEARCH_RUNS : cut])
                for cut in cuts
            ),
            ops.size,
        ]
        head, *inner, tail = [(ops[first:end], lengths[first:end]) for first, end in pairwise(places)]
        out += [_as_one([*rest, head]), *inner]
        if isinstance(piece, NormalizedRuns):
            gone = count_letters([head])[0]
            out.append(NormalizedRuns(*tail, (piece.letters[0] - int(gone[0]), piece.letters[1] - int(gone[1]))))
            rest = []
        else:
            rest = [tail]
    return [runs for runs in (*out, _as_one(rest)) if runs[0].size]


def _as_one(pieces: list[Runs]) -> Runs:
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate([ops for ops, _ in (NOTHING, *pieces)]), np.concatenate([n for _, n in (NOTHING, *pieces)])
