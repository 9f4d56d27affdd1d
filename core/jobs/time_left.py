"""Estimate of the remaining time of a job."""

from __future__ import annotations

PLANNED = frozenset({"blocks", "with swaps", "without swaps"})  # kernels whose cells ``Planned.cells`` counts
MIN_SHARE = 0.001  # of the cells: before, the time is mostly that of the start of a kernel


def seconds_left(done: int, total: int, seconds: float) -> float | None:
    """Return the remaining seconds, given ``done`` of ``total`` in ``seconds``; None if too early to estimate."""
    return seconds * max(0.0, total / done - 1) if total > 0 and done >= MIN_SHARE * total and done > 0 else None
