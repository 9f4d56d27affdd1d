"""Drive ``cuda/pairs.cu``: all pairs of a batch that warps do, class after class, slice after slice."""

from __future__ import annotations

from collections.abc import Generator
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Event, Progress, Step
from wavediff.gpu.batch.warp_classes import GROUP_COLUMNS, LANES, CardBatchPlan, ClassProgress, WarpClass
from wavediff.gpu.card.card_records import CardRecords
from wavediff.gpu.card.interface import Card

UNIT = "pairs.cu"
TABLE_BYTES = 128 * 32  # of shared memory for each word of a lane
LAUNCH_SECONDS = 0.03  # seconds of one launch: stop, progress and the display all wait for its end
MIN_WARPS = 4  # of a launch for each multiprocessor: one a scheduler, which none holds up
FIRST_CELLS = 1e9  # of the first launch for each multiprocessor, which the slowest does in under 50 ms
MAX_BLOCKS = (1 << 31) - 1
MAX_BORDER_BYTES = 1 << 28  # bytes that what strips hand down may take

_POINTERS = (
    "planes", "row_starts", "row_words", "letters", "col_starts", "col_groups", "row_of", "col_of", "out", "borders",
)  # fmt: skip
_PLACES = ("border_stride", "last", "out_row", "out_col")
_NUMBERS = ("first_slot", "end_slot", "groups", "span", "strips", "each", "own")
STRUCT = np.dtype(
    [(name, np.uint64) for name in _POINTERS]
    + [(name, np.int64) for name in _PLACES]
    + [(name, np.int32) for name in _NUMBERS],
    align=True,
)


class PairCount:
    """Pairs of a batch that are done, on whatever card."""

    def __init__(self, step: Step, n_pairs: int) -> None:
        self._step, self._n_pairs, self._done = step, n_pairs, 0
        self._lock = Lock()

    def add(self, pairs: int) -> Progress:
        """Count so many more, and return what to tell."""
        with self._lock:
            self._done += pairs
            return self._step.progress("comparing", self._done, self._n_pairs, "pairs")


class PairLaunches:
    """The launches of one batch, or of one card's share of it.

    Args:
        rows, columns: on the card; rows with planes.
        shape: of the answers.
        steps: in the answers, from one record of the rows (of the columns) to the next.
        signs: METHOD of the kernel.
    """

    def __init__(
        self,
        card: Card,
        plan: CardBatchPlan,
        rows: CardRecords,
        columns: CardRecords,
        shape: tuple[int, ...],
        steps: tuple[int, int],
        delta_bits: int,
    ) -> None:
        self.card, self.plan, self._signs = card, plan, delta_bits
        self.out = card.zeros(shape, np.int32)
        slots = card.upload(plan.row_of.astype(np.int32)), card.upload(plan.col_of.astype(np.int32))
        self._hold = rows, columns, slots
        struct: Any = np.zeros((), STRUCT)
        arrays = rows.planes, rows.starts, rows.words, columns.letters, columns.starts, columns.groups, *slots, self.out
        for name, array in zip(_POINTERS, arrays, strict=False):
            struct[name] = card.address(array)
        struct["out_row"], struct["out_col"] = steps
        struct["each"], struct["own"] = plan.pairs is Pairing.ALL_TO_ALL, plan.own
        self._struct = struct

    def compute(self, step: Step, count: PairCount, k: int = 0, n: int = 1) -> Generator[Event, None, None]:
        """Compute what card ``k`` of ``n`` has of all classes; yields a ``StepDone`` and a ``Progress`` a launch."""
        card, struct = self.card, self._struct
        budget = FIRST_CELLS * card.processors
        for one in self.plan.classes:
            if not one.units:
                continue
            kernel = card.kernel(UNIT, "pairs", METHOD=self._signs, WORDS=one.words)
            if kernel.seconds:
                yield step.compiled("pairs", kernel.seconds)
            reach = ClassProgress(self.plan, one)
            first, end = reach.share(k, n)
            stride, most = self._borders(one)
            struct["first_slot"], struct["end_slot"] = one.first, one.end
            struct["groups"], struct["span"], struct["strips"] = one.warps, one.span, one.strips
            struct["border_stride"] = stride
            while first < end:
                least = first + MIN_WARPS * card.processors // one.strips
                last = min(max(reach.within(first, int(budget)), least), first + most, end)
                borders = card.zeros(1 + (last - first) * stride, np.uint32)
                struct["borders"], struct["last"] = card.address(borders), last
                blocks = (last - first) * one.strips
                seconds = card.launch(kernel, blocks, LANES, one.words * TABLE_BYTES, struct[()])
                before, after = reach.at(first), reach.at(last)
                yield step.took("pairs", seconds, after[0] - before[0], after[1] - before[1])
                yield count.add(after[0] - before[0])
                first = last
                budget *= min(4.0, LAUNCH_SECONDS / max(seconds, 1e-9))

    def _borders(self, one: WarpClass) -> tuple[int, int]:
        """Return the groups that a strip hands to the next (0: there is one), and the most units of a launch."""
        if one.strips == 1:
            return 0, MAX_BLOCKS
        columns = (
            self.plan.m[: one.columns] if self.plan.pairs is Pairing.ALL_TO_ALL else self.plan.m[one.first : one.end]
        )
        stride = -(-int(columns.max(initial=1)) // GROUP_COLUMNS)
        return stride, max(1, min(MAX_BORDER_BYTES // (4 * stride), MAX_BLOCKS // one.strips))

    def values(self) -> npt.NDArray[np.int32]:
        return self.card.download(self.out)
