"""The LCS by the kernel of paper 1: the length from one matrix, the whole of it by Hirschberg's recursion.

As in the paper (section 3.2) the card computes the halves, forwards and backwards, the recursion is the CPU's, and so
are halves of fewer than 4096 rows (section 3.5). Departures: a flat half goes to the card whatever its rows, for the
CPU would take seconds; and parts of at most a million cells are not halved further, they are solved at once.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from core.arrays import Counts
from core.events import Event, StepDone
from core.jobs import LcsJob, PathMethod
from core.kernels.lcs import hirschberg
from core.kernels.lcs.hirschberg import Part, Show
from core.kernels.problem import Core, Steps
from core.results.alignment import Op
from gpu.card.interface import Card
from gpu.lcs.paper1 import PaperMatrix, Strings

CPU_ROWS = 4096  # from so many rows on a half goes to the card
CPU_CELLS = 1 << 26  # and from so many cells on, which take a core some milliseconds
KERNEL = "the kernel of paper 1"


def take_way(core: Core[LcsJob], card: Card) -> Steps:
    """Solve ``core``: append its path to the pieces where one is wanted, set way and reason, return the length.

    Raises:
        NotEnoughMemory: the match vectors do not fit on the card.
    """
    if not core.n_cells:
        grid, board = core.one_block()
        core.pieces.append(
            (np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([core.a.size, core.b.size], np.int64))
        )
        reason = "one is the other with a single gap" if core.a.size or core.b.size else "identical"
        yield core.planned("ends", reason, board, grid, 0)
        return 0
    strings = Strings(card, core.a, core.b, core.n_codes)
    if core.wants_path:
        asked = core.job.path is PathMethod.HIRSCHBERG
        reason = f"{KERNEL}: halves and recursion" + ("" if asked else ", for it keeps no borders of blocks")
        return (yield from hirschberg.solve(core, reason, Halves(core, strings)))
    matrix = PaperMatrix(strings)
    yield core.planned("full", KERNEL, matrix.board, matrix.grid, matrix.n_cells)
    yield from matrix.compute(core.job.id)
    start = perf_counter()
    length = matrix.length()
    yield StepDone(core.job.id, "download", 1, 0, perf_counter() - start)
    return length


class Halves:
    """See ``core.kernels.lcs.hirschberg.Half``."""

    def __init__(self, core: Core[LcsJob], strings: Strings) -> None:
        self._core, self._strings = core, strings

    def __call__(self, part: Part, backwards: bool, show: Show) -> Generator[Event, None, Counts]:
        if part.n_rows < CPU_ROWS and part.n_cells < CPU_CELLS:
            return (yield from hirschberg.word_half(self._core, part, backwards))
        job_id = self._core.job.id
        matrix = PaperMatrix(self._strings, (part.a0, part.a1), (part.b0, part.b1), backwards=backwards)
        for event in matrix.compute(job_id):
            show(matrix.board)
            yield event
        start = perf_counter()
        profile = matrix.profile()
        yield StepDone(job_id, "download", 1, 0, perf_counter() - start)
        return profile
