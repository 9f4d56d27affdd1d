"""Recomputation of cells with swaps from stored row borders and block states.

For a large matrix only some borders and states are stored: the blocks between are recomputed first (``StripPart``).

The log of a strip (``wavediff.core.kernels.swap_edit.strips.LOG_VECTORS``) has, for each cell, ``D0`` (1: equal to the
upper left neighbour), ``VP`` and ``HP`` (1: one more than the cell above, than the cell on the left). One less follows
from these: ``HN = D0 & VP`` of the column before, and ``VN = D0 & HP`` of the row above (Hyyrö 2003).
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.jobs.events import REHEARSAL, Event, Step, run_to_end
from wavediff.core.jobs.kept_matrix import LaneLayout, Values, WordBits
from wavediff.core.kernels.swap_edit.strip_part import STATE_WORDS, StripPart
from wavediff.core.kernels.swap_edit.strips import LOG_VECTORS, SLAB_STEPS, STATE_VECTORS, SwapPlan, SwapState
from wavediff.core.kernels.swap_edit.swap_traceback import D0, DOWN, HP, VP

HYYRO = ("D0", "HP", "HN", "VP", "VN")


class LoggedBits(NamedTuple):
    """Bits of some rows and columns, int64, shape (rows, columns)."""

    d0: Values
    vp: Values
    hp: Values


class KeptSwaps:
    """Stored matrix of edits with swaps; see ``wavediff.core.jobs.kept_matrix.KeptMatrix``.

    Args:
        plan, state: of a computed matrix with stored borders.
        every: a tuple with one element per bit plane.
    """

    def __init__(self, plan: SwapPlan, state: SwapState, every: tuple[int, ...]) -> None:
        self._plan, self._every = plan, every
        self._state = state._replace(masks=state.masks[:0].copy())
        self._part: tuple[tuple[int, int, int, int], StripPart] | None = None  # of the last window

    @property
    def n_bytes(self) -> int:
        plan, state = self._plan, self._state
        arrays = plan.rows, plan.cols, state.border, state.saved, state.planes
        return sum(array.nbytes for array in arrays)

    @property
    def layout(self) -> LaneLayout:
        return LaneLayout(WORD, LANES, SLAB_STEPS)

    @property
    def computed_again(self) -> tuple[int, int]:
        plan = self._plan
        return min(plan.keep_strips * BITS, plan.rows.size), min((plan.keep_slabs + 1) * SLAB_STEPS, plan.cols.size)

    def columns(self, row: int, n_rows: int) -> tuple[int, int]:
        """Return the columns ``[first, end)`` computed in all of ``n_rows`` rows."""
        last, done = row + n_rows - 1, self._state.progress
        if last >= self._plan.rows.size:
            return 0, 0
        # A slab is done as far down as its thread has come, and so are those before it, which are ahead.
        slabs = int(np.searchsorted(-done, -(last // BITS)))
        if slabs == done.size:
            return 0, int(self._plan.cols.size)
        return 0, min(max(slabs * SLAB_STEPS - last // WORD, 0), int(self._plan.cols.size))

    def values(self, step: Step, row: int, col: int, n_rows: int, n_cols: int) -> Generator[Event, None, Values]:
        """See ``wavediff.core.jobs.kept_matrix.KeptMatrix``."""
        start, at, pieces = perf_counter(), row, list[Values]()
        part = self._new_part(row, row + n_rows, col, col + n_cols)
        for cells in part.compute():
            yield step.done("window", start, 1, cells)
            start = perf_counter()
        self._part = (row, col, n_rows, n_cols), part
        while at < row + n_rows:
            s = at // BITS
            upto = min(row + n_rows, (s + 1) * BITS)
            strip = self._strip(part, s, upto, col, col + n_cols)
            pieces.append(strip[at - s * BITS + (at > row) :])
            yield step.done("window", start)
            start, at = perf_counter(), upto
        return np.concatenate(pieces)

    def words(self, row: int, col: int, n_rows: int, n_cols: int) -> WordBits:
        """See ``wavediff.core.jobs.kept_matrix.KeptMatrix``; names: ``wavediff.core.kernels.swap_edit.swap_column``.

        ``down`` and ``across``: rows where a swap with q = j-1, or with p = i-1, matters.
        """
        window = row, col, n_rows, n_cols
        if self._part is None or self._part[0] != window:
            run_to_end(self.values(REHEARSAL, *window))
        assert self._part is not None
        strips_of_rows = range(row // BITS, (row + n_rows - 1) // BITS + 1)
        pieces = [self._strip_words(self._part[1], s, row, row + n_rows, col, col + n_cols) for s in strips_of_rows]
        words = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
        # O2 is what the column before left; it meets the letters of the row above (``swap_word``: ``match``).
        above = np.arange(row, row + n_rows) - 1
        eq = (self._plan.rows[np.maximum(above, 0), None] == self._plan.cols[None, col : col + n_cols]) & (above >= 0)[
            :, None
        ]
        across = words.pop("O2") & eq
        return {"EQ": words.pop("EQ"), "down": words.pop("down"), "across": across.astype(np.uint8), **words}

    def _new_part(self, row: int, end: int, c0: int, c1: int) -> StripPart:
        s0, s1 = row // BITS, (end - 1) // BITS
        first, last = max(c0 - 1, 0) + LANES * s0, c1 - 1 + LANES * s1 + (end - 1) % BITS // WORD  # steps
        return StripPart(self._plan, self._state, self._every, s0, s1, first // SLAB_STEPS, last // SLAB_STEPS)

    def _strip_words(self, part: StripPart, s: int, row: int, end: int, c0: int, c1: int) -> dict[str, np.ndarray]:
        """Recompute strip s step by step at columns c0 to c1; return the bits of its rows."""
        first, upto = max(row - s * BITS, 0), min(end - s * BITS, BITS)
        w0, w1 = first // WORD, (upto - 1) // WORD + 1  # words of the strip
        words = {name: np.zeros((c1 - c0, w1 - w0), np.uint64) for name in ("EQ", "down", "O2", *HYYRO)}
        now = np.empty(STATE_WORDS, np.uint64)
        vectors = now.reshape(STATE_VECTORS, LANES)
        log = np.empty(LOG_VECTORS * LANES, np.uint64)
        logged, slab = log.reshape(LOG_VECTORS, LANES), -1
        for t in range(c0 + LANES * s + w0, c1 + LANES * s + w1 - 1):
            if slab != t // SLAB_STEPS:
                slab = t // SLAB_STEPS
                part.run(s, slab, max(slab * SLAB_STEPS, LANES * s), t, part.before(s, slab), now, log[:0])
            vp, o2 = vectors[0].copy(), vectors[3].copy()
            part.run(s, slab, t, t + 1, now, now, log)
            step = {
                "EQ": vectors[4], "down": logged[DOWN], "O2": o2, "D0": logged[D0], "HP": logged[HP],
                "HN": logged[D0] & vp, "VP": vectors[0], "VN": vectors[1],
            }  # fmt: skip
            for w in range(w0, w1):
                column = t - LANES * s - w
                if c0 <= column < c1:
                    for name, vector in step.items():
                        words[name][column - c0, w - w0] = vector[w]
        rows = np.arange(first, upto)
        places, shifts = rows // WORD - w0, (rows % WORD).astype(np.uint64)[:, None]
        return {name: (one.T[places] >> shifts & np.uint64(1)).astype(np.uint8) for name, one in words.items()}

    def _strip(self, part: StripPart, s: int, end: int, c0: int, c1: int) -> Values:
        """Return the values of strip s from the row above to ``end``, columns c0 to c1."""
        top = s * BITS
        bits = self._bits(part, s, end - top, max(c0 - 1, 0), c1)
        first = part.column(s)
        across = part.rises(s, first, c1)
        above = part.value(s) + np.concatenate([[0], np.cumsum(across)])
        values = np.empty((end - top + 1, c1 - c0 + 1), np.int64)
        values[0] = above[c0 - first :]
        vp: Values = np.ones(end - top, np.int64)
        if c0 == 0:
            values[1:, 0] = top + np.arange(1, end - top + 1)
        else:
            hp = np.concatenate([[across[c0 - 1 - first] > 0], bits.hp[:-1, 0]])
            vp = bits.vp[:, 0]
            values[1:, 0] = values[0, 0] + np.cumsum(vp - (bits.d0[:, 0] & hp))
        for k in range(c0, c1):
            at = k - max(c0 - 1, 0)
            values[1:, k - c0 + 1] = values[1:, k - c0] + bits.hp[:, at] - (bits.d0[:, at] & vp)
            vp = bits.vp[:, at]
        return values

    def _bits(self, part: StripPart, s: int, n_rows: int, c0: int, c1: int) -> LoggedBits:
        """Recompute strip s at columns c0 to c1; return the logged bits of its first rows."""
        last = (n_rows - 1) // WORD  # word of the strip
        first_step, last_step = c0 + LANES * s, c1 - 1 + LANES * s + last
        words = np.zeros((LOG_VECTORS, last + 1, c1 - c0), np.uint64)
        thrown = np.empty(STATE_WORDS, np.uint64)
        for c in range(first_step // SLAB_STEPS, last_step // SLAB_STEPS + 1):
            t0, t1 = max(c * SLAB_STEPS, LANES * s), min((c + 1) * SLAB_STEPS, last_step + 1)
            seen = np.empty((t1 - t0) * LOG_VECTORS * LANES, np.uint64)
            part.run(s, c, t0, t1, part.before(s, c), thrown, seen)
            log = seen.reshape(t1 - t0, LOG_VECTORS, LANES)
            for w in range(last + 1):
                begin, upto = (min(max(t - LANES * s - w, c0), c1) for t in (t0, t1))  # columns that the word met
                shift = LANES * s + w - t0
                words[:, w, begin - c0 : upto - c0] = log[begin + shift : upto + shift, :, w].T
        rows = np.arange(n_rows)
        of_rows = words[:, rows // WORD] >> (rows % WORD).astype(np.uint64)[:, None] & np.uint64(1)
        bits = of_rows.astype(np.int64)
        return LoggedBits(bits[D0], bits[VP], bits[HP])
