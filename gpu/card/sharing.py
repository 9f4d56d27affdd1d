"""Jobs that are worth more than one card: the others have to be woken, and told of everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wavediff.core.jobs.search import SearchJob
from wavediff.core.methods import method_of
from wavediff.core.methods.base import PairJob
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.swap import SwapKernel
from wavediff.gpu.card.interface import Card

# Each takes an H100 about half a second: another one is awake after 0.15 s.
MIN_PAIR_CELLS = 1 << 46  # cells of a matrix
MIN_BATCH_CELLS = 1 << 44  # cells of all pairs
MIN_CELLS_A_PAIR = 1 << 17  # cells of a pair of a batch: for smaller ones the answers take longer than the cells
MIN_TEXT = 1 << 33  # letters of a text that is searched

OtherCards = Callable[[], Sequence[Card]]  # of the same kind, woken by the first call


def no_others() -> Sequence[Card]:
    """Return no cards: where one does all."""
    return ()


def pair_is_shared(n: int, m: int) -> bool:
    """Return whether every cell of ``n`` x ``m`` is worth several cards."""
    return n * m >= MIN_PAIR_CELLS


def is_shared(job: object) -> bool:
    """Return whether several cards have a part in a job, where there are any."""
    return why_one(job) is None


def why_one(job: object) -> str | None:
    """Return in a clause why one card alone does a job; None where others have a part in it."""
    if isinstance(job, BatchJob) and job.options.get("kernel") in (None, SwapKernel.DEFAULT):
        short = job.n_cells < max(MIN_BATCH_CELLS, MIN_CELLS_A_PAIR * job.n_pairs)
    elif isinstance(job, SearchJob):
        short = int(job.text.size) < MIN_TEXT
    elif isinstance(job, PairJob) and method_of(job).for_several_cards(job):
        short = not pair_is_shared(int(job.a.size), int(job.b.size))
    else:
        return "its kernel is for a single one"
    return "it is so short that more would gain nothing" if short else None
