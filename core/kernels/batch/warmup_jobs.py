"""Warm-up jobs of all batch kernels; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import LetterType
from wavediff.core.jit.warmup_job import WarmupJob, letters, name_for
from wavediff.core.kernels.batch.column_steps import KINDS
from wavediff.core.kernels.swap_edit.swap_matrix import REHEARSED
from wavediff.core.methods import METHODS
from wavediff.core.methods.batch import BatchJob
from wavediff.core.sequences.sequence import SequencePool

PRIORITY = 20  # after all that one pair needs


def warmup_jobs(codes: LetterType = np.uint8) -> list[WarmupJob]:
    """Return a job for each method and number of bit planes, for codes of type uint8 or uint16."""
    jobs: list[WarmupJob] = []
    for rank, (planes, n_codes) in enumerate(REHEARSED[codes].items()):
        for method in (method for method in METHODS if method.id in KINDS):
            names = [name_for(codes, "pairs", (planes, str(method), "batch"))]
            if not jobs and codes is np.uint8:
                names.append(name_for(codes, "encode", "encode batch"))
            job = BatchJob(
                a=SequencePool.of([letters(n_codes, 1)]),
                b=SequencePool.of([letters(n_codes, 2)]),
                method=method,
                threads=1,
            )
            jobs.append(WarmupJob(PRIORITY + rank, tuple(names), job))
    return jobs
