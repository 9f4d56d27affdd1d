"""Backward search: the row interval of a pattern, from its last letter to its first.

Source: Ferragina and Manzini, Opportunistic data structures with applications (2000).
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.bwt import FindJob
from wavediff.core.jobs.bwt_result import BwtIndex, FindResult, Positions
from wavediff.core.jobs.events import Event, EventTotals
from wavediff.core.kernels.bwt.clock import Clock
from wavediff.core.kernels.bwt.index import build as building
from wavediff.core.kernels.bwt.index import wavelet_matrix
from wavediff.core.kernels.traceback.parallel import map_ranges
from wavediff.core.reading.alphabet import guess
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.system.machine import cores

PIECE_LETTERS = 1 << 17  # of patterns in a piece
PIECE_ROWS = 1 << 13  # located in a piece


def run(job: FindJob) -> Generator[Event, None, FindResult]:
    """Compute ``job``; see ``wavediff.core.jobs.bwt_result.FindResult``.

    Raises:
        SelfCheckFailed: the index contradicts itself.
    """
    work = EventTotals()
    lows, highs, positions, offsets, traces = yield from work.watch(_steps(job))
    return FindResult(
        job_id=job.id,
        lows=lows,
        highs=highs,
        positions=positions,
        offsets=offsets,
        traces=traces,
        wall_seconds=work.wall_seconds,
    )


def _steps(job: FindJob) -> Generator[Event, None, tuple[Counts, Counts, Positions, Counts, tuple[Counts, ...]]]:
    pace = Clock(job.id)
    yield from building.make_ready(pace)
    yield from pace.turn("count")
    codes, ends = _codes(job)
    matrix, seed, seeds = job.index.ranks, job.index.seed, job.index.seeds
    n = len(job.patterns)
    lows, highs = np.zeros(n, np.int64), np.full(n, job.index.length + 1, np.int64)
    cuts = np.searchsorted(ends, np.arange(0, codes.size + PIECE_LETTERS, PIECE_LETTERS))
    cuts = np.minimum(cuts, n)

    def count(first: int, last: int) -> None:
        lo, hi = int(cuts[first]), int(cuts[last])
        wavelet_matrix.search_patterns(matrix, codes, ends, lo, hi, seed, seeds, lows, highs)

    yield from map_ranges(pace, "count", count, cuts.size - 1, 1, cores())
    traces = tuple(_trace(job.index, codes[a:b]) for a, b in pairwise(ends)) if job.trace else ()
    yield from pace.turn("locate")
    offsets = np.zeros(n + 1, np.int64)
    positions = np.empty(0, np.int32)
    if job.locate:
        wanted = highs - lows if job.limit is None else np.minimum(highs - lows, job.limit)
        np.cumsum(wanted, out=offsets[1:])
        positions = np.empty(int(offsets[-1]), np.int32)
        yield from _locate(job.index, lows, offsets, positions, pace)
    for array in (lows, highs, positions, offsets):
        array.setflags(write=False)
    return lows, highs, positions, offsets, traces


def _codes(job: FindJob) -> tuple[Letters, Counts]:
    table = np.full(256, wavelet_matrix.NO_CODE, np.uint8)
    table[job.index.letters] = np.arange(job.index.letters.size)
    if job.index.fold_case:
        table[ord("a") : ord("z") + 1] = table[ord("A") : ord("Z") + 1]
    if job.uracil is UracilRule.AUTO and _is_nucleotide(job.index):
        for u, t in zip(b"Uu", b"Tt", strict=True):
            for there, other in ((u, t), (t, u)):
                if table[other] == wavelet_matrix.NO_CODE:
                    table[other] = table[there]
    ends = np.zeros(len(job.patterns) + 1, np.int64)
    np.cumsum([len(pattern) for pattern in job.patterns], out=ends[1:])
    return table[np.frombuffer(b"".join(job.patterns), np.uint8)], ends


def _is_nucleotide(index: BwtIndex) -> bool:
    counts = np.zeros(256, np.int64)
    counts[index.letters] = np.diff(index.first)
    return guess(counts).is_nucleotide


def _trace(index: BwtIndex, codes: Letters) -> Counts:
    """Return the row intervals after 0, 1, 2... letters from the end, until empty."""
    rows = np.zeros((codes.size + 1, 2), np.int64)
    rows[0, 1], ends, n = index.length + 1, np.array([0, 1]), 1
    while n <= codes.size and rows[n - 1, 0] < rows[n - 1, 1]:
        rows[n], at = rows[n - 1], codes.size - n
        wavelet_matrix.search_patterns(
            index.ranks, codes[at : at + 1], ends, 0, 1, 0, index.seeds, rows[n, :1], rows[n, 1:]
        )
        n += 1
    visited: Counts = rows[:n]
    visited.setflags(write=False)
    return visited


def locate(index: BwtIndex, lows: Counts, offsets: Counts, first: int, last: int, out: Positions) -> None:
    """Write the text positions of hits ``first`` to ``last``; see ``wavelet_matrix.locate``.

    Raises:
        SelfCheckFailed: the index contradicts itself.
    """
    if not wavelet_matrix.locate(index.ranks, index.marks, index.samples, index.every, lows, offsets, first, last, out):
        raise SelfCheckFailed(f"the index of '{index.name}' contradicts itself: its samples are those of another")


def _locate(
    index: BwtIndex, lows: Counts, offsets: Counts, out: Positions, pace: Clock
) -> Generator[Event, None, None]:
    cuts = np.unique(np.searchsorted(offsets, np.append(np.arange(0, out.size, PIECE_ROWS), out.size)))

    def find(first: int, last: int) -> None:
        locate(index, lows, offsets, first, last, out)

    def sort(first: int, last: int) -> None:
        lo, hi = int(cuts[first]), int(cuts[last])
        some = out[offsets[lo] : offsets[hi]]
        keys = np.repeat(np.arange(lo, hi), np.diff(offsets[lo : hi + 1])) << 32 | some
        keys.sort()
        some[:] = keys  # without what is above 32 bits

    yield from map_ranges(pace, "locate", find, out.size, PIECE_ROWS, cores())
    yield from map_ranges(pace, "locate", sort, cuts.size - 1, 1, cores())
    yield from pace.turn()
