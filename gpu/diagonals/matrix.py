"""A band on the card by O(ND): for long pairs that are alike, whose band is too narrow to fill a card with strips.

Furthest-reaching points (``core.kernels.diagonals``) of all diagonals of the band for one cost after another, until the
end is reached: as many points as the band has diagonals for each edit, where it has as many cells for each letter. The
points of every so many costs stay on the card; the walk back fetches those around the path and fills in what lies
between.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from core.arrays import Board, Counts, Letters
from core.bits import common_prefix
from core.events import Compiled, Event, StepDone
from core.grid import BlockGrid, BlockState
from core.kernels.diagonals.points import spread, walk_points
from core.kernels.diagonals.probe import make_ready
from core.results.alignment import Alignment, Op
from core.traceback.runs import Ops
from gpu.card.interface import Card
from gpu.diagonals.fronts import Front, FrontSampler
from gpu.strips.layout import LANES, Signs
from gpu.traceback.walk import mark_path

EACH = 2  # diagonals of a thread
STEPS = 64  # costs of a launch
WARPS = 8  # of a block
SLICE = 0.02  # seconds between two looks at what was found
MAX_BOARD = 1024  # blocks along the path
BUDGET = 0.3  # of the free memory of a card that points may take
COST, POINT, ROW = 9e-7, 3e-12, 4e-8  # seconds of a cost, of each of its points, and of a row of a band that is strips
GIVE_UP = 1.5  # times the edits that were expected
STRETCH = np.dtype(
    [("from", np.uint64), ("to", np.uint64)]
    + [(name, np.int32) for name in ("from_low", "from_size", "to_low", "to_size", "cost", "steps")],
    align=True,
)
INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)


def worth_while(card: Card, n: int, m: int, band: tuple[int, int], path: bool, edits: int) -> bool:
    """Whether to follow the diagonals of a band is likely to be faster than to compute its cells, and fits.

    Args:
        edits: that are expected; 0 where nothing is known.
    """
    width = min(band[1], m) - max(band[0], -n) + 1
    seconds = edits * (COST + width * POINT)
    fits = not path or edits // STEPS * width * 4 < BUDGET * card.free()
    return edits > 0 and seconds < max(n, m) * ROW and fits


class DiagonalMatrix:
    """See ``core.kernels.rectangle.Rectangle``.

    Args:
        a, b: codes below ``n_codes``, uint8, neither empty.
        band: (low, high): diagonals ``column - row`` that are followed, those of both ends among them.
        path: keep what a walk back needs.
        edits: that are expected; what takes many more is given up.
    """

    n_skipped = 0

    def __init__(
        self,
        card: Card,
        a: Letters,
        b: Letters,
        n_codes: int,
        signs: Signs,
        band: tuple[int, int],
        *,
        path: bool,
        edits: int,
    ) -> None:
        self._card, self._a, self._b, self._signs, self._path = card, a, b, signs, path
        self._most = int(edits * GIVE_UP) + LANES
        n, m = int(a.size), int(b.size)
        self._band = max(band[0], -n), min(band[1], m)
        self._letter = next(bits for bits in (2, 4, 8) if n_codes <= 1 << bits)
        self._cost = -1
        self._fronts: list[Front] = []
        unit = max(1, -(-max(n, m) // MAX_BOARD))
        self.grid = BlockGrid(n, m, unit, unit)
        self.board: Board = np.zeros(self.grid.shape, np.uint8)
        rows, cols = np.indices(self.board.shape)
        low, high = (cols - rows - 1) * unit, (cols - rows + 1) * unit
        self.board[(high < self._band[0]) | (low > self._band[1])] = BlockState.OUTSIDE_BAND

    @property
    def n_cells(self) -> int:
        """Cells of the band, none of which is computed one by one."""
        n, m, (low, high) = int(self._a.size), int(self._b.size), self._band
        rows = np.arange(0, n, max(1, n >> 12), dtype=np.int64)  # thinned out: this is for proportions
        wide = np.clip(rows + high + 1, 0, m) - np.clip(rows + low, 0, m)
        return int(wide.mean() * n)

    @property
    def share(self) -> float:
        return 0.0  # see ``worth_while``

    def rounding(self, block_rows: int, block_cols: int) -> str:
        return "; the furthest points on its diagonals instead of its cells"

    def solve(self, job_id: int, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        card = self._card
        yield from make_ready(job_id, (0,) * int(self._signs))  # for samples, and the walk back
        sampler = FrontSampler(card, self._a, self._b, self._signs)
        start = perf_counter()
        n, m, nothing = int(self._a.size), int(self._b.size), int(np.iinfo(np.int32).max)
        macros = {"METHOD": int(self._signs), "EACH": EACH, "STEPS": STEPS, "WARPS": WARPS, "LETTER": self._letter}
        kernel, pack = (card.kernel("diagonals.cu", name, **macros) for name in ("diagonals", "pack_letters"))
        if kernel.seconds or pack.seconds:
            yield Compiled(job_id, "blocks", kernel.seconds + pack.seconds)
            start = perf_counter()
        letters = [self._upload(pack, codes) for codes in (self._a, self._b)]
        first = int(common_prefix(self._a, self._b))
        self._fronts = [Front(0, 0, card.upload(np.array([first], np.int32)))]
        found = card.upload(np.array([nothing], np.int32))
        yield StepDone(job_id, "upload", 1, 0, perf_counter() - start)
        used = LANES * EACH * WARPS - 2 * STEPS
        self._cost = 0 if first == n == m else nothing
        batch, told = 8, 0
        while self._cost == nothing and self._fronts[-1].cost < self._most:
            stretches = self._next_fronts(batch)
            table, shared = card.upload(stretches.view(np.int32)), (*letters, np.int32(n), np.int32(m))
            launches = [
                (-(-int(size) // used), (*shared, table, np.int32(k), found))
                for k, size in enumerate(stretches["to_size"])
            ]
            seconds = card.launch_each(kernel, WARPS * LANES, 0, launches)
            self._cost = int(card.download(found)[0])
            front = card.download(self._fronts[-1].points)
            done = self._mark(max(0, int(front.max())))
            yield StepDone(job_id, "blocks", batch, done - told, seconds)
            yield from sampler.look(job_id, self._fronts[-2], self._fronts[-1], front, seconds)
            batch, told = max(1, min(2 * batch, int(SLICE / max(seconds, 1e-6) * batch))), done
        if self._cost == nothing:
            self._cost = self._fronts[-1].cost + self._left(front)
        yield StepDone(job_id, "blocks", 0, self._mark(n) - told, 0.0)
        return False

    def _left(self, front: Any) -> int:
        """Return what a path that was given up may still cost: that found is an upper bound."""
        reached = front >= 0
        i = front[reached].astype(np.int64)
        down = self._a.size - i
        right = self._b.size - i - (self._fronts[-1].low + np.flatnonzero(reached))
        return int((down + right if self._signs is Signs.LCS else np.maximum(down, right)).min())

    def _upload(self, pack: Any, codes: Letters) -> Any:
        """Return the letters packed into words."""
        n_words = codes.size * self._letter // 32 + 2
        words, sizes = self._card.zeros(n_words, np.uint32), (np.int64(codes.size), np.int64(n_words))
        self._card.launch(pack, -(-n_words // 256), 256, 0, self._card.upload(codes), *sizes, words)
        return words

    def _next_fronts(self, n: int) -> Any:
        """Lay out the next ``n`` fronts and return the stretches to them; without a path those before are dropped."""
        stretches, card, (low, high) = np.zeros(n, STRETCH), self._card, self._band
        cost = self._fronts[-1].cost + STEPS * np.arange(1, n + 1)
        lows = np.maximum(low, -cost)
        sizes = np.minimum(high, cost) - lows + 1
        most = int(sizes.max())
        at = np.cumsum(sizes) - sizes if self._path else np.arange(n) % 2 * most
        room = card.zeros(int(sizes.sum()) if self._path else 2 * most, np.int32)
        if not self._path:
            del self._fronts[:-1]
        for k in range(n):
            before, start = self._fronts[-1], int(at[k])
            after = Front(int(cost[k]), int(lows[k]), room[start : start + int(sizes[k])])
            self._fronts.append(after)
            points = card.address(before.points), card.address(after.points)
            stretches[k] = (*points, before.low, before.points.size, after.low, sizes[k], before.cost, STEPS)
        return stretches

    def _mark(self, row: int) -> int:
        """Mark the band as done up to a row; return its cells."""
        blocks = self.board[: row // self.grid.block_rows + (row == self._a.size)]
        blocks[blocks != BlockState.OUTSIDE_BAND] = BlockState.DONE
        return int(self.n_cells * row / self._a.size)

    def value(self) -> int:
        """Return the length of the LCS, or the edit distance, inside the band."""
        if self._signs is Signs.LCS:
            return (int(self._a.size) + int(self._b.size) - self._cost) // 2
        return self._cost

    def skipped_blocks(self) -> tuple[int, int]:
        return int(np.count_nonzero(self.board == BlockState.OUTSIDE_BAND)), 0

    def trace(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        signs, cost = (0,) * int(self._signs), self._cost
        since = perf_counter()
        ops, lengths = np.empty(2 * STEPS + 1, np.uint8), np.empty(2 * STEPS + 1, np.int64)
        seen, nowhere = np.empty((STEPS + 1) * (2 * STEPS + 1), np.int32), np.zeros(2 * STEPS + 1, np.int64)
        i, j = marked = int(self._a.size), int(self._b.size)
        while cost > 0 and i > 0 and j > 0:
            before = self._fronts[(cost - 1) // STEPS]
            steps, k = cost - before.cost, j - i
            width = 2 * steps + 1
            points = before.fetch(self._card, k - steps - 1, width + 2)
            seen[:width] = points[1:-1]
            spread(signs, self._a, self._b, nowhere[:width], 0, k, steps, points, seen, 1, steps)
            i, j, runs = walk_points(signs, self._a, self._b, 0, i, k, steps, width, seen, ops, lengths, 0)
            pieces.append((ops[:runs].copy(), lengths[:runs].copy()))
            cost = before.cost
            if perf_counter() - since > SLICE or cost == 0:
                mark_path(self.board, self.grid, [marked, (i, j)])
                marked = i, j
                yield StepDone(job_id, "traceback", 1, 0, perf_counter() - since)
                since = perf_counter()
        pieces.append((np.array([DELETION, INSERTION], np.uint8), np.array([i, j], np.int64)))

    def mark_front(self, alignment: Alignment) -> None:
        """Nothing: the walk itself goes through the common letters."""
