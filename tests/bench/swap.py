"""Edit distance with swaps, and many pairs at once, beside rapidfuzz: DamerauLevenshtein (unrestricted) and cdist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from zlib import crc32

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein, LCSseq, Levenshtein
from rapidfuzz.process import cdist, cpdist

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.choices import Pairing
from wavediff.core.methods import EDIT, LCS, SWAP, Method
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool
from wavediff.core.system.machine import cores
from wavediff.tests.bench.lcs import ALPHABETS
from wavediff.tests.bench.letters import random_letters
from wavediff.tests.bench.measure import in_turn
from wavediff.tests.bench.table import Row

SHORT = ((20, 3000, 20), (4, 3000, 20))
SCORERS = {LCS: LCSseq.similarity, EDIT: Levenshtein.distance, SWAP: DamerauLevenshtein.distance}
Call = Callable[[], int | np.ndarray]


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line; ``quick`` leaves out what takes the peer more than a few seconds."""
    yield from one_pair()
    yield from pair_by_pair()
    shapes = (*SHORT, (20, 104, 1000), (4, 104, 1000), *(() if quick else ((20, 1000, 1000),)))
    yield from all_against_all(shapes, dict.fromkeys((1, cores())))
    yield short_pairs(1)


def one_pair() -> Iterator[Row]:
    rng = np.random.default_rng(40)
    for alphabet, n in (("protein", 1000), ("DNA", 10_000), ("protein", 10_000), ("DNA", 100_000), ("bytes", 100_000)):
        a, b = (random_letters(rng, n, ALPHABETS[alphabet]) for _ in range(2))
        what, x, y = f"random {alphabet} {n:,}", a.tobytes(), b.tobytes()
        beside: dict[str, Call] = {}
        if n <= 10_000:
            beside["rapidfuzz"] = lambda x=x, y=y: int(DamerauLevenshtein.distance(x, y))  # type: ignore[misc]
        yield measured(f"distance, {what}, as a job", n * n, _job(a, b, TracebackMethod.NONE), beside)
        yield measured(f"script and distance without swaps, {what}", n * n, _job(a, b, TracebackMethod.BLOCKS), {})


def pair_by_pair() -> Iterator[Row]:
    """Kim, Na and Sim's experiment: 100 pairs of 1000 letters of 20."""
    rng = np.random.default_rng(41)
    a, b = ([random_letters(rng, 1000, 20) for _ in range(100)] for _ in range(2))
    for method, scorer in SCORERS.items():
        pairs = [(x.tobytes(), y.tobytes()) for x, y in zip(a, b, strict=True)]

        def peer(scorer: Callable[..., float] = scorer, pairs: list[tuple[bytes, bytes]] = pairs) -> int:
            return np.array([scorer(x, y) for x, y in pairs])

        ours = _batch(a, b, Pairing.ONE_TO_ONE, method, 1)
        yield measured(f"100 pairs of 1,000, 20 letters: {method}", 10**8, ours, {"rapidfuzz": peer})


def all_against_all(shapes: Iterable[tuple[int, int, int]], given: Iterable[int]) -> Iterator[Row]:
    """Sequences of two sets, on ``given`` cores; at length 1,000 sequences of 1,000, on all of them.

    Args:
        shapes: letters of the alphabet, sequences of each set, letters of each of them.
    """
    rng = np.random.default_rng(42)
    for n_letters, number, length in shapes:
        a, b = ([random_letters(rng, length, n_letters) for _ in range(number)] for _ in range(2))
        x, y = [one.tobytes() for one in a], [one.tobytes() for one in b]
        for method in (EDIT,) if number == 1000 else (LCS, EDIT, SWAP):
            for threads in (cores(),) if number == 1000 else given:

                def peer(
                    x: list[bytes] = x, y: list[bytes] = y, method: Method = method, threads: int = threads
                ) -> int:
                    return cdist(x, y, scorer=SCORERS[method], workers=threads)

                what = f"{number:,} x {number:,} of {length:,}, {n_letters} letters: {method}, {threads} core"
                beside = {} if method is SWAP else {"rapidfuzz": peer}  # cdist takes minutes for swaps
                ours, slow = _batch(a, b, Pairing.ALL_TO_ALL, method, threads), number == 1000
                yield measured(f"{what}{'s' if threads > 1 else ''}", (number * length) ** 2, ours, beside, slow=slow)


def short_pairs(threads: int, n: int = 200_000) -> Row:
    """Reads with their places, as it were: each pair once."""
    a, b = (np.random.default_rng(seed).integers(0, 4, (n, 20)).astype(np.uint8) * np.uint8(64) for seed in (43, 44))
    x, y = ([one.tobytes() for one in rows] for rows in (a, b))
    pairs = f"{n:,} pairs of 20, DNA: edit distance, {threads} core{'s' * (threads > 1)}"
    peer: dict[str, Call] = {"rapidfuzz": lambda: cpdist(x, y, scorer=Levenshtein.distance, workers=threads)}
    return measured(pairs, n * 400, _batch(list(a), list(b), Pairing.ONE_TO_ONE, EDIT, threads), peer)


def digest(values: np.ndarray | int) -> int:
    """Return a number that two equal tables share and others hardly ever."""
    return crc32(np.ascontiguousarray(values, np.int64).tobytes())


def measured(what: str, cells: int, ours: Call, beside: dict[str, Call], *, slow: bool = False) -> Row:
    """Measure in turn; ``slow``: once each, and the peer is not warmed up."""
    if slow:
        timings = in_turn([ours], at_least=1)
        timings += [in_turn([call], at_least=1, warm=False)[0] for call in beside.values()]
    else:
        timings = in_turn([ours, *beside.values()])
    mine, *others = (replace(one, answer=digest(one.answer)) for one in timings)  # which takes no part in the time
    return Row(what, cells, mine, dict(zip(beside, others, strict=True)))


def _job(a: Letters, b: Letters, path: TracebackMethod) -> Call:
    return lambda: int(run_job(SwapEditJob(a=a, b=b, path=path, threads=1)).distance)


def _batch(a: list[Letters], b: list[Letters], pairs: Pairing, method: Method, threads: int) -> Call:
    pool_a, pool_b = SequencePool.of(a), SequencePool.of(b)

    def call() -> int:
        return run_job(BatchJob(a=pool_a, b=pool_b, pairs=pairs, method=method, threads=threads)).values

    return call
