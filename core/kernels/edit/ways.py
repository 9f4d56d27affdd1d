"""The ways to an edit distance, and the choice between them: what is likely to be fastest, and always a proof.

``Band.PAPER`` does what paper 2 does and nothing more: subsequence check, one band from the Hamming distance, borders
handed through where they only rise and fall. ``Band.AUTO`` begins where that ends: stripped ends, an O(ND) probe, and a
band from sampled seeds that is widened to the distance it found until it proves itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from core.errors import NotEnoughMemory
from core.events import StepDone
from core.jobs import Band, EditJob
from core.kernels.blocks.shape import choose_shape
from core.kernels.edit.bounds import hamming, is_subsequence, subsequence_path
from core.kernels.edit.matrix import EditMatrix, make_ready
from core.kernels.edit.probe import edit_probe_path, edit_probe_steps
from core.kernels.edit.small import small_distance, small_edit_path
from core.kernels.lcs.probe import NOWHERE, Seen
from core.kernels.problem import Core, Steps, look_for_seeds
from core.kernels.warm import warm_up
from core.machine import available_memory
from core.results.alignment import Op
from core.results.edit import BandTry, SkipReason

SMALL_CELLS = 1 << 22
ONE_STRIP_CELLS = 1 << 27  # up to here all that a walk needs is kept in the only pass
RATE = 3.5e11  # cells a second assumed when ways are weighed
PROBE_STEP = 3e-9  # seconds of a probe's step, likewise
PROBE_SHARE = 0.01  # of the time of the whole matrix may go into a probe that fails
PROBE_LEAST = 64  # edits; takes no time
PROBE_MOST = 5000  # edits; the memory of its path grows with the square
BAND_CELLS = 1 << 30  # below this the whole matrix takes no time
BAND_SHARE = 0.02  # edits a letter that a first band of unrelated sequences allows
BAND_TRY = 0.06  # of the matrix; a first band of unrelated sequences may not cost more
BAND_WORTH = 0.75  # of the matrix; a wider band is not tried


@dataclass(slots=True)
class Skipped:
    """What was not computed, as (reason, blocks, cells), and the bands that were."""

    lines: list[tuple[SkipReason, int, int]] = field(default_factory=list)
    bands: list[BandTry] = field(default_factory=list)


def take_way(core: Core[EditJob], skipped: Skipped) -> Steps:
    """Solve ``core``: append its path to the pieces where one is wanted, set way and reason, return the distance."""
    job, n, m = core.job, int(core.a.size), int(core.b.size)
    if not n or not m:
        return (yield from _only_ends(core))
    if not core.n_shared and job.band is Band.AUTO:
        return (yield from _disjoint(core, skipped))
    if job.band in (Band.AUTO, Band.PAPER) and n != m:
        distance = yield from _subsequence(core, skipped)
        if distance >= 0:
            return distance
    if n * m <= SMALL_CELLS and job.band in (Band.AUTO, Band.NONE) and not job.block_rows:
        return (yield from _small(core))
    yield from make_ready(job.id, core.n_codes, core.planes, core.wants_path)
    if job.band is Band.FIXED:
        assert job.threshold is not None  # the job checks it
        return (yield from _one_band(core, skipped, job.threshold, f"the threshold asked for, {job.threshold:,}"))
    if job.band is Band.PAPER:
        yield from warm_up(job.id, "bound", "hamming", lambda: hamming(core.a[:1], core.b[:1]))
        bound = int(hamming(core.a, core.b))
        return (yield from _one_band(core, skipped, bound, f"Hamming distance of the prefixes bounds it by {bound:,}"))
    if job.band is Band.AUTO:
        share = (yield from look_for_seeds(core)) if core.n_cells >= BAND_CELLS else 0.0
        limit = int((PROBE_SHARE * n * m / RATE / core.threads / PROBE_STEP) ** 0.5)
        limit = min(max(limit, PROBE_LEAST), n + m, PROBE_MOST)
        if share is None or (limit < PROBE_MOST and share * min(n, m) > 2 * limit):
            limit = 0  # it would only fail; one of the most edits costs nothing beside the band of such long ones
        distance = yield from _probe(core, skipped, limit)
        if distance < 0:
            distance = yield from _bands(core, skipped, share, limit)
        if distance >= 0:
            return distance
    reason = "asked for"
    if job.band is Band.AUTO:
        reason = "too different for a band" if core.n_cells >= BAND_CELLS else f"only {core.n_cells:,} cells"
    return (yield from _matrix(core, skipped, None, "full", reason, None))


def _only_ends(core: Core[EditJob]) -> Steps:
    n, m = int(core.a.size), int(core.b.size)
    core.pieces.append((np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([n, m], np.int64)))
    grid, board = core.one_block()
    reason = "one is the other with a single gap" if n or m else "identical"
    yield core.planned("ends", reason, board, grid, 0)
    return n + m


def _disjoint(core: Core[EditJob], skipped: Skipped) -> Steps:
    n, m = int(core.a.size), int(core.b.size)
    ops = np.array([Op.MISMATCH, Op.DELETION, Op.INSERTION], np.uint8)
    core.pieces.append((ops, np.array([min(n, m), max(n - m, 0), max(m - n, 0)], np.int64)))
    grid, board = core.one_block()
    yield core.planned("disjoint", "no letter occurs in both", board, grid, 0)
    skipped.lines.append((SkipReason.DISJOINT, 0, n * m))
    return max(n, m)


def _subsequence(core: Core[EditJob], skipped: Skipped) -> Steps:
    """Return the distance when the shorter is a subsequence of the longer, else -1."""
    n, m = int(core.a.size), int(core.b.size)
    part, whole, gap = (core.a, core.b, Op.INSERTION) if n < m else (core.b, core.a, Op.DELETION)
    tiny = core.a[:1]
    yield from warm_up(
        core.job.id,
        "subsequence",
        "subsequence",
        lambda: (is_subsequence(tiny, tiny), subsequence_path(tiny, tiny, 0, 2)),
    )
    start = perf_counter()
    found = bool(is_subsequence(part, whole))
    if found and core.wants_path:
        core.pieces.append(subsequence_path(part, whole, int(Op.EQUAL), int(gap)))
    yield StepDone(core.job.id, "subsequence", 1, 0, perf_counter() - start)
    if not found:
        return -1
    grid, board = core.one_block()
    yield core.planned("subsequence", "the shorter one is a subsequence of the longer", board, grid, 0)
    skipped.lines.append((SkipReason.SUBSEQUENCE, 0, n * m))
    return abs(n - m)


def _small(core: Core[EditJob]) -> Steps:
    n, m = int(core.a.size), int(core.b.size)
    grid, board = core.one_block()
    yield core.planned("full", f"only {n * m:,} cells", board, grid, n * m)
    tiny = core.a[:1]
    yield from warm_up(
        core.job.id, "blocks", "small edit", lambda: (small_distance(tiny, tiny), small_edit_path(tiny, tiny))
    )
    start = perf_counter()
    if not core.wants_path:
        distance = int(small_distance(core.a, core.b))
    else:
        ops, lengths = small_edit_path(core.a, core.b)
        core.pieces.append((ops, lengths))
        distance = int(lengths[ops != Op.EQUAL].sum())
    yield StepDone(core.job.id, "blocks", 1, n * m, perf_counter() - start)
    return distance


def _probe(core: Core[EditJob], skipped: Skipped, limit: int) -> Steps:
    """Return the distance, or -1 when it is more than ``limit``."""
    n, m = int(core.a.size), int(core.b.size)
    if abs(n - m) > limit or limit < 4:
        return -1
    tiny = core.a[:1]
    points, seen = np.full(5, NOWHERE, np.int64), np.zeros(1, np.int32)
    yield from warm_up(
        core.job.id,
        "probe",
        "edit probe",
        lambda: edit_probe_path(1, 1, int(edit_probe_steps(tiny, tiny, points, seen, 0, 1)), seen),
    )
    found = yield from _probe_up_to(core, limit, np.empty(0, np.int32))
    if found < 0:
        return -1
    grid, board = core.one_block()
    yield core.planned("probe", f"O(ND) reached the end after {found:,} edits", board, grid, 0)
    if core.wants_path:
        seen = np.empty((found + 1) * (found + 1), np.int32)
        yield from _probe_up_to(core, found, seen)  # again: remembering the rounds of a failed probe costs more
        start = perf_counter()
        core.pieces.append(edit_probe_path(n, m, found, seen))
        yield StepDone(core.job.id, "traceback", 1, 0, perf_counter() - start)
    skipped.lines.append((SkipReason.PROBE, 0, n * m))
    return found


def _probe_up_to(core: Core[EditJob], limit: int, seen: Seen) -> Steps:
    """Return the distance if it is at most ``limit``, else -1; ``seen`` as in ``edit_probe_steps``."""
    points = np.full(2 * limit + 3, NOWHERE, np.int64)
    d, found = 0, -1
    while found < 0 and d <= limit:
        start = perf_counter()
        end = min(limit + 1, d + max(1, int(0.008 / PROBE_STEP / max(2 * d, 100))))
        found = int(edit_probe_steps(core.a, core.b, points, seen, d, end))
        yield StepDone(core.job.id, "probe", 1, 0, perf_counter() - start)
        d = end
    return found


def _bands(core: Core[EditJob], skipped: Skipped, share: float | None, tried: int) -> Steps:
    """Return the distance once a band proves itself, or -1 when the whole matrix is likely to be cheaper."""
    n, m = int(core.a.size), int(core.b.size)
    if core.n_cells < BAND_CELLS:
        return -1
    k = int((BAND_SHARE if share is None else share) * min(n, m)) + abs(n - m)
    k, worth = max(k, 2 * tried, abs(n - m) + 64), BAND_TRY if share is None else BAND_WORTH
    seeds = "no seed is shared" if share is None else f"seeds say about {share:.2%} is changed"
    while True:
        distance = yield from _matrix(core, skipped, k, "band", f"{seeds}; threshold {k:,}", worth)
        if distance < 0 or distance <= k:
            return distance
        # The path found is an upper bound: a band that holds it holds the best.
        k, worth, seeds = distance, BAND_WORTH, f"a path of {distance:,} edits was found"


def _one_band(core: Core[EditJob], skipped: Skipped, threshold: int, reason: str) -> Steps:
    way = "paper" if core.job.band is Band.PAPER else "band"
    return (yield from _matrix(core, skipped, threshold, way, reason, None))


def _matrix(
    core: Core[EditJob], skipped: Skipped, threshold: int | None, way: str, reason: str, worth: float | None
) -> Steps:
    """Compute the matrix, or the band that holds all paths of ``threshold`` edits, and walk back when that is proof.

    Args:
        worth: the share of the matrix that the band may cover; None when it is computed whatever it covers.

    Returns:
        The distance found, or -1 when the band is not worth it.
    """
    job, n, m = core.job, int(core.a.size), int(core.b.size)
    band = None
    if threshold is not None:
        slack = max(threshold - abs(n - m), 0) // 2
        band = min(0, m - n) - slack, max(0, m - n) + slack
    shape = choose_shape(
        n,
        m,
        threads=core.threads,
        block_rows=job.block_rows,
        block_cols=job.block_cols,
        path=core.wants_path,
        n_signs=2,
        width=None if band is None else band[1] - band[0],
    )
    if shape is None:
        raise NotEnoughMemory(
            f"the block borders of {n:,} x {m:,} letters do not fit in a third of the {available_memory():,} bytes"
            " available; ask for the distance only, without a path"
        )
    matrix = EditMatrix(
        core.a, core.b, core.n_codes, core.planes, shape, band, monotone=job.band in (Band.AUTO, Band.PAPER)
    )
    if worth is not None and matrix.n_cells > worth * core.n_cells:
        return -1
    yield core.planned(way, reason, matrix.state.board, matrix.grid, matrix.n_cells, band=band, threshold=threshold)
    alone = core.wants_path and band is None and matrix.plan.lo.size == 1 and core.n_cells <= ONE_STRIP_CELLS
    if alone:
        yield from matrix.trace_alone(job.id, core.pieces)
    else:
        yield from matrix.compute(job.id)
    if matrix.n_skipped:
        yield StepDone(job.id, "skipped", 0, matrix.n_skipped, 0.0)
    distance = matrix.distance()
    if band is not None and threshold is not None:
        skipped.bands.append(BandTry(threshold, band[0], band[1], distance, matrix.n_cells - matrix.n_skipped))
        if distance > threshold and job.band is not Band.FIXED:
            return distance
    outside, through = matrix.skipped_blocks()
    skipped.lines.append((SkipReason.BAND, outside, core.n_cells - matrix.n_cells))
    skipped.lines.append((SkipReason.MONOTONE, through, matrix.n_skipped))
    if core.wants_path and not alone:
        yield from matrix.trace(job.id, core.pieces)
    return distance
