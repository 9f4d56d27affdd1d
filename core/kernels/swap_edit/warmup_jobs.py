"""Small jobs that between them need every kernel of the edit distance with swaps; see
``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from functools import partial

from wavediff.core.jit.warmup import kernel_name
from wavediff.core.jit.warmup_job import WarmupJob, letters
from wavediff.core.jobs.events import REHEARSAL
from wavediff.core.kernels.pairwise.recompute import SWAP, kernel_key, make_ready
from wavediff.core.kernels.swap_edit.swap_matrix import PLANES
from wavediff.core.methods.swap import SwapEditJob

PRIORITY = 12  # after all that comparisons without swaps need


def warmup_jobs() -> list[WarmupJob]:
    """Return a job for each number of bit planes."""
    found = [
        WarmupJob(PRIORITY, (kernel_name("verify", kernel_key(SWAP)),), None, partial(make_ready, REHEARSAL, SWAP))
    ]
    for rank, planes in enumerate(PLANES):
        n_codes = min((1 << planes) - 1, 256)
        job = SwapEditJob(a=letters(n_codes, 1), b=letters(n_codes, 2), threads=1)
        found.append(WarmupJob(PRIORITY + rank, (kernel_name("blocks", (planes, "swap")),), job))
    return found
