"""Small jobs that between them need every kernel of the transform; see ``core.compiling``."""

from __future__ import annotations

from core.bwt_jobs import BwtJob, BwtMethod, IndexJob
from core.kernels.rehearsal import Rehearsal, letters
from core.kernels.warm import kernel_name

RANK = 30  # after all that compares a pair: the demo does not wait for it, nor does a first comparison


def rehearsals() -> list[Rehearsal]:
    """Return jobs for all kernels."""
    text = letters(4, 1)
    names = tuple(kernel_name(*one) for one in (("inverse", "inverse"), ("induced", "induced"), ("check", "bwt check")))
    ternary = BwtJob(text=text, method=BwtMethod.TERNARY)
    return [
        Rehearsal(RANK, names, BwtJob(text=text)),
        Rehearsal(RANK, (kernel_name("packed", "packed"),), BwtJob(text=text, method=BwtMethod.PACKED)),
        Rehearsal(RANK + 1, (kernel_name("ranks", "ranks"),), IndexJob(text=text)),
        Rehearsal(RANK + 2, (kernel_name("ternary", "ternary"),), ternary),
    ]
