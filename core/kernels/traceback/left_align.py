"""Normalization of traceback runs, for all methods.

Of the optimal paths, a traceback from the end takes one: equal letters first, then X, then D, then I. No gap of it can
move left, except one that touches the common prefix. There it becomes a single gap, moved left as far as letters allow,
instead of several gaps scattered over letters that are equal by chance. So each strategy with this order gives the same
path, with or without a stripped prefix; any other order gives a path without movable gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event as Flag
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, Ops, Runs
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.jobs.alignment import Op

REPORT_RUNS = 1 << 17  # runs put in order between two reports
NOTHING: Runs = np.zeros(0, np.uint8), np.zeros(0, np.int64)
ANYWHERE = -1, -1
At = tuple[int, int, int, int]  # letters of A and of B that are still before it, D and I of a gap that goes on there
# As NumPy's numbers: a function is compiled again for every literal that it is called with.
EQUAL, MISMATCH, INSERTION, DELETION = (np.int64(op) for op in (Op.EQUAL, Op.MISMATCH, Op.INSERTION, Op.DELETION))
ZERO = np.int64(0)


@jit_callee_no_nrt
def append_run(ops, lengths, runs, op, n):  # type: ignore[no-untyped-def]
    """Append ``n`` columns of ``op``, merged with the last run if equal; return the number of runs."""
    if n > 0:
        if runs > 0 and ops[runs - 1] == op:
            lengths[runs - 1] += n
        else:
            ops[runs] = op
            lengths[runs] = n
            runs += 1
    return runs


class NormalizedRuns(tuple[Ops, Counts]):
    """Runs already normalized except the first few; see ``left_align``.

    The last run is not a gap.

    Attributes:
        letters: of A and of B in these runs.
    """

    letters: tuple[int, int]

    def __new__(cls, ops: Ops, lengths: Counts, letters: tuple[int, int]) -> NormalizedRuns:
        self = super().__new__(cls, (ops, lengths))
        self.letters = letters
        return self


def normalized_but_end(runs: Runs, begin: tuple[int, int], end: tuple[int, int]) -> list[Runs]:
    """Split the runs of a traceback that prefers equal letters; a final gap is separate.

    They are normalized: a gap that could move left would start before equal letters, which the traceback takes first.
    """
    ops, lengths = runs
    n, (i, j) = ops.size, end
    while n and ops[n - 1] >= INSERTION:
        n -= 1
        i, j = i + int(lengths[n]) * (ops[n] == DELETION), j + int(lengths[n]) * (ops[n] == INSERTION)
    sure = NormalizedRuns(ops[:n], lengths[:n], (begin[0] - int(i), begin[1] - int(j)))
    return [sure, (ops[n:], lengths[n:])]


@jit_callee_no_nrt
def _in_order(a, b, prefix, ops, lengths, first, end, i, j):  # type: ignore[no-untyped-def]
    """Return the last run up to which the runs from ``first`` are normalized.

    Args:
        i, j: letters of A and of B before the first run.

    Returns:
        (run, letters of A and of B before it).
    """
    before, two_before = np.int64(-1), np.int64(-1)  # operations of the runs before
    size = ZERO  # columns of the last
    fine, fine_i, fine_j = first, i, j
    for k in range(first, end):
        op, n = np.int64(ops[np.uint64(k)]), lengths[np.uint64(k)]
        down, right = size * (before == DELETION), size * (before == INSERTION)
        x, y = max(i - 1, 0), max(j - 1, 0)
        from_a = (down > 0) & (a[np.uint64(x)] == a[np.uint64(x + down)])
        from_b = (right > 0) & (b[np.uint64(y)] == b[np.uint64(y + right)])
        moves = (op == EQUAL) & (two_before < INSERTION) & (from_a | from_b)
        if moves | (n <= 0) | (op == before) | ((op == INSERTION) & (before == DELETION)):
            break
        i -= n * (op != INSERTION)
        j -= n * (op != DELETION)
        if min(i, j) <= prefix:
            break
        two_before, before, size = before, op, n
        if op < INSERTION:
            fine, fine_i, fine_j = k + 1, i, j
    return fine, fine_i, fine_j


@jit_no_nrt
def normalized_prefix(
    a: Letters, b: Letters, prefix: int, ops: Ops, lengths: Counts, i: int, j: int
) -> tuple[int, int, int]:
    """Return the number of runs normalized already, and the letters of A and B before the others.

    Args:
        i, j: letters of A and B before the first run.
    """
    return _in_order(a, b, prefix, ops, lengths, 0, ops.size, i, j)  # type: ignore[no-any-return]


@jit_no_nrt
def left_align(
    a: Letters, b: Letters, prefix: int, ops: Ops, lengths: Counts, last: bool, end_i: int, end_j: int, out: Ops,
    sizes: Counts, place: Counts, budget: int,
) -> bool:  # fmt: skip
    """Normalize the runs of a piece, about ``budget`` runs or letters per call; last column first.

    Adjacent runs of one kind are merged, and D precedes I in a gap. A gap of one kind moves left over equal letters as
    far as possible. At the common prefix the remaining runs become one gap and the prefix. At most one gap passes each
    equal letter, so the time is linear.

    Args:
        a, b: codes of the whole sequences; ``prefix``: common letters at the front.
        ops, lengths: runs of the piece. last: no piece follows. out, sizes: output, twice the runs plus 4.
        end_i, end_j: letters of A and B before a piece that is ``NormalizedRuns``; -1: unordered.
        place: int64, shape (7,): run of the piece, its remaining columns (0: all), letters of A and B before it, D and
            I of the moving gap, runs written. Initially 0, 0, a.size, b.size, 0, 0, 0; updated.

    Returns:
        Whether the piece is done; ``place[0]`` is 0 then.
    """
    k, left, i, j, deleted, inserted, runs = place[0], place[1], place[2], place[3], place[4], place[5], place[6]
    gone = ops.size + 1 if last else ops.size - 1  # behind the last piece come what it left, and the prefix
    while k <= gone and budget > 0:
        budget -= 1
        if k < ops.size and left == 0 and deleted == 0 and inserted == 0 and min(i, j) > prefix:
            if min(end_i, end_j) > prefix:
                fine = min(np.int64(ops.size), k + budget)
                if fine == ops.size:  # until then no one asks
                    i, j = np.int64(end_i), np.int64(end_j)
            else:
                fine, i, j = _in_order(a, b, prefix, ops, lengths, k, min(ops.size, k + budget), i, j)
            if fine > k:
                runs = append_run(out, sizes, runs, np.int64(ops[k]), lengths[k])
                for x in range(k + 1, fine):
                    out[np.uint64(runs + x - k - 1)] = ops[np.uint64(x)]
                    sizes[np.uint64(runs + x - k - 1)] = lengths[np.uint64(x)]
                runs += fine - k - 1
                budget, k = budget - (fine - k), np.int64(fine)
                continue
        if k < ops.size and (i <= prefix or j <= prefix):
            k, left = np.int64(ops.size), np.int64(0)
            if not last:
                break
        if k == ops.size:
            deleted, inserted = deleted + i - prefix, inserted + j - prefix
            i, j = np.int64(prefix), np.int64(prefix)
            k, left = np.int64(gone), np.int64(prefix)
        if k == gone and last:
            op, n = np.int64(EQUAL), left
        else:
            op, n = np.int64(ops[k]), left if left else lengths[k]
            n = min(n, (i if op == DELETION else j if op == INSERTION else min(i, j)) - prefix)
        left = np.int64(0)
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
                runs = append_run(out, sizes, runs, EQUAL, moved)
                budget, n, i, j = budget - moved, n - moved, i - moved, j - moved
                if n and moved == most:
                    left = n
                    continue
            if n:
                runs = append_run(out, sizes, append_run(out, sizes, runs, INSERTION, inserted), DELETION, deleted)
                deleted, inserted = np.int64(0), np.int64(0)
                runs = append_run(out, sizes, runs, op, n)
                i, j = i - n, j - n
        k += 1
    done = k > gone
    if done and last:
        runs = append_run(out, sizes, append_run(out, sizes, runs, INSERTION, inserted), DELETION, deleted)
    place[0], place[1], place[2], place[3], place[4], place[5], place[6] = k, left, i, j, deleted, inserted, runs
    if done:
        place[0] = 0
    return bool(done)


@jit_no_nrt
def safe_split(ops: Ops, lengths: Counts) -> int:
    """Return a run after which gaps hardly shift: an X (a barrier), else the longest equal run."""
    most, best = ZERO, ZERO
    for k in range(ops.size):
        if ops[k] == MISMATCH:
            return k + 1
        if ops[k] == EQUAL and lengths[k] > most:
            most, best = lengths[k], np.int64(k)
    return int(best + 1)


def count_columns(runs: Sequence[Runs]) -> Counts:
    """Return the columns of each operation, int64, shape (len(runs), 4)."""
    counts = np.zeros((len(runs), 4), np.int64)
    for (ops, lengths), these in zip(runs, counts, strict=True):
        if ops.flags.writeable or lengths.flags.writeable:  # it would be compiled for both
            ops, lengths = frozen(ops.view()), frozen(lengths.view())
        add_columns(ops, lengths, these)
    return counts


def count_letters(runs: Sequence[Runs]) -> Counts:
    """Return the letters of A and B consumed by runs, int64, shape (len(runs), 2)."""
    equal, mismatch, insertion, deletion = count_columns(runs).T
    return np.column_stack([equal + mismatch + deletion, equal + mismatch + insertion])


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Make ``array`` read-only and return it."""
    array.setflags(write=False)
    return array


@jit_no_nrt
def add_columns(ops: Ops, lengths: Counts, counts: Counts) -> None:
    """Add the columns of each operation of frozen runs to ``counts``, int64, shape (4,)."""
    # Not by an index, which would wait for the sum before; nor by branches, which can hardly be foretold.
    equal = mismatch = deletion = columns = ZERO
    for k in range(ops.size):
        op, n = np.int64(ops[k]), lengths[k]
        columns += n
        equal += n & -np.int64(op == EQUAL)
        mismatch += n & -np.int64(op == MISMATCH)
        deletion += n & -np.int64(op == DELETION)
    counts[EQUAL] += equal
    counts[MISMATCH] += mismatch
    counts[INSERTION] += columns - equal - mismatch - deletion
    counts[DELETION] += deletion


class Normalizer:
    """Incremental normalizer; see ``wavediff.core.kernels.traceback.left_align.left_align``.

    Args:
        at: start of the runs. most: maximum number of runs.
    """

    def __init__(self, a: Letters, b: Letters, prefix: int, at: At, most: int) -> None:
        self._a, self._b, self._prefix = a, b, prefix
        self._out, self._sizes = np.empty(2 * most + 6, np.uint8), np.empty(2 * most + 6, np.int64)
        self._place = np.array([0, 0, *at, 0], np.int64)
        self._end: tuple[int, int] | None = None

    def take(self, runs: Runs, last: bool = False) -> bool:
        """Continue with a piece; return whether it is finished."""
        if self._end is None:
            self._end = ANYWHERE
            if isinstance(runs, NormalizedRuns):
                self._end = int(self._place[2]) - runs.letters[0], int(self._place[3]) - runs.letters[1]
        rest = *self._end, self._out, self._sizes, self._place, REPORT_RUNS
        done = bool(left_align(self._a, self._b, self._prefix, *runs, last, *rest))
        if done:
            self._end = None
        return done

    @property
    def found(self) -> NormalizedStretch:
        i, j, deleted, inserted, runs = self._place[2:7].tolist()
        return NormalizedStretch((self._out[:runs], self._sizes[:runs]), (i, j, deleted, inserted))


class NormalizedStretch(NamedTuple):
    """Result of normalizing a stretch of runs.

    Attributes:
        runs: normalized. end: of the runs.
    """

    runs: Runs
    end: At


def normalize_stretch(a: Letters, b: Letters, prefix: int, runs: Runs, at: At, stop: Flag) -> NormalizedStretch:
    """Normalize a stretch without copying normalized runs."""
    if not any(at[2:]):
        fine, i, j = normalized_prefix(a, b, prefix, *runs, at[0], at[1])
        if fine == runs[0].size:
            return NormalizedStretch(runs, (int(i), int(j), 0, 0))
    order = Normalizer(a, b, prefix, at, runs[0].size)
    while not stop.is_set() and not order.take(runs):
        pass
    return order.found
