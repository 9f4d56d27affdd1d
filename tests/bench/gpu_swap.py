"""Many pairs, and swaps, on a graphics card: beside its CPU twin, Kim's own kernels there, and rapidfuzz."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein
from rapidfuzz.process import cdist

from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.methods import EDIT, LCS, SWAP
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.methods.swap import SwapEditJob, SwapKernel
from wavediff.core.sequences.sequence import SequencePool
from wavediff.core.system.machine import cores
from wavediff.tests.bench.measure import Timing
from wavediff.tests.bench.on_card import best, card_for, of_kernel, timed
from wavediff.tests.bench.swap import SCORERS, digest
from wavediff.tests.bench.table import Row, once, show

PAPERS = {"Kim 2015": SwapKernel.KIM, "its global": SwapKernel.KIM_GLOBAL}
ROUNDS = 5


def table(quick: bool) -> bool:
    card = card_for(SWAP.job_type)
    names = ("CPU twin", *PAPERS, "rapidfuzz")
    return card is None or show(f"{card.name}; CPU: {cores()} cores", rows(quick), names, "TCUPS", 1e12)


def rows(quick: bool) -> Iterator[Row]:
    """Yield a row for each job; ``quick`` leaves out what takes another side more than some seconds."""
    rng = np.random.default_rng(60)
    a, b = _pool(rng, 100, 1000, 20), _pool(rng, 100, 1000, 20)
    for method in (LCS, EDIT, SWAP):
        job = BatchJob(a=a, b=b, pairs=Pairing.ONE_TO_ONE, method=method)
        yield _row(f"100 pairs of 1,000, 20 letters: {method}", job, lambda job=job: _pair_by_pair(job))  # type: ignore[misc]
    a, b = _pool(rng, 100_000, 1000, 20), _pool(rng, 100_000, 1000, 20)
    for method in (LCS, EDIT, SWAP):
        yield _row(
            f"100,000 pairs of 1,000, 20 letters: {method}", BatchJob(a=a, b=b, pairs=Pairing.ONE_TO_ONE, method=method)
        )
    del a, b
    for number in (300, 1000):
        a, b = _pool(rng, number, 1000, 20), _pool(rng, number, 1000, 20)
        for method in (EDIT, SWAP):
            job = BatchJob(a=a, b=b, method=method)
            peer = None if quick or method is SWAP else lambda job=job: _each_with_each(job)  # type: ignore[misc]
            yield _row(f"{number:,} x {number:,} of 1,000, 20 letters: {method}", job, peer)
    for number, size, letters in ((3000, 20, 20), (4, 20_000, 4), (16, 20_000, 4)):
        few = BatchJob(a=_pool(rng, number, size, letters), b=_pool(rng, number, size, letters), method=EDIT)
        peer = lambda job=few: _each_with_each(job)  # type: ignore[misc] # noqa: E731
        yield _row(f"{number:,} x {number:,} of {size:,}, {letters} letters: {EDIT}", few, peer)
    genomes = BatchJob(a=_pool(rng, 40, 30_000, 4), b=None, method=SWAP)
    for method in (EDIT, SWAP):
        yield _row(f"40 of 30,000, DNA, each with each other: {method}", replace(genomes, method=method))
    for n in (1_000, 10_000, 100_000):
        x, y = (rng.integers(0, 20, n, np.uint8) for _ in range(2))
        pair = SwapEditJob(a=x, b=y, path=TracebackMethod.NONE)
        peer = (lambda x=x, y=y: int(DamerauLevenshtein.distance(x.tobytes(), y.tobytes()))) if n <= 10_000 else None  # type: ignore[misc]
        yield _row(f"distance with swaps, {n:,}, 20 letters", pair, peer)
        yield _row(f"script with swaps, {n:,}, 20 letters", replace(pair, path=TracebackMethod.BLOCKS))


def _pool(rng: np.random.Generator, number: int, size: int, n_letters: int) -> SequencePool:
    return SequencePool(rng.integers(0, n_letters, number * size, np.uint8), np.arange(number + 1) * size)


def _records(pool: SequencePool) -> list[bytes]:
    edges = pool.starts.tolist()
    return [pool.letters[i:j].tobytes() for i, j in zip(edges[:-1], edges[1:], strict=True)]  # noqa: RUF007


def _pair_by_pair(job: BatchJob) -> int:
    assert job.b is not None
    pairs = zip(_records(job.a), _records(job.b), strict=True)
    return digest(np.array([SCORERS[job.method](x, y) for x, y in pairs]))


def _each_with_each(job: BatchJob) -> int:
    assert job.b is not None
    return digest(cdist(_records(job.a), _records(job.b), scorer=SCORERS[job.method], workers=-1))


def _row(what: str, job: Any, peer: Callable[[], int] | None = None) -> Row:
    cells = job.n_cells if isinstance(job, BatchJob) else int(job.a.size) * int(job.b.size)
    ours, kernel = _best(job, Device.GPU)
    peers = {"CPU twin": _best(job, Device.CPU)[0]}
    has_swaps = job.method is SWAP if isinstance(job, BatchJob) else job.path is TracebackMethod.NONE
    if has_swaps and cells <= 10**8:
        for name, paper in PAPERS.items():
            asked = {"options": {"kernel": paper}} if isinstance(job, BatchJob) else {"kernel": paper}
            peers[name], _ = _best(replace(job, **asked), Device.GPU)
    if peer is not None:
        start = perf_counter()
        answer = peer()
        peers["rapidfuzz"] = once(perf_counter() - start, answer)
    return Row(what, cells, ours, peers, of_kernel("kernel", kernel, cells, 1e12, "TCUPS"))


def _best(job: Any, device: Device) -> tuple[Timing, float]:
    asked = job, device, job.timed_kernel, _answer
    timed(*asked)  # compiles
    first = timed(*asked)
    return first if first[0].best >= 0.3 else best(ROUNDS, *asked)


def _answer(result: Any) -> int:
    return digest(result.values) if isinstance(result, BatchResult) else int(result.distance)
