"""A whole matrix computed for the sake of what it keeps, whatever a comparison would do instead."""

from __future__ import annotations

from collections.abc import Generator

from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.kernels.pairwise.cpu import CpuBackend
from wavediff.core.kernels.pairwise.problem import B, encode, make_ready


def keep_matrix(job: B, backend: CpuBackend[B]) -> Generator[Event, None, KeptMatrix]:
    """Compute every cell of ``job`` and return what cells can be computed again from.

    Raises:
        NotEnoughMemory: that does not fit.
    """
    yield from make_ready(job)
    problem = yield from encode(job, strip=False)
    matrix = yield from backend.matrix(problem, None)
    if matrix is None or matrix.kept is None:
        raise NotEnoughMemory(
            f"to compute {job.a.size:,} x {job.b.size:,} cells so that those at their end can be shown takes more "
            "memory than is free; cells further up take less"
        )
    yield from matrix.solve(job.step, [])
    return matrix.kept
