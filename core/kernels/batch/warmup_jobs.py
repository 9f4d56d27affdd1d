"""Small batches that between them need every kernel of many pairs; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from wavediff.core.jit.warmup import kernel_name
from wavediff.core.jit.warmup_job import WarmupJob, letters
from wavediff.core.kernels.batch.column_steps import KINDS
from wavediff.core.kernels.swap_edit.swap_matrix import PLANES
from wavediff.core.methods import METHODS
from wavediff.core.methods.batch import BatchJob
from wavediff.core.sequences.sequence_pool import SequencePool

PRIORITY = 20  # after all that one pair needs


def warmup_jobs() -> list[WarmupJob]:
    """Return a job for each method and number of bit planes."""
    found: list[WarmupJob] = []
    for rank, planes in enumerate(PLANES):
        n_codes = min((1 << planes) - 1, 256)
        for method in (one for one in METHODS if one.id in KINDS):
            names = [kernel_name("pairs", (planes, str(method), "batch"))]
            if not found:
                names.append(kernel_name("encode", "encode batch"))
            job = BatchJob(
                a=SequencePool.of([letters(n_codes, 1)]),
                b=SequencePool.of([letters(n_codes, 2)]),
                method=method,
                threads=1,
            )
            found.append(WarmupJob(PRIORITY + rank, tuple(names), job))
    return found
