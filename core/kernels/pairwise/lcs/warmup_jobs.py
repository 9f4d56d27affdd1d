"""Small jobs that between them need every kernel of the LCS in every variant; see
``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from functools import partial

from wavediff.core.jit.warmup import kernel_name
from wavediff.core.jit.warmup_job import DNA, ONE_STRIP_ROWS, PLANES, WarmupJob, letters
from wavediff.core.jobs.events import REHEARSAL
from wavediff.core.kernels.pairwise.blocks import diagonal_trace, packed_pair, tile_traceback
from wavediff.core.kernels.pairwise.blocks.block_worker import planes_of
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition import points_check
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.kernels.pairwise.problem import make_ready
from wavediff.core.kernels.pairwise.recompute import INDEL, kernel_key
from wavediff.core.kernels.pairwise.recompute import make_ready as check_ready
from wavediff.core.kernels.traceback import fewest_gaps
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob, Strategy


def warmup_jobs() -> list[WarmupJob]:
    """Return jobs for all kernels; what the demo pair needs has rank 0."""
    a, b = letters(1 << DNA, 1), letters(1 << DNA, 2)
    only_ends = LcsJob(a=a[:0], b=b)
    found = [
        WarmupJob(0, (kernel_name("encode", "encode"),), None, partial(make_ready, only_ends)),
        WarmupJob(0, (kernel_name("encode", packed_pair.NAME),), None, partial(packed_pair.make_ready, REHEARSAL)),
        WarmupJob(0, (kernel_name("verify", "verify"),), only_ends),
        WarmupJob(0, (kernel_name("ties", "ties"),), None, partial(fewest_gaps.make_ready, REHEARSAL)),
        WarmupJob(0, (kernel_name("verify", kernel_key(INDEL)),), None, partial(check_ready, REHEARSAL, INDEL)),
        WarmupJob(1, (kernel_name("verify", points_check.KEY),), None, partial(points_check.make_ready, REHEARSAL)),
        WarmupJob(
            1, (kernel_name("diagonals", "probe"),), LcsJob(a=a, b=a[1:-1], strategy=Strategy.DIAGONALS, threads=1)
        ),
        WarmupJob(
            1,
            (kernel_name("seeds", "seeds"),),
            LcsJob(a=a, b=b, strategy=Strategy.BAND, path=TracebackMethod.NONE, threads=1),
        ),
        WarmupJob(1, (kernel_name("blocks", "small"),), LcsJob(a=a, b=b)),
        WarmupJob(
            3, (kernel_name("split", "hirschberg"),), LcsJob(a=a, b=b, path=TracebackMethod.HIRSCHBERG, threads=1)
        ),
        WarmupJob(
            2,
            (kernel_name("traceback", diagonal_trace.name(LCS_SIGNS)),),
            None,
            partial(diagonal_trace.make_ready, REHEARSAL, (0,)),
        ),
    ]
    tiled = kernel_name("traceback", tile_traceback.name(LCS_SIGNS))
    found.append(WarmupJob(100, (tiled,), None, partial(tile_traceback.make_ready, REHEARSAL, LCS_SIGNS), card=True))
    for rank, planes in enumerate(PLANES):
        n_codes = 1 << planes
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
            WarmupJob(4 + rank if rank else 0, (kernel_name("blocks", key),), job),
            WarmupJob(
                4 + rank if rank else 0,
                (kernel_name("traceback", (*key, "path")),),
                None,
                partial(LcsMatrix.make_ready, REHEARSAL, planes, n_codes, path=True),
            ),
            WarmupJob(
                4 + rank if rank else 2,
                (kernel_name("traceback", (*key, "apart")),),
                None,
                partial(LcsMatrix.compile_skewed_trace, REHEARSAL, planes, n_codes),
            ),
        ]
    return found
