"""Small jobs that between them need every kernel of the edit distance with swaps; see ``core.compiling``."""

from __future__ import annotations

from core.jobs import SwapEditJob
from core.kernels.rehearsal import Rehearsal, letters
from core.kernels.swap_edit.matrix import PLANES
from core.kernels.warm import kernel_name

RANK = 12  # after all that comparisons without swaps need


def rehearsals() -> list[Rehearsal]:
    """Return a job for each number of bit planes."""
    found = []
    for rank, planes in enumerate(PLANES):
        n_codes = min((1 << planes) - 1, 256)
        job = SwapEditJob(a=letters(n_codes, 1), b=letters(n_codes, 2), threads=1)
        found.append(Rehearsal(RANK + rank, (kernel_name("blocks", (planes, "swap")),), job))
    return found
