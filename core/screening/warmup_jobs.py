"""A small job that needs every kernel of the screening; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from wavediff.core.jit.warmup import kernel_name
from wavediff.core.jit.warmup_job import WarmupJob, letters
from wavediff.core.screening.run import KEY
from wavediff.core.screening.shared_kmers import ScreenJob

PRIORITY = 5  # behind the demo's first comparison, beside which it may run


def warmup_jobs() -> list[WarmupJob]:
    """Return the job for all kernels."""
    return [WarmupJob(PRIORITY, (kernel_name("screening", KEY),), ScreenJob(a=letters(4, 1), b=letters(4, 2)))]
