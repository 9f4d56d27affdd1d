"""Small jobs that between them need every kernel of the LCS in every variant; see
``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial

import numpy as np

from wavediff.core.base.arrays import LetterType
from wavediff.core.jit.warmup import variant
from wavediff.core.jit.warmup_job import ONE_STRIP_ROWS, PLANES, WarmupJob, letters, name_for
from wavediff.core.jobs.events import REHEARSAL, Event
from wavediff.core.kernels.pairwise.blocks import diagonal_trace, packed_pair, tile_traceback
from wavediff.core.kernels.pairwise.blocks.block_worker import planes_of
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition import points_check
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.kernels.pairwise.problem import encode, make_alignment_ready, make_ready
from wavediff.core.kernels.pairwise.recompute import INDEL, kernel_key
from wavediff.core.kernels.pairwise.recompute import make_ready as check_ready
from wavediff.core.kernels.traceback import fewest_gaps
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob, Strategy


def warmup_jobs(codes: LetterType = np.uint8) -> list[WarmupJob]:
    """Return jobs for all kernels of codes of a type, uint8 or uint16; what the demo pair needs has rank 0."""
    a, b = (letters(next(iter(PLANES[codes].values())), seed) for seed in (1, 2))
    only_ends = LcsJob(a=a[:0], b=b)
    name = partial(name_for, codes)
    found = [
        WarmupJob(0, (name("encode", "encode"),), None, partial(make_ready, only_ends)),
        WarmupJob(0, (name("encode", packed_pair.NAME),), None, partial(packed_pair.make_ready, REHEARSAL, codes)),
        WarmupJob(0, (name("verify", variant("verify", a[:0])),), None, partial(_path_ready, LcsJob(a=a, b=b))),
        WarmupJob(0, (name("ties", "ties"),), None, partial(fewest_gaps.make_ready, REHEARSAL, codes)),
        WarmupJob(0, (name("verify", kernel_key(INDEL)),), None, partial(check_ready, REHEARSAL, INDEL, codes)),
        WarmupJob(1, (name("verify", points_check.KEY),), None, partial(points_check.make_ready, REHEARSAL, codes)),
        WarmupJob(1, (name("diagonals", "probe"),), LcsJob(a=a, b=a[1:-1], strategy=Strategy.DIAGONALS, threads=1)),
        WarmupJob(
            1,
            (name("seeds", "seeds"),),
            LcsJob(a=a, b=b, strategy=Strategy.BAND, path=TracebackMethod.NONE, threads=1),
        ),
        WarmupJob(1, (name("blocks", "small"),), LcsJob(a=a, b=b)),
        WarmupJob(3, (name("split", "hirschberg"),), LcsJob(a=a, b=b, path=TracebackMethod.HIRSCHBERG, threads=1)),
        WarmupJob(
            2,
            (name("traceback", diagonal_trace.name(LCS_SIGNS)),),
            None,
            partial(diagonal_trace.make_ready, REHEARSAL, (0,), codes),
        ),
    ]
    if codes is not np.uint8:  # letters of a job are wider than its codes where few of them are in both
        few = letters(4, 1).astype(codes)
        found.append(WarmupJob(0, (name("verify", "verify"),), None, partial(_path_ready, LcsJob(a=few, b=few))))
    tiled = name("traceback", tile_traceback.name(LCS_SIGNS))
    found.append(WarmupJob(100, (tiled,), None, partial(tile_traceback.make_ready, REHEARSAL, LCS_SIGNS), card=True))
    for rank, (planes, n_codes) in enumerate(PLANES[codes].items()):
        key = planes_of(planes, n_codes)
        both = letters(n_codes, 1), letters(n_codes, 2)
        job = LcsJob(
            a=both[0],
            b=both[1],
            path=TracebackMethod.NONE,
            strategy=Strategy.FULL,
            block_rows=ONE_STRIP_ROWS,
            threads=1,
        )
        found += [
            WarmupJob(4 + rank if rank else 0, (name("blocks", key),), job),
            WarmupJob(
                4 + rank if rank else 0,
                (name("traceback", (*key, "path")),),
                None,
                partial(LcsMatrix.make_ready, REHEARSAL, planes, n_codes, path=True),
            ),
            WarmupJob(
                4 + rank if rank else 2,
                (name("traceback", (*key, "apart")),),
                None,
                partial(LcsMatrix.compile_skewed_trace, REHEARSAL, planes, n_codes),
            ),
        ]
    return found


def _path_ready(job: LcsJob) -> Generator[Event, None, None]:
    yield from make_ready(job)
    yield from make_alignment_ready((yield from encode(job)))
