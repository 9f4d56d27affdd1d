"""What the ways of one LCS job hand to each other."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

from core.arrays import Board, Counts, Letters
from core.events import Event, Planned
from core.grid import BlockGrid
from core.jobs import LcsJob, PathMethod
from core.machine import cores
from core.traceback.runs import Ops

Steps = Generator[Event, None, int]  # returns the length of the LCS of the core


@dataclass(slots=True)
class Core:
    """What is left to compare once equal ends are stripped, and what has been found so far."""

    job: LcsJob
    a: Letters
    b: Letters
    n_codes: int
    planes: int
    prefix: int
    suffix: int
    way: str = ""
    reason: str = ""
    pieces: list[tuple[Ops, Counts]] = field(default_factory=list)

    @property
    def wants_path(self) -> bool:
        return self.job.path is not PathMethod.NONE

    @property
    def threads(self) -> int:
        return self.job.threads or cores()

    @property
    def n_cells(self) -> int:
        return int(self.a.size) * int(self.b.size)

    def planned(self, way: str, reason: str, board: Board, grid: BlockGrid, cells: int) -> Planned:
        self.way, self.reason = way, reason
        placed = BlockGrid(grid.n_rows, grid.n_cols, grid.block_rows, grid.block_cols, self.prefix, self.prefix)
        watched = board.view()
        watched.setflags(write=False)
        return Planned(self.job.id, placed, watched, way, reason, cells)
