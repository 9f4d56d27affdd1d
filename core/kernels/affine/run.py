"""Global alignment with affine gaps on the CPU: computation, traceback, verification.

Source: Gotoh 1982, in the differences of Suzuki and Kasahara 2018; see ``blocks``. The alignment comes from kept block
borders, recomputing the blocks that it crosses.

Checks of a score: Gotoh's recurrence as published, cell by cell, and the score of an alignment's own columns.

Nothing of the vectors, the differences and the blocks is used here.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.affine_result import AffineResult, Columns
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.event_streams import EventTotals, run_to_end
from wavediff.core.jobs.events import REHEARSAL, Event, Planned, Step
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.jobs.verification import Check, Verification
from wavediff.core.kernels.affine import affine_matrix
from wavediff.core.kernels.affine import recheck as recheck_module
from wavediff.core.kernels.affine.affine_matrix import AffineMatrix, width_of
from wavediff.core.kernels.affine.recheck import recheck
from wavediff.core.kernels.block_threads import stop
from wavediff.core.kernels.traceback.left_align import Runs
from wavediff.core.kernels.traceback.verify import verify_alignment
from wavediff.core.methods.affine import AffineJob, AffineKernel
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.sequences.characters import fold_table
from wavediff.core.sequences.scoring.matrix import ABSENT
from wavediff.core.sequences.scoring.scheme import ScoringScheme
from wavediff.core.system.machine import cores

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
IDENTITIES, POSITIVES, PAIRS, GAPS, GAP_LETTERS, UNITS, ROWS, COLUMNS = range(8)  # of ``count_columns``
LOWEST = -(1 << 60)
PIECE_LETTERS = 1 << 22  # encoded between two reports
CHECKED_CELLS = 1 << 19  # of small matrices, which are all computed a second time cell by cell: about a millisecond
PIECE_CELLS = 1 << 22  # computed cell by cell between two reports
EVERY_CELL = "every cell is computed"


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
    units, alignment, columns, strategy, reason, checked = yield from tally.watch(_steps(job))
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


Answer = tuple[int, Alignment | None, Columns | None, str, str, Verification | None]


def _steps(job: AffineJob) -> Generator[Event, None, Answer]:
    scoring, n, m = job.scoring, int(job.a.size), int(job.b.size)
    matrix: AffineMatrix | None = None
    yield from warm_up(job.step, "verify", "affine check", _rehearse_checks)
    a = yield from _encode(job, job.a, "the reference")
    b = yield from _encode(job, job.b, "the query")
    grid = BlockGrid(n, m, max(n, 1), max(m, 1))
    runs: Runs | None = None
    if not n or not m:
        strategy, reason = (
            "common-ends",
            "one sequence is empty" if n or m else "both sequences are empty",
        )
        yield _planned(job, grid, np.full(grid.shape, BlockState.PATH, np.uint8), strategy, reason, 0)
        units = -(scoring.open + (n + m - 1) * scoring.extend) if n or m else 0
        ops = np.full(1 if n or m else 0, Op.DELETION if n else Op.INSERTION, np.uint8)
        runs = ops, np.full(ops.size, n + m)
    elif job.kernel is AffineKernel.GOTOH:
        strategy, reason = "full", "every cell is computed, one after the other"
        block_map = np.full(grid.shape, BlockState.RUNNING, np.uint8)
        yield _planned(job, grid, block_map, strategy, reason, n * m)
        units = yield from _gotoh(job.step, a, b, scoring, "blocks")
        block_map[:] = BlockState.DONE
    else:
        strategy, reason = "full", EVERY_CELL
        matrix, units, runs = yield from _matrix(job, a, b)
    checked = yield from _verify(job, a, b, matrix, units)
    if job.path is TracebackMethod.NONE or runs is None:
        return units, None, None, strategy, reason, checked
    alignment = Alignment(*runs)
    columns = yield from _check(job, a, b, alignment, units)
    return units, alignment, columns, strategy, reason, checked


def _verify(
    job: AffineJob, a: Letters, b: Letters, matrix: AffineMatrix | None, units: int
) -> Generator[Event, None, Verification | None]:
    """Recompute the score by another method, completely or as far as it is cheap.

    Args:
        matrix: None where cells were computed one by one, or none.

    Raises:
        SelfCheckFailed: it came out differently.
    """
    n, m, scale = int(job.a.size), int(job.b.size), job.scoring.scale
    if matrix is None:
        return None if n and m else Verification(Check.BOUND)
    if n * m <= CHECKED_CELLS:
        verification, again = Verification(Check.RECOMPUTED), (yield from _gotoh(job.step, a, b, job.scoring, "verify"))
    else:
        looked = yield from recheck(job.step, matrix, a, b, job.scoring.scores.copy())
        if looked.fault:
            raise SelfCheckFailed(
                f"of the matrix of {n:,} and {m:,} letters {looked.fault} came out differently when they were computed "
                "again in another way; the result was thrown away"
            )
        verification, again = Verification(Check.SAMPLED, looked.share), looked.value
    if again != units:
        raise SelfCheckFailed(
            f"the score of {n:,} and {m:,} letters came out as {units / scale:,g}, and as {again / scale:,g} when it "
            "was computed again in another way; the result was thrown away"
        )
    return verification


def _planned(
    job: AffineJob,
    grid: BlockGrid,
    block_map: Letters,
    strategy: str,
    reason: str,
    cells: int,
    record: RunRecord | None = None,
) -> Planned:
    watched = block_map.view()
    watched.setflags(write=False)
    return Planned(job.id, grid, watched, strategy, reason, cells, record=record)


def _encode(job: AffineJob, letters: Letters, side: str) -> Generator[Event, None, Letters]:
    matrix, codes = job.scoring.matrix, np.empty(letters.size, np.uint8)
    for at in range(0, letters.size, PIECE_LETTERS):
        start = perf_counter()
        codes[at : at + PIECE_LETTERS] = matrix.codes[letters[at : at + PIECE_LETTERS]]
        yield job.step.done("encode", start)
    if codes.max(initial=0) == ABSENT:
        matrix.require_letters(np.bincount(letters, minlength=256), side)
    return codes


def _matrix(job: AffineJob, a: Letters, b: Letters) -> Generator[Event, None, tuple[AffineMatrix, int, Runs | None]]:
    scoring, kept = job.scoring, job.path is not TracebackMethod.NONE
    width = width_of(scoring)
    yield from warm_up(job.step, "blocks", f"affine {8 * width}", lambda: rehearse(scoring))
    matrix = AffineMatrix(
        a, b, scoring, kept=kept, threads=job.threads or cores(), block_rows=job.block_rows, block_cols=job.block_cols
    )
    yield _planned(job, matrix.grid, matrix.block_map, "full", EVERY_CELL, job.n_cells, matrix.record)
    yield from matrix.prepare(job.step)
    yield from matrix.compute(job.step)
    if not kept:
        return matrix, matrix.score(), None
    table = fold_table(job.fold_case)
    runs = yield from matrix.trace(job.step, table[job.a], table[job.b])
    return matrix, matrix.score(), runs


def _identical(job: AffineJob) -> bool:
    if job.a.size != job.b.size:
        return False
    table = fold_table(job.fold_case)
    return all(
        np.array_equal(table[job.a[at : at + PIECE_LETTERS]], table[job.b[at : at + PIECE_LETTERS]])
        for at in range(0, job.a.size, PIECE_LETTERS)
    )


def _gotoh(step: Step, a: Letters, b: Letters, scoring: ScoringScheme, kernel: str) -> Generator[Event, None, int]:
    """Return the scaled score, computed cell by cell."""
    n, m = int(a.size), int(b.size)
    best, deleted = np.empty(m + 1, np.int64), np.empty(m + 1, np.int64)
    scores = scoring.scores.copy()
    n_rows = max(1, PIECE_CELLS // m)
    for row in range(0, n, n_rows):
        start, last = perf_counter(), min(row + n_rows, n)
        gotoh_rows(a, b, scores, scoring.open, scoring.extend, best, deleted, row, last)
        cells = (last - row) * m if kernel == "blocks" else 0
        yield step.done(kernel, start, 1, cells)
    return int(best[m]) - m * scoring.extend


def _check(
    job: AffineJob, a: Letters, b: Letters, alignment: Alignment, units: int
) -> Generator[Event, None, Columns]:  # fmt: skip
    """Return the column counts; raise an error unless the alignment has these letters and this score."""
    scoring = job.scoring
    checked = yield from verify_alignment(job.step, job.a, job.b, job.fold_case, alignment, job.threads or cores())
    start, counts = perf_counter(), np.zeros(8, np.int64)
    if checked.right:
        ops, lengths = alignment.ops.copy(), alignment.lengths.copy()
        count_columns(a, b, scoring.scores.copy(), scoring.open, scoring.extend, ops, lengths, counts)
    yield job.step.done("verify", start)
    if not checked.right or counts[UNITS] != units:
        fault = f"failed at run {checked.run + 1:,}" if not checked.right else "does not score what was claimed"
        raise SelfCheckFailed(
            f"the alignment of {job.a.size:,} and {job.b.size:,} letters {fault}; the result was thrown away"
        )
    return Columns(*counts[:UNITS].tolist())


def rehearse(scoring: ScoringScheme) -> None:
    """Compile every block function by a call with tiny input."""
    one = np.zeros(1, np.uint8)
    matrix = AffineMatrix(one, one, scoring, kept=True, threads=1)
    list(matrix.prepare(REHEARSAL))
    list(matrix.compute(REHEARSAL))
    stop(matrix.state.shared)
    run_to_end(matrix.trace(REHEARSAL, one, one))


def _rehearse_checks() -> None:
    none, frozen = np.zeros(0, np.uint8), np.zeros(0, np.uint8)
    frozen.setflags(write=False)
    scores, row, nothing = np.zeros((1, 1), np.int16), np.zeros(1, np.int64), np.zeros(0, np.int64)
    gotoh_rows(none, none, scores, 1, 1, row, row, 0, 0)
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
        return coded + (32 + 2 * len(job.scoring.matrix.letters)) * m
    rows, cols = affine_matrix.block_shape(job.scoring, n, m, job.block_rows, job.block_cols)
    codes = int(np.count_nonzero(np.bincount(job.b, minlength=256)))
    return coded + affine_matrix.memory(n, m, job.scoring, kept=kept, rows=rows, cols=cols, n_codes=codes)


@jit
def gotoh_rows(a, b, scores, first, more, best, deleted, row0, row1):  # type: ignore[no-untyped-def]
    """Advance ``best`` (H) and ``deleted`` (F), int64, (columns + 1,), from row ``row0`` to ``row1``.

    Both are kept with ``more`` added for each column. The best that ends with an insertion (E) is then the largest H
    so far in its row, less what opens the gap: only that is found one cell after the other.

    Args:
        a, b: codes. first, more: what the first letter of a gap costs, and every further one.
    """
    m = b.size
    diagonal, above, gaps = best[:m], best[1:], deleted[1:]
    if row0 == 0:
        best[0], above[:], gaps[:] = 0, more - first, LOWEST
    pairs, known = np.empty((scores.shape[0], m), np.int16), np.zeros(scores.shape[0], np.bool_)
    here, largest = np.zeros(m + 1, np.int64), np.empty(m + 1, np.int64)
    for i in range(row0, row1):
        code = np.int64(a[i])
        if not known[code]:
            known[code] = True
            for j in range(m):
                pairs[code, j] = scores[code, b[j]] + more
        scored = pairs[code]
        for j in range(m):
            gaps[j] = max(above[j] - first, gaps[j] - more)
        for j in range(m):
            here[j] = max(diagonal[j] + scored[j], gaps[j])
        far = best[0] = -first - i * more
        for half in range((m + 1) // 2):  # two cells in the time that one waits for the other
            one, other = here[2 * half], here[2 * half + 1]
            largest[2 * half], largest[2 * half + 1] = far, max(far, one)
            far = max(far, max(one, other))
        for j in range(m):
            above[j] = max(here[j], largest[j] + more - first)


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
