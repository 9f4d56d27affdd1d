"""Warm-up jobs of exact matches and blocks; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.warmup_job import WarmupJob, kernel_job
from wavediff.core.kernels.exact_matches import run as exact_matches
from wavediff.core.kernels.rearranged import run as rearranged

PRIORITY = 31  # after all that compares a pair


def warmup_jobs() -> list[WarmupJob]:
    matches = kernel_job(PRIORITY, np.uint8, "exact matches", exact_matches.KEY, exact_matches.make_ready)
    return [matches, kernel_job(PRIORITY, np.uint8, "chains", rearranged.KEY, rearranged.make_ready)]
