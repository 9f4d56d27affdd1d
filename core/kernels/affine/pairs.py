"""Scores of many pairs on the CPU: one pair per thread, strip by strip; see ``blocks``."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import InputError
from wavediff.core.jit.atomics import fetch_add, load_acquire
from wavediff.core.jit.decorators import jit, jit_with
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Event, EventTotals
from wavediff.core.kernels.affine.affine_matrix import lanes_of, stages_of, width_of
from wavediff.core.kernels.affine.blocks import fill_profile, run_strip
from wavediff.core.kernels.batch.batch_plan import check_memory
from wavediff.core.kernels.block_threads import compute_pairs, stop
from wavediff.core.methods.affine import alphabets_of, doubt, scheme_for
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.sequences.scoring.matrix import ABSENT
from wavediff.core.sequences.scoring.scheme import ScoringScheme
from wavediff.core.sequences.sequence import Alphabet, SequencePool
from wavediff.core.system.machine import cores

PAIR, ROW, DONE, SCORE = range(4)  # of a thread's place: pair it is at (-1: none), next row, pairs done, score so far
ZIP, TABLE, HALF = range(3)  # which pairs there are: first with first; each with each; of one file, each once


class Plan(NamedTuple):
    """Input arrays of the threads.

    Attributes:
        rows, row_starts, cols, col_starts: concatenated codes of the sequences, and the start of each.
        scores: int8 or int16, shape (codes of A, codes of B). costs: of the first letter of a gap, and of each
            following letter.
        kind: of the pairs. n_pairs: number of pairs, including each sequence with itself.
    """

    rows: Letters
    row_starts: Counts
    cols: Letters
    col_starts: Counts
    scores: Any
    costs: tuple[int, int]
    kind: int
    n_pairs: int


class State(NamedTuple):
    """Output arrays of the threads.

    Attributes:
        out: int64, score of each pair times its scale, in the order of the answers.
        shared: int64, [next pair to take, whether to stop].
        place: int64, (threads, 4), see above. cells: int64, computed by each thread.
        u, y: int8 or int16, (threads, columns of the longest + lanes). v, x: (threads, lanes).
        profile: (threads, codes * lanes). rings: (threads, lanes * lanes).
    """

    out: Counts
    shared: Counts
    place: Counts
    cells: Counts
    u: Any
    y: Any
    v: Any
    x: Any
    profile: Any
    rings: Any


@jit
def pair_of(kind: int, n_cols: int, k: int) -> tuple[int, int]:
    """Return the sequences of A and of B of pair ``k``."""
    if kind == ZIP:
        return k, k
    if kind == TABLE:
        return k // n_cols, k % n_cols
    j = int((np.sqrt(8.0 * k + 1.0) - 1.0) / 2.0)  # k = j * (j + 1) / 2 + i, with i <= j
    while j * (j + 1) // 2 > k:
        j -= 1
    while (j + 1) * (j + 2) // 2 <= k:
        j += 1
    return k - j * (j + 1) // 2, j


@jit_with(error_model="numpy")
def advance(plan, state, stages, me, budget):  # type: ignore[no-untyped-def]
    """Compute up to ``budget`` strips in thread ``me``; return their number."""
    lanes = np.int64(1) << len(stages)
    u, y, v, x = state.u[me], state.y[me], state.v[me], state.x[me]
    profile, ring, place = state.profile[me], state.rings[me], state.place[me]
    first, more = plan.costs
    done = 0
    while done < budget and load_acquire(state.shared, 1) == 0:
        fresh = place[PAIR] < 0
        if fresh:
            place[PAIR], place[ROW] = min(fetch_add(state.shared, 0, 1), plan.n_pairs), 0
        if place[PAIR] >= plan.n_pairs:
            break
        i, j = pair_of(plan.kind, plan.col_starts.size - 1, place[PAIR])
        rows = plan.rows[plan.row_starts[i] : plan.row_starts[i + 1]]
        cols = plan.cols[plan.col_starts[j] : plan.col_starts[j + 1] + lanes]
        n, m = rows.size, cols.size - lanes
        if fresh:
            place[SCORE] = -first - (m - 1) * more if m else 0
            if m == 0 and n > 0:
                place[SCORE], place[ROW] = -first - (n - 1) * more, n
            for k in range(m):
                u[k], y[k] = -more, -first
            u[0] = -first
        row = place[ROW]
        if row < n:
            height = min(lanes, n - row)
            for k in range(lanes):
                v[k], x[k] = -more, -first
            if row == 0:
                v[0] = -first
            fill_profile(profile, rows[row : row + height], plan.scores, lanes, 0, 1)
            run_strip(profile, 0, plan.costs, cols, 0, m, u, y, 0, v, x, 0, ring, None, 0, stages)
            for k in range(height):
                place[SCORE] += v[k]
            place[ROW] = row + height
            state.cells[me] += height * m
        if place[ROW] >= n:
            state.out[place[PAIR]] = place[SCORE]
            place[PAIR] = -1
            place[DONE] += 1
        done += 1
    return done


def run(job: BatchJob) -> Generator[Event, None, BatchResult]:
    """Compute ``job``; see ``wavediff.core.methods.batch.BatchResult``.

    Raises:
        InputError: a letter has no score.
        NotEnoughMemory: the answers do not fit.
    """
    tally = EventTotals()
    values, shares = yield from tally.watch(_steps(job))
    return BatchResult.of(job, values, shares, **tally.fields(job.id, "cpu"))


def memory(job: BatchJob) -> int:
    """Return the memory of a batch in bytes, without its letters."""
    b = job.a if job.b is None else job.b
    answers = 20 * int(np.prod(job.shape, dtype=np.float64))
    return answers + int(job.a.starts[-1] + b.starts[-1]) + (job.threads or cores()) * 8 * int(b.sizes.max(initial=0))


def _steps(job: BatchJob) -> Generator[Event, None, tuple[npt.NDArray[Any], npt.NDArray[np.float32]]]:
    threads = job.threads or cores()
    check_memory(job, memory(job))
    b = job.a if job.b is None else job.b
    start = perf_counter()
    scoring = scheme_for(job)
    alphabets = alphabets_of(job)
    if text := doubt(scoring, alphabets):
        yield job.step.notice(text)
    is_text = Alphabet.TEXT in alphabets
    sides = _encode(job.a, scoring, "A", is_text), _encode(b, scoring, "B", is_text)
    yield job.step.done("encode", start)
    width = width_of(scoring)
    yield from warm_up(job.step, "pairs", (8 * width, "affine", "batch"), lambda: _rehearse(scoring))
    plan, state = _lay_out(job.a, b, sides, scoring, _kind(job), threads)
    yield from _compute(job, plan, state, lanes_of(scoring))
    units = _table(state.out, plan.kind, job.shape)
    own_a, own_b = (_with_themselves(pool, codes, scoring) for pool, codes in zip((job.a, b), sides, strict=True))
    if plan.kind == ZIP:
        shares = _share(units, own_a + own_b)
    else:
        shares = np.empty(job.shape, np.float32)
        for k, row in enumerate(units):
            shares[k] = _share(row, own_a[k] + own_b)
    whole = scoring.scale == 1 and np.abs(units).max(initial=0) <= np.iinfo(np.int32).max
    return units.astype(np.int32) if whole else units / scoring.scale, shares


def _kind(job: BatchJob) -> int:
    return ZIP if job.pairs is Pairing.ONE_TO_ONE else HALF if job.b is None else TABLE


def _table(out: Counts, kind: int, shape: tuple[int, ...]) -> Counts:
    if kind != HALF:
        return out.reshape(shape)
    table = np.empty(shape, np.int64)
    for j in range(shape[0]):
        scores = out[j * (j + 1) // 2 :][: j + 1]
        table[: j + 1, j] = table[j, : j + 1] = scores
    return table


def _with_themselves(pool: SequencePool, codes: Letters, scoring: ScoringScheme) -> Counts:
    sums = np.zeros(codes.size + 1, np.int64)
    np.cumsum(np.diag(scoring.scores)[codes], out=sums[1:])
    scores: Counts = sums[pool.starts[1:]] - sums[pool.starts[:-1]]
    return scores


def _share(units: Counts, whole: Counts) -> npt.NDArray[np.float32]:
    """Return the identity of pairs, 0 to 1: from the score relative to the self-scores."""
    share = np.clip(2 * units / np.maximum(whole, 1), 0, 1)
    return np.where(2 * units >= whole, 1, share).astype(np.float32)


def _encode(pool: SequencePool, scoring: ScoringScheme, side: str, is_text: bool) -> Letters:
    matrix = scoring.matrix
    codes = np.take(matrix.codes, pool.letters, mode="clip")
    absent = np.flatnonzero(codes == ABSENT)
    if absent.size:
        at = int(absent[0])
        k = int(np.searchsorted(pool.starts, at, "right")) - 1
        counts = np.bincount(pool.letters[pool.starts[k] : pool.starts[k + 1]], minlength=256)
        if not is_text:
            matrix.require_letters(counts, side, (k + 1, ""))
        raise InputError(
            side, f"a letter of the text has no score in the matrix {matrix.name}", matrix.has, record=(k + 1, "")
        )
    return codes


def _lay_out(
    a: SequencePool, b: SequencePool, codes: tuple[Letters, Letters], scoring: ScoringScheme, kind: int, threads: int
) -> tuple[Plan, State]:
    lanes, dtype = lanes_of(scoring), np.dtype(np.int8 if scoring.fits_bytes else np.int16)
    occurring = np.flatnonzero(np.bincount(codes[1], minlength=1))
    dense = np.zeros(256, np.uint8)
    dense[occurring] = np.arange(occurring.size)
    cols = np.zeros(codes[1].size + lanes, np.uint8)
    np.take(dense, codes[1], out=cols[: codes[1].size])
    n_pairs = len(a) if kind == ZIP else len(a) * (len(a) + 1) // 2 if kind == HALF else len(a) * len(b)
    threads = max(1, min(threads, n_pairs))
    most = int(b.sizes.max(initial=0))
    plan = Plan(
        codes[0], a.starts.copy(), cols, b.starts.copy(), np.ascontiguousarray(scoring.scores[:, occurring], dtype),
        (scoring.open, scoring.extend), kind, n_pairs,
    )  # fmt: skip
    place = np.zeros((threads, 4), np.int64)
    place[:, PAIR] = -1
    state = State(
        out=np.zeros(n_pairs, np.int64),
        shared=np.zeros(2, np.int64),
        place=place,
        cells=np.zeros(threads, np.int64),
        u=np.zeros((threads, most + lanes), dtype),
        y=np.zeros((threads, most + lanes), dtype),
        v=np.zeros((threads, lanes), dtype),
        x=np.zeros((threads, lanes), dtype),
        profile=np.zeros((threads, max(1, occurring.size) * lanes), dtype),
        rings=np.zeros((threads, lanes * lanes), dtype),
    )
    return plan, state


def _compute(job: BatchJob, plan: Plan, state: State, lanes: int) -> Generator[Event, None, None]:
    stages = stages_of(lanes)

    def advance_(me: int, budget: int) -> int:
        return int(advance(plan, state, stages, me, budget))

    def finished(me: int) -> bool:
        return bool(state.place[me, PAIR] >= plan.n_pairs)

    done = state.place[:, DONE]
    yield from compute_pairs(job.step, state.shared, state.cells, done, plan.n_pairs, advance_, finished)


def _rehearse(scoring: ScoringScheme) -> None:
    pool, codes = SequencePool(np.zeros(1, np.uint8), np.array([0, 1])), np.zeros(1, np.uint8)
    plan, state = _lay_out(pool, pool, (codes, codes), scoring, ZIP, 1)
    advance(plan, state, stages_of(lanes_of(scoring)), 0, 1)
    stop(state.shared)
