"""Small jobs that between them need every kernel of edit distance in every variant; see ``core.compiling``."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from core.jobs import Band, EditJob, PathMethod
from core.kernels.blocks import shortcut, tiles
from core.kernels.blocks.advance import planes_of
from core.kernels.blocks.method import EDIT_SIGNS
from core.kernels.edit.matrix import EditMatrix
from core.kernels.rehearsal import DNA, ONE_STRIP, PLANES, Rehearsal, letters
from core.kernels.seeds import band
from core.kernels.warm import kernel_name


def rehearsals() -> list[Rehearsal]:
    """Return jobs for all kernels; those of DNA come first, after what the demo pair needs at the start."""
    a, b = letters(1 << DNA, 1), letters(1 << DNA, 2)
    whole = EditJob(a=a, b=b, band=Band.NONE, path=PathMethod.NONE, threads=1)
    near = a.copy()
    near[[0, -1]] ^= 1  # at both ends, or what is alike would be stripped
    found = [
        Rehearsal(2, (kernel_name("subsequence", "subsequence"),), EditJob(a=a, b=a[::2])),
        Rehearsal(2, (kernel_name("blocks", "small edit"),), EditJob(a=a, b=b)),
        Rehearsal(2, (kernel_name("probe", "edit probe"),), EditJob(a=a, b=near, block_rows=64, threads=1)),
        Rehearsal(
            3, (kernel_name("bound", "hamming"),), EditJob(a=a, b=b, band=Band.PAPER, path=PathMethod.NONE, threads=1)
        ),
        Rehearsal(
            3, (kernel_name("traceback", shortcut.name(EDIT_SIGNS)),), None, partial(shortcut.make_ready, 0, (0, 0))
        ),
    ]
    found.append(Rehearsal(3, (kernel_name("seeds", band.KEY),), None, partial(band.make_ready, 0)))
    tiled = kernel_name("traceback", tiles.name(EDIT_SIGNS))
    found.append(Rehearsal(100, (tiled,), None, partial(tiles.make_ready, 0, EDIT_SIGNS), card=True))
    for rank, planes in enumerate(PLANES):
        n_codes = 1 << planes
        key = planes_of(planes, n_codes)
        job = replace(whole, a=letters(n_codes, 1), b=letters(n_codes, 2), block_rows=ONE_STRIP)
        found += [
            Rehearsal(4 + rank if rank else 2, (kernel_name("blocks", (*key, "edit")),), job),
            Rehearsal(
                4 + rank if rank else 2,
                (kernel_name("traceback", (*key, "edit path")),),
                None,
                partial(EditMatrix.make_ready, 0, planes, n_codes, path=True),
            ),
            Rehearsal(
                4 + rank if rank else 3,
                (kernel_name("traceback", (*key, "edit apart")),),
                None,
                partial(EditMatrix.make_apart_ready, 0, planes, n_codes),
            ),
        ]
    return found
