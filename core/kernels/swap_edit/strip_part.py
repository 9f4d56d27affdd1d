"""Recomputation of blocks of a matrix with swaps, from stored borders and states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit_with
from wavediff.core.jit.lane_ops import last_lane
from wavediff.core.jit.simd import BITS, LANES, load
from wavediff.core.kernels.swap_edit import strips
from wavediff.core.kernels.swap_edit.strips import SLAB_STEPS, STATE_VECTORS, TOP, SwapPlan, SwapState

STATE_WORDS = STATE_VECTORS * LANES


@jit_with(error_model="numpy")
def compute_slab(plan, planes, s0, s1, c0, c1, c, border, saved, masks, every):  # type: ignore[no-untyped-def]
    """Compute slab c of the blocks of a ``StripPart``; return the cells.

    Args:
        border: its first row, and the first place of the other rows, are set. saved: states before slab c are set.
    """
    width, places, cells = (c1 - c0 + 1) * SLAB_STEPS + 1, c1 - c0 + 2, 0
    strips.spread_columns(plan, masks, c, s0, s1)
    for s in range(s0, s1 + (c < c1)):  # who wants the last block computes it
        t0, t1 = strips.block_steps(plan, s, c)
        at = ((s - s0) * places + c - c0) * STATE_WORDS
        above = (s - s0) * width - c0 * SLAB_STEPS
        strips.run_steps(
            plan, planes, masks, s, c, t0, t1, border, above, above + width + 1, saved, at, saved, at + STATE_WORDS,
            saved[:0], every,
        )  # fmt: skip
        cells += max(t1 - t0, 0) * min(BITS, plan.rows.size - s * BITS)
    return cells


@jit_with(error_model="numpy")
def begin_between(plan, state, s0, s1, c0, c1, slabs, border, saved):  # type: ignore[no-untyped-def]
    """Write the initial data of a ``StripPart``: stored row above strip s0, stored states before slab c0."""
    width, places, begin = (c1 - c0 + 1) * SLAB_STEPS + 1, c1 - c0 + 2, c0 * SLAB_STEPS
    kept, m = strips.border_at(plan, s0) - LANES * s0, plan.cols.size
    for x in range((s1 - s0 + 2) * width):
        border[x] = TOP  # as it is behind the last column
    for t in range(max(begin, LANES * s0), min(begin + width - 1, LANES * s0 + m)):
        border[t - begin] = state.border[kept + t]
    for s in range(s0, s1 + 1):
        to = (s - s0) * places * STATE_WORDS
        if begin <= LANES * s:
            strips.begin(saved, to)
        else:
            at = strips.state_at(plan, s, c0, slabs)
            saved[to : to + STATE_WORDS] = state.saved[at : at + STATE_WORDS]
            border[(s - s0 + 1) * width] = last_lane(load(saved, to + STATE_WORDS - LANES))


class StripPart:
    """Borders and states of some blocks, from the stored ones to the requested ones.

    Args:
        plan, state: of a matrix, computed up to these blocks.
        every: a tuple with one element per bit plane.
        s0, s1, c0, c1: the first and last requested strip and slab.

    Attributes:
        first_strip, first_slab: of these blocks; see ``first_kept``.
        border: uint8, a row above each strip and one below the last; in each row, place ``t`` is the input of the strip
            at step ``first_slab * SLAB_STEPS + t``.
        saved: the state of each strip before each slab, (strips, slabs + 1, ``STATE_WORDS``).
    """

    def __init__(
        self, plan: SwapPlan, state: SwapState, every: tuple[int, ...], s0: int, s1: int, c0: int, c1: int
    ) -> None:
        self._plan, self._state, self._every = plan, state, every
        self.first_strip, self.first_slab = first_kept(plan, s0, c0)
        self._ends = self.first_strip, s1, self.first_slab, c1
        n_strips, n_slabs = s1 - self.first_strip + 1, c1 - self.first_slab + 1
        self._width = n_slabs * SLAB_STEPS + 1
        self.border: Letters = np.empty((n_strips + 1, self._width), np.uint8)
        self.saved: Words = np.empty((n_strips, n_slabs + 1, STATE_WORDS), np.uint64)
        self._masks: Words = np.empty(plan.n_planes * int(strips.mask_words(plan.rows.size)), np.uint64)
        self._spread = -1, -1  # strip and slab that the masks are of
        slabs = state.progress.size
        begin_between(plan, state, *self._ends, slabs, self.border.reshape(-1), self.saved.reshape(-1))

    def compute(self) -> Iterator[int]:
        """Compute the blocks slab by slab, yielding their cells; nothing if all are stored."""
        s0, s1, c0, c1 = self._ends
        border, saved, masks = self.border.reshape(-1), self.saved.reshape(-1), self._masks
        for c in range(c0, c1 + (s0 < s1)):
            yield int(
                compute_slab(self._plan, self._state.planes, *self._ends, c, border, saved, masks, self._every)
            )  # fmt: skip

    def has(self, s: int, c: int) -> bool:
        """Return whether the part contains the block of strip s in slab c."""
        s0, s1, c0, c1 = self._ends
        return s0 <= s <= s1 and c0 <= c <= c1

    def run(self, s: int, c: int, t0: int, t1: int, source: Words, target: Words, seen: Words) -> None:
        """Compute steps t0 to t1 of a block; see ``wavediff.core.kernels.swap_edit.strips.run_steps``."""
        if self._spread != (s, c):
            strips.spread_columns(self._plan, self._masks, c, s, s)
            self._spread = s, c
        above = (s - self.first_strip) * self._width - self.first_slab * SLAB_STEPS
        strips.run_steps(
            self._plan, self._state.planes, self._masks, s, c, t0, t1, self.border.reshape(-1), above,
            above + self._width + 1, source, 0, target, 0, seen, self._every,
        )  # fmt: skip

    def before(self, s: int, c: int) -> Words:
        """Return the state of strip s before slab c, ``STATE_WORDS`` words."""
        words: Words = self.saved[s - self.first_strip, c - self.first_slab]
        return words

    def column(self, s: int) -> int:
        """Return the columns processed by the first word of strip s before the first slab."""
        return max(self.first_slab * SLAB_STEPS - LANES * s, 0)

    def rises(self, s: int, first: int, end: int) -> Counts:
        """Return the increase above strip s in each column ``first`` to ``end``, int64."""
        at = LANES * s - self.first_slab * SLAB_STEPS
        return rises(self.border[s - self.first_strip, first + at : end + at])

    def value(self, s: int) -> int:
        """Return the value of the node above strip s after ``column(s)``.

        Sum along the stored border to the column of the strip's first word, then down the words, each one column behind
        the one above.
        """
        if not self.column(s):
            return s * BITS
        plan, first = self._plan, self.first_strip
        at = int(strips.border_at(plan, first))
        states = self.saved[: s - first, 0].reshape(-1, STATE_VECTORS, LANES)
        down = np.bitwise_count(states[:, 0]).sum(dtype=np.int64) - np.bitwise_count(states[:, 1]).sum(dtype=np.int64)
        back = rises(states[:, STATE_VECTORS - 1]).sum()
        return first * BITS + int(rises(self._state.border[at : at + self.column(first)]).sum() + down - back)


def first_kept(plan: SwapPlan, s: int, c: int) -> tuple[int, int]:
    """Return the strip with a stored upper border and the slab with stored states to start from.

    At that slab, none of these strips has reached the last column.
    """
    first = s - s % plan.keep_strips
    slab = min(c, (int(plan.cols.size) + LANES * first) // SLAB_STEPS)
    return first, slab - slab % plan.keep_slabs


def rises(handed: Letters | Words) -> Counts:
    """Convert the bytes or words of a border to differences."""
    rise: Counts = (handed & handed.dtype.type(1)).astype(np.int64) - (handed >> 1 & 1).astype(np.int64)
    return rise
