"""Small jobs that between them need every kernel of edit distance in every variant; see
``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from wavediff.core.base.arrays import LetterType
from wavediff.core.jit.warmup_job import ONE_STRIP_ROWS, PLANES, WarmupJob, letters, name_for
from wavediff.core.jobs.events import REHEARSAL
from wavediff.core.kernels.pairwise.blocks import diagonal_trace, tile_traceback
from wavediff.core.kernels.pairwise.blocks.block_worker import planes_of
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.edit import last_column
from wavediff.core.kernels.pairwise.edit.edit_matrix import EditMatrix
from wavediff.core.kernels.pairwise.recompute import EDIT, kernel_key
from wavediff.core.kernels.pairwise.recompute import make_ready as check_ready
from wavediff.core.kernels.pairwise.seeds import proven_band
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob


def warmup_jobs(codes: LetterType = np.uint8) -> list[WarmupJob]:
    """Return jobs for all kernels of codes of a type, uint8 or uint16.

    Those of DNA come first, after what the demo pair needs at the start.
    """
    a, b = (letters(next(iter(PLANES[codes].values())), seed) for seed in (1, 2))
    name = partial(name_for, codes)
    whole = EditJob(a=a, b=b, band=BandMode.NONE, path=TracebackMethod.NONE, threads=1)
    near = a.copy()
    near[[0, -1]] ^= 1  # at both ends, or what is alike would be stripped
    found = [
        WarmupJob(2, (name("subsequence", "subsequence"),), EditJob(a=a, b=np.delete(a, slice(9, 900, 9)))),
        WarmupJob(2, (name("verify", kernel_key(EDIT)),), None, partial(check_ready, REHEARSAL, EDIT, codes)),
        WarmupJob(2, (name("blocks", "small edit"),), EditJob(a=a, b=b)),
        WarmupJob(
            3, (name("blocks", last_column.COLUMN_KEY),), None, partial(last_column.make_small_ready, REHEARSAL, codes)
        ),
        WarmupJob(2, (name("diagonals", "edit probe"),), EditJob(a=a, b=near, block_rows=64, threads=1)),
        WarmupJob(
            3,
            (name("bound", "hamming"),),
            EditJob(a=a, b=b, band=BandMode.SUDO, path=TracebackMethod.NONE, threads=1),
        ),
        WarmupJob(
            3,
            (name("traceback", diagonal_trace.name(EDIT_SIGNS)),),
            None,
            partial(diagonal_trace.make_ready, REHEARSAL, (0, 0), codes),
        ),
    ]
    found.append(
        WarmupJob(3, (name("seeds", proven_band.KEY),), None, partial(proven_band.make_ready, REHEARSAL, codes))
    )
    tiled = name("traceback", tile_traceback.name(EDIT_SIGNS))
    found.append(WarmupJob(100, (tiled,), None, partial(tile_traceback.make_ready, REHEARSAL, EDIT_SIGNS), card=True))
    for rank, (planes, n_codes) in enumerate(PLANES[codes].items()):
        key = planes_of(planes, n_codes)
        job = replace(whole, a=letters(n_codes, 1), b=letters(n_codes, 2), block_rows=ONE_STRIP_ROWS)
        found += [
            WarmupJob(4 + rank if rank else 2, (name("blocks", (*key, "edit")),), job),
            WarmupJob(
                4 + rank if rank else 2,
                (name("traceback", (*key, "edit path")),),
                None,
                partial(EditMatrix.make_ready, REHEARSAL, planes, n_codes, path=True),
            ),
            WarmupJob(
                4 + rank if rank else 3,
                (name("traceback", (*key, "edit apart")),),
                None,
                partial(EditMatrix.compile_skewed_trace, REHEARSAL, planes, n_codes),
            ),
        ]
    return found
