"""Warm-up jobs of all kernels with swaps; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from functools import partial

import numpy as np

from wavediff.core.base.arrays import LetterType
from wavediff.core.jit.warmup_job import WarmupJob, letters, name_for
from wavediff.core.jobs.events import REHEARSAL
from wavediff.core.kernels.pairwise.recompute import SWAP, kernel_key, make_ready
from wavediff.core.kernels.swap_edit.swap_matrix import REHEARSED
from wavediff.core.methods.swap import SwapEditJob

PRIORITY = 12  # after all that comparisons without swaps need


def warmup_jobs(codes: LetterType = np.uint8) -> list[WarmupJob]:
    """Return a job for each number of bit planes, for codes of type uint8 or uint16."""
    name = partial(name_for, codes)
    jobs = [WarmupJob(PRIORITY, (name("verify", kernel_key(SWAP)),), None, partial(make_ready, REHEARSAL, SWAP, codes))]
    for rank, (planes, n_codes) in enumerate(REHEARSED[codes].items()):
        job = SwapEditJob(a=letters(n_codes, 1), b=letters(n_codes, 2), threads=1)
        jobs.append(WarmupJob(PRIORITY + rank, (name("blocks", (planes, "swap")),), job))
    return jobs
