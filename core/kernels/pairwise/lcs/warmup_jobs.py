"""Warm-up jobs of all LCS kernels; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial

import numpy as np

from wavediff.core.base.arrays import LetterType
from wavediff.core.jit.warmup import variant
from wavediff.core.jit.warmup_job import PLANES, WarmupJob, kernel_job, letters, name_for
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.pairwise import short_pair
from wavediff.core.kernels.pairwise.blocks import diagonal_trace, packed_pair, tile_traceback
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition import points_check
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.kernels.pairwise.problem import encode, make_alignment_ready, make_ready
from wavediff.core.kernels.pairwise.recompute import INDEL, kernel_key
from wavediff.core.kernels.pairwise.recompute import make_ready as check_ready
from wavediff.core.kernels.traceback import window_solver
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob, Strategy


def warmup_jobs(codes: LetterType = np.uint8) -> list[WarmupJob]:
    """Return jobs for all kernels with codes of type uint8 or uint16; those of the demo pair have rank 0."""
    a, b = (letters(next(iter(PLANES[codes].values())), seed) for seed in (1, 2))
    number, halving = TracebackMethod.NONE, TracebackMethod.HIRSCHBERG
    jobs = (
        (1, "diagonals", "probe", LcsJob(a=a, b=a[1:-1], strategy=Strategy.DIAGONALS, threads=1)),
        (1, "seeds", "seeds", LcsJob(a=a, b=b, strategy=Strategy.BAND, path=number, threads=1)),
        (1, "blocks", "small", LcsJob(a=a, b=b)),
        (3, "split", "hirschberg", LcsJob(a=a, b=b, path=halving, threads=1)),
    )
    # Letters of a job are wider than its codes where few of them are in both.
    few = letters(4, 1).astype(codes)
    pairs = {"verify": (few, few)} | {variant("verify", a[:0]): (a, b)}
    shortcut, tiles = diagonal_trace.name(LCS_SIGNS), tile_traceback.name(LCS_SIGNS)
    return [
        WarmupJob(0, (name_for(codes, "encode", "encode"),), None, partial(make_ready, LcsJob(a=a[:0], b=b))),
        *(
            WarmupJob(0, (name_for(codes, "verify", key),), None, partial(_path_ready, LcsJob(a=one, b=other)))
            for key, (one, other) in pairs.items()
        ),
        kernel_job(0, codes, "encode", packed_pair.NAME, packed_pair.make_ready, codes),
        kernel_job(0, codes, "ties", "ties", window_solver.make_ready, codes),
        kernel_job(0, codes, "verify", kernel_key(INDEL), check_ready, INDEL, codes),
        *([kernel_job(3, codes, "blocks", short_pair.KEY, short_pair.make_ready)] if codes is np.uint8 else ()),
        kernel_job(1, codes, "verify", points_check.KEY, points_check.make_ready, codes),
        *(WarmupJob(rank, (name_for(codes, kernel, key),), job) for rank, kernel, key, job in jobs),
        kernel_job(2, codes, "traceback", shortcut, diagonal_trace.make_ready, (0,), codes),
        kernel_job(100, codes, "traceback", tiles, tile_traceback.make_ready, LCS_SIGNS, card=True),
        *LcsMatrix.warmup_jobs(codes, LcsJob(a=a, b=b, strategy=Strategy.FULL, path=number, threads=1), (0, 0, 2)),
    ]


def _path_ready(job: LcsJob) -> Generator[Event, None, None]:
    yield from make_ready(job)
    yield from make_alignment_ready((yield from encode(job)))
