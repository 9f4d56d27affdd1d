"""Windows of a path that may have avoidable gaps, between two long equal runs.

Hardly any path of the same cost leaves a long equal run. A window includes some letters of the runs next to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Ops
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Alignment, Op
from wavediff.core.kernels.traceback import tie_rules
from wavediff.core.kernels.traceback import window_runs as window
from wavediff.core.kernels.traceback.left_align import DELETION, EQUAL, INSERTION, ZERO, append_run, frozen
from wavediff.core.kernels.traceback.tie_rules import LONG_GAP

LONG_EQUAL, FLANK = np.int64(tie_rules.LONG_EQUAL), np.int64(tie_rules.FLANK)
MOST_LETTERS = 1 << 16  # rows and columns of a window; a longer one is cut
Mask = npt.NDArray[np.bool_]

# Of a window, behind what ``window_alignment`` asks for: its cost, its rows and columns but for those of the equal runs
# next to it, whether it is part of a larger one.
COST, SIZE, CUT, FIELDS = range(window.WINDOW_FIELDS, window.WINDOW_FIELDS + 4)


@jit_no_nrt
def find_windows(ops: Ops, lengths: Counts, kept: Mask, paired: bool, long_gap: int, noted: Counts) -> int:
    """Write the windows with more gap openings than necessary; return their number.

    Args:
        ops, lengths: runs of the path. kept: for each run, whether it must not change.
        paired: a D and an I of one gap form a substitution.
        long_gap: letters of a gap that count as its size.
        noted: int64, shape (runs of insertions or deletions, FIELDS).
    """
    windows = first = i = j = ZERO
    down = right = cost = size = opened = ZERO  # of the window so far
    for k in range(ops.size + 1):
        more = k < ops.size
        op, n = (np.int64(ops[k]), lengths[k]) if more else (EQUAL, ZERO)
        if more and not kept[k] and (op != EQUAL or n < LONG_EQUAL):
            down += n * (op != INSERTION)
            right += n * (op != DELETION)
            cost += n * (op != EQUAL)
            size += min(n, long_gap) if op >= INSERTION else n
            if op < INSERTION:
                continue
            follows = k > 0 and ops[k - 1] >= INSERTION
            substitution = k + 1 < ops.size and ops[k + 1] >= INSERTION and lengths[k + 1] == n
            opened += not (paired and (follows or substitution))
            continue
        if opened > (down != right):
            head = FLANK if first > 0 and not kept[first - 1] else ZERO
            noted[windows, window.FIRST], noted[windows, window.END] = first, k
            noted[windows, window.BEFORE_A], noted[windows, window.BEFORE_B] = i - head, j - head
            noted[windows, window.HEAD] = head
            noted[windows, window.TAIL] = FLANK if more and not kept[k] else ZERO
            noted[windows, window.OUT] = ZERO
            noted[windows, COST], noted[windows, SIZE], noted[windows, CUT] = cost, size, ZERO
            windows += 1
        i, j, first = i + down + n * (op != INSERTION), j + right + n * (op != DELETION), np.int64(k + 1)
        down = right = cost = size = opened = ZERO
    return int(windows)


@jit_no_nrt
def splice_windows(
    ops: Ops, lengths: Counts, windows: Counts, answers: Counts, new_ops: Ops, new_lengths: Counts, out: Ops,
    sizes: Counts,
) -> int:  # fmt: skip
    """Write the runs with solved windows replaced, last column first; return their number.

    Args:
        ops, lengths: runs of the path, first column first, as are ``new_ops`` and ``new_lengths``.
        answers: see ``align_windows``.
        out, sizes: output, at most as many runs as both inputs together.
    """
    runs, k = ZERO, np.int64(ops.size)  # k: runs of the path not yet written
    tail = ZERO  # letters of run k - 1 that the window behind it took
    for w in range(windows.shape[0] - 1, -2, -1):
        if w >= 0 and answers[w, window.RUNS] == 0:
            continue
        end = windows[w, window.END] if w >= 0 else ZERO
        cut = windows[w, window.TAIL] if w >= 0 else ZERO
        while k > end:
            k -= 1
            n = lengths[k] - tail - (cut if k == end else ZERO)
            tail = ZERO
            runs = append_run(out, sizes, runs, np.int64(ops[k]), n)
        if w >= 0:
            start = windows[w, window.OUT]
            for one in range(start + answers[w, window.RUNS] - 1, start - 1, -1):
                runs = append_run(out, sizes, runs, np.int64(new_ops[one]), new_lengths[one])
            k, tail = windows[w, window.FIRST], windows[w, window.HEAD]
    return int(runs)


class Runs(NamedTuple):
    """Runs of a path with fixed ones marked: int64 operations, columns."""

    ops: Ops
    lengths: Counts
    kept: Mask

    @classmethod
    def of(cls, path: Alignment, kept: tuple[Counts, Counts] | None) -> Runs:
        """Split runs at the borders of fixed stretches."""
        ops, lengths = path.ops, path.lengths
        if kept is None or not kept[0].size:
            return cls(ops, lengths, np.zeros(ops.size, np.bool_))
        first, last = kept
        starts = np.concatenate([[0], np.cumsum(lengths)])
        edges = np.unique(np.concatenate([starts, first, last]))
        run = np.searchsorted(starts, edges[:-1], side="right") - 1
        stretch = np.searchsorted(first, edges[:-1], side="right") - 1
        inside = (stretch >= 0) & (edges[:-1] < last[stretch])
        return cls(frozen(ops[run]), frozen(np.diff(edges)), inside)

    def windows(self, paired: bool, long_gap: int, find: Callable[..., int] = find_windows) -> Counts:
        """Return the windows with possibly avoidable gaps, int64, shape (k, FIELDS)."""
        windows = np.empty((self.ops.size // 2 + 1, FIELDS), np.int64)
        windows = windows[: find(*self, paired, long_gap, windows)]
        large = windows[:, SIZE] > MOST_LETTERS - 2 * FLANK
        return self._in_parts(windows, large) if windows.size and large.any() else windows

    def _in_parts(self, whole: Counts, large: Mask) -> Counts:
        """Split windows that are too large to be solved at once."""
        ops, lengths = self.ops, self.lengths
        before_a, before_b, costs, sizes = (
            np.append(0, np.cumsum(some))
            for some in (
                lengths * CONSUMES_A[ops],
                lengths * CONSUMES_B[ops],
                lengths * (ops != Op.EQUAL),
                np.where(ops >= Op.INSERTION, np.minimum(lengths, LONG_GAP), lengths),
            )
        )
        parts = (self._cut(one, sizes) if cut else [one] for one, cut in zip(whole, large, strict=True))
        split = np.array([part for some in parts for part in some])
        first, end, head = (split[:, field] for field in (window.FIRST, window.END, window.HEAD))
        split[:, window.BEFORE_A], split[:, window.BEFORE_B] = before_a[first] - head, before_b[first] - head
        split[:, COST], split[:, SIZE] = costs[end] - costs[first], sizes[end] - sizes[first]
        return split

    def _cut(self, whole: Counts, sizes: Counts) -> list[Counts]:
        """Split a large window at long equal runs."""
        parts, rest = [], whole.copy()
        rest[CUT] = 1
        while sizes[rest[window.END]] - sizes[first := int(rest[window.FIRST])] > MOST_LETTERS - 2 * FLANK:
            thirds = sizes[first] + np.array([1, 2]) * (MOST_LETTERS // 3)
            low, high = np.searchsorted(sizes[first : rest[window.END] + 1], thirds)
            some = slice(first + int(low), first + int(high))
            equal = np.where(self.ops[some] == Op.EQUAL, self.lengths[some], 0)
            if not equal.any():
                break
            at = some.start + int(equal.argmax())
            half = int(self.lengths[at]) // 2
            part = rest.copy()
            part[window.END], part[window.TAIL] = at, half
            parts.append(part)
            rest[window.FIRST], rest[window.HEAD] = at + 1, int(self.lengths[at]) - half
        return [*parts, rest]
