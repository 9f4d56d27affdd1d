"""Longest common subsequence with its matrices on the card; all else is as on the CPU."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.kernels.pairwise.lcs.run import run as run_with
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob, LcsKernel
from wavediff.gpu.card.interface import Card
from wavediff.gpu.card.sharing import OtherCards, no_others
from wavediff.gpu.pairwise.card_matrix import CardBackend
from wavediff.gpu.pairwise.lcs.kawanami_strategies import PaperStrategy
from wavediff.gpu.pairwise.strips.meet_in_middle import CardHirschbergHalf
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits


class GpuLcs(CardBackend[LcsJob]):
    """See ``CardBackend``."""

    delta_bits, lane_rate = DeltaBits.LCS, 5e9

    def half(self, problem: PairProblem[LcsJob]) -> CardHirschbergHalf:
        return CardHirschbergHalf(problem, self.card)


def run_on(card: Card, job: LcsJob, others: OtherCards = no_others) -> Generator[Event, None, LcsResult]:
    """Compute ``job`` on this card, and on others where that pays; see ``wavediff.core.jobs.lcs_result.LcsResult``."""
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
    yield job.step.notice(text)
    return (yield from run_with(replace(job, path=TracebackMethod.HIRSCHBERG), backend))
