"""The ways to an LCS, and the choice between them: what is likely to be fastest, and always a proof."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Protocol

import numpy as np

from core.events import Event, StepDone
from core.jobs import LcsJob, PathMethod, Way
from core.kernels.blocks.method import LCS_SIGNS
from core.kernels.diagonals.probe import LEAST, STEP, probe
from core.kernels.engine import Engine
from core.kernels.fronts import likely_edits
from core.kernels.lcs import hirschberg
from core.kernels.lcs.small import small_length, small_path
from core.kernels.problem import Core, Steps, look_for_seeds, make_alignment_ready
from core.kernels.seeds.narrow import NARROWEST, Narrowing
from core.kernels.similarity import Changed
from core.kernels.warm import warm_up
from core.results.alignment import Op

PROBE_SHARE = 0.01  # of the time of the whole matrix may go into a probe that fails
PROBE_MOST = 6000  # insertions and deletions; its memory grows with the square
SIGNS = (0,) * LCS_SIGNS
BAND_WORTH = 0.75  # of the matrix's time; a band that takes longer is not tried


class LcsEngine(Engine[LcsJob], Protocol):
    """An engine that may compute the halves of Hirschberg's recursion too."""

    def half(self, core: Core[LcsJob]) -> hirschberg.Half | None:
        """Return what computes a half of ``core``; None: the CPU, in blocks."""
        ...


def take_way(core: Core[LcsJob], engine: LcsEngine) -> Steps:
    """Solve ``core``: append its path to the pieces where one is wanted, set way and reason, return the length."""
    job, n, m = core.job, int(core.a.size), int(core.b.size)
    pace = engine.pace(core)
    if not n or not m:
        return (yield from _only_ends(core, "ends", "one is the other with a single gap" if n or m else "identical"))
    if not core.n_shared and job.way is Way.AUTO:
        return (yield from _only_ends(core, "disjoint", "no letter occurs in both"))
    if (
        n * m <= pace.small_cells
        and job.path is not PathMethod.HIRSCHBERG
        and job.way in (Way.AUTO, Way.FULL)
        and not job.block_rows
    ):
        return (yield from _small(core))
    if job.path is PathMethod.HIRSCHBERG:
        return (yield from hirschberg.solve(core, "asked for: halves and recursion, as in paper 1", engine.half(core)))
    yield from engine.make_ready(core)
    if core.wants_path:
        yield from make_alignment_ready(core)
    changed: Changed | None = Changed(0.0, 0.0)
    if job.way is Way.BAND or (job.way is Way.AUTO and core.n_cells >= pace.instant_cells):
        changed = yield from look_for_seeds(core)
    tried = 0
    if job.way is Way.PROBE or (job.way is Way.AUTO and changed is not None):
        limit = int((2 * PROBE_SHARE * core.n_cells / pace.rate / STEP) ** 0.5)
        limit = min(max(limit, LEAST), n + m) if job.way is Way.AUTO else n + m
        tried = min(limit, PROBE_MOST)
        if changed is not None and job.way is Way.AUTO and changed.high * min(n, m) > tried:
            tried = 0  # it would hardly reach the end
        distance = yield from probe(core, SIGNS, tried, "insertions and deletions")
        if distance >= 0:
            return (n + m - distance) // 2
    if job.way in (Way.AUTO, Way.PROBE, Way.BAND):
        length = yield from _band(core, engine, changed, tried)
        if length >= 0:
            return length
    return (yield from _full(core, engine))


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
    yield from _small_ready(core)
    start = perf_counter()
    if not core.wants_path:
        length = int(small_length(core.a, core.b))
    else:
        ops, lengths = small_path(core.a, core.b)
        core.pieces.append((ops, lengths))
        length = int(lengths[ops == Op.EQUAL].sum())
    yield StepDone(core.job.id, "blocks", 1, n * m, perf_counter() - start)
    return length


def _small_ready(core: Core[LcsJob]) -> Generator[Event, None, None]:
    tiny = core.a[:1]
    yield from warm_up(core.job.id, "blocks", "small", lambda: (small_length(tiny, tiny), small_path(tiny, tiny)))


def _band(core: Core[LcsJob], engine: Engine[LcsJob], changed: Changed | None, tried: int) -> Steps:
    """Return the length once a band proves itself, or -1 when the whole matrix is likely to be cheaper."""
    n, m = int(core.a.size), int(core.b.size)
    asked = core.job.way is not Way.AUTO
    if n * m < engine.pace(core).instant_cells and not asked:
        return -1
    if changed is None:
        yield from _small_ready(core)
        k = yield from likely_edits(core, lambda a, b: a.size + b.size - 2 * int(small_length(a, b)))
    else:  # a change costs at most a deletion and an insertion
        k = int(2 * changed.high * min(n, m)) + abs(n - m)
    k, found = max(k, 2 * tried, abs(n - m) + NARROWEST), False
    narrowing = Narrowing(core, engine, LCS_SIGNS, alike=changed is not None)
    while True:
        k, band, told = yield from narrowing.band(k, found=found)
        matrix = yield from engine.matrix(core, band, 0 if changed is None else k)
        if matrix is None or (matrix.share > BAND_WORTH and not asked):
            return -1
        reason = f"band of diagonals {band[0]:,} to {band[1]:,}, enough for {k:,} insertions and deletions{told}"
        reason += matrix.rounding(core.job.block_rows, core.job.block_cols)
        yield core.planned("band", reason, matrix.board, matrix.grid, matrix.n_cells, band=band, threshold=k)
        yield from matrix.solve(core.job.id, None)
        length = matrix.value()
        distance = n + m - 2 * length
        if distance <= k:
            core.reason = f"{reason}; {distance:,} found, so no better path leaves it"
            if core.wants_path:
                yield from matrix.trace(core.job.id, core.pieces)
            return length
        k, found = distance, True  # that path is an upper bound: a band that holds it holds the best


def _full(core: Core[LcsJob], engine: LcsEngine) -> Steps:
    matrix = yield from engine.matrix(core, None)
    if matrix is None:
        return (yield from hirschberg.solve(core, "the borders of blocks do not fit in memory", engine.half(core)))
    reason = "asked for"
    if core.job.way is Way.AUTO:
        reason = (
            "too different for a band"
            if core.n_cells >= engine.pace(core).instant_cells
            else f"only {core.n_cells:,} cells"
        )
    reason += matrix.rounding(core.job.block_rows, core.job.block_cols)
    yield core.planned("full", reason, matrix.board, matrix.grid, matrix.n_cells)
    walked = yield from matrix.solve(core.job.id, core.pieces if core.wants_path else None)
    if core.wants_path and not walked:
        yield from matrix.trace(core.job.id, core.pieces)
    return matrix.value()
