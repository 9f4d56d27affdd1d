"""Screening of a pair: seeds for DNA, else containment."""

from __future__ import annotations

from collections.abc import Generator

from wavediff.core.jobs.events import Event
from wavediff.core.screening import run as kmers
from wavediff.core.screening.jobs import PairScreenJob
from wavediff.core.screening.notices import Offer, Screened, alphabets_notices, screened
from wavediff.core.screening.shared_kmers import ScreenJob
from wavediff.core.sequences.sequence import Alphabet


def run(job: PairScreenJob) -> Generator[Event, None, Screened]:
    alphabets = job.alphabets or ()
    if unlike := alphabets_notices(job.a, job.b, alphabets):
        return Screened(notice=unlike[0])
    seeds = None
    if job.seeds:
        seeds = yield from kmers.run(ScreenJob(a=job.a, b=job.b, id=job.id))
    found = screened(
        job.a, job.b, fold_case=job.fold_case, end_to_end=job.end_to_end, shared=seeds, circle=job.circle,
        turned=job.turned,
    )  # fmt: skip
    other_strand = Offer(True, turned=job.turned)
    hidden = found.notice is not None and not (job.both_strands and found.notice.offer == other_strand)
    proteins = set(alphabets) == {Alphabet.PROTEIN}
    return found._replace(notice=found.notice if hidden else None, proteins=proteins)
