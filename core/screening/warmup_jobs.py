"""Warm-up of the kernel of the screening; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.warmup_job import WarmupJob, kernel_job
from wavediff.core.screening.kmer_table import KEY, make_ready

PRIORITY = 5  # behind the demo's first comparison, beside which it may run


def warmup_jobs() -> list[WarmupJob]:
    """Return the job for all kernels."""
    return [kernel_job(PRIORITY, np.uint8, "screening", KEY, make_ready)]
