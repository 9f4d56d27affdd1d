"""Edit distance with swaps: the CPU's strategy, matrices on the card by our kernel or that of Kim, Na and Sim."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.swap_result import SwapEditResult
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.kernels.swap_edit.run import CPU, NO_SHORTCUT
from wavediff.core.kernels.swap_edit.run import run as run_with
from wavediff.core.kernels.swap_edit.swap_matrix import lay_board
from wavediff.core.methods.swap import SwapEditJob, SwapKernel
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.swap_edit.kim import KimPairs
from wavediff.gpu.swap_edit.swap_card_matrix import CardSwapMatrix


class CardSwaps:
    """See ``wavediff.core.kernels.swap_edit.run.SwapEngine``."""

    device = "gpu"
    reason = NO_SHORTCUT

    def __init__(self, card: Card) -> None:
        self._card = card

    def make_ready(self, problem: PairProblem[SwapEditJob]) -> Generator[Event, None, None]:
        if problem.wants_path:  # traced back on the CPU
            yield from CPU.make_ready(problem)

    def matrix(self, problem: PairProblem[SwapEditJob], *, kept: bool, swaps: bool) -> CardSwapMatrix:
        return CardSwapMatrix(self._card, problem.a, problem.b, problem.n_codes, kept=kept, swaps=swaps)


class PaperSwaps:
    """``wavediff.core.kernels.swap_edit.run.SwapEngine`` with a kernel of Kim, Na and Sim."""

    device = "gpu"

    def __init__(self, card: Card, kernel: SwapKernel) -> None:
        self._card, self._kernel = card, kernel
        self.reason = "the kernel of Kim 2015"
        if kernel is SwapKernel.KIM_GLOBAL:
            self.reason = "the kernel of Kim 2015 with global memory only"

    def make_ready(self, _: PairProblem[SwapEditJob]) -> Generator[Event, None, None]:
        yield from ()

    def matrix(self, problem: PairProblem[SwapEditJob], *, kept: bool, swaps: bool) -> KimMatrix:
        assert not kept, "the paper has no script"
        assert swaps, "the paper has swaps"
        return KimMatrix(self._card, problem.a, problem.b, shared=self._kernel is SwapKernel.KIM)


class KimMatrix:
    """``wavediff.core.kernels.swap_edit.swap_matrix.SwapMatrixProtocol`` as a batch of one pair."""

    record = kept = None

    def __init__(self, card: Card, a: Letters, b: Letters, *, shared: bool) -> None:
        self.grid, self.block_map, cell = lay_board(int(a.size), int(b.size))
        rows, cols = (np.arange(1, k + 1) for k in self.block_map.shape)
        bottom = np.minimum(rows * self.grid.block_rows * cell[0], a.size)
        self._corner = bottom[:, None] + np.minimum(cols * self.grid.block_cols * cell[1], b.size)
        self._pair = KimPairs(
            card, SequencePool.of([a]), SequencePool.of([b]), np.zeros((1, 2), np.int64),
            fold_case=False, shared=shared, reached=self._mark,
        )  # fmt: skip
        self._distance = 0

    def _mark(self, cycle: int) -> None:
        self.block_map[self._corner < cycle] = BlockState.DONE

    def compute(self, step: Step, kernel: str = "blocks") -> Generator[Event, None, None]:
        self._distance = int((yield from self._pair.compute(step, kernel))[0])

    def distance(self) -> int:
        return self._distance

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]], swaps: list[Counts]) -> Generator[Event, None, None]:
        raise NotImplementedError("the paper has no script")


def run_on(card: Card, job: SwapEditJob) -> Generator[Event, None, SwapEditResult]:
    """Compute ``job`` on this card; see ``wavediff.core.jobs.swap_result.SwapEditResult``."""
    if job.kernel is not SwapKernel.DEFAULT:
        # With equal ends left out its times would not be the paper's.
        return (yield from run_with(job, PaperSwaps(card, job.kernel), strip=False))
    return (yield from run_with(job, CardSwaps(card)))
