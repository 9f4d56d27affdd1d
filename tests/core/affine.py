"""Alignments with affine gaps for tests: scoring schemes, jobs, the oracle and the peer."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles import affine as oracle
from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.affine_result import AffineResult
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import run_to_end
from wavediff.core.kernels.affine.run import run as kernel
from wavediff.core.methods.affine import AffineJob
from wavediff.core.sequences.scoring.builtin import BUILT_IN, built_in
from wavediff.core.sequences.scoring.matrix import SubstitutionMatrix
from wavediff.core.sequences.scoring.scheme import ScoringScheme

LETTERS = {
    name: np.frombuffer(b"ACGT" if name == "DNAfull" else b"ARNDCQEGHILKMFPSTWYV", np.uint8) for name in BUILT_IN
}
# Both widths of a difference, equal costs, none at all, costs that are no whole numbers.
GAPS = ((11, 1), (10, 0.5), (3, 3), (0, 0), (5, 0), (40, 2), (60, 7), (1.25, 0.25), (300, 299))
SCHEMES = tuple(ScoringScheme(built_in(name), *gaps) for name in BUILT_IN for gaps in GAPS)


def some_letters(rng: np.random.Generator, n: int, scheme: ScoringScheme) -> Letters:
    alphabet = LETTERS.get(scheme.matrix.name, np.frombuffer(scheme.matrix.letters.encode(), np.uint8))
    return alphabet[rng.integers(0, alphabet.size, n)]


def related(rng: np.random.Generator, a: Letters, scheme: ScoringScheme) -> Letters:
    """``a`` with some letters changed, some stretches lost and some new ones."""
    pieces, at = [], 0
    while at < a.size:
        size = int(rng.integers(1, 30))
        piece = a[at : at + size].copy()
        changed = rng.random(piece.size) < 0.2
        piece[changed] = some_letters(rng, int(changed.sum()), scheme)
        pieces += [piece] if rng.random() < 0.85 else []
        pieces += [some_letters(rng, int(rng.integers(1, 20)), scheme)] if rng.random() < 0.15 else []
        at += size
    return np.concatenate([np.empty(0, np.uint8), *pieces])


def random_scheme(rng: np.random.Generator, reach: int) -> ScoringScheme:
    """Scores and gaps whose largest difference is just ``reach``."""
    k = int(rng.integers(1, 6))
    most = int(rng.integers(0, min(reach // 2, 10_000)))
    first = (reach - 1 - most) // 2
    extend = reach - 1 - most - 2 * first
    if first > 0 and extend < first and rng.random() < 0.5:
        moved = min(first - 1, (first - extend) // 3)
        first, extend = first - moved, extend + 2 * moved
    scores = rng.integers(-min(3 * reach, 10_000), most + 1, (k, k))
    scores[int(rng.integers(k)), int(rng.integers(k))] = most
    return ScoringScheme(SubstitutionMatrix("own", "ABCDE"[:k], scores.astype(np.int16)), first, extend)


def align(a: Letters, b: Letters, scheme: ScoringScheme, **choices: Any) -> AffineResult:
    return run_to_end(kernel(AffineJob(a=a, b=b, scoring=scheme, **choices)))


def codes(letters: Letters, scheme: ScoringScheme) -> list[int]:
    return scheme.matrix.codes[letters].tolist()


def expected(a: Letters, b: Letters, scheme: ScoringScheme) -> tuple[int, str]:
    """Return score times its scale and CIGAR, by the oracle."""
    scores = scheme.matrix.scores.astype(np.int64) * scheme.scale
    same = np.eye(scores.shape[0], dtype=bool)
    return oracle.align(codes(a, scheme), codes(b, scheme), scores, scheme.open, scheme.extend, same)


def rescored(a: Letters, b: Letters, result: AffineResult) -> float:
    """Return what the columns of the alignment score, from letters and numbers as the person gave them."""
    assert result.alignment is not None
    scheme, i, j, score = result.scoring, 0, 0, 0.0
    place = {letter: k for k, letter in enumerate(scheme.matrix.letters)}
    for op, n in result.alignment.runs():
        if op in (Op.INSERTION, Op.DELETION):
            score -= scheme.gap_open + (n - 1) * scheme.gap_extend
            i, j = i + n * (op == Op.DELETION), j + n * (op == Op.INSERTION)
            continue
        for _ in range(n):
            assert (a[i] == b[j]) == (op == Op.EQUAL)
            score += int(scheme.matrix.scores[place[chr(a[i])], place[chr(b[j])]])
            i, j = i + 1, j + 1
    assert (i, j) == (a.size, b.size)
    return score


def peer_score(a: Letters, b: Letters, scheme: ScoringScheme) -> float:
    """Return parasail's score: ``nw``, gaps at the ends penalised, the first letter of a gap costs ``open``."""
    import parasail

    letters = scheme.matrix.letters
    matrix = parasail.matrix_create(letters, 0, 0)
    for i in range(len(letters)):
        for j in range(len(letters)):
            matrix[i, j] = int(scheme.matrix.scores[i, j]) * scheme.scale
    texts = a.tobytes().decode(), b.tobytes().decode()
    return float(parasail.nw(*texts, scheme.open, scheme.extend, matrix).score / scheme.scale)
