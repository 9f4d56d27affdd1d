"""Warm-up jobs of all kernels with affine gaps; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from wavediff.core.jit.warmup import kernel_name
from wavediff.core.jit.warmup_job import WarmupJob, letters
from wavediff.core.methods.affine import AFFINE, AffineJob
from wavediff.core.methods.batch import BatchJob
from wavediff.core.sequences.scoring.builtin import built_in
from wavediff.core.sequences.scoring.scheme import ScoringScheme
from wavediff.core.sequences.sequence import SequencePool

PRIORITY = 16  # after all that comparisons with unit costs need
GAPS = {8: 10, 16: 100}  # bits of a difference: what a gap costs to open


def warmup_jobs() -> list[WarmupJob]:
    """Return a job and a batch for each width of differences."""
    jobs = []
    for rank, (bits, gap_open) in enumerate(GAPS.items()):
        a, b = (b"ACGT"[0] + 0 * letters(1, seed) for seed in (1, 2))
        job = AffineJob(a=a, b=b, scoring=ScoringScheme(built_in("DNAfull"), gap_open, 1), threads=1)
        names = kernel_name("blocks", f"affine {bits}"), *([kernel_name("verify", "affine check")] if not rank else [])
        jobs.append(WarmupJob(PRIORITY + rank, names, job))
        pool = SequencePool.of([a[:1]])
        batch = BatchJob(a=pool, b=pool, method=AFFINE, options={"gap_open": gap_open, "gap_extend": 1}, threads=1)
        jobs.append(WarmupJob(PRIORITY + rank, (kernel_name("pairs", (bits, "affine", "batch")),), batch))
    return jobs
