"""Small jobs that between them need every kernel of the LCS in every variant; see ``core.compiling``."""

from __future__ import annotations

from functools import partial

from core.jobs import LcsJob, PathMethod, Way
from core.kernels.blocks import packed, shortcut, tiles
from core.kernels.blocks.advance import planes_of
from core.kernels.blocks.method import LCS_SIGNS
from core.kernels.lcs.matrix import LcsMatrix
from core.kernels.problem import make_ready
from core.kernels.rehearsal import DNA, ONE_STRIP, PLANES, Rehearsal, letters
from core.kernels.warm import kernel_name


def rehearsals() -> list[Rehearsal]:
    """Return jobs for all kernels; what the demo pair needs has rank 0."""
    a, b = letters(1 << DNA, 1), letters(1 << DNA, 2)
    only_ends = LcsJob(a=a[:0], b=b)
    found = [
        Rehearsal(0, (kernel_name("encode", "encode"),), None, partial(make_ready, only_ends)),
        Rehearsal(0, (kernel_name("encode", packed.NAME),), None, partial(packed.make_ready, 0)),
        Rehearsal(0, (kernel_name("check", "check"),), only_ends),
        Rehearsal(1, (kernel_name("probe", "probe"),), LcsJob(a=a, b=a[1:-1], way=Way.PROBE, threads=1)),
        Rehearsal(1, (kernel_name("seeds", "seeds"),), LcsJob(a=a, b=b, way=Way.BAND, path=PathMethod.NONE, threads=1)),
        Rehearsal(1, (kernel_name("blocks", "small"),), LcsJob(a=a, b=b)),
        Rehearsal(3, (kernel_name("split", "hirschberg"),), LcsJob(a=a, b=b, path=PathMethod.HIRSCHBERG, threads=1)),
        Rehearsal(
            2, (kernel_name("traceback", shortcut.name(LCS_SIGNS)),), None, partial(shortcut.make_ready, 0, (0,))
        ),
    ]
    tiled = kernel_name("traceback", tiles.name(LCS_SIGNS))
    found.append(Rehearsal(100, (tiled,), None, partial(tiles.make_ready, 0, LCS_SIGNS), card=True))
    for rank, planes in enumerate(PLANES):
        n_codes = 1 << planes
        key = planes_of(planes, n_codes)
        both = letters(n_codes, 1), letters(n_codes, 2)
        job = LcsJob(a=both[0], b=both[1], path=PathMethod.NONE, way=Way.FULL, block_rows=ONE_STRIP, threads=1)
        found += [
            Rehearsal(4 + rank if rank else 0, (kernel_name("blocks", key),), job),
            Rehearsal(
                4 + rank if rank else 0,
                (kernel_name("traceback", (*key, "path")),),
                None,
                partial(LcsMatrix.make_ready, 0, planes, n_codes, path=True),
            ),
            Rehearsal(
                4 + rank if rank else 2,
                (kernel_name("traceback", (*key, "apart")),),
                None,
                partial(LcsMatrix.make_apart_ready, 0, planes, n_codes),
            ),
        ]
    return found
