"""Warm-up jobs of all edit distance kernels; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import LetterType
from wavediff.core.jit.warmup_job import PLANES, WarmupJob, kernel_job, letters, name_for
from wavediff.core.kernels.pairwise.blocks import diagonal_trace, tile_traceback
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.edit import last_column
from wavediff.core.kernels.pairwise.edit.edit_matrix import EditMatrix
from wavediff.core.kernels.pairwise.recompute import EDIT, kernel_key
from wavediff.core.kernels.pairwise.recompute import make_ready as check_ready
from wavediff.core.kernels.pairwise.seeds import proven_band
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob


def warmup_jobs(codes: LetterType = np.uint8) -> list[WarmupJob]:
    """Return jobs for all kernels with codes of type uint8 or uint16.

    DNA jobs come first, after those of the demo pair.
    """
    a, b = (letters(next(iter(PLANES[codes].values())), seed) for seed in (1, 2))
    near = a.copy()
    near[[0, -1]] ^= 1  # at both ends, or what is alike would be stripped
    number = TracebackMethod.NONE
    jobs = (
        (2, "subsequence", "subsequence", EditJob(a=a, b=np.delete(a, slice(9, 900, 9)))),
        (2, "blocks", "small edit", EditJob(a=a, b=b)),
        (2, "diagonals", "edit probe", EditJob(a=a, b=near, block_rows=64, threads=1)),
        (3, "bound", "hamming", EditJob(a=a, b=b, band=BandMode.SUDO, path=number, threads=1)),
    )
    shortcut, tiles = diagonal_trace.name(EDIT_SIGNS), tile_traceback.name(EDIT_SIGNS)
    return [
        *(WarmupJob(rank, (name_for(codes, kernel, key),), job) for rank, kernel, key, job in jobs),
        kernel_job(2, codes, "verify", kernel_key(EDIT), check_ready, EDIT, codes),
        kernel_job(3, codes, "blocks", last_column.COLUMN_KEY, last_column.make_small_ready, codes),
        kernel_job(3, codes, "traceback", shortcut, diagonal_trace.make_ready, (0, 0), codes),
        kernel_job(3, codes, "seeds", proven_band.KEY, proven_band.make_ready, codes),
        kernel_job(100, codes, "traceback", tiles, tile_traceback.make_ready, EDIT_SIGNS, card=True),
        *EditMatrix.warmup_jobs(codes, EditJob(a=a, b=b, band=BandMode.NONE, path=number, threads=1), (2, 2, 3)),
    ]
