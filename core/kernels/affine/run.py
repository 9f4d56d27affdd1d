"""Global alignment with affine gaps on the CPU: computation, traceback, verification.

Source: Gotoh 1982, in the differences of Suzuki and Kasahara 2018; see ``blocks``. The alignment comes from kept block
borders, recomputing the blocks that it crosses.

Checks of a score: Gotoh's recurrence as published, cell by cell, and the score of an alignment's own columns.

Both are independent of the vectors, the differences and the blocks.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Letters, Runs
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.affine_result import AffineResult, Columns
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.events import REHEARSAL, Event, EventTotals, Planned, Step, run_to_end
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import ROW_TICK_SECONDS, RunRecord, blank_record, thread_lanes
from wavediff.core.jobs.verification import Check, Verification
from wavediff.core.kernels.affine import affine_matrix, blocks
from wavediff.core.kernels.affine import recheck as recheck_module
from wavediff.core.kernels.affine.affine_matrix import AffineMatrix, follow_block, joined, lanes_of, stages_of, width_of
from wavediff.core.kernels.affine.recheck import recheck
from wavediff.core.kernels.block_threads import stop
from wavediff.core.kernels.traceback.verify import verify_alignment
from wavediff.core.methods.affine import AffineJob, AffineKernel
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.sequences.characters import fold_table
from wavediff.core.sequences.scoring.matrix import ABSENT
from wavediff.core.sequences.scoring.scheme import ScoringScheme
from wavediff.core.system.machine import cores

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
IDENTITIES, POSITIVES, PAIRS, GAPS, GAP_LETTERS, UNITS, ROWS, COLUMNS = range(8)  # of ``count_columns``
LANES = 8  # interleaved parts of a row in ``gotoh_rows``
PIECE_LETTERS = 1 << 22  # encoded between two reports
CHECKED_CELLS = 1 << 19  # of small matrices, which are all computed a second time cell by cell: about a millisecond
PIECE_CELLS = 1 << 22  # computed cell by cell between two reports
EVERY_CELL = "full", "every cell is computed"
LANE = thread_lanes(1)  # of one block


def run(job: AffineJob) -> Generator[Event, None, AffineResult]:
    """Compute ``job``; see ``wavediff.core.jobs.affine_result.AffineResult``.

    Raises:
        InputError: a letter has no score.
        NotEnoughMemory: the matrix needs more than there is.
        SelfCheckFailed: the result contradicted itself.
    """
    tally = EventTotals()
    if job.doubt:
        yield job.step.notice(job.doubt)
    units, alignment, columns, (strategy, reason), checked = yield from tally.watch(_steps(job.step, job))
    return AffineResult(
        units=units,
        scoring=job.scoring,
        alignment=alignment,
        columns=columns,
        identical=_identical(job),
        strategy=strategy,
        reason=reason,
        verification=checked,
        n_cells=job.n_cells,
        cells=tally.cells,
        **tally.fields(job.id, "cpu"),
    )


Answer = tuple[int, Alignment | None, Columns | None, tuple[str, str], Verification | None]


def _steps(step: Step, job: AffineJob) -> Generator[Event, None, Answer]:
    scoring, n, m = job.scoring, int(job.a.size), int(job.b.size)
    matrix: AffineMatrix | None = None
    yield from warm_up(step, "verify", "affine check", _rehearse_checks)
    a, b = yield from _encode(step, job)
    runs: Runs | None = None
    checked: Verification | None = None
    if not n or not m:
        checked = Verification(Check.BOUND)
        why = "common-ends", "one sequence is empty" if n or m else "both sequences are empty"
        grid = BlockGrid(n, m, max(n, 1), max(m, 1))
        yield _planned(job, grid, np.full(grid.shape, BlockState.PATH, np.uint8), why, 0)
        units = -(scoring.open + (n + m - 1) * scoring.extend) if n or m else 0
        ops = np.full(1 if n or m else 0, Op.DELETION if n else Op.INSERTION, np.uint8)
        runs = ops, np.full(ops.size, n + m)
    elif job.kernel is AffineKernel.GOTOH:
        why, grid = ("full", "every cell is computed, one after the other"), BlockGrid(n, m, n, m)
        block_map = np.full(grid.shape, BlockState.RUNNING, np.uint8)
        yield _planned(job, grid, block_map, why, n * m)
        units = yield from _gotoh(step, a, b, scoring, "blocks")
        block_map[:] = BlockState.DONE
    else:
        why = EVERY_CELL
        yield from warm_up(step, "blocks", f"affine {8 * width_of(scoring)}", lambda: rehearse(scoring))
        grid = affine_matrix.block_grid(scoring, n, m, job.block_rows, job.block_cols)
        if grid.n_blocks == 1 and n * m <= CHECKED_CELLS:
            units, runs = yield from _one_block(job, a, b, grid)
        else:
            matrix, units, runs = yield from _matrix(job, a, b, grid)
        checked = yield from _verify(step, job, a, b, matrix, units)
    if job.path is TracebackMethod.NONE or runs is None:
        return units, None, None, why, checked
    alignment = Alignment(*runs)
    columns = yield from _check(step, job, a, b, alignment, units)
    return units, alignment, columns, why, checked


def _verify(
    step: Step, job: AffineJob, a: Letters, b: Letters, matrix: AffineMatrix | None, units: int
) -> Generator[Event, None, Verification]:
    """Recompute the score by another method, completely or as far as it is cheap.

    Args:
        matrix: None for one block.

    Raises:
        SelfCheckFailed: the two scores differ.
    """
    n, m, scale = int(job.a.size), int(job.b.size), job.scoring.scale
    if matrix is None or n * m <= CHECKED_CELLS:
        verification, again = Verification(Check.RECOMPUTED), (yield from _gotoh(step, a, b, job.scoring, "verify"))
    else:
        looked = yield from recheck(step, matrix, a, b, job.scoring.scores)
        if looked.fault:
            raise SelfCheckFailed(
                f"matrix of {n:,} x {m:,} letters: {looked.fault} differed when recomputed in another way; the result "
                "was discarded"
            )
        verification, again = Verification(Check.SAMPLED, looked.share), looked.value
    if again != units:
        raise SelfCheckFailed(
            f"the score of {n:,} and {m:,} letters came out as {units / scale:,g}, and as {again / scale:,g} when "
            "recomputed in another way; the result was discarded"
        )
    return verification


def _planned(
    job: AffineJob, grid: BlockGrid, states: Letters, why: tuple[str, str], cells: int, record: RunRecord | None = None
) -> Planned:
    watched = states.view()
    watched.setflags(write=False)
    return Planned(job.id, grid, watched, *why, cells, record=record)


def _encode(step: Step, job: AffineJob) -> Generator[Event, None, list[Letters]]:
    """Return the codes of both sequences."""
    matrix, encoded, start = job.scoring.matrix, [], perf_counter()
    for letters, side in (job.a, "the reference"), (job.b, "the query"):
        codes = np.empty(letters.size, np.uint8)
        for at in range(0, letters.size, PIECE_LETTERS):
            if at:
                yield step.done("encode", start)
                start = perf_counter()
            part = codes[at : at + PIECE_LETTERS] = matrix.codes.take(letters[at : at + PIECE_LETTERS])
            if ABSENT in part.tobytes():
                matrix.require_letters(np.bincount(letters, minlength=256), side)
        encoded.append(codes)
    yield step.done("encode", start)
    return encoded


def _one_block(
    job: AffineJob, a: Letters, b: Letters, grid: BlockGrid
) -> Generator[Event, None, tuple[int, Runs | None]]:
    """Compute a short pair by one call, without the counters and borders of several blocks."""
    step, scoring, n, m = job.step, job.scoring, int(a.size), int(b.size)
    lanes, block_map, record = lanes_of(scoring), np.array([[blocks.RUNNING]], np.uint8), blank_record((1, 1), LANE)
    yield _planned(job, grid, block_map, EVERY_CELL, n * m, record)
    record.start, record.seconds_per_tick, padded = perf_counter(), ROW_TICK_SECONDS, -(-n // lanes) * lanes
    seen = np.empty(0 if job.path is TracebackMethod.NONE else padded * (m + lanes), f"i{width_of(scoring)}")
    units = blocks.solve_block(a, b, scoring.scores, scoring.open, scoring.extend, seen, stages_of(lanes))
    record.began[0, 0], record.ended[0, 0] = 1, 1 + int((perf_counter() - record.start) / ROW_TICK_SECONDS)
    block_map[0, 0] = blocks.DONE
    yield step.done("blocks", record.start, 1, n * m)
    if job.path is TracebackMethod.NONE:
        return units, None
    start, table, place = perf_counter(), fold_table(job.fold_case), np.array([n, m, 0], np.int64)
    ops, lengths = np.empty(n + m, np.uint8), np.empty(n + m, np.int64)
    size = follow_block(table[job.a], table[job.b], 0, 0, m + lanes - 1, lanes, seen, place, ops, lengths)
    runs = joined([(ops[:size], lengths[:size])], place)
    block_map[0, 0] = BlockState.PATH
    yield step.done("traceback", start, 1, n * m)
    return units, runs


def _matrix(
    job: AffineJob, a: Letters, b: Letters, grid: BlockGrid
) -> Generator[Event, None, tuple[AffineMatrix, int, Runs | None]]:
    step, scoring, kept = job.step, job.scoring, job.path is not TracebackMethod.NONE
    matrix = AffineMatrix(a, b, scoring, grid, kept=kept, threads=job.threads or cores())
    yield _planned(job, grid, matrix.block_map, EVERY_CELL, job.n_cells, matrix.record)
    yield from matrix.prepare(step)
    yield from matrix.compute(step)
    if not kept:
        return matrix, matrix.score(), None
    table = fold_table(job.fold_case)
    runs = yield from matrix.trace(step, table[job.a], table[job.b])
    return matrix, matrix.score(), runs


def _identical(job: AffineJob) -> bool:
    table = fold_table(job.fold_case)
    return job.a.size == job.b.size and all(
        np.array_equal(table[job.a[at : at + PIECE_LETTERS]], table[job.b[at : at + PIECE_LETTERS]])
        for at in range(0, job.a.size, PIECE_LETTERS)
    )


def _gotoh(step: Step, a: Letters, b: Letters, scoring: ScoringScheme, kernel: str) -> Generator[Event, None, int]:
    """Return the scaled score, computed cell by cell."""
    n, m = int(a.size), int(b.size)
    width = -(-m // LANES)
    largest = min(n, width * LANES) * (scoring.reach - 2 * scoring.open) + (n + width * LANES) * scoring.extend
    kind = np.int16 if largest + 4 * scoring.open < 1 << 15 else np.int64
    best, deleted = np.empty((width + 1) * LANES, kind), np.empty(width * LANES, kind)
    n_rows = max(1, PIECE_CELLS // m)
    for row in range(0, n, n_rows):
        start, last = perf_counter(), min(row + n_rows, n)
        gotoh_rows(a, b, scoring.scores, scoring.open, scoring.extend, best, deleted, row, last)
        cells = (last - row) * m if kernel == "blocks" else 0
        yield step.done(kernel, start, 1, cells)
    part, at = divmod(m - 1, width)
    return int(best[(at + 1) * LANES + part]) - m * scoring.extend


def _check(
    step: Step, job: AffineJob, a: Letters, b: Letters, alignment: Alignment, units: int
) -> Generator[Event, None, Columns]:  # fmt: skip
    """Return the column counts; raise an error unless the alignment has these letters and this score."""
    scoring = job.scoring
    checked = yield from verify_alignment(step, job.a, job.b, job.fold_case, alignment, job.threads or cores())
    start, counts = perf_counter(), np.zeros(8, np.int64)
    if checked.right:
        ops, lengths = alignment.ops.copy(), alignment.lengths.copy()
        count_columns(a, b, scoring.scores, scoring.open, scoring.extend, ops, lengths, counts)
    yield step.done("verify", start)
    if not checked.right or counts[UNITS] != units:
        fault = f"failed at run {checked.run + 1:,}" if not checked.right else "does not score what was claimed"
        raise SelfCheckFailed(
            f"the alignment of {job.a.size:,} and {job.b.size:,} letters {fault}; the result was discarded"
        )
    return Columns(*counts[:UNITS].tolist())


def rehearse(scoring: ScoringScheme) -> None:
    """Compile every block function by a call with tiny input."""
    two = np.zeros(2, np.uint8)
    matrix = AffineMatrix(two, two, scoring, affine_matrix.block_grid(scoring, 2, 2), kept=True, threads=1)
    list(matrix.prepare(REHEARSAL))
    list(matrix.compute(REHEARSAL))
    stop(matrix.state.shared)
    run_to_end(matrix.trace(REHEARSAL, two, two))
    run_to_end(_one_block(AffineJob(a=two, b=two, scoring=scoring), two, two, matrix.grid))


def _rehearse_checks() -> None:
    none, frozen = np.zeros(0, np.uint8), np.zeros(0, np.uint8)
    frozen.setflags(write=False)
    scores, nothing = np.zeros((1, 1), np.int16), np.zeros(0, np.int64)
    for kind in (np.int16, np.int64):
        gotoh_rows(none, none, scores, 1, 1, np.zeros(LANES, kind), np.zeros(0, kind), 0, 0)
    recheck_module.rehearse()
    count_columns(none, none, scores, 1, 1, none, nothing, np.zeros(8, np.int64))
    run_to_end(verify_alignment(REHEARSAL, frozen, frozen, False, Alignment(none, nothing)))


def memory(job: AffineJob) -> int:
    """Return the memory of ``job`` in bytes, without its letters."""
    n, m, kept = int(job.a.size), int(job.b.size), job.path is not TracebackMethod.NONE
    coded = job.n_letters * (3 if kept else 1)
    if not n or not m:
        return coded
    if job.kernel is AffineKernel.GOTOH:
        return coded + (33 + 2 * len(job.scoring.matrix.letters)) * m
    grid = affine_matrix.block_grid(job.scoring, n, m, job.block_rows, job.block_cols)
    codes = int(np.count_nonzero(np.bincount(job.b, minlength=256)))
    return coded + affine_matrix.memory(grid, job.scoring, kept=kept, n_codes=codes)


@jit
def gotoh_rows(a, b, scores, first, more, best, deleted, row0, row1):  # type: ignore[no-untyped-def]
    """Advance ``best`` (H) and ``deleted`` (F) from row ``row0`` to ``row1``.

    ``LANES`` parts of a row are interleaved: part k starts at index k of ``deleted`` and at k + ``LANES`` of ``best``,
    after the column to its left. All values are stored plus ``more`` per column. E, the best score that ends with an
    insertion, is the largest H so far in its row minus the opening cost: found within each part, then across them.

    Args:
        a, b: codes. first, more: cost of the first letter of a gap, and of each following letter.
    """
    kind, size = best.dtype.type, deleted.size
    width, opens, extends, joins = size // LANES, kind(first), kind(more), kind(more - first)
    diagonal, above, left = best[:size], best[LANES:], kind(-first - (row0 - 1) * more)
    if row0 == 0:
        above[:], deleted[:], left = joins, kind(more - 2 * first), kind(0)
    pairs, known = np.empty((scores.shape[0], size), np.int16), np.zeros(scores.shape[0], np.bool_)
    here, largest, columns = np.empty(size, best.dtype), np.empty(size + LANES, best.dtype), np.empty(size, b.dtype)
    for j in range(size):
        columns[j % width * LANES + j // width] = b[min(j, b.size - 1)]
    for i in range(row0, row1):
        code = np.int64(a[i])
        if not known[code]:
            known[code] = True
            for x in range(size):
                pairs[code, x] = scores[code, columns[x]] + more
        scored = pairs[code]
        for k in range(LANES):
            best[k] = left if k == 0 else above[size - LANES + k - 1]
        left = far = kind(-first - i * more)
        largest[:LANES] = left
        for x in range(size):
            deleted[x] = max(kind(above[x] - opens), kind(deleted[x] - extends))
            here[x] = max(kind(diagonal[x] + scored[x]), deleted[x])
        for x in range(size):
            largest[x + LANES] = max(largest[x], here[x])
        for k in range(LANES):
            largest[k], far = far, max(far, largest[size + k])
        for x in range(size):
            largest[x + LANES] = max(largest[x], here[x])
        for x in range(size):
            above[x] = max(here[x], kind(largest[x] + joins))


@jit
def count_columns(a, b, scores, first, more, ops, lengths, counts):  # type: ignore[no-untyped-def]
    """Count the columns of an alignment into ``counts``, int64, (8,), by the indices named above."""
    i = j = 0
    for k in range(ops.size):
        op, n = ops[k], lengths[k]
        if op >= INSERTION:
            counts[GAPS] += 1
            counts[GAP_LETTERS] += n
            counts[UNITS] -= first + (n - 1) * more
            i, j = i + (n if op == DELETION else 0), j + (n if op == INSERTION else 0)
            continue
        counts[PAIRS] += n
        counts[IDENTITIES] += n if op == EQUAL else 0
        for x in range(n):
            score = np.int64(scores[a[i + x], b[j + x]])
            counts[UNITS] += score
            counts[POSITIVES] += score > 0
        i, j = i + n, j + n
    counts[ROWS], counts[COLUMNS] = i, j
