"""Many pairs on the card: in one launch, but for those that are long enough to take it one by one."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from enum import IntEnum
from importlib import import_module
from itertools import islice
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Compiled, Event
from wavediff.core.kernels.batch.batch_plan import check_memory, memory
from wavediff.core.kernels.batch.run import Values, run_with
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.methods.swap import SwapKernel
from wavediff.core.sequences.sequence_pool import SequencePool
from wavediff.gpu.batch.pair_launches import PairCount, PairLaunches
from wavediff.gpu.batch.warp_classes import LANES, CardBatchPlan, make_plan
from wavediff.gpu.card.card_records import bytes_needed, upload
from wavediff.gpu.card.interface import Card
from wavediff.gpu.card.sharing import OtherCards, no_others
from wavediff.gpu.card.side_by_side import side_by_side
from wavediff.gpu.card.transfer import make_ready
from wavediff.gpu.swap_edit.kim import KimPairs

ColumnStep = IntEnum("ColumnStep", {"LCS": 1, "EDIT": 2, "SWAP": 3})
SIGNS = {"lcs": ColumnStep.LCS, "edit": ColumnStep.EDIT, "swap": ColumnStep.SWAP}  # by ``Method.id``
MIN_WARPS_PER_PROCESSOR = 8  # warps for each multiprocessor, at least, before lanes take more than one word


def run_on(
    card: Card, job: BatchJob, others: OtherCards = no_others, *, words: int = 0
) -> Generator[Event, None, BatchResult]:
    """Compute ``job`` on this card and on others; see ``wavediff.core.methods.batch.BatchResult``.

    Args:
        words: of a lane, 0 = chosen.

    Raises:
        NotEnoughMemory: the answers do not fit in memory. DeviceOutOfMemory: they do not fit on the card.
    """
    check_memory(job, memory(job, 1))
    if job.options.get("kernel", SwapKernel.DEFAULT) is not SwapKernel.DEFAULT:
        return (yield from run_with(job, "gpu", lambda job: _paper(card, job)))
    return (yield from run_with(job, "gpu", lambda job: _steps((card, *others()), job, words)))


def _paper(card: Card, job: BatchJob) -> Generator[Event, None, Values]:
    """Compute ``job`` by a kernel of Kim, Na and Sim: a block of threads a pair."""
    b = job.a if job.b is None else job.b
    if job.pairs is Pairing.ONE_TO_ONE:
        pairs = np.repeat(np.arange(len(b), dtype=np.int64)[:, None], 2, axis=1)
    else:
        n_a, n_b = job.shape
        pairs = np.stack([np.repeat(np.arange(n_a), n_b), np.tile(np.arange(n_b), n_a)], axis=1).astype(np.int64)
    if job.b is None:
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    work = KimPairs(card, job.a, b, pairs, fold_case=job.fold_case, shared=job.value("kernel") is SwapKernel.KIM)
    found = yield from work.compute(job.step)
    if job.pairs is Pairing.ONE_TO_ONE:
        return found
    values = np.zeros(job.shape, np.int32)
    values[pairs[:, 0], pairs[:, 1]] = found
    if job.b is None:
        values[pairs[:, 1], pairs[:, 0]] = found
    return values


def _steps(cards: Sequence[Card], job: BatchJob, words: int) -> Generator[Event, None, Values]:
    """Let each card compute its share of the pairs, and put the answers together."""
    found = _plan(cards, job, words)
    count = PairCount(job.step, job.n_pairs)
    parts = yield from side_by_side([_share(one, job, *found, count, k, len(cards)) for k, one in enumerate(cards)])
    values = parts[0]
    for other in parts[1:]:  # 0 where another card has the answer
        values += other
    return values


def _share(
    card: Card, job: BatchJob, plan: CardBatchPlan, turned: bool, count: PairCount, k: int, n: int
) -> Generator[Event, None, Values]:
    """Return all answers, those that card ``k`` of ``n`` has no share in being 0."""
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
    """Return the plan, and whether rows are the records of B: the shorter ones, if that makes no pair too long."""
    b = job.a if job.b is None else job.b
    lanes = MIN_WARPS_PER_PROCESSOR * LANES * sum(one.processors for one in cards)
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
    """Return the answer for a pair that deserves the whole card."""
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
            else:  # a look at whether to go on
                yield count.add(0)
    except StopIteration as end:
        result = end.value
    finally:
        steps.close()
    yield job.step.took("pairs", perf_counter() - start - compiling, 1, int(a.size) * int(b.size))
    return int(job.method.value(result))
