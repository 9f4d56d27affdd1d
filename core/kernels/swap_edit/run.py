"""Edit distance with swaps on the CPU: computation, traceback, verification.

Source: Kim, Na and Sim for the problem, Lowrance and Wagner for its recurrence, Zhao and Sahni for the form with two
swaps per cell and no table. Our differences: differences of scores are computed instead of scores, 64 cells per
operation, on staggered words (Sudo and Shinohara); and the edit script, which none of these papers gives, comes from
stored borders and states, with the blocks along the path recomputed.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Protocol

import numpy as np

from wavediff.core.base.arrays import Counts, letter_type
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit.simd import BITS
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.alignment import Op, Swaps
from wavediff.core.jobs.events import REHEARSAL, Event, EventTotals, Step
from wavediff.core.jobs.kept_matrix import MAX_KEPT_BYTES, KeptMatrix
from wavediff.core.jobs.swap_result import SwapEditResult
from wavediff.core.jobs.verification import Check, Verification
from wavediff.core.kernels.block_threads import stop
from wavediff.core.kernels.pairwise.look_again import Original, Recheck, expected_seconds
from wavediff.core.kernels.pairwise.problem import PairProblem, align, align_without_matrix, check, encode, make_ready
from wavediff.core.kernels.pairwise.recompute import EDIT, SWAP, contradiction, recompute_score
from wavediff.core.kernels.swap_edit import strips, swap_matrix
from wavediff.core.kernels.swap_edit.swap_matrix import (
    NOTHING,
    KeptEvery,
    SwapMatrix,
    SwapMatrixProtocol,
    planes_for,
    what_fits,
)
from wavediff.core.kernels.traceback.tie_rules import Settled
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.sequences.characters import folding_of
from wavediff.core.system.machine import cores

CELL_RATE = 4e10  # cells that a core computes a second
NO_SHORTCUT = "no shortcut but equal ends"


class SwapEngine(Protocol):
    """Backend of matrices: CPU vectors, or a card.

    Attributes:
        reason: why no cell is skipped, a part of a sentence.
    """

    device: str
    reason: str

    def make_ready(self, problem: PairProblem[SwapEditJob], /) -> Generator[Event, None, None]:
        """Compile (or load) the kernels for matrices of ``problem``."""

    def matrix(self, problem: PairProblem[SwapEditJob], *, kept: bool, swaps: bool) -> SwapMatrixProtocol:
        """Return the uncomputed matrix of ``problem``; ``kept``: store parts for a traceback."""


class CpuSwaps:
    """CPU backend; see ``SwapEngine``."""

    device = "cpu"
    reason = NO_SHORTCUT

    def make_ready(self, problem: PairProblem[SwapEditJob]) -> Generator[Event, None, None]:
        n_codes = problem.n_codes
        key = variant((planes_for(n_codes), "swap"), problem.a)
        yield from warm_up(problem.step, "blocks", key, lambda: _rehearse(n_codes))

    def matrix(self, problem: PairProblem[SwapEditJob], *, kept: bool, swaps: bool) -> SwapMatrix:
        every = _kept_every(int(problem.a.size), int(problem.b.size), kept)
        return SwapMatrix(problem.a, problem.b, problem.n_codes, kept=every, swaps=swaps, threads=problem.threads)


def _kept_every(n: int, m: int, kept: bool) -> KeptEvery:
    return what_fits(n, m, MAX_KEPT_BYTES) if kept else NOTHING


CPU = CpuSwaps()


def run(
    job: SwapEditJob, backend: SwapEngine = CPU, strip: bool = True
) -> Generator[Event, None, SwapEditResult]:  # fmt: skip
    """Compute ``job``; see ``wavediff.core.jobs.swap_result.SwapEditResult``.

    Args:
        backend: computes the matrices.
        strip: skip equal ends, and sequences without a common letter.

    Raises:
        NotEnoughMemory: the path exceeds memory.
        SelfCheckFailed: the result contradicted itself.
    """
    tally = EventTotals()
    problem, distance, other, settled, swaps, checked = yield from tally.watch(_steps(job, backend, strip))
    return SwapEditResult(
        distance=distance,
        distance_with_swaps=distance if job.swaps else other,
        distance_without_swaps=other if job.swaps else distance,
        alignment=None if settled is None else settled.alignment,
        ties=None if settled is None else settled.ties,
        swaps=swaps,
        verification=checked,
        strategy=problem.strategy,
        reason=problem.reason,
        n_cells=int(job.a.size) * int(job.b.size),
        cells=tally.cells,
        **tally.fields(job.id, backend.device),
    )


SwapAnswer = tuple[PairProblem[SwapEditJob], int, int | None, Settled | None, Swaps | None, Verification | None]


def _steps(job: SwapEditJob, backend: SwapEngine, strip: bool) -> Generator[Event, None, SwapAnswer]:
    yield from make_ready(job)
    problem = yield from encode(job, strip)
    swapped: list[Counts] = []
    other: int | None
    if not problem.n_cells or (strip and not problem.n_shared):
        other = distance = yield from align_without_matrix(problem, substitute=True)
    else:
        distance, other = yield from _matrix(problem, backend, swapped)
    seconds = expected_seconds(problem.n_cells, CELL_RATE)
    kind = SWAP if job.swaps else EDIT
    checked = yield from recompute_score(job.step, job.a, job.b, job.fold_case, kind, distance, seconds)
    if checked is None and problem.look_again is not None:
        again = yield from problem.look_again(job.step, Original(job.a, job.b, job.fold_case), seconds)
        if again is not None and again.value != distance:
            raise SelfCheckFailed(contradiction(kind, int(job.a.size), int(job.b.size), distance, again.value))
    if not problem.wants_path:
        return problem, distance, None, None, None, checked
    assert other is not None
    swaps = _swaps(swapped, problem.prefix)
    _check_swaps(problem, swaps)
    settled = yield from align(problem, job.ties, swaps=swaps)
    in_order = distance <= other if job.swaps else distance >= other
    yield from check(
        problem,
        settled.alignment,
        lambda columns: int(columns[Op.MISMATCH :].sum()) - len(swaps) == distance and in_order,
    )
    if checked is None and distance == abs(int(job.a.size) - int(job.b.size)):
        checked = Verification(Check.BOUND)
    return problem, distance, other, settled, swaps, checked


def _matrix(
    problem: PairProblem[SwapEditJob], backend: SwapEngine, swapped: list[Counts]
) -> Generator[Event, None, tuple[int, int | None]]:
    """Return the distance, and the distance with the other rule for swaps (None without an alignment)."""
    job = problem.job
    yield from backend.make_ready(problem)
    matrix = backend.matrix(problem, kept=problem.wants_path, swaps=job.swaps)
    shown = matrix.block_map, matrix.grid
    n_matrices, reason = 1, backend.reason
    if problem.wants_path:
        n_matrices, reason = 2, f"{reason}; one matrix with swaps, one without"
    cells = n_matrices * problem.n_cells
    yield problem.planned("full", reason, *shown, cells, record=matrix.record, kept=matrix.kept)
    yield from matrix.compute(problem.step)
    distance = matrix.distance()
    if matrix.kept is not None:
        problem.look_again = partial(_look_again, matrix.kept, problem.a.size, problem.b.size)
    if not problem.wants_path:
        return distance, None
    yield from matrix.trace(problem.step, problem.pieces, swapped)
    other = backend.matrix(problem, kept=False, swaps=not job.swaps)
    yield from other.compute(problem.step, "without swaps" if job.swaps else "with swaps")
    return distance, other.distance()


def _look_again(
    kept: KeptMatrix, n: int, m: int, step: Step, _: Original, __: float
) -> Generator[Event, None, Recheck]:
    """Read the distance along the stored borders and a recomputed last block; by the same kernel."""
    values = yield from kept.values(step, n - 1, m - 1, 1, 1)
    return Recheck(int(values[-1, -1]), 0.0)


def keep(job: SwapEditJob) -> Generator[Event, None, KeptMatrix]:
    """Compute every cell of ``job``, and return the stored parts that reproduce them.

    Raises:
        NotEnoughMemory: the stored parts exceed memory.
    """
    yield from make_ready(job)
    problem = yield from encode(job, strip=False)
    yield from CPU.make_ready(problem)
    matrix = CPU.matrix(problem, kept=True, swaps=job.swaps)
    yield from matrix.compute(job.step)
    assert matrix.kept is not None
    return matrix.kept


def _rehearse(n_codes: int) -> None:
    """Compile every function by two tiny strips with a stored border, including recomputation."""
    kind = letter_type(n_codes)
    a, b = np.zeros(BITS + 1, kind), np.array([1, 0], kind)
    matrix = SwapMatrix(a, b, n_codes, kept=KeptEvery(2, 2), swaps=True, threads=1)
    list(matrix.compute(REHEARSAL))
    stop(matrix.state.shared)
    list(matrix.trace(REHEARSAL, [], []))
    strips.border_at(matrix.plan, 0)  # which the check of the score calls too
    list(SwapMatrix(a, b, n_codes, kept=NOTHING, swaps=False, threads=1).compute(REHEARSAL))


def _swaps(swapped: list[Counts], prefix: int) -> Swaps:
    rows = np.concatenate([np.empty((0, 4), np.int64), *swapped])[::-1] + prefix
    return Swaps(*(rows[:, k].copy() for k in range(4)))


def _check_swaps(problem: PairProblem[SwapEditJob], swaps: Swaps) -> None:
    """Raise an error unless each swap joins crosswise equal letters, with letters of one sequence between."""
    a, b = problem.job.a, problem.job.b
    table = folding_of(problem.job.fold_case, a, b)
    crossed = (table[a[swaps.a_first]] == table[b[swaps.b_last]]) & (table[a[swaps.a_last]] == table[b[swaps.b_first]])
    gap_a, gap_b = swaps.a_last - swaps.a_first - 1, swaps.b_last - swaps.b_first - 1
    ordered = (swaps.a_last[:-1] < swaps.a_first[1:]).all() and (swaps.b_last[:-1] < swaps.b_first[1:]).all()
    if not (crossed & (np.minimum(gap_a, gap_b) == 0)).all() or not ordered:
        raise SelfCheckFailed(
            f"a swap in the alignment of {a.size:,} and {b.size:,} letters joins others; the result was discarded"
        )


def memory(job: SwapEditJob) -> int:
    """Return the memory of ``job`` in bytes, without its letters."""
    n, m, kept = int(job.a.size), int(job.b.size), job.path is not TracebackMethod.NONE
    every = _kept_every(n, m, kept) if n and m else NOTHING
    matrix_bytes = swap_matrix.memory(n, m, kept=every, threads=job.threads or cores()) if n and m else 0
    return 2 * job.n_letters + matrix_bytes
