"""The ways to an LCS, and the choice between them: what is likely to be fastest, and always a proof."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from core.events import StepDone
from core.jobs import LcsJob, PathMethod, Way
from core.kernels.blocks.shape import choose_shape
from core.kernels.lcs import hirschberg
from core.kernels.lcs.matrix import LcsMatrix, make_ready
from core.kernels.lcs.probe import NOWHERE, Seen, probe_path, probe_steps
from core.kernels.lcs.small import small_length, small_path
from core.kernels.problem import Core, Steps, look_for_seeds
from core.kernels.warm import warm_up
from core.results.alignment import Op

SMALL_CELLS = 1 << 24
ONE_STRIP_CELLS = 1 << 28  # up to here all that a walk needs is kept in the only pass
RATE = 6e11  # cells a second assumed when ways are weighed
PROBE_STEP = 3e-9  # seconds of a probe's step, likewise
PROBE_SHARE = 0.01  # of the time of the whole matrix may go into a probe that fails
PROBE_LEAST = 64  # insertions and deletions; takes no time
PROBE_MOST = 6000  # insertions and deletions; its memory grows with the square
BAND_CELLS = 1 << 30  # below this the whole matrix takes no time
BAND_SHARE = 0.02  # insertions and deletions a letter that a first band of unrelated sequences allows
BAND_TRY = 0.06  # of the matrix; a first band of unrelated sequences may not cost more
BAND_WORTH = 0.75  # of the matrix; a wider band is not tried


def take_way(core: Core[LcsJob]) -> Steps:
    """Solve ``core``: append its path to the pieces where one is wanted, set way and reason, return the length."""
    job, n, m = core.job, int(core.a.size), int(core.b.size)
    if not n or not m:
        return (yield from _only_ends(core, "ends", "one is the other with a single gap" if n or m else "identical"))
    if not core.n_shared and job.way is Way.AUTO:
        return (yield from _only_ends(core, "disjoint", "no letter occurs in both"))
    if (
        n * m <= SMALL_CELLS
        and job.path is not PathMethod.HIRSCHBERG
        and job.way in (Way.AUTO, Way.FULL)
        and not job.block_rows
    ):
        return (yield from _small(core))
    yield from make_ready(job.id, core.n_codes, core.planes, core.wants_path)
    if job.path is PathMethod.HIRSCHBERG:
        return (yield from hirschberg.solve(core, "asked for: halves and recursion, as in paper 1"))
    share: float | None = 0.0
    if job.way is Way.BAND or (job.way is Way.AUTO and core.n_cells >= BAND_CELLS):
        share = yield from look_for_seeds(core)
    tried = 0
    if job.way is Way.PROBE or (job.way is Way.AUTO and share is not None):
        limit = int((2 * PROBE_SHARE * core.n_cells / RATE / core.threads / PROBE_STEP) ** 0.5)
        limit = min(max(limit, PROBE_LEAST), n + m) if job.way is Way.AUTO else n + m
        tried = min(limit, PROBE_MOST)
        if share is not None and job.way is Way.AUTO and tried < PROBE_MOST and 2 * share * min(n, m) > 2 * tried:
            tried = 0  # it would only fail; one of the most edits costs nothing beside the band of such long ones
        length = yield from _probe(core, tried)
        if length >= 0:
            return length
    if job.way in (Way.AUTO, Way.PROBE, Way.BAND):
        length = yield from _band(core, share, tried)
        if length >= 0:
            return length
    return (yield from _full(core))


def _only_ends(core: Core[LcsJob], way: str, reason: str) -> Steps:
    core.pieces.append(
        (np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([core.a.size, core.b.size], np.int64))
    )
    grid, board = core.one_block()
    yield core.planned(way, reason, board, grid, 0)
    return 0


def _small(core: Core[LcsJob]) -> Steps:
    n, m = int(core.a.size), int(core.b.size)
    grid, board = core.one_block()
    yield core.planned("full", f"only {n * m:,} cells", board, grid, n * m)
    tiny = core.a[:1]
    yield from warm_up(core.job.id, "blocks", "small", lambda: (small_length(tiny, tiny), small_path(tiny, tiny)))
    start = perf_counter()
    if not core.wants_path:
        length = int(small_length(core.a, core.b))
    else:
        ops, lengths = small_path(core.a, core.b)
        core.pieces.append((ops, lengths))
        length = int(lengths[ops == Op.EQUAL].sum())
    yield StepDone(core.job.id, "blocks", 1, n * m, perf_counter() - start)
    return length


def _probe(core: Core[LcsJob], limit: int) -> Steps:
    """Return the length, or -1 when more than ``limit`` insertions and deletions are needed."""
    n, m = int(core.a.size), int(core.b.size)
    if abs(n - m) > limit or limit < 4:
        return -1
    tiny = core.a[:1]
    points, seen = np.full(5, NOWHERE, np.int64), np.zeros(1, np.int32)
    yield from warm_up(
        core.job.id,
        "probe",
        "probe",
        lambda: probe_path(1, 1, int(probe_steps(tiny, tiny, points, seen, 0, 1)), seen),
    )
    found = yield from _probe_up_to(core, limit, np.empty(0, np.int32))
    if found < 0:
        return -1
    grid, board = core.one_block()
    yield core.planned("probe", f"O(ND) reached the end after {found:,} insertions and deletions", board, grid, 0)
    if core.wants_path:
        seen = np.empty((found + 1) * (found + 2) // 2, np.int32)
        yield from _probe_up_to(core, found, seen)  # again: remembering the rounds of a failed probe costs more
        start = perf_counter()
        core.pieces.append(probe_path(n, m, found, seen))
        yield StepDone(core.job.id, "traceback", 1, 0, perf_counter() - start)
    return (n + m - found) // 2


def _probe_up_to(core: Core[LcsJob], limit: int, seen: Seen) -> Steps:
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


def _band(core: Core[LcsJob], share: float | None, tried: int) -> Steps:
    """Return the length once a band proves itself, or -1 when the whole matrix is likely to be cheaper."""
    n, m = int(core.a.size), int(core.b.size)
    asked = core.job.way is not Way.AUTO
    if n * m < BAND_CELLS and not asked:
        return -1
    # A change costs at most a deletion and an insertion.
    k = int((BAND_SHARE if share is None else 2 * share) * min(n, m)) + abs(n - m)
    k = max(k, 2 * tried, abs(n - m) + 64)
    worth = BAND_TRY if share is None else BAND_WORTH
    while True:
        slack = (k - abs(n - m)) // 2
        band = min(0, m - n) - slack, max(0, m - n) + slack
        matrix = _matrix(core, band)
        if matrix is None or (matrix.n_cells > worth * core.n_cells and not asked):
            return -1
        reason = f"band of diagonals {band[0]:,} to {band[1]:,}, enough for {k:,} insertions and deletions"
        yield core.planned("band", reason, matrix.state.board, matrix.grid, matrix.n_cells, band=band, threshold=k)
        yield from matrix.compute(core.job.id)
        length = matrix.length()
        distance = n + m - 2 * length
        if distance <= k:
            core.reason = f"{reason}; {distance:,} found, so no better path leaves it"
            if core.wants_path:
                yield from matrix.trace(core.job.id, core.pieces)
            return length
        k, worth = distance, BAND_WORTH  # the path found is an upper bound: a band that holds it holds the best


def _full(core: Core[LcsJob]) -> Steps:
    matrix = _matrix(core, None)
    if matrix is None:
        return (yield from hirschberg.solve(core, "the borders of the blocks do not fit in memory"))
    reason = "asked for"
    if core.job.way is Way.AUTO:
        reason = "too different for a band" if core.n_cells >= BAND_CELLS else f"only {core.n_cells:,} cells"
    yield core.planned("full", reason, matrix.state.board, matrix.grid, matrix.n_cells)
    if core.wants_path and matrix.plan.lo.size == 1 and core.n_cells <= ONE_STRIP_CELLS:
        yield from matrix.trace_alone(core.job.id, core.pieces)
        return matrix.length()
    yield from matrix.compute(core.job.id)
    if core.wants_path:
        yield from matrix.trace(core.job.id, core.pieces)
    return matrix.length()


def _matrix(core: Core[LcsJob], band: tuple[int, int] | None) -> LcsMatrix | None:
    job = core.job
    shape = choose_shape(
        int(core.a.size),
        int(core.b.size),
        threads=core.threads,
        block_rows=job.block_rows,
        block_cols=job.block_cols,
        path=core.wants_path,
        width=None if band is None else band[1] - band[0],
    )
    return None if shape is None else LcsMatrix(core.a, core.b, core.n_codes, core.planes, shape, band)
