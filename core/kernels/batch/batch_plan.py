"""Plan of a batch: which pairs share a lane group, and what a thread takes at once."""

from __future__ import annotations

import numpy as np

from core.base.arrays import Counts, Letters
from core.base.errors import NotEnoughMemory
from core.jit.simd import LANES, WORD
from core.jobs.choices import Pairing
from core.kernels.batch.lane_groups import CHUNK_COLUMNS, SEQUENCE_COST_WORDS, BatchPlan, BatchState
from core.methods.batch import BatchJob
from core.sequences.sequence_pool import SequencePool
from core.system.machine import available_memory

UNCHECKED_BYTES = 1 << 28  # bytes nobody need be asked for
UNITS_PER_THREAD = 8  # for each thread, or the last one of them holds up the others
MOST_THREADS = 16  # threads that units are cut for
MAX_PLANES = 9
MAX_TABLE_WORDS = 1 << 15  # words of a table of letters: 256 KB, part of a second-level cache


def memory(job: BatchJob, threads: int) -> int:
    """Return the bytes that a batch takes beside its letters."""
    b = job.a if job.b is None else job.b
    letters = int(job.a.starts[-1] + b.starts[-1])
    longest = int(max(job.a.sizes.max(initial=0), b.sizes.max(initial=0)))
    planes = 2 * letters * MAX_PLANES // 8 + 64 * LANES * MAX_PLANES * (len(job.a) // LANES + 1)
    scratch = threads * (
        8 * MAX_TABLE_WORDS + CHUNK_COLUMNS * (MAX_PLANES + 1) * LANES * 8 + (longest // WORD + 1) * 6 * LANES * 8
    )
    return letters + planes + scratch + 4 * int(np.prod(job.shape, dtype=np.float64)) + 100 * len(job.a)


def check_memory(job: BatchJob, need: int) -> None:
    """Raise before anything is allocated, ``need`` bytes.

    Raises:
        NotEnoughMemory: the answers do not fit.
    """
    if need > UNCHECKED_BYTES and need > (free := available_memory()) * 3 // 4:
        shape = " x ".join(f"{n:,}" for n in job.shape)
        raise NotEnoughMemory(
            f"{shape} answers need {need / 1e9:.1f} GB and {free / 1e9:.1f} GB are free; "
            "compare fewer sequences at once"
        )


def make_plan(
    job: BatchJob, rows: SequencePool, cols: SequencePool, codes: tuple[Letters, Letters], pad: int, planes: int
) -> BatchPlan:
    """Return the plan for ``rows`` in lanes against ``cols``; ``codes`` are their letters encoded."""
    sizes = rows.sizes
    order = np.argsort(sizes if job.pairs is Pairing.ALL_TO_ALL else -_weight(sizes, cols.sizes), kind="stable")
    n_groups = -(-order.size // LANES)
    row_of = np.full(n_groups * LANES, -1, np.int64)
    row_of[: order.size] = order
    tall = np.zeros(row_of.size, np.int64)
    tall[: order.size] = sizes[order]
    words = -(-tall.reshape(n_groups, LANES).max(axis=1, initial=0) // WORD)
    swapped = rows is not job.a
    columns = order if job.b is None else np.arange(len(cols))
    return BatchPlan(
        rows=codes[0],
        row_starts=rows.starts,
        cols=codes[1],
        col_starts=cols.starts,
        row_of=row_of,
        words=words,
        at=np.concatenate([[0], np.cumsum(words * planes * LANES)[:-1]]).astype(np.int64)[:n_groups],
        columns=columns,
        units=_units(job, columns, cols.sizes[columns], words),
        n_rows=order.size,
        all_to_all=job.pairs is Pairing.ALL_TO_ALL,
        own=job.b is None,
        out_row=1 if job.pairs is Pairing.ONE_TO_ONE or swapped else len(cols),
        out_col=0 if job.pairs is Pairing.ONE_TO_ONE else len(rows) if swapped else 1,
        pad=pad,
        most_words=MAX_TABLE_WORDS // (max(1, pad) * LANES),
    )


def _weight(n: Counts, m: Counts) -> Counts:
    """Order pairs by words of rows, then by columns: what one group computes in vain stays small."""
    most = int(m.max(initial=0)) + 1
    found: Counts = -(-n // WORD) * most + m
    return found


def _units(job: BatchJob, columns: Counts, sizes: Counts, words: Counts) -> Counts:
    """Return the units of ``BatchPlan``, the longest first; ``sizes`` are those of ``columns``."""
    groups = np.arange(words.size)
    if job.pairs is Pairing.ONE_TO_ONE:
        return np.stack([groups, groups * 0, groups * 0 + 1], axis=1)
    slices = min(columns.size, -(-UNITS_PER_THREAD * MOST_THREADS // max(1, words.size)))
    letters = np.concatenate([[0], np.cumsum(sizes + SEQUENCE_COST_WORDS)])
    first = np.minimum(groups * LANES + 1, columns.size) if job.b is None else groups * 0
    shares = letters[first][:, None] + np.arange(slices + 1) * (letters[-1] - letters[first])[:, None] // max(1, slices)
    edges = np.searchsorted(letters, shares)
    units = np.stack([np.repeat(groups, slices), edges[:, :-1].ravel(), edges[:, 1:].ravel()], axis=1)
    units = units[units[:, 1] < units[:, 2]]
    weight = (words[units[:, 0]] + 1) * (letters[units[:, 2]] - letters[units[:, 1]])
    found: Counts = units[np.argsort(-weight, kind="stable")].astype(np.int64)
    return found


def make_state(plan: BatchPlan, n_out: int, planes: int, kind: int, threads: int) -> BatchState:
    return BatchState(
        out=np.zeros(n_out, np.int32),
        planes=np.empty(int((plan.words * planes * LANES).sum()), np.uint64),
        shared=np.zeros(2, np.int64),
        place=np.tile(np.array([-1, 0, 0, 0], np.int64), (threads, 1)),
        cells=np.zeros(threads, np.int64),
        masks=np.empty((threads, CHUNK_COLUMNS * (planes + 1) * LANES), np.uint64),
        tables=np.empty((threads, MAX_TABLE_WORDS if plan.all_to_all else 1), np.uint64),
        rows=np.empty((threads, int(plan.words.max(initial=1)) * LANES), np.uint64),
        found=np.empty((threads, LANES), np.int64),
        lanes=np.empty((threads, 4, LANES), np.int64),
        v=np.empty((threads, int(plan.words.max(initial=1)) * kind * LANES), np.uint64),
    )
