"""The transform beside libdivsufsort, its inverse, and backward search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pydivsufsort

from core.base.arrays import Letters
from core.jobs.bwt import BwtJob, FindJob, IndexJob, InverseBwtJob
from core.jobs.choices import BwtMethod
from core.run.runner import run_job
from core.system.machine import cores
from tests.bench.bwt_texts import dna, repeats, words
from tests.bench.letters import CPU_METHODS, fibonacci, frozen, random_letters

MIB = 1_000_000
QUICK, LONG = 10, 100  # megabytes


@dataclass(frozen=True, slots=True)
class Row:
    """One line: megabytes a second of the sorting alone, of the whole job with its check, and of the peer."""

    what: str
    n: int
    ours: float  # seconds
    whole: float
    peer: float | None = None
    agrees: bool | None = None
    note: str = ""


def rows(quick: bool) -> Iterator[Row]:
    """Forward, inverse, search; each way is run once on a little before it is timed."""
    size = (QUICK if quick else LONG) * MIB
    for method in CPU_METHODS:
        run_job(BwtJob(text=dna(100_000), method=method, threads=1))
        run_job(BwtJob(text=words(100_000), method=method, threads=1))
    texts: list[tuple[str, Callable[[int], Letters], int]] = [
        ("random DNA", dna, size),
        ("words", words, size // 2),
        ("repeats with changes", repeats, size),
        ("one letter", lambda n: frozen(b"a" * n), 10 * MIB),
        ("Fibonacci", lambda n: frozen(fibonacci(n)), 10 * MIB),
    ]
    for name, make, n in texts:
        text = make(n)
        yield forward(f"{name}, {n // MIB} MB", text, 1, peer=True)
        if cores() > 1:
            yield forward(f"{name}, {n // MIB} MB, {cores()} cores", text, cores(), peer=False)
    text = dna(1 * MIB)
    yield forward("random DNA, 1 MB, ternary quicksort of Yamanaka", text, 1, peer=True, method=BwtMethod.TERNARY)
    yield from inverse(size)
    yield search(size)


def forward(what: str, text: Letters, threads: int, *, peer: bool, method: BwtMethod = BwtMethod.AUTO) -> Row:
    result = min(
        (run_job(BwtJob(text=text, threads=threads, method=method)) for _ in range(2)), key=lambda one: one.wall_seconds
    )
    sorting = result.wall_seconds - result.check_seconds
    if not peer:
        return Row(what, text.size, sorting, result.wall_seconds, note=result.strategy)
    writable = text.copy()
    start = perf_counter()
    primary, last = pydivsufsort.bw_transform(writable)
    seconds = perf_counter() - start
    agrees = primary == result.primary and np.array_equal(last, result.last)
    return Row(what, text.size, sorting, result.wall_seconds, seconds, agrees, result.strategy)


def inverse(n: int) -> Iterator[Row]:
    text = dna(n)
    result = run_job(BwtJob(text=text))
    for threads in {1: 0, cores(): 0}:
        back = run_job(InverseBwtJob(last=result.last, primary=result.primary, threads=threads))
        agrees = np.array_equal(back.text, text)
        what = f"inverse, random DNA, {n // MIB} MB, {threads} core{'s' * (threads > 1)}"
        yield Row(what, n, back.wall_seconds, back.wall_seconds, None, agrees)


def search(n: int) -> Row:
    """A million patterns of 20 letters, half of them in the text."""
    rng = np.random.default_rng(4)
    text = dna(n)
    index = run_job(IndexJob(text=text))
    at = rng.integers(0, n - 20, 500_000)
    whole = text.tobytes()
    there = [whole[k : k + 20] for k in at.tolist()]
    other = random_letters(rng, 10 * MIB, 4).tobytes()
    patterns = tuple(there + [other[k : k + 20] for k in range(0, 10 * MIB, 20)])
    result = min((run_job(FindJob(index=index, patterns=patterns)) for _ in range(2)), key=lambda one: one.wall_seconds)
    some = [*range(20), *range(500_000, 500_020)]
    agrees = all(result.counts[k] == whole.count(patterns[k]) for k in some) and bool(
        (result.counts[:500_000] > 0).all()
    )
    note = f"{len(patterns) / result.wall_seconds / 1e6:.2f} million patterns of 20 letters a second"
    return Row(f"backward search, 1,000,000 patterns, {n // MIB} MB", n, result.wall_seconds, result.wall_seconds, None,
               agrees, note)  # fmt: skip
