"""A second algorithm proves a score, and finds one that is wrong."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_verification import ACGT, pair
from tests.depth import examples
from wavediff.core.base.arrays import freeze
from wavediff.core.base.errors import SelfCheckFailed, WavediffError
from wavediff.core.jobs.edit_result import Place
from wavediff.core.methods import second
from wavediff.core.methods.affine import AffineJob
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.second import ProofJob
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job

SCORES = {EditJob: "distance", SwapEditJob: "distance", LcsJob: "length", AffineJob: "units"}


def proof_of(job, off=0):
    result, name = run_job(job), SCORES[type(job)]
    claimed = replace(result, **{name: getattr(result, name) + off})
    return run_job(ProofJob(pair=job, result=claimed))


@pytest.mark.parametrize("words", [True, False], ids=["words", "blocks"])
@pytest.mark.parametrize("job_type", SCORES)
@pytest.mark.parametrize("changed", [0.0, 0.01, 1.0])
def test_what_is_right_is_proven_and_what_is_not_is_found(monkeypatch, job_type, changed, words):
    """Also of those so long that words or cells one by one would take long."""
    if not words:
        monkeypatch.setattr(second, "WORD_CELLS", 0)
        monkeypatch.setattr("wavediff.core.methods.affine.CELL_BY_CELL", 0)
    job = job_type(**pair(2500, changed, 1), path=TracebackMethod.NONE)
    proof = proof_of(job)
    assert "read from the end to the beginning" in proof.text
    assert ("words" in proof.algorithm) == (words and job_type in (EditJob, LcsJob))
    for off in (-1, 1):
        with pytest.raises(SelfCheckFailed, match=r"came out as .*, and as .* by .*: one of the two is wrong"):
            proof_of(job, off)


@pytest.mark.parametrize("strategy", [Strategy.FULL, Strategy.BAND, Strategy.DIAGONALS])
def test_of_the_lcs_another_strategy_is_taken(monkeypatch, strategy):
    monkeypatch.setattr(second, "WORD_CELLS", 0)
    proof = proof_of(LcsJob(**pair(9000, 0.02, 2), strategy=strategy, block_rows=512))
    assert proof.algorithm.startswith(
        "the matrix in blocks" if strategy is Strategy.BAND else "the cells or points of a band"
    )


@pytest.mark.parametrize("ends", [Ends.A, Ends.B, Ends.BOTH])
def test_free_ends_are_proven(ends):
    rng = np.random.default_rng(3)
    a, b = rng.choice(ACGT, 3000), rng.choice(ACGT, 400)
    b[:300] = a[2700:] if ends is Ends.BOTH else a[1000:1300]
    x, y = (b, a) if ends is Ends.B else (a, b)
    job = EditJob(a=freeze(x), b=freeze(y), ends=ends)
    assert run_job(job).distance != 3000
    proof_of(job)
    if ends is not Ends.BOTH:  # an overlap is proven by its score
        with pytest.raises(SelfCheckFailed):
            proof_of(job, 1)


@pytest.mark.parametrize("strand", [1, -1])
def test_the_best_of_all_places_is_proven_on_its_strand(strand):
    rng = np.random.default_rng(4)
    a = rng.choice(ACGT, 3000)
    b = a[1000:1300].copy()
    b[[50, 120]] = ACGT[0], ACGT[1]
    if strand < 0:
        b = np.frombuffer(b[::-1].tobytes().translate(bytes.maketrans(b"ACGT", b"TGCA")), np.uint8)
    job = EditJob(a=freeze(a), b=freeze(b), ends=Ends.A, within=10, both_strands=True)
    assert run_job(job).strand == strand
    proof_of(job)


def test_a_circle_is_proven():
    a = np.random.default_rng(5).choice(ACGT, 3000)
    job = EditJob(a=freeze(a), b=freeze(np.roll(a, 100)[:300].copy()), ends=Ends.A, circle=True)
    assert run_job(job).distance == 0
    proof_of(job)


def test_an_upper_bound_cannot_be_proven():
    job = EditJob(**pair(800, 1.0, 6), band=BandMode.FIXED, threshold=10)
    with pytest.raises(WavediffError, match="an upper bound cannot be verified"):
        proof_of(job)


def test_empty_sequences_are_proven():
    none = freeze(np.zeros(0, np.uint8))
    for job_type in SCORES:
        for a, b in ((none, none), (none, freeze(ACGT.copy()))):
            proof_of(job_type(a=a, b=b, path=TracebackMethod.NONE))


@given(st.integers(0, 2**32 - 1), st.integers(0, 60), st.integers(0, 60))
@examples(100)
def test_overlaps_of_chance_are_proven_too(seed, n, m):
    """Read from the end a score counts the letters of the other sequence: the best ones may differ by their gaps."""
    rng = np.random.default_rng(seed)
    a, b = rng.choice(ACGT, n), rng.choice(ACGT, m)
    k = min(n, m, 12)
    if seed % 2 and k:
        b[:k] = a[n - k :]
        b[k // 2] = ACGT[0]
    proof_of(EditJob(a=freeze(a), b=freeze(b), ends=Ends.BOTH))


def test_an_overlap_that_was_missed_is_no_proof():
    rng = np.random.default_rng(5)
    a, b = rng.choice(ACGT, 300), rng.choice(ACGT, 300)
    b[:40] = a[260:]
    job = EditJob(a=freeze(a), b=freeze(b), ends=Ends.BOTH)
    missed = replace(run_job(job), score=9, distance=1, place=Place(288, 300, 0, 12), alignment=None)
    with pytest.raises(SelfCheckFailed):
        run_job(ProofJob(pair=job, result=missed))
