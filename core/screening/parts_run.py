"""Containment among many pairs, by the rule of ``compare`` for one pair."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Event, Progress
from wavediff.core.methods.batch import BatchJob
from wavediff.core.screening import pair_run
from wavediff.core.screening.jobs import PairScreenJob, Part, Parts, PartsJob
from wavediff.core.screening.notices import MIN_CONTAINED_LETTERS
from wavediff.core.screening.relation import MAX_PART_LENGTH, has_enough_letters

MAX_PAIRS = 10_000  # maximum pairs of different lengths to examine: some seconds
MAX_LETTERS = 1 << 32  # maximum letters of all pairs: some seconds


def run(job: PartsJob) -> Generator[Event, None, Parts]:
    """Screen the pairs of ``job`` in order, at most ``MAX_PAIRS`` with ``MAX_LETTERS``."""
    batch = job.batch
    first, second = batch.a, batch.a if batch.b is None else batch.b
    parts, looked, unlike, left = list[Part](), 0, 0, MAX_LETTERS
    for i, j in _unlike(batch):
        unlike += 1
        a, b = (pool.letters[pool.starts[k] : pool.starts[k + 1]] for pool, k in ((first, i), (second, j)))
        if looked == MAX_PAIRS or left < a.size + b.size:
            continue
        looked, left = looked + 1, left - int(a.size) - int(b.size)
        seeds = job.seeds and has_enough_letters(int(a.size), int(b.size))
        screened = yield from pair_run.run(PairScreenJob(a=a, b=b, fold_case=batch.fold_case, seeds=seeds, id=job.id))
        notice = screened.notice
        if notice is not None and notice.offer is not None and notice.offer.ends in ("a", "b"):
            inner = "b" if notice.offer.ends == "a" else "a"
            parts.append(Part(i, j, inner, notice.offer.minus, notice.numbers["share"]))
        yield Progress(job.id, "looked at", looked, 0, "pairs of unlike length")
    return Parts(tuple(parts), looked, unlike)


def _unlike(batch: BatchJob) -> Iterator[tuple[int, int]]:
    """Yield the pairs (0-based) whose lengths allow containment."""
    n_a, n_b = batch.a.sizes, (batch.a if batch.b is None else batch.b).sizes
    for i, n in enumerate(n_a.tolist()):
        first = i + 1 if batch.b is None else i if batch.pairs is Pairing.ONE_TO_ONE else 0
        others = n_b[first : i + 1] if batch.pairs is Pairing.ONE_TO_ONE else n_b[first:]
        shorter, longer = np.minimum(n, others), np.maximum(n, others)
        for k in np.flatnonzero((shorter >= MIN_CONTAINED_LETTERS) & (shorter <= MAX_PART_LENGTH * longer)).tolist():
            yield i, first + k
