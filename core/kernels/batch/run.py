"""Comparison of many pairs on the CPU, group by group on all cores.

Source: Kim, Na and Sim use one thread block per pair. Here each pair is one lane of a vector: all lanes do the same
steps on their own words, and the table is not stored.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters, LetterType
from wavediff.core.jit import bits
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Event, EventTotals, Step
from wavediff.core.kernels.batch import batch_plan, lane_groups
from wavediff.core.kernels.batch.batch_plan import check_memory, make_plan, make_state
from wavediff.core.kernels.batch.column_steps import KINDS
from wavediff.core.kernels.batch.lane_groups import DONE, UNIT, BatchPlan, BatchState
from wavediff.core.kernels.block_threads import compute_pairs, stop
from wavediff.core.kernels.swap_edit.swap_matrix import planes_for
from wavediff.core.methods.base import Method
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.sequences.sequence import SequencePool
from wavediff.core.system.machine import cores

Values = npt.NDArray[np.int32]
ENCODE_REPORT_LETTERS = 1 << 22  # letters encoded between two reports
MANY_ROWS = 512  # that fill the lanes of some groups at any lengths
PACK_GROUPS = 64  # groups whose rows are laid out between two looks at the clock


def run(job: BatchJob) -> Generator[Event, None, BatchResult]:
    """Compute ``job``; see ``wavediff.core.methods.batch.BatchResult``.

    Raises:
        NotEnoughMemory: the answers do not fit.
    """
    return (yield from run_with(job, "cpu", _steps))


def run_with(
    job: BatchJob, device: str, steps: Callable[[BatchJob], Generator[Event, None, Values]]
) -> Generator[Event, None, BatchResult]:
    """Compute ``job`` by ``steps``, which return the values (diagonal of one file against itself: undefined)."""
    tally = EventTotals()
    values = yield from tally.watch(steps(job))
    if job.b is None:
        np.fill_diagonal(values, job.method.with_itself(job.a.sizes))
    values.setflags(write=False)  # the result takes it as it is and not a copy
    return BatchResult.of(job, values, **tally.fields(job.id, device))


def memory(job: BatchJob) -> int:
    """Return the memory of ``job`` in bytes, without its letters."""
    return batch_plan.memory(job, job.threads or cores())


def _steps(job: BatchJob) -> Generator[Event, None, Values]:
    threads = job.threads or cores()
    check_memory(job, memory(job))
    b = job.a if job.b is None else job.b
    a_codes, b_codes, n_codes = yield from _encode(job, b)
    kind, planes = KINDS[job.method.id], planes_for(n_codes)
    every = (0,) * planes
    key = variant((planes, str(job.method), "batch"), a_codes)
    yield from warm_up(job.step, "pairs", key, lambda: _rehearse(job.method, n_codes, a_codes.dtype.type))
    start = perf_counter()
    rows, cols, codes = job.a, b, (a_codes, b_codes)
    # The answers are symmetric. Lanes of B, neighbours in the answers, are written faster, if there are enough of them.
    if job.pairs is Pairing.ALL_TO_ALL and len(cols) >= min(len(rows), MANY_ROWS):
        rows, cols, codes = cols, rows, (b_codes, a_codes)
    plan = make_plan(job, rows, cols, codes, n_codes, planes)
    threads = max(1, min(threads, plan.units.shape[0]))
    values: Values = np.zeros(job.shape, np.int32)
    state = make_state(plan, values, planes, len(kind), threads)
    yield job.step.done("encode", start)
    if job.pairs is Pairing.ALL_TO_ALL:
        yield from _pack(job.step, plan, state, planes)
    yield from _compute(job, plan, state, kind, every)
    return values


def _encode(job: BatchJob, b: SequencePool) -> Generator[Event, None, tuple[Letters, Letters, int]]:
    pools = (job.a,) if b is job.a else (job.a, b)
    if job.a.letters.dtype != np.uint8:
        size = 1 + max(int(pool.letters.max(initial=0)) for pool in pools)
        counted = [np.bincount(pool.letters, minlength=size) for pool in pools]
        code = bits.dense_code(counted[0], counted[-1], False)
        wide = [code.table[pool.letters] for pool in pools]
        return wide[0], wide[-1], code.n_codes
    none = job.a.letters[:0]  # read-only: another type to a compiler
    yield from warm_up(
        job.step,
        "encode",
        "encode batch",
        lambda: (bits.count_bytes(none), bits.encode(none, np.zeros(256, np.uint8), none.copy())),
    )
    counts, start = [], perf_counter()
    for pool in pools:
        total = np.zeros(256, np.int64)
        for at in range(0, pool.letters.size, ENCODE_REPORT_LETTERS):
            total += bits.count_bytes(pool.letters[at : at + ENCODE_REPORT_LETTERS])
            yield job.step.done("encode", start)
            start = perf_counter()
        counts.append(total)
    code = bits.dense_code(counts[0], counts[-1], job.fold_case)
    out = []
    for pool in pools:
        codes = np.empty(pool.letters.size, np.uint8)
        for at in range(0, codes.size, ENCODE_REPORT_LETTERS):
            bits.encode(
                pool.letters[at : at + ENCODE_REPORT_LETTERS], code.table, codes[at : at + ENCODE_REPORT_LETTERS]
            )
            yield job.step.done("encode", start)
            start = perf_counter()
        out.append(codes)
    return out[0], out[-1], code.n_codes


def _pack(step: Step, plan: BatchPlan, state: BatchState, planes: int) -> Generator[Event, None, None]:
    since = perf_counter()
    for g in range(0, plan.words.size, PACK_GROUPS):
        lane_groups.pack_groups(plan, state.planes, planes, g, min(g + PACK_GROUPS, plan.words.size))
        if perf_counter() - since > 0.01:
            yield step.done("encode", since)
            since = perf_counter()
    yield step.done("encode", since)


def _compute(
    job: BatchJob, plan: BatchPlan, state: BatchState, kind: tuple[int, ...], every: tuple[int, ...]
) -> Generator[Event, None, None]:
    def advance(me: int, budget: int) -> int:
        return int(lane_groups.advance(plan, state, kind, every, me, budget))

    def finished(me: int) -> bool:
        return bool(state.place[me, UNIT] >= plan.units.shape[0])

    done = state.place[:, DONE]
    yield from compute_pairs(job.step, state.shared, state.cells, done, job.n_pairs, advance, finished)


def _rehearse(method: Method, n_codes: int, letter_type: LetterType) -> None:
    pool = SequencePool(np.zeros(2, letter_type), np.array([0, 1, 2]))
    kind, planes = KINDS[method.id], planes_for(n_codes)
    for pairs in Pairing:
        job = BatchJob(a=pool, b=pool, pairs=pairs, method=method)
        codes = pool.letters.copy()  # one can write to it, as to those of a job: another type to a compiler
        plan = make_plan(job, pool, pool, (codes, codes), n_codes, planes)
        state = make_state(plan, np.zeros(4, np.int32), planes, len(kind), 1)
        lane_groups.pack_groups(plan, state.planes, planes, 0, 1)
        lane_groups.advance(plan, state, kind, (0,) * planes, 0, 1)
        stop(state.shared)
