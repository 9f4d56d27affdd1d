"""The transform beside libdivsufsort and libsais, its inverse, and backward search.

libsais is packaged nowhere: ``WAVEDIFF_LIBSAIS`` names the shared library that was built of its sources.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.bwt import BwtJob, FindJob, IndexJob, InverseBwtJob
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.run.runner import run_job
from wavediff.core.system.machine import cores
from wavediff.tests.bench.bwt_texts import (
    dna,
    families,
    headers,
    machine_code,
    protein,
    repeats,
    sources,
    versions,
    words,
)
from wavediff.tests.bench.letters import CPU_METHODS, fibonacci, frozen, random_letters
from wavediff.tests.bench.measure import in_turn
from wavediff.tests.bench.table import Row, once, unit

MIB = 1_000_000
QUICK, LONG = 10, 100  # megabytes
LIBSAIS = os.environ.get("WAVEDIFF_LIBSAIS", "")


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
    yield from of_every_day(size)
    text = dna(1 * MIB)
    yield forward("random DNA, 1 MB, ternary quicksort of Yamanaka", text, 1, peer=True, method=BwtMethod.TERNARY)
    yield from inverse(size)
    yield search(size)


def of_every_day(n: int, threads: int = 1) -> Iterator[Row]:
    """Texts as people have them, and the hard ones."""
    texts: dict[str, Callable[[int], Letters]] = {
        "DNA with families of repeats": lambda n: families(n)[0], "repeats with changes": repeats,
        "Python sources": sources, "headers and JSON": headers, "20 versions of sources": versions, "protein": protein,
        "machine code": machine_code, "Fibonacci": lambda n: frozen(fibonacci(n)),
        "a stretch of 1,000,000 over and over": lambda n: frozen(np.resize(dna(MIB), n).tobytes()),
    }  # fmt: skip
    for name, make in texts.items():
        text = make(n)
        yield forward(f"{name}, {text.size // MIB} MB", text, threads, peer=True)


def forward(what: str, text: Letters, threads: int, *, peer: bool, method: BwtMethod = BwtMethod.AUTO) -> Row:
    job = BwtJob(text=text, threads=threads, method=method)
    asked = _peers(text, threads) if peer else {}
    mine, *others = in_turn([lambda: run_job(job), *asked.values()], 2, warm=False)
    result = mine.answer
    sorting = mine.best * (1 - result.check_seconds / result.wall_seconds)
    note = f"{result.strategy}, {unit(mine.best)} with the check"
    peers = {}
    for name, other in zip(asked, others, strict=True):
        primary, last = other.answer
        peers[name] = once(other.best, primary == result.primary and np.array_equal(last, result.last))
    return Row(what, text.size, once(sorting), peers, note)


def _peers(text: Letters, threads: int) -> dict[str, Callable[[], tuple[int, Letters]]]:
    found: dict[str, Callable[[], tuple[int, Letters]]] = {}
    if find_spec("pydivsufsort") is not None:
        found["divsufsort"] = partial(_divsufsort, text)
    if LIBSAIS:
        found["libsais"] = partial(_libsais, text, threads)
    return found


def _libsais(text: Letters, threads: int) -> tuple[int, Letters]:
    """Return the transform by Grebnov's libsais; by several threads where it was built with OpenMP."""
    last, room = np.empty_like(text), np.empty(text.size, np.int32)
    arrays = [array.ctypes.data_as(ctypes.c_void_p) for array in (text, last, room)]
    sizes = [ctypes.c_int32(text.size), ctypes.c_int32(0), None]
    library = ctypes.CDLL(LIBSAIS)
    if threads > 1:
        return int(library.libsais_bwt_omp(*arrays, *sizes, ctypes.c_int32(threads))), last
    return int(library.libsais_bwt(*arrays, *sizes)), last


def _divsufsort(text: Letters) -> tuple[int, Letters]:
    import pydivsufsort

    primary, last = pydivsufsort.bw_transform(text.copy())  # it takes none that is read-only
    return int(primary), last


def inverse(n: int) -> Iterator[Row]:
    text = dna(n)
    result = run_job(BwtJob(text=text))
    for threads in {1: 0, cores(): 0}:
        back = run_job(InverseBwtJob(last=result.last, primary=result.primary, threads=threads))
        agrees = np.array_equal(back.text, text)
        what = f"inverse, random DNA, {n // MIB} MB, {threads} core{'s' * (threads > 1)}"
        yield Row(what, n, once(back.wall_seconds), right=agrees)


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
    what = f"backward search, 1,000,000 patterns, {n // MIB} MB"
    return Row(what, n, once(result.wall_seconds), note=note, right=agrees)
