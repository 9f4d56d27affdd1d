"""Relations that are known, told by the seeds."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from wavediff.core.run.runner import run_job
from wavediff.core.screening.relation import Relation, verdict
from wavediff.core.screening.shared_kmers import ScreenJob
from wavediff.core.sequences.orientation import reverse_complement

DATA = Path(__file__).parents[2] / "data"


@cache
def genome(name):
    return b"".join((DATA / f"{name}.fa").read_bytes().split(b"\n")[1:])


LAMBDA, SARS = genome("lambda_NC_001416.1"), genome("sars_cov_2_MN908947.3")


def random_letters(n, seed):
    return np.frombuffer(b"ACGT", np.uint8)[np.random.default_rng(seed).integers(0, 4, n)].tobytes()


def changed(letters, share, seed=1):
    rng, out = np.random.default_rng(seed), np.frombuffer(letters, np.uint8).copy()
    at = rng.random(out.size) < share
    out[at] = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, int(at.sum()))]
    return out.tobytes()


def told(a, b):
    letters = np.frombuffer(a, np.uint8), np.frombuffer(b, np.uint8)
    return verdict(run_job(ScreenJob(a=letters[0], b=letters[1])), *letters)


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
        (Relation.MOVED, LAMBDA[:5_000] + LAMBDA[12_000:25_000] + LAMBDA[5_000:12_000] + LAMBDA[25_000:]),
        (Relation.PART, LAMBDA[20_000:21_500]),
        (Relation.PART, changed(LAMBDA[20_000:21_500], 0.05)),
        (Relation.PART, reverse_complement(LAMBDA[20_000:21_500])),
        (Relation.PART, changed(LAMBDA[20_000:20_150], 0.02)),  # a read
        (Relation.PART, reverse_complement(changed(LAMBDA[20_000:20_150], 0.02))),
        (Relation.PART, LAMBDA[20_000:20_064]),
        (Relation.UNKNOWN, random_letters(150, 2)),
        (Relation.OVERLAP, LAMBDA[30_000:] + random_letters(28_000, 1)),
        (Relation.UNRELATED, random_letters(len(LAMBDA), 2)),
        (Relation.UNRELATED, SARS),
        (Relation.UNKNOWN, random_letters(1_500, 3)),  # far shorter: nothing is expected to be shared
        (Relation.UNKNOWN, b""),
        (Relation.UNKNOWN, LAMBDA[:63]),
    ],
    ids=lambda one: str(one) if isinstance(one, Relation) else "",
)  # fmt: skip
def test_the_seeds_tell_the_relation(relation, b):
    assert told(LAMBDA, b).relation is relation
    assert told(b, LAMBDA).relation is relation


@pytest.mark.parametrize("b", [b"N", b"A", b"CA"])
def test_low_complexity_tells_no_order(b):
    many = b * (len(LAMBDA) // len(b))
    for one, other in ((LAMBDA, many), (many, LAMBDA), (many, many)):
        assert told(one, other).relation in (Relation.UNKNOWN, Relation.UNRELATED)


def test_a_circle_is_told_with_its_origin():
    turned = LAMBDA[20_000:] + LAMBDA[:20_000]
    assert told(LAMBDA, turned).origin == 20_000
    other = told(LAMBDA, reverse_complement(turned))
    assert (other.relation, other.minus, other.origin) == (Relation.OTHER_STRAND, True, 20_000)


def test_indels_shift_the_origin_by_no_more_than_the_first_ones():
    kept = np.random.default_rng(5).random(len(LAMBDA)) > 0.01
    thinned = np.frombuffer(LAMBDA, np.uint8)[kept].tobytes()
    cut = int(kept[:20_000].sum())
    assert told(LAMBDA, thinned[cut:] + thinned[:cut]).origin == pytest.approx(20_000, abs=10)


@pytest.mark.parametrize("b", [SARS, INVERTED, MOVED, LAMBDA[20_000:21_500], LAMBDA])
def test_what_is_no_circle_has_no_origin(b):
    assert told(LAMBDA, b).origin is None
    assert told(LAMBDA, reverse_complement(b)).origin is None


def with_indels(letters, share, seed):
    rng = np.random.default_rng(seed)
    times = np.where(rng.random(len(letters)) < share / 5, rng.choice([0, 2], len(letters)), 1)
    return np.repeat(np.frombuffer(changed(letters, share, seed), np.uint8), times).tobytes()


@pytest.mark.parametrize("share", [0, 0.05, 0.15])
def test_a_circle_turned_by_a_few_per_cent_is_told(share):
    """On both strands, by letters of the beginning and of the end of A; most pairs share no seed behind the turn."""
    rng = np.random.default_rng(int(100 * share))
    for _ in range(40):
        n = int(rng.integers(2_500, 9_000))
        turn = int(rng.integers(100, n // 20)) * int(rng.choice([-1, 1])) % n
        a, minus = random_letters(n, n), bool(rng.integers(2))
        b = with_indels(a[turn:] + a[:turn], share, n)
        found = told(a, reverse_complement(b) if minus else b)
        assert found.origin is not None, (n, turn, minus)
        assert (found.minus, abs(found.origin - turn) < 40) == (minus, True), (n, turn, found)


def flank(n, kind, seed):
    """Return ``n`` letters: random ones, one letter, a repeat of two, or N."""
    return (random_letters(n, seed), b"A" * n, (b"CA" * n)[:n], b"N" * n)[kind]


def test_linear_sequences_with_different_ends_are_no_circle():
    """Two windows of one sequence, and one sequence with other ends, simple ones too, on both strands."""
    rng = np.random.default_rng(7)
    for number in range(160):
        n, share = int(rng.integers(2_500, 9_000)), float(rng.choice([0, 0.05, 0.15]))
        before, behind = (int(one) for one in rng.integers(64, n // 12, 2))
        core = random_letters(n, number)
        if number % 2:
            a, b = core[: n - behind], changed(core[before:], share)
        else:
            kind = number // 2 % 4
            a = flank(before, kind, 2 * number + 1_000) + core
            b = changed(core, share) + flank(behind, kind, 2 * number + 1_001)
        for one, other in ((a, b), (b, a), (a, reverse_complement(b))):
            assert told(one, other).origin is None, (number, n, before, behind, share)
