"""Edit distances with swaps by the kernels of Kim, Na and Sim (``cuda/kim.cu``), for comparison."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import DeviceOutOfMemory, NotEnoughMemory
from wavediff.core.jobs.events import Event, Step
from wavediff.core.sequences.characters import fold_table
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.card.cuda import Card

UNIT = "kim.cu"
MAX_THREADS = 1024  # threads of a block: rows computed together
LAUNCH_SECONDS = 0.03  # seconds of one launch
FIRST_CYCLES = 4096  # of the first launch, with one row per thread
TABLE_MEMORY_SHARE = 0.8  # maximum share of the free memory for tables
DX, STRINGS = 1, 2  # contents of shared memory besides anti-diagonals

PAIR = np.dtype([(name, np.int64) for name in ("x", "y", "h", "dx", "dy")] + [("m", np.int32), ("n", np.int32)])


class KimPairs:
    """Computes the distances of pairs of records.

    Args:
        a, b: the records. The shorter one of a pair is X (rows), the other Y, as in the paper.
        pairs: int64, shape (k, 2): records of ``a`` and ``b``.
        shared: anti-diagonals in shared memory (the paper's sH_CUDA); False: not (H_CUDA).
        reached: callback with an anti-diagonal; all cells with a smaller i + j are computed.
    """

    def __init__(
        self,
        card: Card,
        a: SequencePool,
        b: SequencePool,
        pairs: Counts,
        *,
        fold_case: bool,
        shared: bool,
        reached: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.card, self._pairs, self._shared = card, pairs, shared
        self._reached, self._done = reached, 0
        self._text, self._letters = _codes(a, b, fold_case)
        i, j = pairs.T
        turned = b.sizes[j] < a.sizes[i]
        first, second = a.starts[i], b.starts[j] + a.letters.size
        self._x, self._y = np.where(turned, second, first), np.where(turned, first, second)
        self._m, self._n = np.minimum(a.sizes[i], b.sizes[j]), np.maximum(a.sizes[i], b.sizes[j])
        longest = int(max(self._m.max(initial=0), self._n.max(initial=0)))
        self._number = 2 if longest < 1 << 16 else 4

    def needs(self) -> Counts:
        """Return the size of the tables H, DX and DY of each pair in bytes."""
        m, n = self._m, self._n
        needed: Counts = self._number * ((m + n + 1) * (m + 1) + m * self._letters + m + 1)
        return needed

    def compute(self, step: Step, kernel: str = "pairs") -> Generator[Event, None, npt.NDArray[np.int32]]:
        """Return the distances, int32; yields a ``StepDone`` and a ``Progress`` per launch.

        Raises:
            DeviceOutOfMemory: the tables of one pair exceed the card's memory.
            NotEnoughMemory: three anti-diagonals of a pair exceed shared memory.
        """
        card, needs = self.card, self.needs()
        out = np.zeros(len(self._pairs), np.int32)
        if not out.size:
            return out
        self._check_shared()
        macros = {"NUMBER_BYTES": self._number, "SHARED": int(self._shared)}
        prepare, cycles = card.kernel(UNIT, "prepare", **macros), card.kernel(UNIT, "cycles", **macros)
        if prepare.seconds + cycles.seconds:
            yield step.compiled(kernel, prepare.seconds + cycles.seconds)
        text, first = card.upload(self._text), 0
        while first < out.size:
            room = TABLE_MEMORY_SHARE * card.free()
            if needs[first] > room:
                raise DeviceOutOfMemory(
                    f"the table of one pair takes {needs[first] / 1e9:,.2f} GB, {room / 1e9:,.2f} GB are free"
                )
            last = first + int(np.searchsorted(np.cumsum(needs[first:]), room, side="right"))
            out[first:last] = yield from self._some(step, kernel, first, last, text, prepare, cycles)
            first = last
        return out

    def _check_shared(self) -> None:
        rows = int(self._m.max())
        if self._shared and (need := 3 * (rows + 1) * self._number) > self.card.shared_bytes:
            raise NotEnoughMemory(
                f"three anti-diagonals of {rows:,} rows take {need / 1e3:,.0f} KB, and a block on {self.card.name} "
                f"has {self.card.shared_bytes / 1e3:,.0f} KB; the kernel with global memory only needs no shared memory"
            )

    def _layout(self, rows: int, columns: int) -> tuple[int, int]:
        """Return the bytes of shared memory, and its contents besides anti-diagonals."""
        if not self._shared:
            return 0, 0
        diagonals, dx = 3 * (rows + 1) * self._number, rows * self._letters * self._number
        for room in (DX | STRINGS, DX, STRINGS):
            need = diagonals + (dx if room & DX else 0) + (rows + columns if room & STRINGS else 0)
            if need <= self.card.shared_bytes:
                return need, room
        return diagonals, 0

    def _some(
        self, step: Step, kernel: str, first: int, last: int, text: Any, prepare: Any, cycles: Any
    ) -> Generator[Event, None, npt.NDArray[np.int32]]:
        card, number = self.card, np.uint16 if self._number == 2 else np.uint32
        m, n = self._m[first:last], self._n[first:last]
        pairs = np.zeros(last - first, PAIR)
        pairs["x"], pairs["y"], pairs["m"], pairs["n"] = self._x[first:last], self._y[first:last], m, n
        sizes = {"h": (m + n + 1) * (m + 1), "dx": m * self._letters, "dy": m + 1}
        for name, size in sizes.items():
            pairs[name] = np.cumsum(size) - size
        tables = {name: card.zeros(max(1, int(size.sum())), number) for name, size in sizes.items()}
        on_card, out = card.upload(pairs.view(np.uint8)), card.zeros(pairs.size, np.int32)
        rows, columns = int(m.max()), int(n.max())
        shared, room = self._layout(rows, columns)
        threads = min(MAX_THREADS, -(-(rows + 1) // 32) * 32)
        letters = np.int32(self._letters)
        if not room & DX:
            seconds = card.launch(prepare, pairs.size, threads, 0, on_card, text, letters, tables["dx"])
            yield step.took("prepare", seconds)
        end = int((m + n).max()) + 1
        turns = -(-(rows + 1) // threads) * -(-pairs.size // (2 * card.processors))
        at, together = 0, max(1, FIRST_CYCLES // turns)
        while at < end:
            to = min(end, at + together)
            seconds = card.launch(
                cycles, pairs.size, threads, shared,
                on_card, text, letters, tables["dx"], tables["dy"], tables["h"], np.int32(at), np.int32(to),
                np.int32(room), np.int32(rows), np.int32(columns), out,
            )  # fmt: skip
            ended = int(((m + n >= at) & (m + n < to)).sum())
            self._reached(to)
            self._done += ended
            cells = int((_cells(m, n, to) - _cells(m, n, at)).sum())
            yield step.took(kernel, seconds, ended, cells)
            if len(self._pairs) > 1:
                yield step.progress("comparing", self._done, len(self._pairs), "pairs")
            at, together = to, max(1, int(together * min(4.0, LAUNCH_SECONDS / max(seconds, 1e-9))))
        return card.download(out)


def _cells(m: Counts, n: Counts, cycle: int) -> Counts:
    """Return the number of cells (i, j) in (1, 1) to (m, n) with i + j < ``cycle``."""

    def triangle(k: Counts) -> Counts:
        k = np.maximum(k, 0)
        return k * (k + 1) // 2

    k = np.full_like(m, cycle - 2)
    return triangle(k) - triangle(k - m) - triangle(k - n) + triangle(k - m - n)


def _codes(a: SequencePool, b: SequencePool, fold_case: bool) -> tuple[Letters, int]:
    """Return the concatenated letters as codes 0, 1, 2..., and the number of codes."""
    text = fold_table(fold_case)[np.concatenate([a.letters, b.letters])]
    occur = np.bincount(text, minlength=256) > 0
    table = np.maximum(np.cumsum(occur) - 1, 0).astype(np.uint8)
    return table[text], max(1, int(occur.sum()))
