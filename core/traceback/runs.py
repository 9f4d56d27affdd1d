"""Runs of an alignment as a walk leaves them, made canonical and checked; any method's.

Of the many best paths a walk from the end takes one: equal letters first, then X, then D, then I. In it no gap could
lie further left, but for the one that touches a common prefix: there the rest is that one gap (a walk that went on
would scatter it over letters that happen to be equal), moved left as far as letters allow. So every way whose walk
keeps to that order gives the very same path, whether it stripped the prefix or not, and any other walk at least one
without a gap that could be moved left.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np
import numpy.typing as npt
from numba import njit

from core.arrays import Counts, Letters
from core.events import Event, StepDone
from core.results.alignment import Alignment, Op

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
Ops = npt.NDArray[np.uint8]
MORE, RIGHT, WRONG = 0, 1, 2
PIECE = 1 << 17  # runs put in order between two reports


@njit(nogil=True, cache=True)
def push(ops: Ops, lengths: Counts, runs: int, op: int, n: int) -> int:
    """Append ``n`` columns to the first ``runs`` runs, joined to the last where that is of the kind; returns runs."""
    if n > 0:
        if runs > 0 and ops[runs - 1] == op:
            lengths[runs - 1] += n
        else:
            ops[runs] = op
            lengths[runs] = n
            runs += 1
    return runs


@njit(nogil=True, cache=True)
def gather(met: Letters, ops: Ops, lengths: Counts) -> int:
    """Turn what a walk met into runs, last column first, the I of a gap before its D; return how many.

    Args:
        met: uint8: each ``4 * n + op``: n equal letters, up to eight, and then a column of ``op`` unless that is EQUAL.
        ops, lengths: where the runs go, 2 * met.size at most.
    """
    runs = inserted = deleted = 0
    for k in range(met.size):
        n, op = np.int64(met[k] >> 2), met[k] & 3
        if n:
            runs = push(ops, lengths, push(ops, lengths, runs, INSERTION, inserted), DELETION, deleted)
            inserted = deleted = 0
            runs = push(ops, lengths, runs, EQUAL, n)
        if op == INSERTION:
            inserted += 1
        elif op == DELETION:
            deleted += 1
        elif op == MISMATCH:
            runs = push(ops, lengths, push(ops, lengths, runs, INSERTION, inserted), DELETION, deleted)
            inserted = deleted = 0
            runs = push(ops, lengths, runs, MISMATCH, 1)
    return int(push(ops, lengths, push(ops, lengths, runs, INSERTION, inserted), DELETION, deleted))


@njit(nogil=True, cache=True)
def tidy(
    a: Letters, b: Letters, prefix: int, ops: Ops, lengths: Counts, out: Ops, sizes: Counts, place: Counts, budget: int
) -> bool:
    """Put the runs of a walk in order, about ``budget`` runs or letters a call; all of them last column first.

    Neighbours of one kind become one run and the D of a gap comes before its I. A gap of D alone or of I alone moves
    left over equal letters as far as it can. Where the walk first touches the common prefix the rest is one gap and
    the prefix. Every equal letter is passed by one gap at most, so this is linear.

    Args:
        a, b: codes of the whole sequences; ``prefix``: letters that they have in common at the front.
        ops, lengths: runs of the walk; out, sizes: where they go, 2 * ops.size + 4 of them at most.
        place: int64, shape (7,): run, what is left of it (0: all), letters of A and of B still before it, D and I
            of the gap that is on its way, runs written. At first 0, 0, a.size, b.size, 0, 0, 0; updated.

    Returns:
        Whether all is done.
    """
    k, left, i, j, deleted, inserted, runs = place[0], place[1], place[2], place[3], place[4], place[5], place[6]
    gone = ops.size + 1  # behind the runs come what they left, and the prefix
    while k <= gone and budget > 0:
        budget -= 1
        if k < ops.size and (i <= prefix or j <= prefix):
            k, left = ops.size, 0
        if k == ops.size:
            deleted, inserted = deleted + i - prefix, inserted + j - prefix
            i, j = np.int64(prefix), np.int64(prefix)
            k, left = gone, prefix
        if k == gone:
            op, n = np.int64(EQUAL), left
        else:
            op, n = np.int64(ops[k]), left if left else lengths[k]
            n = min(n, (i if op == DELETION else j if op == INSERTION else min(i, j)) - prefix)
        left = 0
        if op == DELETION:
            deleted += n
            i -= n
        elif op == INSERTION:
            inserted += n
            j -= n
        else:
            if op == EQUAL and (deleted == 0) != (inserted == 0):
                most, moved = min(n, budget), 0
                if deleted:
                    while moved < most and a[i - 1 - moved] == a[i + deleted - 1 - moved]:
                        moved += 1
                else:
                    while moved < most and b[j - 1 - moved] == b[j + inserted - 1 - moved]:
                        moved += 1
                runs = push(out, sizes, runs, EQUAL, moved)
                budget, n, i, j = budget - moved, n - moved, i - moved, j - moved
                if n and moved == most:
                    left = n
                    continue
            if n:
                runs = push(out, sizes, push(out, sizes, runs, INSERTION, inserted), DELETION, deleted)
                deleted, inserted = np.int64(0), np.int64(0)
                runs = push(out, sizes, runs, op, n)
                i, j = i - n, j - n
        k += 1
    if k > gone:
        runs = push(out, sizes, push(out, sizes, runs, INSERTION, inserted), DELETION, deleted)
    place[0], place[1], place[2], place[3], place[4], place[5], place[6] = k, left, i, j, deleted, inserted, runs
    return bool(k > gone)


@njit(nogil=True, cache=True)
def replay(a: Letters, b: Letters, table: Letters, ops: Ops, lengths: Counts, place: Counts, budget: int) -> int:
    """Follow an alignment over two sequences, ``budget`` letters a call.

    Args:
        table: uint8, shape (256,): letters with the same entry are equal.
        place: int64, shape (5,), at first zeros: verdict, run, letters of A and of B used, columns of the run; updated.

    Returns:
        ``place[0]``: MORE to be called again; RIGHT when every ``=`` joins equal letters, every ``X`` different
        ones and both sequences are used up exactly; WRONG otherwise, run ``place[1]`` being the first wrong one.
    """
    k, i, j, done = place[1], place[2], place[3], place[4]
    verdict = WRONG
    while k < ops.size:
        n = lengths[k] - done
        down, right = ops[k] != INSERTION, ops[k] != DELETION
        if n <= 0 or (down and i + n > a.size) or (right and j + n > b.size):
            break
        if down and right:
            if budget <= 0:
                verdict = MORE
                break
            n = min(n, budget)
            same, fine = ops[k] == EQUAL, True
            for x in range(n):
                fine &= (table[a[i + x]] == table[b[j + x]]) == same
            if not fine:
                break
        i += n if down else 0
        j += n if right else 0
        budget -= n
        done += n
        if done == lengths[k]:
            k, done = k + 1, np.int64(0)
    if k == ops.size and i == a.size and j == b.size:
        verdict = RIGHT
    place[0], place[1], place[2], place[3], place[4] = verdict, k, i, j, done
    return verdict


def from_walk(
    job_id: int, pieces: list[tuple[Ops, Counts]], a: Letters, b: Letters, prefix: int, suffix: int
) -> Generator[Event, None, Alignment]:
    """Join the pieces of a walk (last column first, in the order walked) to the alignment of ``a`` and ``b`` (codes).

    Args:
        prefix: letters that ``a`` and ``b`` have in common at the front, whether the walk covers them or not.
        suffix: letters at the end that the walk does not cover, all equal.
    """
    start = perf_counter()
    ops = np.concatenate([np.array([EQUAL], np.uint8), *(p[0] for p in pieces)])
    lengths = np.concatenate([np.array([suffix], np.int64), *(p[1] for p in pieces)])
    out, sizes = np.empty(2 * ops.size + 4, np.uint8), np.empty(2 * ops.size + 4, np.int64)
    place = np.array([0, 0, a.size, b.size, 0, 0, 0], np.int64)
    while not tidy(a, b, prefix, ops, lengths, out, sizes, place, PIECE):
        yield StepDone(job_id, "traceback", 0, 0, perf_counter() - start)
        start = perf_counter()
    runs = int(place[6])
    alignment = Alignment(out[:runs][::-1].copy(), sizes[:runs][::-1].copy())
    yield StepDone(job_id, "traceback", 0, 0, perf_counter() - start)
    return alignment
