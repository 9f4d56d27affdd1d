"""The ways to an edit distance, and the choice between them: what is likely to be fastest, and always a proof.

``Band.PAPER`` does what paper 2 does and nothing more: subsequence check, one band from the Hamming distance, borders
handed through where they only rise and fall. ``Band.AUTO`` begins where that ends: stripped ends, an O(ND) probe, and a
band from sampled seeds that is widened to the distance it found until it proves itself.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from core.errors import NotEnoughMemory
from core.events import Event, StepDone
from core.jobs import Band, EditJob
from core.kernels.bands import gap_band
from core.kernels.blocks.method import EDIT_SIGNS
from core.kernels.diagonals.probe import LEAST, STEP, probe
from core.kernels.edit.bounds import hamming, is_subsequence, subsequence_path
from core.kernels.edit.small import small_distance, small_edit_path
from core.kernels.engine import Engine
from core.kernels.fronts import likely_edits
from core.kernels.problem import Core, Steps, look_for_seeds, make_alignment_ready
from core.kernels.seeds.narrow import NARROWEST, Narrowing
from core.kernels.similarity import Changed
from core.kernels.steps import returned
from core.kernels.warm import warm_up
from core.machine import available_memory
from core.results.alignment import Op
from core.results.edit import BandTry, SkipReason

PROBE_SHARE = 0.01  # of the time of the whole matrix may go into a probe that fails
PROBE_MOST = 5000  # edits; the memory of its path grows with the square
SIGNS = (0,) * EDIT_SIGNS
BAND_WORTH = 0.75  # of the matrix's time; a band that takes longer is not tried


@dataclass(slots=True)
class Skipped:
    """What was not computed, as (reason, blocks, cells), and the bands that were."""

    lines: list[tuple[SkipReason, int, int]] = field(default_factory=list)
    bands: list[BandTry] = field(default_factory=list)


def take_way(core: Core[EditJob], engine: Engine[EditJob], skipped: Skipped) -> Steps:
    """Solve ``core``: append its path to the pieces where one is wanted, set way and reason, return the distance."""
    job, n, m = core.job, int(core.a.size), int(core.b.size)
    pace = engine.pace(core)
    if not n or not m:
        return (yield from _only_ends(core))
    if not core.n_shared and job.band is Band.AUTO:
        return (yield from _disjoint(core, skipped))
    if job.band in (Band.AUTO, Band.PAPER) and n != m:
        distance = yield from _subsequence(core, skipped)
        if distance >= 0:
            return distance
    if n * m <= pace.small_cells and job.band in (Band.AUTO, Band.NONE) and not job.block_rows:
        return (yield from _small(core))
    yield from engine.make_ready(core)
    if core.wants_path:
        yield from make_alignment_ready(core)
    if job.band is Band.FIXED:
        assert job.threshold is not None  # the job checks it
        return (
            yield from _one_band(core, engine, skipped, job.threshold, f"the threshold asked for, {job.threshold:,}")
        )
    if job.band is Band.PAPER:
        yield from warm_up(job.id, "bound", "hamming", lambda: returned(hamming(job.id, core.a[:1], core.b[:1])))
        bound = yield from hamming(job.id, core.a, core.b)
        return (
            yield from _one_band(
                core, engine, skipped, bound, f"Hamming distance of the prefixes bounds it by {bound:,}"
            )
        )
    if job.band is Band.AUTO:
        changed = (yield from look_for_seeds(core)) if core.n_cells >= pace.instant_cells else Changed(0.0, 0.0)
        limit = int((PROBE_SHARE * n * m / pace.rate / STEP) ** 0.5)
        limit = min(max(limit, LEAST), n + m, PROBE_MOST)
        if changed is None or changed.high * min(n, m) > limit:
            limit = 0  # it would hardly reach the end
        distance = yield from probe(core, SIGNS, limit, "edits")
        if distance >= 0:
            skipped.lines.append((SkipReason.PROBE, 0, n * m))
        else:
            distance = yield from _bands(core, engine, skipped, changed, limit)
        if distance >= 0:
            return distance
    reason = "asked for"
    if job.band is Band.AUTO:
        reason = "too different for a band" if core.n_cells >= pace.instant_cells else f"only {core.n_cells:,} cells"
    return (yield from _matrix(core, engine, skipped, None, None, "full", reason, None))


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
    job, tiny = core.job, core.a[:1]

    def rehearse() -> None:
        returned(is_subsequence(job.id, tiny, tiny))
        returned(subsequence_path(job.id, tiny, tiny, int(Op.EQUAL), int(gap)))

    yield from warm_up(job.id, "subsequence", "subsequence", rehearse)
    found = yield from is_subsequence(job.id, part, whole)
    if found and core.wants_path:
        core.pieces.append((yield from subsequence_path(job.id, part, whole, int(Op.EQUAL), int(gap))))
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
    yield from _small_ready(core)
    start = perf_counter()
    if not core.wants_path:
        distance = int(small_distance(core.a, core.b))
    else:
        ops, lengths = small_edit_path(core.a, core.b)
        core.pieces.append((ops, lengths))
        distance = int(lengths[ops != Op.EQUAL].sum())
    yield StepDone(core.job.id, "blocks", 1, n * m, perf_counter() - start)
    return distance


def _small_ready(core: Core[EditJob]) -> Generator[Event, None, None]:
    tiny = core.a[:1]
    yield from warm_up(
        core.job.id, "blocks", "small edit", lambda: (small_distance(tiny, tiny), small_edit_path(tiny, tiny))
    )


def _bands(
    core: Core[EditJob], engine: Engine[EditJob], skipped: Skipped, changed: Changed | None, tried: int
) -> Steps:
    """Return the distance once a band proves itself, or -1 when the whole matrix is likely to be cheaper."""
    n, m = int(core.a.size), int(core.b.size)
    if core.n_cells < engine.pace(core).instant_cells:
        return -1
    if changed is None:
        yield from _small_ready(core)
        k = yield from likely_edits(core, small_distance)
        seeds = "no seed is shared, and fronts tell how much is changed"
    else:
        k, seeds = int(changed.high * min(n, m)) + abs(n - m), f"seeds say about {changed.high:.2%} is changed"
    k, found = max(k, 2 * tried, abs(n - m) + NARROWEST), False
    narrowing = Narrowing(core, engine, EDIT_SIGNS, alike=changed is not None)
    while True:
        k, band, told = yield from narrowing.band(k, found=found)
        reason = f"{seeds}; threshold {k:,}{told}"
        edits = 0 if changed is None else k
        distance = yield from _matrix(core, engine, skipped, k, band, "band", reason, BAND_WORTH, edits)
        if distance < 0 or distance <= k:
            return distance
        # The path found is an upper bound: a band that holds it holds the best.
        k, found, seeds = distance, True, f"a path of {distance:,} edits was found"


def _one_band(core: Core[EditJob], engine: Engine[EditJob], skipped: Skipped, threshold: int, reason: str) -> Steps:
    way = "paper" if core.job.band is Band.PAPER else "band"
    band = gap_band(int(core.a.size), int(core.b.size), threshold)
    return (yield from _matrix(core, engine, skipped, threshold, band, way, reason, None))


def _matrix(
    core: Core[EditJob],
    engine: Engine[EditJob],
    skipped: Skipped,
    threshold: int | None,
    band: tuple[int, int] | None,
    way: str,
    reason: str,
    worth: float | None,
    edits: int = 0,
) -> Steps:
    """Compute the matrix, or a band, and walk back when that is proof.

    Args:
        threshold, band: all paths of so many edits are on these diagonals; None for the whole matrix.
        worth: the share of the time of the matrix that the band may take; None when it is computed anyway.
        edits: that are expected; 0 where nothing is known.

    Returns:
        The distance found, or -1 when the band is not worth it.
    """
    job, n, m = core.job, int(core.a.size), int(core.b.size)
    matrix = core.matrix = yield from engine.matrix(core, band, edits)
    if matrix is None:
        raise NotEnoughMemory(
            f"the block borders of {n:,} x {m:,} letters do not fit in the memory that is available"
            f" ({available_memory():,} bytes on the host); ask for the distance only, without a path"
        )
    if worth is not None and matrix.share > worth:
        return -1
    reason += matrix.rounding(job.block_rows, job.block_cols)
    yield core.planned(way, reason, matrix.board, matrix.grid, matrix.n_cells, band=band, threshold=threshold)
    walked = yield from matrix.solve(job.id, core.pieces if core.wants_path and band is None else None)
    if matrix.n_skipped:
        yield StepDone(job.id, "skipped", 0, matrix.n_skipped, 0.0)
    distance = matrix.value()
    if band is not None and threshold is not None:
        skipped.bands.append(BandTry(threshold, band[0], band[1], distance, matrix.n_cells - matrix.n_skipped))
        if distance > threshold and job.band is not Band.FIXED:
            return distance
    outside, through = matrix.skipped_blocks()
    skipped.lines.append((SkipReason.BAND, outside, core.n_cells - matrix.n_cells))
    skipped.lines.append((SkipReason.MONOTONE, through, matrix.n_skipped))
    if core.wants_path and not walked:
        yield from matrix.trace(job.id, core.pieces)
    return distance
