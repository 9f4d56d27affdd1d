"""Longest common subsequence with its matrices on the card; all else is as on the CPU."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from core.base.errors import DeviceOutOfMemory
from core.jobs.events import Event, NoticeRaised
from core.jobs.lcs_result import LcsResult
from core.kernels.pairwise.lcs.run import run as run_with
from core.kernels.pairwise.problem import PairProblem
from core.methods.base import TracebackMethod
from core.methods.lcs import LcsJob, LcsKernel
from gpu.card.interface import Card
from gpu.card.sharing import OtherCards, no_others
from gpu.pairwise.card_matrix import CardBackend
from gpu.pairwise.lcs.kawanami_strategies import PaperStrategy
from gpu.pairwise.strips.meet_in_middle import CardHirschbergHalf
from gpu.pairwise.strips.strip_layout import DeltaBits


class GpuLcs(CardBackend[LcsJob]):
    """See ``CardBackend``."""

    delta_bits, lane_rate = DeltaBits.LCS, 5e9

    def half(self, problem: PairProblem[LcsJob]) -> CardHirschbergHalf:
        return CardHirschbergHalf(problem, self.card)


def run_on(card: Card, job: LcsJob, others: OtherCards = no_others) -> Generator[Event, None, LcsResult]:
    """Compute ``job`` on this card, and on others where that pays; see ``core.jobs.lcs_result.LcsResult``."""
    backend = GpuLcs(card, others)
    if job.kernel is LcsKernel.KAWANAMI:
        # With equal ends left out its times would not be the paper's.
        return (
            yield from run_with(job, backend, lambda problem, _: PaperStrategy(problem, backend, card), strip=False)
        )
    try:
        return (yield from run_with(job, backend))
    except DeviceOutOfMemory:
        if job.path is not TracebackMethod.BLOCKS:
            raise
    # The error is gone by here, and with it the frames that held arrays on the card.
    card.release()
    text = "The GPU has no room for borders to keep: the path is found by halving, which takes longer"
    yield NoticeRaised(job.id, text)
    return (yield from run_with(replace(job, path=TracebackMethod.HIRSCHBERG), backend))
