"""Batch on a graphics card (``cuda/pairs.cu``): one launch for short pairs, and the whole card for each long one."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from enum import IntEnum
from importlib import import_module
from itertools import islice
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Compiled, Event, Progress, Step
from wavediff.core.kernels.batch.batch_plan import check_memory, memory
from wavediff.core.kernels.batch.run import Values, run_with
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.methods.swap import SwapKernel
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.batch.warp_classes import GROUP_COLUMNS, LANES, CardBatchPlan, ClassProgress, WarpClass, make_plan
from wavediff.gpu.card.card_records import CardRecords, bytes_needed, upload
from wavediff.gpu.card.cuda import Card, OtherCards, no_others
from wavediff.gpu.card.side_by_side import side_by_side
from wavediff.gpu.card.transfer import make_ready
from wavediff.gpu.swap_edit.kim import KimPairs

UNIT = "pairs.cu"
TABLE_BYTES = 128 * 32  # bytes of shared memory per word of a lane
LAUNCH_SECONDS = 0.03  # seconds of one launch, which delays stop, progress and display
MIN_WARPS = 4  # warps of a launch per multiprocessor: one per scheduler, so that none waits
FIRST_CELLS = 1e9  # cells of the first launch per multiprocessor: under 50 ms on the slowest card
MAX_BLOCKS = (1 << 31) - 1
MAX_BORDER_BYTES = 1 << 28  # maximum bytes of the borders between strips

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
ColumnStep = IntEnum("ColumnStep", {"LCS": 1, "EDIT": 2, "SWAP": 3})
SIGNS = {"lcs": ColumnStep.LCS, "edit": ColumnStep.EDIT, "swap": ColumnStep.SWAP}  # by ``Method.id``
MIN_WARPS_PER_PROCESSOR = 8  # minimum warps per multiprocessor before lanes get more than one word


def run_on(
    card: Card, job: BatchJob, others: OtherCards = no_others, *, words: int = 0
) -> Generator[Event, None, BatchResult]:
    """Compute ``job`` on this card and on others; see ``wavediff.core.methods.batch.BatchResult``.

    Args:
        words: of a lane; 0: automatic.

    Raises:
        NotEnoughMemory: the answers exceed memory. DeviceOutOfMemory: the answers exceed the card's memory.
    """
    check_memory(job, memory(job, 1))
    if job.options.get("kernel", SwapKernel.DEFAULT) is not SwapKernel.DEFAULT:
        return (yield from run_with(job, "gpu", lambda job: _paper(card, job)))
    return (yield from run_with(job, "gpu", lambda job: _steps((card, *others()), job, words)))


def _paper(card: Card, job: BatchJob) -> Generator[Event, None, Values]:
    """Compute ``job`` by a kernel of Kim, Na and Sim: one thread block per pair."""
    b = job.a if job.b is None else job.b
    if job.pairs is Pairing.ONE_TO_ONE:
        pairs = np.repeat(np.arange(len(b), dtype=np.int64)[:, None], 2, axis=1)
    else:
        n_a, n_b = job.shape
        pairs = np.stack([np.repeat(np.arange(n_a), n_b), np.tile(np.arange(n_b), n_a)], axis=1).astype(np.int64)
    if job.b is None:
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    work = KimPairs(card, job.a, b, pairs, fold_case=job.fold_case, shared=job.value("kernel") is SwapKernel.KIM)
    scores = yield from work.compute(job.step)
    if job.pairs is Pairing.ONE_TO_ONE:
        return scores
    values = np.zeros(job.shape, np.int32)
    values[pairs[:, 0], pairs[:, 1]] = scores
    if job.b is None:
        values[pairs[:, 1], pairs[:, 0]] = scores
    return values


def _steps(cards: Sequence[Card], job: BatchJob, words: int) -> Generator[Event, None, Values]:
    """Compute shares on each card, and merge the results."""
    planned = _plan(cards, job, words)
    count = PairCount(job.step, job.n_pairs)
    parts = yield from side_by_side([_share(card, job, *planned, count, k, len(cards)) for k, card in enumerate(cards)])
    values = parts[0]
    for other in parts[1:]:  # 0 for results of other cards
        values += other
    return values


def _share(
    card: Card, job: BatchJob, plan: CardBatchPlan, turned: bool, count: PairCount, k: int, n: int
) -> Generator[Event, None, Values]:
    """Return the results of all pairs, with 0 for those not computed by card ``k`` of ``n``."""
    b = job.a if job.b is None else job.b
    n_out = int(np.prod(job.shape, dtype=np.int64))
    rows, cols = (b, job.a) if turned else (job.a, b)
    needed = bytes_needed(rows, planes=True) + 4 * n_out + (bytes_needed(cols, planes=False) if cols is not rows else 0)
    if needed > (free := card.free()):
        raise DeviceOutOfMemory(f"{needed / 1e9:,.2f} GB are needed, {free / 1e9:,.2f} GB are free")
    of_rows = of_cols = yield from upload(card, job.step, rows, fold_case=job.fold_case, planes=True)
    if cols is not rows:
        of_cols = yield from upload(card, job.step, cols, fold_case=job.fold_case, planes=False)
    to_a, to_b = (1, 0) if job.pairs is Pairing.ONE_TO_ONE else (len(b), 1)
    steps = (to_b, to_a) if turned and job.pairs is Pairing.ALL_TO_ALL else (to_a, to_b)
    launches = PairLaunches(card, plan, of_rows, of_cols, job.shape, steps, SIGNS[job.method.id])
    yield from launches.compute(job.step, count, k, n)
    yield from make_ready(job.step, launches.out)
    start = perf_counter()
    values = launches.values()
    flat = values.reshape(-1)
    yield job.step.done("download", start)
    for row, col in islice(plan.long(), k, None, n):
        i, j = (col, row) if turned else (row, col)
        flat[i * to_a + j * to_b] = yield from _one_pair(card, job, _record(job.a, i), _record(b, j), count)
        if job.b is None:
            flat[j * to_a + i * to_b] = flat[i * to_a + j * to_b]
        yield count.add(1)
    return values


def _plan(cards: Sequence[Card], job: BatchJob, words: int) -> tuple[CardBatchPlan, bool]:
    """Return the plan, and whether rows are records of B: if these are shorter, unless more pairs get too long."""
    b = job.a if job.b is None else job.b
    lanes = MIN_WARPS_PER_PROCESSOR * LANES * sum(card.processors for card in cards)
    turned = int(b.sizes.sum()) * len(job.a) < int(job.a.sizes.sum()) * len(b)
    sizes = (b.sizes, job.a.sizes) if turned else (job.a.sizes, b.sizes)
    plan = make_plan(job.pairs, job.b is None, *sizes, lanes, words)
    if plan.n_long and job.b is not None:
        other = make_plan(job.pairs, False, *sizes[::-1], lanes, words)
        if other.n_long < plan.n_long:
            return other, not turned
    return plan, turned


def _record(pool: SequencePool, k: int) -> Letters:
    return pool.letters[pool.starts[k] : pool.starts[k + 1]]


def _one_pair(card: Card, job: BatchJob, a: Letters, b: Letters, count: PairCount) -> Generator[Event, None, int]:
    """Return the result of a pair that uses the whole card."""
    start, compiling = perf_counter(), 0.0
    asked: dict[str, Any] = {"a": a, "b": b, "fold_case": job.fold_case, "threads": job.threads, "id": job.id}
    modules = job.method.job_type.modules
    assert modules.gpu is not None
    twin = import_module(modules.gpu)
    steps: Generator[Event, None, Any] = twin.run_on(card, job.method.job_type(path=TracebackMethod.NONE, **asked))
    try:
        while True:
            event = next(steps)
            if isinstance(event, Compiled):
                compiling += event.seconds
                yield event
            else:  # allows a stop
                yield count.add(0)
    except StopIteration as end:
        result = end.value
    finally:
        steps.close()
    yield job.step.took("pairs", perf_counter() - start - compiling, 1, int(a.size) * int(b.size))
    return int(job.method.value(result))


class PairCount:
    """Number of finished pairs, over all cards."""

    def __init__(self, step: Step, n_pairs: int) -> None:
        self._step, self._n_pairs, self._done = step, n_pairs, 0
        self._lock = Lock()

    def add(self, pairs: int) -> Progress:
        """Add finished pairs; return the progress event."""
        with self._lock:
            self._done += pairs
            return self._step.progress("comparing", self._done, self._n_pairs, "pairs")


class PairLaunches:
    """Launches of a batch, or of one card's share.

    Args:
        rows, columns: on the card; rows with planes.
        shape: of the answers.
        steps: in the answers between adjacent records of the rows, and of the columns.
        delta_bits: METHOD of the kernel.
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
        """Compute card ``k`` of ``n``'s share of all classes; yields a ``StepDone`` and a ``Progress`` per launch."""
        card, struct = self.card, self._struct
        budget = FIRST_CELLS * card.processors
        for kind in self.plan.classes:
            if not kind.units:
                continue
            kernel = card.kernel(UNIT, "pairs", METHOD=self._signs, WORDS=kind.words)
            if kernel.seconds:
                yield step.compiled("pairs", kernel.seconds)
            reach = ClassProgress(self.plan, kind)
            first, end = reach.share(k, n)
            stride, most = self._borders(kind)
            struct["first_slot"], struct["end_slot"] = kind.first, kind.end
            struct["groups"], struct["span"], struct["strips"] = kind.warps, kind.span, kind.strips
            struct["border_stride"] = stride
            while first < end:
                least = first + MIN_WARPS * card.processors // kind.strips
                last = min(max(reach.within(first, int(budget)), least), first + most, end)
                borders = card.zeros(1 + (last - first) * stride, np.uint32)
                struct["borders"], struct["last"] = card.address(borders), last
                blocks = (last - first) * kind.strips
                seconds = card.launch(kernel, blocks, LANES, kind.words * TABLE_BYTES, struct[()])
                before, after = reach.at(first), reach.at(last)
                yield step.took("pairs", seconds, after[0] - before[0], after[1] - before[1])
                yield count.add(after[0] - before[0])
                first = last
                budget *= min(4.0, LAUNCH_SECONDS / max(seconds, 1e-9))

    def _borders(self, kind: WarpClass) -> tuple[int, int]:
        """Return the border groups passed between strips (0: single strip), and the maximum units per launch."""
        if kind.strips == 1:
            return 0, MAX_BLOCKS
        columns = (
            self.plan.m[: kind.columns] if self.plan.pairs is Pairing.ALL_TO_ALL else self.plan.m[kind.first : kind.end]
        )
        stride = -(-int(columns.max(initial=1)) // GROUP_COLUMNS)
        return stride, max(1, min(MAX_BORDER_BYTES // (4 * stride), MAX_BLOCKS // kind.strips))

    def values(self) -> npt.NDArray[np.int32]:
        return self.card.download(self.out)
