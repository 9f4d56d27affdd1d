"""Protocol of a matrix, whatever computes it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Protocol

from core.arrays import BlockMap, Counts
from core.jobs.events import Event
from core.jobs.grid import BlockGrid
from core.kernels.traceback.left_align import Ops
from core.results.alignment import Alignment


class DpMatrix(Protocol):
    """A matrix or a band of it, computed by blocks."""

    @property
    def block_map(self) -> BlockMap: ...
    @property
    def grid(self) -> BlockGrid: ...
    @property
    def n_cells(self) -> int: ...
    @property
    def n_skipped(self) -> int: ...
    @property
    def share(self) -> float:
        """Return the time that a band is likely to take, over that of the whole matrix."""
        ...

    def rounding(self, block_rows: int, block_cols: int) -> str:
        """Return what to add to a reason: that blocks are not of the size asked for (0: none was), or nothing."""
        ...

    def solve(self, job_id: int, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        """Compute every block; return whether the walk back, wanted where there are ``ranges``, came along with it."""
        ...

    def value(self) -> int:
        """Return the length of the LCS, or the edit distance, inside the band."""
        ...

    def skipped_blocks(self) -> tuple[int, int]:
        """Return the blocks outside the band, and those handed through; before a path is drawn over them."""
        ...

    def trace(self, job_id: int, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        """Walk back from the end, appending runs, last column first."""
        ...

    def mark_prefix_path(self, alignment: Alignment) -> None:
        """Mark the blocks that an alignment of both sequences crosses until it has left the common letters."""
        ...
