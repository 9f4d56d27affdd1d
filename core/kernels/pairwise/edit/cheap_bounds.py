"""Cheap bounds before any matrix (Sudo and Shinohara, section 4): subsequence test, Hamming upper bound.

Each is done in pieces, so that a stop waits for none of them.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.traceback.left_align import Ops, append_run

REPORT_LETTERS = 1 << 23  # letters between two reports


@jit
def hamming_distance(a: Letters, b: Letters) -> int:
    """Return at how many places two sequences of one length differ."""
    differ = 0
    for i in range(a.size):
        differ += a[i] != b[i]
    return differ


@jit
def match_subsequence(part: Letters, whole: Letters, i: int, first: int, last: int) -> int:
    """Match letters of ``part`` from ``i`` on with ``whole[first:last]``, the first that fits; return how many are.

    Ends early where more letters of ``part`` are left than of ``whole``.
    """
    for j in range(first, last):
        if i == part.size or part.size - i > whole.size - j:
            break
        if part[i] == whole[j]:
            i += 1
    return i


@jit
def match_back(
    part: Letters, whole: Letters, equal: int, gap: int, place: Counts, budget: int, ops: Ops, lengths: Counts
) -> bool:
    """Match a subsequence with the whole from the end, ``budget`` letters a call; returns whether all is done.

    Args:
        place: int64, shape (3,), at first the letters of both and 0: letters left of part and whole, runs; updated.
        ops, lengths: the runs, last column first; 2 * part.size + 1 at most.
    """
    i, j, runs = place[0], place[1], place[2]
    last = max(0, j - budget)
    while j > last:
        if i > 0 and part[i - 1] == whole[j - 1]:
            runs = append_run(ops, lengths, runs, equal, 1)
            i -= 1
        elif i > 0:
            runs = append_run(ops, lengths, runs, gap, 1)
        else:
            runs = append_run(ops, lengths, runs, gap, j)
            j = 1
        j -= 1
    place[0], place[1], place[2] = i, j, runs
    return bool(j == 0)


def hamming(step: Step, a: Letters, b: Letters) -> Generator[Event, None, int]:
    """Return the mismatches of the common length plus what is longer: an upper bound of the edit distance."""
    n = min(a.size, b.size)
    total = max(a.size, b.size) - n
    for at in range(0, n, REPORT_LETTERS):
        start, end = perf_counter(), min(at + REPORT_LETTERS, n)
        total += int(hamming_distance(a[at:end], b[at:end]))
        yield step.done("bound", start)
    return total


def is_subsequence(step: Step, part: Letters, whole: Letters) -> Generator[Event, None, bool]:
    """Return whether ``part`` is a subsequence of ``whole``."""
    i = at = 0
    while i < part.size and part.size - i <= whole.size - at:
        start, end = perf_counter(), min(at + REPORT_LETTERS, whole.size)
        i = int(match_subsequence(part, whole, i, at, end))
        at = end
        yield step.done("subsequence", start)
    return i == part.size


def subsequence_path(
    step: Step, part: Letters, whole: Letters, equal: int, gap: int
) -> Generator[Event, None, tuple[Ops, Counts]]:
    """Return the runs of the alignment of a subsequence with the whole, last column first, matched from the end."""
    ops, lengths = np.empty(2 * part.size + 1, np.uint8), np.empty(2 * part.size + 1, np.int64)
    place = np.array([part.size, whole.size, 0], np.int64)
    done = False
    while not done:
        start = perf_counter()
        done = bool(match_back(part, whole, equal, gap, place, REPORT_LETTERS, ops, lengths))
        yield step.done("subsequence", start)
    return ops[: place[2]], lengths[: place[2]]
