"""Runs of a walk put in order, a stretch at a time; see ``wavediff.core.kernels.traceback.left_align``."""

from __future__ import annotations

from threading import Event as Flag
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.kernels.traceback.left_align import NormalizedRuns, Runs, left_align, normalized_prefix

REPORT_RUNS = 1 << 17  # runs put in order between two reports
NOTHING: Runs = np.zeros(0, np.uint8), np.zeros(0, np.int64)
ANYWHERE = -1, -1
At = tuple[int, int, int, int]  # letters of A and of B that are still before it, D and I of a gap that goes on there


class Normalizer:
    """Runs that are being put in order; see ``wavediff.core.kernels.traceback.left_align.left_align``.

    Args:
        at: where they begin. most: runs that come.
    """

    def __init__(self, a: Letters, b: Letters, prefix: int, at: At, most: int) -> None:
        self._a, self._b, self._prefix = a, b, prefix
        self._out, self._sizes = np.empty(2 * most + 6, np.uint8), np.empty(2 * most + 6, np.int64)
        self._place = np.array([0, 0, *at, 0], np.int64)
        self._end: tuple[int, int] | None = None

    def take(self, runs: Runs, last: bool = False) -> bool:
        """Go on with a piece; return whether it is done."""
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
        runs: in order. end: where they do.
    """

    runs: Runs
    end: At


def normalize_stretch(a: Letters, b: Letters, prefix: int, runs: Runs, at: At, stop: Flag) -> NormalizedStretch:
    """Put a stretch in order; what is so already is not copied."""
    if not any(at[2:]):
        fine, i, j = normalized_prefix(a, b, prefix, *runs, at[0], at[1])
        if fine == runs[0].size:
            return NormalizedStretch(runs, (int(i), int(j), 0, 0))
    order = Normalizer(a, b, prefix, at, runs[0].size)
    while not stop.is_set() and not order.take(runs):
        pass
    return order.found
