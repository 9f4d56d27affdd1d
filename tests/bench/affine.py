"""Global alignment with affine gaps beside parasail: scores, whole alignments, many pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import parasail

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.choices import Pairing
from wavediff.core.methods.affine import AFFINE, AffineJob
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.scoring.scheme import ScoringScheme, default_scheme
from wavediff.core.sequences.sequence import SequencePool
from wavediff.tests.bench.swap import digest, measured
from wavediff.tests.bench.table import Row

LETTERS = {"protein": b"ARNDCQEGHILKMFPSTWYV", "DNA": b"ACGT"}
SCHEMES = {"protein": default_scheme(proteins=True), "DNA": default_scheme(proteins=False)}
TRACED_LETTERS = 10_000  # parasail keeps a byte a cell
CHANGED = 0.3  # share of the letters, in pairs that are related


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line; ``quick`` leaves out what takes the peer more than a few seconds."""
    rng = np.random.default_rng(60)
    sizes = [("protein", 300), ("protein", 1000), ("DNA", 1000), ("protein", 10_000), ("DNA", 10_000)]
    for kind, n in sizes + ([] if quick else [("protein", 50_000), ("DNA", 50_000)]):
        scheme = SCHEMES[kind]
        a, b = _related(rng, LETTERS[kind], n)
        peer = _peer(parasail.nw_striped_sat if n <= 1000 else parasail.nw_striped_32, a, b, scheme)
        ours = _job(a, b, scheme, TracebackMethod.NONE)
        yield measured(f"score, {kind} {n:,}, as a job", a.size * b.size, ours, {"parasail": peer}, slow=n >= 50_000)
        beside = {"parasail": _peer(parasail.nw_trace_striped_32, a, b, scheme)} if n <= TRACED_LETTERS else {}
        ours = _job(a, b, scheme, TracebackMethod.BLOCKS)
        yield measured(f"alignment, {kind} {n:,}", a.size * b.size, ours, beside, slow=n >= 50_000)
    yield _pairs(rng)


def _pairs(rng: np.random.Generator) -> Row:
    scheme, letters = SCHEMES["protein"], np.frombuffer(LETTERS["protein"], np.uint8)
    a, b = ([letters[rng.integers(0, 20, 300)] for _ in range(100)] for _ in "ab")
    matrix = _matrix(scheme)
    pools = SequencePool.of(a), SequencePool.of(b)

    def ours() -> int:
        job = BatchJob(a=pools[0], b=pools[1], pairs=Pairing.ALL_TO_ALL, method=AFFINE, threads=1)
        return digest(run_job(job).values)

    def peer() -> int:
        found = []
        for x in a:
            profile = parasail.profile_create_sat(x.tobytes().decode(), matrix)
            found.append(
                [
                    parasail.nw_striped_profile_sat(profile, y.tobytes().decode(), scheme.open, scheme.extend).score
                    for y in b
                ]
            )
        return digest(np.array(found))

    return measured("100 x 100 proteins of 300", 10_000 * 300 * 300, ours, {"parasail": peer})


def _related(rng: np.random.Generator, alphabet: bytes, n: int) -> tuple[Letters, Letters]:
    letters = np.frombuffer(alphabet, np.uint8)
    a = letters[rng.integers(0, letters.size, n)]
    b = a.copy()
    changed = rng.random(n) < CHANGED
    b[changed] = letters[rng.integers(0, letters.size, int(changed.sum()))]
    return a, b[rng.random(n) > CHANGED / 10]


def _matrix(scheme: ScoringScheme) -> parasail.Matrix:
    letters = scheme.matrix.letters
    matrix = parasail.matrix_create(letters, 0, 0)
    for i in range(len(letters)):
        for j in range(len(letters)):
            matrix[i, j] = int(scheme.matrix.scores[i, j]) * scheme.scale
    return matrix


def _job(a: Letters, b: Letters, scheme: ScoringScheme, path: TracebackMethod) -> Callable[[], int]:
    return lambda: int(run_job(AffineJob(a=a, b=b, scoring=scheme, path=path, threads=1)).units)


def _peer(call: Callable[..., parasail.Result], a: Letters, b: Letters, scheme: ScoringScheme) -> Callable[[], int]:
    x, y, matrix = a.tobytes().decode(), b.tobytes().decode(), _matrix(scheme)
    return lambda: int(call(x, y, scheme.open, scheme.extend, matrix).score)
