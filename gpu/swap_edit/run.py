"""Edit distance with swaps with its matrices on the card, ours or paper 5's; all else is the CPU's."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from core.arrays import Counts, Letters
from core.events import Event
from core.grid import BlockState
from core.jobs import SwapEditJob, SwapKernel
from core.kernels.problem import Core
from core.kernels.swap_edit.matrix import lay_board
from core.kernels.swap_edit.run import CPU, EVERY_CELL
from core.kernels.swap_edit.run import run as run_with
from core.pool import Pool
from core.results.swap_edit import SwapEditResult
from core.traceback.runs import Ops
from gpu.card.interface import Card
from gpu.swap_edit.matrix import CardSwapMatrix
from gpu.swap_edit.paper5 import PaperPairs


class CardSwaps:
    """See ``core.kernels.swap_edit.run.SwapEngine``."""

    device = "gpu"
    reason = EVERY_CELL

    def __init__(self, card: Card) -> None:
        self._card = card

    def make_ready(self, core: Core[SwapEditJob]) -> Generator[Event, None, None]:
        if core.wants_path:  # which is walked on the CPU
            yield from CPU.make_ready(core)

    def matrix(self, core: Core[SwapEditJob], *, kept: bool, swaps: bool) -> CardSwapMatrix:
        return CardSwapMatrix(self._card, core.a, core.b, core.n_codes, kept=kept, swaps=swaps)


class PaperSwaps:
    """See ``core.kernels.swap_edit.run.SwapEngine``; with a kernel of paper 5."""

    device = "gpu"

    def __init__(self, card: Card, kernel: SwapKernel) -> None:
        self._card, self._kernel = card, kernel
        self.reason = "the kernel of paper 5"
        if kernel is SwapKernel.PAPER_GLOBAL:
            self.reason += " with global memory only"

    def make_ready(self, _: Core[SwapEditJob]) -> Generator[Event, None, None]:
        yield from ()

    def matrix(self, core: Core[SwapEditJob], *, kept: bool, swaps: bool) -> PaperMatrix:
        assert not kept, "the paper has no script"
        assert swaps, "the paper has swaps"
        return PaperMatrix(self._card, core.a, core.b, shared=self._kernel is SwapKernel.PAPER)


class PaperMatrix:
    """See ``core.kernels.swap_edit.matrix.Matrix``; a batch of one pair."""

    def __init__(self, card: Card, a: Letters, b: Letters, *, shared: bool) -> None:
        self.grid, self.board, cell = lay_board(int(a.size), int(b.size))
        rows, cols = (np.arange(1, k + 1) for k in self.board.shape)
        bottom = np.minimum(rows * self.grid.block_rows * cell[0], a.size)
        self._corner = bottom[:, None] + np.minimum(cols * self.grid.block_cols * cell[1], b.size)
        self._pair = PaperPairs(
            card, Pool.of([a]), Pool.of([b]), np.zeros((1, 2), np.int64),
            fold_case=False, shared=shared, reached=self._mark,
        )  # fmt: skip
        self._distance = 0

    def _mark(self, cycle: int) -> None:
        self.board[self._corner < cycle] = BlockState.DONE

    def compute(self, job_id: int, kernel: str = "blocks") -> Generator[Event, None, None]:
        self._distance = int((yield from self._pair.compute(job_id, kernel))[0])

    def distance(self) -> int:
        return self._distance

    def trace(self, job_id: int, pieces: list[tuple[Ops, Counts]], swaps: list[Counts]) -> Generator[Event, None, None]:
        raise NotImplementedError("the paper has no script")


def run(job: SwapEditJob) -> Generator[Event, None, SwapEditResult]:
    """Compute ``job``; see ``core.results.swap_edit.SwapEditResult``."""
    from gpu.device import card

    return (yield from run_on(card(), job))


def run_on(card: Card, job: SwapEditJob) -> Generator[Event, None, SwapEditResult]:
    """Compute ``job`` on this card."""
    if job.kernel is not SwapKernel.DEFAULT:
        # With equal ends left out its times would not be the paper's.
        return (yield from run_with(job, PaperSwaps(card, job.kernel), strip=False))
    return (yield from run_with(job, CardSwaps(card)))
