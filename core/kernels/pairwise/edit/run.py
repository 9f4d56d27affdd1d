"""Edit distance: strategy, computation, traceback, verification, skipped cells.

Source: Sudo and Shinohara: the block grid, the queue of ready blocks, the staggered layout, the subsequence check, the
band from a Hamming bound and the monotone borders. Our differences: rows are bit-sliced (without additions, so blocks
have 512 rows or a multiple, not 128), the path is found, and the default band comes from shared seeds instead of the
Hamming distance.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from wavediff.core.jobs.edit_result import EditResult, Skip, SkipReason
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.kept_matrix import KeptMatrix
from wavediff.core.kernels.pairwise.blocks.block_shape import ENCODED_BYTES_PER_LETTER, pair_memory
from wavediff.core.kernels.pairwise.compare import compare, keep_matrix
from wavediff.core.kernels.pairwise.edit import free_ends
from wavediff.core.kernels.pairwise.edit.edit_matrix import CpuEdit
from wavediff.core.kernels.pairwise.edit.last_column import EndBackend
from wavediff.core.kernels.pairwise.edit.strategy import EditStrategy
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.free_ends import Ends

CPU = CpuEdit()


def run(job: EditJob, backend: EndBackend = CPU) -> Generator[Event, None, EditResult]:
    """Compute ``job``; see ``wavediff.core.jobs.edit_result.EditResult``.

    Args:
        backend: computes matrices; by default the CPU, see ``wavediff.core.run.dispatch``.

    Raises:
        SelfCheckFailed: the result contradicted itself.
        NotEnoughMemory: the path exceeds memory.
    """
    if job.ends is not Ends.NONE:
        return (yield from free_ends.run(job, backend))
    answer = yield from compare(job, backend, EditStrategy, strip=job.band in (BandMode.AUTO, BandMode.FIXED))
    strategy, tally = answer.strategy, answer.tally
    cells, seconds = tally.total("blocks")
    pace = seconds / cells if cells and seconds > 0 else None
    skipped, bands = strategy.account()
    lines = [(SkipReason.ENDS, 0, answer.fields["n_cells"] - strategy.n_cells), *skipped]
    return EditResult(
        distance=answer.score,
        exact=strategy.is_exact(answer.score),
        skips=tuple(Skip(reason, blocks, cells, pace and cells * pace) for reason, blocks, cells in lines if cells),
        bands=tuple(bands),
        **answer.fields,
    )


def keep(job: EditJob) -> Generator[Event, None, KeptMatrix]:
    """Compute every cell of ``job``; see ``wavediff.core.kernels.pairwise.compare.keep_matrix``."""
    return (yield from keep_matrix(job, CPU))


def memory(job: EditJob) -> tuple[int, int]:
    """Return the memory of ``job`` in bytes, without its letters: for equal sequences, and the maximum."""
    bands = job.band is not BandMode.NONE
    if job.ends is Ends.NONE:
        return pair_memory(job, 2, bands=bands)
    # Nothing is kept of the whole matrix; the part has at most twice the letters of the shorter sequence.
    n, m = int(job.a.size), int(job.b.size)
    part = 2 * min(n, m)
    least = int(ENCODED_BYTES_PER_LETTER * (n + m))
    return least, least + pair_memory(replace(job, a=job.a[:part], b=job.b[:part]), 2, bands=bands)[1]
