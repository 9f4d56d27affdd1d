"""Pairs that are alike: on one core beside WFA2 where pywfa is installed, longer ones on all cores beside edlib."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

import numpy as np

from wavediff.core.base.arrays import Letters, freeze
from wavediff.core.jobs.choices import Device
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run.runner import run_job
from wavediff.core.system.machine import cores
from wavediff.tests.bench import edit
from wavediff.tests.bench.edit import measured
from wavediff.tests.bench.lcs import mutate_by_share
from wavediff.tests.bench.letters import fibonacci, random_letters
from wavediff.tests.bench.table import Row

SIZES = ((1_000_000, 0.01), (10_000_000, 0.001), (10_000_000, 0.01), (100_000_000, 0.0001), (250_000_000, 0.0001))
PEERS = ("edlib", "WFA2")
QUICK = 10_000_000  # letters
PEER_EDITS = 20_000  # edits, from which on WFA2 takes seconds
PEERS_CELLS = 1e10  # letters times edits up to which edlib is asked for the distance; its path takes all memory


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line; ``quick`` leaves out the longest."""
    yield from near_identical(quick)
    yield from repetitive()
    rng, many = np.random.default_rng(34), cores()
    for n, share in SIZES:
        if quick and n > QUICK:
            return
        a = random_letters(rng, n, 4)
        b = mutate_by_share(rng, a, share)
        what = f"DNA {n:,} at {share:.2%}"
        asked = {} if quick or n * n * share > PEERS_CELLS else edit.peers(a, b)
        asked.pop("rapidfuzz", None)
        yield measured(f"edit distance, {what}", a, b, edit.job(a, b, threads=many), asked, slow=True)
        yield measured(f"edit path, {what}", a, b, edit.job(a, b, path=True, threads=many), {}, slow=True)
        yield measured(f"LCS length, {what}", a, b, partial(_lcs, a, b, TracebackMethod.NONE), {}, slow=True)
        yield measured(f"whole LCS, {what}", a, b, partial(_lcs, a, b, TracebackMethod.BLOCKS), {}, slow=True)


def near_identical(quick: bool, threads: int = 1) -> Iterator[Row]:
    """The daily case on one core: of a million letters at 5 % the peer takes seconds, and gigabytes for the path."""
    rng = np.random.default_rng(35)
    for n in (100_000, 1_000_000):
        a = freeze(random_letters(rng, n, 4))
        for share in (0.0001, 0.001, 0.01, 0.05):
            b = freeze(mutate_by_share(rng, a, share))
            slow = n * share > PEER_EDITS
            for path in (False, True):
                what = f"{'path' if path else 'distance'}, near-identical DNA {n:,} at {share:.2%}"
                asked = {} if slow and (quick or path) else _wfa2(a, b, path)
                yield measured(what, a, b, edit.job(a, b, path=path, threads=threads), asked, slow=slow)


def repetitive(threads: int = 1) -> Iterator[Row]:
    """Pairs that are alike in many ways at once, on one core."""
    rng = np.random.default_rng(36)
    word = freeze(np.frombuffer(fibonacci(1_001_000), np.uint8) % 2 * np.uint8(64))
    letter = freeze(np.zeros(1_000_000, np.uint8))
    pairs = {
        "a Fibonacci word of 1,000,000 and itself 1,000 on": (word[:1_000_000], word[1000:1_001_000]),
        "one letter 1,000,000 times and 1 % of them others": (letter, freeze(mutate_by_share(rng, letter, 0.01))),
    }
    for what, (a, b) in pairs.items():
        for path in (False, True):
            answer, ours = "path" if path else "distance", edit.job(a, b, path=path, threads=threads)
            yield measured(f"{answer}, {what}", a, b, ours, _wfa2(a, b, path), slow=True)


def _wfa2(a: Letters, b: Letters, path: bool) -> dict[str, edit.Call]:
    """Return WFA2 (Marco-Sola and others 2021, 2023) as a peer, exact as it is by default; nothing where it is not
    installed."""
    if find_spec("pywfa") is None:
        return {}
    import pywfa

    dna = np.frombuffer(b"ACGT", np.uint8)  # it takes ASCII only
    x, y = (dna[one >> 6].tobytes().decode() for one in (a, b))
    aligner = pywfa.WavefrontAligner(x, distance="levenshtein", scope="full" if path else "score")

    def call() -> int:
        aligner.wavefront_align(y)
        return abs(int(aligner.score))

    return {"WFA2": call}


def _lcs(a: Letters, b: Letters, path: TracebackMethod) -> int:
    return int(run_job(LcsJob(a=a, b=b, path=path), device=Device.CPU).length)
