"""Many pairs, and swaps, on a graphics card: beside its CPU twin, Kim's own kernels there, and rapidfuzz."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein
from rapidfuzz.process import cdist

from wavediff.core.jobs import next_job_id
from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.methods import EDIT, LCS, SWAP
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.swap import SwapEditJob, SwapKernel
from wavediff.core.run.dispatch import gpu_obstacle, graphics_card
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence_pool import SequencePool
from wavediff.core.system.machine import cores
from wavediff.tests.bench.swap import SCORERS, digest

PAPER = (SwapKernel.KIM, SwapKernel.KIM_GLOBAL)
HEADS = ("kernel", "TCUPS", "whole job", "TCUPS", "CPU twin", "ratio", "Kim 2015", "its global", "rapidfuzz", "ratio")
ROUNDS = 5


@dataclass(slots=True)
class Row:
    """One job: seconds inside its kernel, of all of it, and what others took."""

    what: str
    cells: int
    kernel: float
    wall: float
    cpu: float | None = None
    papers: list[float] = field(default_factory=list)
    peer: float | None = None
    agrees: bool = True


def table(quick: bool, unit: Callable[[float], str]) -> bool:
    """Print the table, or why there is none; returns whether all answers were equal."""
    lack, card = gpu_obstacle(SWAP.job_type), graphics_card()
    if lack is not None or card is None:
        print(f"\ngraphics card: {lack}")
        return True
    print(f"\n{f'{card.name}; CPU: {cores()} cores':52} " + " ".join(f"{head:>10}" for head in HEADS) + "  answers")
    fine = True
    for row in rows(quick):
        shown = [unit(row.kernel), f"{row.cells / row.kernel / 1e12:.2f}"]
        shown += [unit(row.wall), f"{row.cells / row.wall / 1e12:.2f}"]
        shown += [unit(row.cpu), f"{row.cpu / row.wall:.1f}"] if row.cpu is not None else ["", ""]
        shown += [unit(one) for one in row.papers] + [""] * (2 - len(row.papers))
        shown += [unit(row.peer), f"{row.peer / row.wall:.0f}"] if row.peer is not None else ["", ""]
        print(
            f"{row.what:52} " + " ".join(f"{one:>10}" for one in shown) + ("  equal" if row.agrees else "  DIFFERENT")
        )
        fine &= row.agrees
    return fine


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
    answer, kernel, wall = _best(job, Device.GPU)
    row = Row(what, cells, kernel, wall)
    other, _, row.cpu = _best(job, Device.CPU)
    row.agrees = other == answer
    has_swaps = job.method is SWAP if isinstance(job, BatchJob) else job.path is TracebackMethod.NONE
    if has_swaps and cells <= 10**8:
        for paper in PAPER:
            asked = {"options": {"kernel": paper}} if isinstance(job, BatchJob) else {"kernel": paper}
            other, _, seconds = _best(replace(job, **asked), Device.GPU)
            row.papers.append(seconds)
            row.agrees &= other == answer
    if peer is not None:
        start = perf_counter()
        row.agrees &= peer() == answer
        row.peer = perf_counter() - start
    return row


def _best(job: Any, device: Device) -> tuple[int, float, float]:
    """Return the answer, the seconds inside the kernel and of the whole job, the best of some rounds."""
    _timed(job, device)  # compiles
    answer, kernel, wall = _timed(job, device)
    for _ in range(ROUNDS if wall < 0.3 else 0):
        answer, *now = _timed(job, device)
        kernel, wall = min(kernel, now[0]), min(wall, now[1])
    return answer, kernel, wall


def _timed(job: Any, device: Device) -> tuple[int, float, float]:
    seconds: list[float] = []

    def listen(event: object) -> None:
        if isinstance(event, KernelTiming) and event.kernel == job.timed_kernel:
            seconds.append(event.seconds)

    start = perf_counter()
    result = run_job(replace(job, id=next_job_id()), device=device, report=listen)
    wall = min(perf_counter() - start, result.wall_seconds)
    assert device is not Device.GPU or result.device == "gpu", "the card was not used"
    return digest(result.values) if isinstance(job, BatchJob) else int(result.distance), max(sum(seconds), 1e-9), wall
