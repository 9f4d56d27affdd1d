"""LCS: length and whole alignment beside rapidfuzz's LCSseq, which gives the length and, for small inputs, a path."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from rapidfuzz.distance import LCSseq

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.choices import Device
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.run.runner import run_job
from wavediff.core.system.machine import cores
from wavediff.tests.bench.letters import random_letters
from wavediff.tests.bench.measure import in_turn
from wavediff.tests.bench.table import Row

ALPHABETS = {"DNA": 4, "protein": 20, "bytes": 256}


def job(
    a: Letters, b: Letters, path: TracebackMethod, threads: int, strategy: Strategy = Strategy.AUTO
) -> Callable[[], int]:
    def call() -> int:
        return int(run_job(LcsJob(a=a, b=b, path=path, threads=threads, strategy=strategy), device=Device.CPU).length)

    return call


def mutate_by_share(rng: np.random.Generator, a: Letters, share: float) -> Letters:
    """``a`` with ``share`` of its letters changed: 8 of 10 replaced, 1 deleted, 1 inserted."""
    b = a.copy()
    replaced = rng.random(b.size) < 0.8 * share
    b[replaced] += (64 * rng.integers(1, 4, int(replaced.sum()))).astype(np.uint8)
    b = b[rng.random(b.size) >= 0.1 * share]
    places = np.flatnonzero(rng.random(b.size) < 0.1 * share)
    return np.insert(b, places, random_letters(rng, places.size, 4))


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line; ``quick`` leaves out what takes the peer more than a second."""
    rng = np.random.default_rng(20)
    many = cores()
    for n in (100, 1000, 3000, 10_000):
        a, b = random_letters(rng, n, 4), random_letters(rng, n, 4)
        yield beside_peer(f"length, random DNA {n:,}", a, b, job(a, b, TracebackMethod.NONE, 1))
        x, y = a.tobytes(), b.tobytes()
        calls = job(a, b, TracebackMethod.BLOCKS, 1), lambda x=x, y=y, n=n: n - len(LCSseq.editops(x, y)) // 2
        ours, peer = in_turn(calls)
        yield Row(f"whole, random DNA {n:,}", a.size * b.size, ours, {"rapidfuzz": peer})
    for alphabet, sizes in (("DNA", (100_000, 1_000_000)), ("protein", (100_000,)), ("bytes", (100_000,))):
        for n in sizes:
            a, b = (random_letters(rng, n, ALPHABETS[alphabet]) for _ in range(2))
            what = f"random {alphabet} {n:,}"
            yield from in_every_way(what, a, b, many, ask=n <= 100_000 or not quick)
    a = random_letters(rng, 1_000_000, 4)
    for share in (0.0001, 0.001, 0.01, 0.05, 0.15):
        b = mutate_by_share(rng, a, share)
        what = f"DNA 1,000,000 at {share:.2%}"
        yield beside_peer(f"length, {what}", a, b, job(a, b, TracebackMethod.NONE, 1), ask=not quick)
        yield beside_peer(f"whole, {what}", a, b, job(a, b, TracebackMethod.BLOCKS, 1), ask=False)


def in_every_way(what: str, a: Letters, b: Letters, many: int, *, ask: bool) -> Iterator[Row]:
    """Measure length and whole alignment on one core and on ``many``, all in turn: their ratios are of one time."""
    none, blocks = TracebackMethod.NONE, TracebackMethod.BLOCKS
    ways = {
        f"length, {what}, every cell": job(a, b, none, 1, Strategy.FULL),
        f"length, {what}": job(a, b, none, 1),
        f"whole, {what}": job(a, b, blocks, 1),
    }
    if many > 1:
        ways[f"length, {what}, every cell, {many} cores"] = job(a, b, none, many, Strategy.FULL)
        ways[f"whole, {what}, {many} cores"] = job(a, b, blocks, many)
    x, y = a.tobytes(), b.tobytes()
    timings = in_turn([*ways.values(), *([lambda: LCSseq.similarity(x, y)] if ask else [])])
    for k, (one, ours) in enumerate(zip(ways, timings, strict=False)):
        yield Row(one, a.size * b.size, ours, {"rapidfuzz": timings[-1]} if ask and k == 0 else {})


def beside_peer(what: str, a: Letters, b: Letters, ours: Callable[[], int], *, ask: bool = True) -> Row:
    x, y = a.tobytes(), b.tobytes()
    calls = [ours, *([lambda: LCSseq.similarity(x, y)] if ask else [])]
    timing, *peer = in_turn(calls, at_least=3 if a.size <= 100_000 or not ask else 1)
    return Row(what, a.size * b.size, timing, dict(zip(["rapidfuzz"], peer, strict=False)))
