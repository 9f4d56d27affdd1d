"""Driver of ``cuda/strips.cu``: memory, launches, results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.run_record import Span
from wavediff.gpu.card.cuda import Card, CudaKernel
from wavediff.gpu.card.place_times import LAUNCHES, PlaceTimes, launch_name, warp_lanes
from wavediff.gpu.card.transfer import make_ready
from wavediff.gpu.pairwise.strips.card_strips import CardStrips, StripBoard
from wavediff.gpu.pairwise.strips.memory import ALONE, CardLink, StripMemory
from wavediff.gpu.pairwise.strips.spot_check import SpotChecker
from wavediff.gpu.pairwise.strips.strip_layout import (
    GPU_GROUP_COLUMNS,
    LANES,
    PANEL_GROUPS,
    WARPS_PER_BLOCK,
    DeltaBits,
    RowLayout,
    TileSpacing,
)

DOWNLOAD_ROWS = 1 << 24  # rows whose costs are read together
LAUNCH_SECONDS = 0.05  # seconds of one launch, which delays stop, progress and display


class StripMatrix(StripMemory, CardStrips):
    """Independent matrices, or a band of one, on the card; see ``StripMemory``.

    Args:
        warps: maximum number of concurrent warps; 0: the capacity of the card.
        panel, slice_seconds: default: the constants; small in tests.
        recorded: False to compute without a record, to measure its cost.
        board_strips: per row of blocks; 0: automatic. launches: lane of the launches.
    """

    def __init__(
        self,
        card: Card,
        pairs: list[tuple[Letters, Letters]],
        form: RowLayout,
        delta_bits: DeltaBits,
        *,
        band: tuple[int, int] | None = None,
        tiles: TileSpacing | None = None,
        warps: int = 0,
        panel: int = PANEL_GROUPS,
        slice_seconds: float = LAUNCH_SECONDS,
        free_rows: bool = False,
        free_columns: bool = False,
        recorded: bool = True,
        link: CardLink = ALONE,
        board_strips: int = 0,
        launches: str = LAUNCHES,
    ) -> None:
        super().__init__(card, pairs, form, delta_bits, band, tiles, panel, free_rows, free_columns, link)
        self._most_warps, self._slice, self._recorded = warps, slice_seconds, recorded
        self._reached = self.layout.lo
        self.board = StripBoard(self.layout, board_strips)
        self.cards, self._launch_lane = (card,), launches

    @property
    def parts(self) -> tuple[StripMatrix, ...]:  # type: ignore[override]  # made when asked for
        """This matrix alone. Not cached: a reference cycle would hold card memory until garbage collection."""
        return (self,)

    def keeping(self, tiles: TileSpacing) -> StripMatrix:
        return StripMatrix(
            self.card, self.pairs, self.form, self.delta_bits, band=self.layout.band, tiles=tiles,
            warps=self._most_warps, panel=self.layout.panel, slice_seconds=self._slice,
        )  # fmt: skip

    @property
    def n_cells(self) -> int:
        return int(self.layout.cells(self.layout.hi).sum())

    def compute(self, step: Step, look: Callable[[Counts], None] | None = None) -> Generator[Event, None, None]:
        card, layout, form = self.card, self.layout, self.form
        for pair in self.pairs:
            yield from make_ready(step, *pair)
        start = perf_counter()
        self.letters = [(card.upload(a), card.upload(b)) for a, b in self.pairs]
        yield step.done("upload", start)
        inputs = yield from form.pack(card, layout, self.pairs, self.letters, step)
        macros = {
            "METHOD": int(self.delta_bits),
            "WORDS": form.words,
            "COLUMNS": GPU_GROUP_COLUMNS,
            "KEEP": int(self.tiles is not None),
            "WARPS": WARPS_PER_BLOCK,
            "FREE_ROWS": int(self.free_rows),
            "FREE_COLUMNS": int(self.free_columns),
            "RECORD": int(self._recorded),
            **form.macros,
        }
        kernel = card.kernel("strips.cu", "strips", **macros)
        if kernel.seconds:
            yield step.compiled("blocks", kernel.seconds)
        most = min(layout.n_active, self._most_warps or layout.n_strips)
        blocks = max(
            1,
            min(
                card.resident(kernel, WARPS_PER_BLOCK * LANES, WARPS_PER_BLOCK * form.shared),
                -(-most // WARPS_PER_BLOCK),
            ),
        )
        start, board = perf_counter(), self.board
        self.allocate(inputs, blocks * WARPS_PER_BLOCK, self._slice)
        yield step.done("allocate", start)
        board.record.names = warp_lanes(blocks * WARPS_PER_BLOCK)
        times = PlaceTimes(card, self.block_map.shape, board.strips, board.groups, self.n_cells)
        self.struct["times"] = times.struct
        with SpotChecker(self) as sampler, times.kept_in(board.record):
            yield from self._launches(step, kernel, blocks, sampler, look)
            yield from sampler.finish(step)
        self.v = form.in_rows(card, self.moving)

    def _launches(
        self, step: Step, kernel: CudaKernel, blocks: int, sampler: SpotChecker, look: Callable[[Counts], None] | None
    ) -> Generator[Event, None, None]:
        """Launch time slices until every block is computed."""
        card, layout = self.card, self.layout
        done, cells, launches, watch = layout.lo, 0, 0, None if look is None else self._watch(look)
        while (done < layout.hi).any():
            finished = done[layout.tickets["strip"]] >= layout.tickets["last"]
            card.fill(self._counter, int(np.argmin(finished)))
            card.fill(self._begun, -1)
            if watch is not None:
                card.download(self._counter)  # concurrent readers must not see the old contents
            seconds = card.launch(
                kernel, blocks, WARPS_PER_BLOCK * LANES, WARPS_PER_BLOCK * self.form.shared, self.struct, watch=watch
            )
            ended, launches = perf_counter(), launches + 1
            done, reached = self._progress()
            self._reached = reached
            if look is not None:
                look(reached)
            before, cells = cells, int(layout.cells(reached).sum())
            self.board.mark(reached)
            span = Span(launch_name(launches), self._launch_lane, ended - seconds, ended, 1, cells - before)
            yield step.took("blocks", seconds, 1, cells - before, (span,))
            yield from sampler.look(step, done, reached, seconds)

    def _watch(self, look: Callable[[Counts], None]) -> Callable[[], None]:
        """Return a callback that reports progress to ``look`` during a launch.

        Warps do not wait for their stores, so the report is the progress at the previous call, which has arrived by
        then.
        """
        sibling, tickets = self.card.sibling(), self.layout.tickets
        most, seen = tickets["last"] - tickets["first"], [self._reached]

        def watch() -> None:
            steps = sibling.download(self._begun)
            reached = sibling.download(self._done).astype(np.int64)
            far = tickets["first"] + np.clip(steps - self.form.span, 0, most)
            np.maximum.at(reached, tickets["strip"], np.where(steps < 0, 0, far))
            look(seen.pop())
            seen.append(reached)

        return watch

    def _progress(self) -> tuple[Counts, Counts]:
        """Return the finished and the computed groups of each strip; no launch may run."""
        done, steps = self.card.download(self._state).astype(np.int64)
        return done, np.minimum(done + np.maximum(steps - self.form.span, 0), self.layout.hi)

    def ones(self, part: int) -> Counts:
        """Return how many rows have the bit of each sign set after their last column."""
        total, n = self.card.zeros(int(self.delta_bits), np.uint64), self.layout.sizes[part][0]
        first, last = (int(x) for x in self.layout.first_strip[part : part + 2])
        kernel = self.card.kernel("pack.cu", "count_rows")
        for sign in range(self.delta_bits):
            self.card.begin(
                kernel, min(1024, -(-n // 4096)), 128, 0,
                self.v[first:last], np.int64(n), np.int32(self.form.words), np.int32(self.delta_bits), np.int32(sign),
                np.int64((last - first) * self.form.words * LANES), total[sign : sign + 1],
            )  # fmt: skip
        return self.card.download(total).astype(np.int64)

    def profile(self, part: int) -> Counts:
        """Return the cost of each row prefix of a rectangle with all columns, int64, shape (rows + 1,).

        The cost is the LCS length or the edit distance.
        """
        above = 0 if self.delta_bits is DeltaBits.LCS or self.free_columns else self.layout.sizes[part][1]
        return np.concatenate([[above], *self._profile(part, above)])

    def last_column(self) -> Iterator[Counts]:
        """Yield the costs of rows 1 to n in the last column of a single matrix, int64, in chunks."""
        return self._profile(0, 0 if self.free_columns else self.layout.sizes[0][1])

    def _profile(self, part: int, above: int) -> Iterator[Counts]:
        """Yield the costs of the last column from row 1, in chunks; ``above``: cost of row 0."""
        left = self.layout.sizes[part][0]
        first, last = (int(x) for x in self.layout.first_strip[part : part + 2])
        some = max(1, DOWNLOAD_ROWS // self.layout.height)
        for at in range(first, last, some):
            rows = self.card.download(self.v[at : min(at + some, last)])
            bits = [
                np.unpackbits(rows[:, k].reshape(-1).view(np.uint8), bitorder="little")[:left].astype(np.int8)
                for k in range(self.delta_bits)
            ]
            steps = 1 - bits[0] if self.delta_bits is DeltaBits.LCS else bits[0] - bits[1]
            costs = above + np.cumsum(steps, dtype=np.int64)
            yield costs
            above, left = int(costs[-1]), left - costs.size

    def met(self) -> int:
        """Return the best sum (LCS: maximum, edit distance: minimum) at which two rectangles meet.

        The second rectangle has the same rows from their end: the first i rows of one meet the last n - i rows of the
        other.
        """
        (n, m), first = self.layout.sizes[0], int(self.layout.first_strip[1])
        threads = -(-n // 32)
        out = self.card.empty(threads, np.uint32)
        self.card.launch(
            self.card.kernel("pack.cu", "meet_rows"), -(-threads // 128), 128, 0,
            self.v[:first], self.v[first:], np.int64(n), np.int32(self.form.words), np.int32(self.delta_bits), out,
        )  # fmt: skip
        cost, change, best, _ = self.card.download(out).view(np.int8).reshape(-1, 4).T
        ends = np.cumsum(change, dtype=np.int64)
        around = best + (ends - change)
        # The whole first rectangle and none of the rows of the second.
        bottom = int(cost.sum(dtype=np.int64)) + (
            0 if self.delta_bits is DeltaBits.LCS else m + self.layout.sizes[1][1]
        )
        top = bottom - int(ends[-1])
        return top + (max(0, int(around.max())) if self.delta_bits is DeltaBits.LCS else min(0, int(around.min())))

    def shares(self) -> list[tuple[float, float]]:
        """Return the progress of each rectangle: started rows, and average columns there."""
        out = []
        for part in range(len(self.pairs)):
            first, last = (int(x) for x in self.layout.first_strip[part : part + 2])
            lo, hi, reached = (x[first:last] for x in (self.layout.lo, self.layout.hi, self._reached))
            begun = reached > lo
            across = float(((reached - lo) / (hi - lo))[begun].mean()) if begun.any() else 0.0
            out.append((float(begun.mean()), across))
        return out

    def length(self, part: int = 0) -> int:
        return self.layout.sizes[part][0] - int(self.ones(part)[0])

    def distance(self, part: int = 0) -> int:
        grows, falls = self.ones(part).tolist()
        return int(self.layout.sizes[part][1] + grows - falls)
