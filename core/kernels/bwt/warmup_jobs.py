"""Warm-up jobs of all transform kernels; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from wavediff.core.jit.warmup import kernel_name
from wavediff.core.jit.warmup_job import WarmupJob, letters
from wavediff.core.jobs.bwt import BwtJob, IndexJob
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.jobs.compression import CompressionJob

PRIORITY = 30  # after all that compares a pair: the demo does not wait for it, nor does a first comparison


def warmup_jobs() -> list[WarmupJob]:
    text = letters(4, 1)
    names = tuple(
        kernel_name(*one) for one in (("inverse", "inverse"), ("induced", "induced"), ("verify", "bwt check"))
    )
    ternary = BwtJob(text=text, method=BwtMethod.TERNARY)
    return [
        WarmupJob(PRIORITY, names, BwtJob(text=text)),
        WarmupJob(PRIORITY, (kernel_name("packed", "packed"),), BwtJob(text=text, method=BwtMethod.PACKED)),
        WarmupJob(PRIORITY + 1, (kernel_name("ranks", "ranks"),), IndexJob(text=text)),
        WarmupJob(PRIORITY + 2, (kernel_name("ternary", "ternary"),), ternary),
        WarmupJob(PRIORITY + 2, (kernel_name("move-to-front", "move-to-front"),), CompressionJob(text=text, last=text)),
    ]
