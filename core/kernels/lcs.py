"""Longest common subsequence on the CPU: choose the way, compute, walk back, check.

Source: paper 1 (Kawanami and Fujimoto) for the bit-parallel column step, the block grid and Hirschberg's
recursion; paper 2 (Sudo and Shinohara) for the staggered layout and the queue of ready blocks. We
depart from paper 1 in three ways: rows are bit-sliced, so no addition needs a carry chain; the path comes
from kept block borders in one pass, Hirschberg's two-pass recursion being a choice; and similar sequences
do not cost the whole matrix (stripped ends, an O(ND) probe, a band that proves itself).
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from core import bits
from core.arrays import freeze
from core.errors import SelfCheckFailed
from core.events import Compiled, Event, StepDone
from core.grid import BlockGrid, BlockState
from core.jobs import LcsJob, PathMethod, Way
from core.kernels import hirschberg
from core.kernels.lcs_core import Core, Steps
from core.kernels.lcs_matrix import Matrix, Shape, choose_shape, make_ready
from core.kernels.lcs_small import small_length, small_path
from core.kernels.probe import NOWHERE, Seen, probe_path, probe_steps
from core.kernels.similarity import guess_indels
from core.machine import available_memory
from core.results.alignment import Alignment, Op
from core.results.lcs import LcsResult
from core.traceback.runs import MORE, RIGHT, canonical, from_walk, replay

SMALL_CELLS = 1 << 20
ONE_STRIP_CELLS = 1 << 28  # up to here all that a walk needs is kept in the only pass
PIECE = 1 << 23  # letters encoded between two reports
RATE = 6e11  # cells a second assumed when ways are weighed
PROBE_STEP = 3e-9  # seconds of a probe's step, likewise
PROBE_SHARE = 0.01  # of the time of the whole matrix may go into a probe that fails
PROBE_MOST = 6000  # insertions and deletions; its memory grows with the square
BAND_CELLS = 1 << 30  # below this the whole matrix takes no time
BAND_SHARE = 0.02  # insertions and deletions a letter that a first band of unrelated sequences allows
BAND_TRY = 0.06  # of the matrix; a first band of unrelated sequences may not cost more
BAND_WORTH = 0.75  # of the matrix; a wider band is not tried
_warm: set[bool] = set()


def run(job: LcsJob) -> Generator[Event, None, LcsResult]:
    """Compute ``job``; see ``core.results.lcs.LcsResult``.

    Raises:
        SelfCheckFailed: the result contradicted itself.
    """
    kernel_seconds, compile_seconds, cells = 0.0, 0.0, 0
    start = perf_counter()
    steps = _steps(job)
    try:
        while True:
            event = next(steps)
            if isinstance(event, StepDone):
                kernel_seconds += event.seconds
                cells += event.cells
            elif isinstance(event, Compiled):
                compile_seconds += event.seconds
            yield event
    except StopIteration as end:
        core, length, alignment = end.value
    finally:
        steps.close()
    return LcsResult(
        job_id=job.id, length=length, alignment=alignment, way=core.way, reason=core.reason,
        n_cells=int(job.a.size) * int(job.b.size), cells=cells, device="cpu",
        kernel_seconds=kernel_seconds, wall_seconds=perf_counter() - start - compile_seconds,
    )


def _steps(job: LcsJob) -> Generator[Event, None, tuple[Core, int, Alignment | None]]:
    yield from _make_ready(job)
    core = yield from _encode(job)
    length = core.prefix + core.suffix
    length += yield from _take_way(core)
    if not core.wants_path:
        return core, length, None
    start = perf_counter()
    alignment = from_walk(core.pieces, core.prefix, core.suffix)
    yield StepDone(job.id, "traceback", 0, 0, perf_counter() - start)
    yield from _check(core, alignment, length)
    return core, length, alignment


def _make_ready(job: LcsJob) -> Generator[Event, None, None]:
    """Compile (or load) what every job needs, once a process."""
    if not _warm:
        start = perf_counter()
        frozen = job.a[:0]
        bits.count_bytes(frozen)
        codes = bits.encode(frozen, np.zeros(256, np.uint8))
        bits.common_suffix(codes, codes)
        bits.common_prefix(codes, codes)
        yield Compiled(job.id, "encode", perf_counter() - start)
        start = perf_counter()
        ops, lengths = canonical(np.zeros(0, np.uint8), np.zeros(0, np.int64))
        Alignment(ops, lengths)
        replay(frozen, frozen, codes, freeze(ops), freeze(lengths), np.zeros(4, np.int64), 1)
        yield Compiled(job.id, "check", perf_counter() - start)
        _warm.add(True)


def _encode(job: LcsJob) -> Generator[Event, None, Core]:
    counts, codes = [], []
    start = perf_counter()
    for letters in (job.a, job.b):
        total = np.zeros(256, np.int64)
        for at in range(0, letters.size, PIECE):
            total += bits.count_bytes(letters[at : at + PIECE])
            if perf_counter() - start > 0.01:
                yield StepDone(job.id, "encode", 1, 0, perf_counter() - start)
                start = perf_counter()
        counts.append(total)
    code = bits.dense_code(counts[0], counts[1], job.fold_case)
    for letters in (job.a, job.b):
        out = np.empty(letters.size, np.uint8)
        for at in range(0, letters.size, PIECE):
            out[at : at + PIECE] = bits.encode(letters[at : at + PIECE], code.table)
            if perf_counter() - start > 0.01:
                yield StepDone(job.id, "encode", 1, 0, perf_counter() - start)
                start = perf_counter()
        codes.append(out)
    a, b = codes
    prefix = bits.common_prefix(a, b)
    a, b = a[prefix:], b[prefix:]
    suffix = bits.common_suffix(a, b)
    a, b = a[: a.size - suffix], b[: b.size - suffix]
    yield StepDone(job.id, "encode", 1, 0, perf_counter() - start)
    return Core(job, a, b, code.n_codes, code.planes, prefix, suffix)


def _take_way(core: Core) -> Steps:
    job, n, m = core.job, int(core.a.size), int(core.b.size)
    if not n or not m:
        return (yield from _only_ends(core))
    if n * m <= SMALL_CELLS and job.path is not PathMethod.HIRSCHBERG and job.way in (Way.AUTO, Way.FULL) and not job.block_rows:
        return (yield from _small(core))
    yield from make_ready(job.id, core.n_codes, core.planes, core.wants_path)
    if job.path is PathMethod.HIRSCHBERG:
        return (yield from hirschberg.solve(core, "asked for: halves and recursion, as in paper 1"))
    tried = 0
    if job.way in (Way.AUTO, Way.PROBE):
        limit = int((2 * PROBE_SHARE * core.n_cells / RATE / core.threads / PROBE_STEP) ** 0.5)
        limit = min(limit, n + m) if job.way is Way.AUTO else n + m
        tried = min(limit, PROBE_MOST)
        length = yield from _probe(core, tried)
        if length >= 0:
            return length
    if job.way in (Way.AUTO, Way.PROBE, Way.BAND):
        length = yield from _band(core, tried)
        if length >= 0:
            return length
    return (yield from _full(core))


def _only_ends(core: Core) -> Steps:
    core.way = "ends"
    core.reason = "identical" if not core.a.size and not core.b.size else "one is the other with a single gap"
    core.pieces.append((np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([core.a.size, core.b.size], np.int64)))
    board = np.zeros((0, 0), np.uint8)
    yield core.planned(core.way, core.reason, board, BlockGrid(int(core.a.size), int(core.b.size), 1, 1), 0)
    return 0


def _small(core: Core) -> Steps:
    n, m = int(core.a.size), int(core.b.size)
    board = np.zeros((1, 1), np.uint8)
    yield core.planned("full", f"only {n * m:,} cells", board, BlockGrid(n, m, n, m), n * m)
    start = perf_counter()
    if not core.wants_path:
        length = int(small_length(core.a, core.b))
    else:
        ops, lengths = small_path(core.a, core.b)
        core.pieces.append((ops, lengths))
        length = int(lengths[ops == Op.EQUAL].sum())
    board[:] = BlockState.PATH if core.wants_path else BlockState.DONE
    yield StepDone(core.job.id, "blocks", 1, n * m, perf_counter() - start)
    return length


def _probe(core: Core, limit: int) -> Steps:
    """Return the length, or -1 when more than ``limit`` insertions and deletions are needed."""
    n, m = int(core.a.size), int(core.b.size)
    if abs(n - m) > limit or limit < 4:
        return -1
    board = np.zeros((0, 0), np.uint8)
    yield core.planned("probe", f"O(ND) for up to {limit:,} insertions and deletions", board, BlockGrid(n, m, 1, 1), 0)
    found = yield from _probe_up_to(core, limit, np.empty(0, np.int32))
    if found < 0:
        return -1
    core.reason = f"O(ND) reached the end after {found:,} insertions and deletions"
    if core.wants_path:
        seen = np.empty((found + 1) * (found + 2) // 2, np.int32)
        yield from _probe_up_to(core, found, seen)  # again: remembering the rounds of a failed probe costs more
        start = perf_counter()
        core.pieces.append(probe_path(n, m, found, seen))
        yield StepDone(core.job.id, "traceback", 1, 0, perf_counter() - start)
    return (n + m - found) // 2


def _probe_up_to(core: Core, limit: int, seen: Seen) -> Steps:
    """Return the indel distance if it is at most ``limit``, else -1; ``seen`` as in ``probe_steps``."""
    points = np.full(2 * limit + 3, NOWHERE, np.int64)
    d, found = 0, -1
    while found < 0 and d <= limit:
        start = perf_counter()
        end = min(limit + 1, d + max(1, int(0.008 / PROBE_STEP / max(d, 100))))
        found = int(probe_steps(core.a, core.b, points, seen, d, end))
        yield StepDone(core.job.id, "probe", 1, 0, perf_counter() - start)
        d = end
    return found


def _band(core: Core, tried: int) -> Steps:
    """Return the length once a band proves itself, or -1 when the whole matrix is likely to be cheaper."""
    n, m = int(core.a.size), int(core.b.size)
    asked = core.job.way is not Way.AUTO
    if n * m < BAND_CELLS and not asked:
        return -1
    start = perf_counter()
    guess = guess_indels(core.a, core.b, core.n_codes)
    yield StepDone(core.job.id, "seeds", 1, 0, perf_counter() - start)
    k = guess if guess is not None else int(BAND_SHARE * min(n, m)) + abs(n - m)
    k = max(k, 2 * tried, abs(n - m) + 64)
    worth = BAND_WORTH if guess is not None else BAND_TRY
    while True:
        slack = (k - abs(n - m)) // 2
        band = min(0, m - n) - slack, max(0, m - n) + slack
        matrix = _matrix(core, band)
        if matrix is None or (matrix.n_cells > worth * core.n_cells and not asked):
            return -1
        reason = f"band of diagonals {band[0]:,} to {band[1]:,}, enough for {k:,} insertions and deletions"
        yield core.planned("band", reason, matrix.state.board, matrix.grid, matrix.n_cells)
        yield from matrix.compute(core.job.id)
        length = matrix.length()
        distance = n + m - 2 * length
        if distance <= k:
            core.reason = f"{reason}; {distance:,} found, so no better path leaves it"
            if core.wants_path:
                yield from matrix.trace(core.job.id, core.pieces)
            return length
        k, worth = distance, BAND_WORTH  # the path found is an upper bound: a band that holds it holds the best


def _full(core: Core) -> Steps:
    matrix = _matrix(core, None)
    if matrix is None:
        return (yield from hirschberg.solve(core, "the borders of the blocks do not fit in memory"))
    reason = "too different for a band" if core.job.way is Way.AUTO else "asked for"
    yield core.planned("full", reason, matrix.state.board, matrix.grid, matrix.n_cells)
    if core.wants_path and matrix.plan.lo.size == 1 and core.n_cells <= ONE_STRIP_CELLS:
        return (yield from matrix.trace_alone(core.job.id, core.pieces))
    yield from matrix.compute(core.job.id)
    if core.wants_path:
        yield from matrix.trace(core.job.id, core.pieces)
    return matrix.length()


def _matrix(core: Core, band: tuple[int, int] | None) -> Matrix | None:
    job = core.job
    shape = choose_shape(
        int(core.a.size), int(core.b.size), threads=core.threads, block_rows=job.block_rows, block_cols=job.block_cols,
        path=core.wants_path, width=None if band is None else band[1] - band[0],
    )
    return shape and Matrix(core.a, core.b, core.n_codes, core.planes, shape, band)


def _check(core: Core, alignment: Alignment, length: int) -> Generator[Event, None, None]:
    """Raise unless the alignment is one of the letters themselves, with ``length`` equal ones and no mismatch."""
    start, job = perf_counter(), core.job
    table = np.arange(256, dtype=np.uint8)
    if job.fold_case:
        table[ord("a") : ord("z") + 1] -= ord("a") - ord("A")
    place = np.zeros(4, np.int64)
    while replay(job.a, job.b, table, alignment.ops, alignment.lengths, place, PIECE) == MORE:
        yield StepDone(job.id, "check", 1, 0, perf_counter() - start)
        start = perf_counter()
    equal = alignment.count(Op.EQUAL)
    if place[0] != RIGHT or equal != length or alignment.count(Op.MISMATCH):
        raise SelfCheckFailed(
            f"the LCS of {job.a.size:,} and {job.b.size:,} letters failed its check at run {place[1] + 1:,} of"
            f" {alignment.ops.size:,} ({equal:,} equal letters, {length:,} claimed); the result was thrown away"
        )
    yield StepDone(job.id, "check", 1, 0, perf_counter() - start)
