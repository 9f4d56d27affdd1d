"""Chance level: the identity that the method reports for random letters of the same compositions.

There is no formula: the LCS of two random strings of n letters from four is about 0.654 n (the constant of Chvátal and
Sankoff 1975); other alphabets, compositions and methods differ. So a sample is computed. For short pairs it has their
lengths, as short random strings are less similar; above ``MAX_LETTERS`` the share rises by at most a tenth of a point.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs import next_job_id
from wavediff.core.jobs.events import Event
from wavediff.core.methods import method_of
from wavediff.core.run.dispatch import resolve
from wavediff.core.screening.jobs import ChanceJob

MAX_LETTERS = 1 << 14  # of the longer random string: 10 to 110 ms of one core, by method
MIN_SAMPLES, MAX_SAMPLES = 2, 4  # the maximum for short pairs, whose single results vary
SEED = 1974


def run(job: ChanceJob) -> Generator[Event, None, float | None]:
    """Return ``Method.shown_identity`` for random sequences; None if the method has no such identity.

    The events are those of the comparisons of random sequences, under their own job ids.
    """
    a, b = job.pair.a, job.pair.b
    longer, method = max(a.size, b.size), method_of(job.pair)
    if any((letters == letters[0]).all() for letters in (a, b)):
        return None  # a single letter has no other order
    if method.end_to_end(job.pair):
        scale = min(1.0, MAX_LETTERS / longer)
        n, m = max(1, int(a.size * scale)), max(1, int(b.size * scale))
    else:  # a longer sequence has more places for the other one, which shows little
        n, m = min(a.size, MAX_LETTERS), min(b.size, MAX_LETTERS)
    rng, shares = np.random.default_rng(SEED), list[float]()
    for _ in range(min(MAX_SAMPLES, max(MIN_SAMPLES, MAX_LETTERS // longer))):
        first, second = random_letters(a, n, rng), random_letters(b, m, rng)
        sample = replace(job.pair, a=first, b=second, threads=1, id=next_job_id(), **method.sampled)
        result = yield from resolve(sample).run(sample)
        share = method.shown_identity(result, n, m)
        if share is None:
            return None
        shares.append(share)
    return float(np.mean(shares))


def random_letters(letters: Letters, n: int, rng: np.random.Generator) -> Letters:
    """Return ``n`` random letters with the composition of ``letters`` (not empty)."""
    return letters[rng.integers(0, letters.size, n)]
