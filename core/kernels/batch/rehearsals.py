"""Small batches that between them need every kernel of many pairs; see ``core.compiling``."""

from __future__ import annotations

from core.jobs import BatchJob
from core.kernels.rehearsal import Rehearsal, letters
from core.kernels.swap_edit.matrix import PLANES
from core.kernels.warm import kernel_name
from core.pool import BatchMethod, Pool

RANK = 20  # after all that one pair needs


def rehearsals() -> list[Rehearsal]:
    """Return a job for each method and number of bit planes."""
    found: list[Rehearsal] = []
    for rank, planes in enumerate(PLANES):
        n_codes = min((1 << planes) - 1, 256)
        for method in BatchMethod:
            names = [kernel_name("pairs", (planes, str(method), "batch"))]
            if not found:
                names.append(kernel_name("encode", "encode batch"))
            job = BatchJob(a=Pool.of([letters(n_codes, 1)]), b=Pool.of([letters(n_codes, 2)]), method=method, threads=1)
            found.append(Rehearsal(RANK + rank, tuple(names), job))
    return found
