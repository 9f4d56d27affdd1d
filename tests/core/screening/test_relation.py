"""Relations that are known, told by the seeds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from wavediff.core.run.runner import run_job
from wavediff.core.screening.relation import Relation, Verdict, verdict
from wavediff.core.screening.shared_kmers import ScreenJob
from wavediff.core.sequences.orientation import reverse_complement

DATA = Path(__file__).parents[2] / "data"


@cache
def genome(name: str) -> bytes:
    return b"".join((DATA / f"{name}.fa").read_bytes().split(b"\n")[1:])


LAMBDA, SARS = genome("lambda_NC_001416.1"), genome("sars_cov_2_MN908947.3")


def random_letters(n: int, seed: int) -> bytes:
    return np.frombuffer(b"ACGT", np.uint8)[np.random.default_rng(seed).integers(0, 4, n)].tobytes()


def changed(letters: bytes, share: float, seed: int = 1) -> bytes:
    """Return ``letters`` of which so many are drawn anew."""
    rng, out = np.random.default_rng(seed), np.frombuffer(letters, np.uint8).copy()
    at = rng.random(out.size) < share
    out[at] = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, int(at.sum()))]
    return out.tobytes()


def told(a: bytes, b: bytes) -> Verdict:
    return verdict(run_job(ScreenJob(a=np.frombuffer(a, np.uint8), b=np.frombuffer(b, np.uint8))))


INVERTED = LAMBDA[:10_000] + reverse_complement(LAMBDA[10_000:20_000]) + LAMBDA[20_000:]
MOVED = LAMBDA[:5_000] + LAMBDA[20_000:30_000] + LAMBDA[15_000:20_000] + LAMBDA[5_000:15_000] + LAMBDA[30_000:]


@pytest.mark.parametrize(
    ("relation", "b"),
    [
        (Relation.COLLINEAR, LAMBDA),
        (Relation.COLLINEAR, changed(LAMBDA, 0.3)),
        (Relation.COLLINEAR, LAMBDA[:20_000] + LAMBDA[15_000:]),  # a tandem duplication
        (Relation.COLLINEAR, LAMBDA[15_000:]),
        (Relation.COLLINEAR, LAMBDA[:20_000] + LAMBDA[30_000:]),
        (Relation.COLLINEAR, LAMBDA[:5_000] + b"N" * 10_000 + LAMBDA[15_000:]),
        (Relation.COLLINEAR, LAMBDA.lower().replace(b"t", b"u")),
        (Relation.OTHER_STRAND, reverse_complement(LAMBDA)),
        (Relation.OTHER_STRAND, reverse_complement(changed(LAMBDA, 0.3))),
        (Relation.ORIGIN_MOVED, LAMBDA[20_000:] + LAMBDA[:20_000]),
        (Relation.INVERTED, INVERTED),
        (Relation.MOVED, MOVED),
        (Relation.PART, LAMBDA[20_000:21_500]),
        (Relation.PART, changed(LAMBDA[20_000:21_500], 0.05)),
        (Relation.PART, reverse_complement(LAMBDA[20_000:21_500])),
        (Relation.OVERLAP, LAMBDA[30_000:] + random_letters(28_000, 1)),
        (Relation.UNRELATED, random_letters(len(LAMBDA), 2)),
        (Relation.UNRELATED, SARS),
        (Relation.UNKNOWN, random_letters(1_500, 3)),  # far shorter: nothing is expected to be shared
        (Relation.UNKNOWN, b""),
        (Relation.UNKNOWN, LAMBDA[:150]),
    ],
    ids=lambda one: str(one) if isinstance(one, Relation) else "",
)  # fmt: skip
def test_the_seeds_tell_the_relation(relation: Relation, b: bytes) -> None:
    assert told(LAMBDA, b).relation is relation
    assert told(b, LAMBDA).relation is relation


@pytest.mark.parametrize("b", [b"N", b"A", b"CA"])
def test_low_complexity_tells_no_order(b: bytes) -> None:
    many = b * (len(LAMBDA) // len(b))
    for one, other in ((LAMBDA, many), (many, LAMBDA), (many, many)):
        assert told(one, other).relation in (Relation.UNKNOWN, Relation.UNRELATED)


def test_a_circle_is_told_with_its_origin() -> None:
    turned = LAMBDA[20_000:] + LAMBDA[:20_000]
    assert told(LAMBDA, turned).origin == 20_000
    other = told(LAMBDA, reverse_complement(turned))
    assert (other.relation, other.minus, other.origin) == (Relation.OTHER_STRAND, True, 20_000)


def test_indels_shift_the_origin_by_no_more_than_the_first_ones() -> None:
    kept = np.random.default_rng(5).random(len(LAMBDA)) > 0.01
    thinned = np.frombuffer(LAMBDA, np.uint8)[kept].tobytes()
    cut = int(kept[:20_000].sum())
    assert told(LAMBDA, thinned[cut:] + thinned[:cut]).origin == pytest.approx(20_000, abs=10)


@pytest.mark.parametrize("b", [SARS, INVERTED, MOVED, LAMBDA[20_000:21_500], LAMBDA])
def test_what_is_no_circle_has_no_origin(b: bytes) -> None:
    assert told(LAMBDA, b).origin is None
    assert told(LAMBDA, reverse_complement(b)).origin is None
