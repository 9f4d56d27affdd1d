"""The longest common subsequence, as the views and the command line show it."""

from __future__ import annotations

from dataclasses import dataclass

from core.jobs.alignment import Alignment


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LcsResult:
    """Answer to an ``LcsJob``; checked before it is returned.

    Attributes:
        length: letters of the longest common subsequence.
        alignment: its columns (no ``X``; in a gap, D before I), or None when only the length was asked for. Of the best
            ones always the same, but for ``hirschberg``: walking from the end, equal letters first, then D, then I;
            where that first touches the common prefix the rest is one gap. No gap of one kind could be moved a letter
            to the left, by any way.
        way: how it was computed (``ends``, ``disjoint``, ``probe``, ``band``, ``full``, ``hirschberg``).
        reason: why that way, one sentence.
        n_cells: cells of the full n x m matrix.
        cells: cells computed.
        device: ``cpu`` or ``gpu``.
        kernel_seconds, wall_seconds: time inside kernels, and of the whole job without compiling.
    """

    job_id: int
    length: int
    alignment: Alignment | None
    strategy: str
    reason: str
    n_cells: int
    cells: int
    device: str
    kernel_seconds: float
    wall_seconds: float
