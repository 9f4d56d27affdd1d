"""Warm-up jobs of screening kernels; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.warmup_job import WarmupJob, kernel_job
from wavediff.core.screening import dot_index, kmer_table

PRIORITY = 5  # after the demo's first comparison
DOTS_PRIORITY = 31  # next to the exact matches


def warmup_jobs() -> list[WarmupJob]:
    """Return the jobs."""
    return [
        kernel_job(PRIORITY, np.uint8, "screening", kmer_table.KEY, kmer_table.make_ready),
        kernel_job(DOTS_PRIORITY, np.uint8, "dot plot", dot_index.KEY, dot_index.make_ready),
    ]
