"""Plan of a batch: assignment of pairs to lane groups, and of work units to threads."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import ALIGN_BYTES, Counts, Letters
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jit.simd import LANES, WORD
from wavediff.core.jobs.choices import Pairing
from wavediff.core.kernels.batch.column_steps import SHORT_WORDS
from wavediff.core.kernels.batch.lane_groups import CHUNK_COLUMNS, SEQUENCE_COST_WORDS, BatchPlan, BatchState
from wavediff.core.methods.batch import BatchJob
from wavediff.core.sequences.sequence import SequencePool
from wavediff.core.system.machine import available_memory

UNCHECKED_BYTES = 1 << 28  # bytes no one need be asked for
UNITS_PER_THREAD = 8  # for each thread, or the last one of them holds up the others
MOST_THREADS = 16  # threads that units are cut for
MAX_PLANES = 9
MAX_TABLE_WORDS = 1 << 15  # words of a table of letters: 256 KB, part of a second-level cache


def memory(job: BatchJob, threads: int) -> int:
    """Return the memory of a batch in bytes, without its letters."""
    b = job.a if job.b is None else job.b
    letters = int(job.a.starts[-1] + b.starts[-1])
    longest = int(max(job.a.sizes.max(initial=0), b.sizes.max(initial=0)))
    planes = 2 * letters * MAX_PLANES // 8 + 64 * LANES * MAX_PLANES * (len(job.a) // LANES + 1)
    scratch = threads * (
        8 * MAX_TABLE_WORDS + CHUNK_COLUMNS * (MAX_PLANES + 1) * LANES * 8 + (longest // WORD + 1) * 6 * LANES * 8
    )
    return letters + planes + scratch + 4 * int(np.prod(job.shape, dtype=np.float64)) + 100 * len(job.a)


def check_memory(job: BatchJob, need: int) -> None:
    """Raise an error before allocating ``need`` bytes that are not available.

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
    """Return the plan for comparing ``rows`` (in lanes) with ``cols``; ``codes``: their encoded letters."""
    sizes, all_to_all = rows.sizes, job.pairs is Pairing.ALL_TO_ALL
    # Short rows cost the same and stay in their order: what one group writes lies close together.
    bits = np.where(sizes <= WORD // 2, WORD // 2, np.maximum(sizes, WORD))
    order = np.argsort(bits if all_to_all else -_weight(sizes, cols.sizes), kind="stable")
    first_lane, lane_bytes = _lane_groups(bits[order], all_to_all)
    tall = np.maximum.reduceat(sizes[order], first_lane[:-1]) if order.size else np.zeros(0, np.int64)
    words = np.where(lane_bytes, SHORT_WORDS // LANES, -(-tall // WORD))
    swapped = rows is not job.a
    columns = order if job.b is None else np.arange(len(cols))
    return BatchPlan(
        rows=codes[0],
        row_starts=rows.starts,
        cols=codes[1],
        col_starts=cols.starts,
        row_of=order,
        first_lane=first_lane,
        words=words,
        lane_bytes=lane_bytes,
        at=np.cumsum(words * planes * LANES) - words * planes * LANES,
        columns=columns,
        units=_units(job, columns, cols.sizes[columns], words, first_lane),
        all_to_all=all_to_all,
        own=job.b is None,
        out_row=1 if job.pairs is Pairing.ONE_TO_ONE or swapped else len(cols),
        out_col=0 if job.pairs is Pairing.ONE_TO_ONE else len(rows) if swapped else 1,
        pad=pad,
        most_words=MAX_TABLE_WORDS // (max(1, pad) * LANES),
    )


def _lane_groups(bits: Counts, all_to_all: bool) -> tuple[Counts, Counts]:
    """Return the lane offsets of groups, and the bytes per lane of short rows (else 0).

    Args:
        bits: of each row, in lane order; ascending for all against all.
    """
    firsts, lane_bytes, end = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
    for width in (4, 8, 0) if all_to_all else (0,):
        most = SHORT_WORDS * 8 // width if width else LANES
        begin, end = end, int(np.searchsorted(bits, 8 * width, "right")) if width else bits.size
        firsts.append(np.arange(begin, end, most))
        lane_bytes.append(np.full(firsts[-1].size, width, np.int64))
    return np.concatenate([*firsts, [end]]), np.concatenate(lane_bytes)


def _weight(n: Counts, m: Counts) -> Counts:
    """Sort key of pairs: words of rows, then columns, so that groups waste little work."""
    most = int(m.max(initial=0)) + 1
    weights: Counts = -(-n // WORD) * most + m
    return weights


def _units(job: BatchJob, columns: Counts, sizes: Counts, words: Counts, first_lane: Counts) -> Counts:
    """Return the ``units`` of ``BatchPlan``, longest first; ``sizes``: lengths of ``columns``."""
    groups = np.arange(words.size)
    if job.pairs is Pairing.ONE_TO_ONE:
        return np.stack([groups, groups * 0, groups * 0 + 1], axis=1)
    slices = min(columns.size, -(-UNITS_PER_THREAD * MOST_THREADS // max(1, words.size)))
    letters = np.concatenate([[0], np.cumsum(sizes + SEQUENCE_COST_WORDS)])
    first = np.minimum(first_lane[:-1] + 1, columns.size) if job.b is None else groups * 0
    shares = letters[first][:, None] + np.arange(slices + 1) * (letters[-1] - letters[first])[:, None] // max(1, slices)
    edges = np.searchsorted(letters, shares)
    units = np.stack([np.repeat(groups, slices), edges[:, :-1].ravel(), edges[:, 1:].ravel()], axis=1)
    units = units[units[:, 1] < units[:, 2]]
    weight = (words[units[:, 0]] + 1) * (letters[units[:, 2]] - letters[units[:, 1]])
    sorted_units: Counts = units[np.argsort(-weight, kind="stable")].astype(np.int64)
    return sorted_units


def make_state(plan: BatchPlan, out: npt.NDArray[np.int32], planes: int, kind: int, threads: int) -> BatchState:
    """Allocate the state of ``threads`` threads; frequently written rows share no cache line."""
    most_lanes = max(LANES, int(np.diff(plan.first_lane).max(initial=0)))
    return BatchState(
        out=out.reshape(-1),
        planes=np.empty(int((plan.words * planes * LANES).sum()), np.uint64),
        shared=np.zeros(2, np.int64),
        place=np.tile(np.array([-1, 0, 0, 0], np.int64), (threads, 1)),
        cells=np.zeros(threads, np.int64),
        masks=np.empty((threads, CHUNK_COLUMNS * (planes + 1) * LANES), np.uint64),
        tables=np.empty((threads, MAX_TABLE_WORDS if plan.all_to_all else 1), np.uint64),
        rows=np.empty((threads, int(plan.words.max(initial=1)) * LANES), np.uint64),
        found=np.empty((threads, 2 * SHORT_WORDS + ALIGN_BYTES // 4), np.int32),
        lanes=np.empty((threads, 4, most_lanes), np.int64),
        v=np.empty((threads, int(plan.words.max(initial=1)) * kind * LANES + ALIGN_BYTES // 8), np.uint64),
    )
