"""Warm-up of the kernels of exact matches; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.warmup_job import WarmupJob, kernel_job
from wavediff.core.kernels.exact_matches.run import KEY, make_ready

PRIORITY = 31  # after all that compares a pair


def warmup_jobs() -> list[WarmupJob]:
    return [kernel_job(PRIORITY, np.uint8, "exact matches", KEY, make_ready)]
