"""Warm-up of the kernel of lines; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.warmup_job import WarmupJob, kernel_job
from wavediff.core.kernels.lines.line_numbers import KEY, make_ready

PRIORITY = 19  # large texts alone need it


def warmup_jobs() -> list[WarmupJob]:
    """Return the job for all kernels."""
    return [kernel_job(PRIORITY, np.uint8, "lines", KEY, make_ready)]
