"""The second opinion on a cost: it agrees with the textbook and with every kernel, and one that is wrong is caught."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import DamerauLevenshtein, LCSseq, Levenshtein

from tests.depth import examples
from wavediff.core.base.arrays import freeze
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.pairwise.recompute import EDIT, INDEL, SCORE_NAMES, SWAP, recompute_score
from wavediff.core.kernels.pairwise.strategy import PairStrategy
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job

RIGHT = {INDEL: LCSseq.similarity, EDIT: Levenshtein.distance, SWAP: DamerauLevenshtein.distance}
texts = st.one_of(st.text("ab", max_size=40), st.text("acgt", max_size=25), st.text("abcdefgh", max_size=12))


def confirmed(a, b, kind, claimed, fold_case=False, seconds=0.0):
    x, y = (freeze(np.frombuffer(one, np.uint8)) for one in (a, b))
    return run_to_end(recompute_score(Step(1), x, y, fold_case, kind, claimed, seconds)) is not None


@pytest.mark.parametrize("kind", RIGHT)
@given(a=texts, b=texts, same=st.sampled_from(["", "a", "abcab", "gattaca" * 4]), off=st.sampled_from([-3, -1, 1, 2]))
@examples(200)
def test_only_what_the_textbook_says_is_confirmed(kind, a, b, same, off):
    """Long stretches are equal, so that the words of a band move on."""
    x, y = f"{same}{a}{same}{b}{same}".encode(), f"{same}{b}{same}{b}{same}".encode()
    right = RIGHT[kind](x, y)
    confirmed(x, y, kind, right)
    with pytest.raises(SelfCheckFailed, match=f"the {SCORE_NAMES[kind]} of {len(x)} and {len(y)} letters"):
        confirmed(x, y, kind, right + off)


@pytest.mark.parametrize("kind", [INDEL, EDIT])
@pytest.mark.parametrize(("n", "m"), [(600, 640), (640, 600), (300, 900), (1, 700), (700, 1)])
@pytest.mark.parametrize("fold_case", [False, True])
def test_bands_of_every_width_are_computed_again(kind, n, m, fold_case):
    rng = np.random.default_rng(n + m)
    for changed in (0.0, 0.02, 0.1, 1.0):
        a = rng.choice(np.frombuffer(b"acgtACGT" if fold_case else b"ACGT", np.uint8), max(n, m))
        b = np.where(rng.random(a.size) < changed, rng.choice(np.frombuffer(b"ACGT", np.uint8), a.size), a)
        x, y = a[:n].tobytes(), b[:m].astype(np.uint8).tobytes()
        right = RIGHT[kind](x.upper(), y.upper()) if fold_case else RIGHT[kind](x, y)
        assert confirmed(x, y, kind, right, fold_case)
        for off in (-1, 1):
            with pytest.raises(SelfCheckFailed, match="came out as"):
                confirmed(x, y, kind, right + off, fold_case)


def test_case_counts_only_where_it_shall():
    confirmed(b"ACGT[z", b"acgt{Z", EDIT, 1, fold_case=True)
    confirmed(b"ACGT[z", b"acgt{Z", EDIT, 6)
    with pytest.raises(SelfCheckFailed, match="came out as 6, and as 1 when"):
        confirmed(b"ACGT[z", b"acgt{Z", EDIT, 6, fold_case=True)


@pytest.mark.parametrize("kind", [INDEL, EDIT])
@pytest.mark.parametrize("fold_case", [False, True])
def test_rows_in_which_nothing_changes_are_passed_over(kind, fold_case):
    """Between a substitution, a gap on each side, and letters that change places."""
    rng = np.random.default_rng(3)
    letters = rng.choice(np.frombuffer(b"ACGTacgt" if fold_case else b"ACGT", np.uint8), 20_000)
    x = letters.tobytes()
    y = x[:100] + b"N" + x[101:5_000] + x[5_001:9_000] + b"N" + x[9_000:15_000] + b"NN" + x[15_000:]
    y = y.lower() if fold_case else y
    right = {INDEL: len(x) - 2, EDIT: 5}[kind]
    assert confirmed(x, x, kind, {INDEL: len(x)}.get(kind, 0), fold_case)
    assert confirmed(x, y, kind, right, fold_case)
    for off in (-1, 1):
        with pytest.raises(SelfCheckFailed, match=r"letters came out as .*, and"):
            confirmed(x, y, kind, right + off, fold_case)


def test_a_claim_below_the_difference_of_the_lengths_is_caught():
    with pytest.raises(SelfCheckFailed, match="came out as 2, and larger when"):
        confirmed(b"ACGT" * 5, b"AC", EDIT, 2)


def test_only_what_costs_next_to_nothing_is_done():
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 4, 30_000, np.uint8).tobytes() for _ in range(2))
    near = a[:700] + a[705:]
    right = Levenshtein.distance(a, b)
    assert not confirmed(a, b, EDIT, right)
    assert not confirmed(a[:3000], b[:3000], SWAP, 1)
    assert confirmed(a, near, EDIT, 5), "few diagonals"
    assert confirmed(a, b, EDIT, right, seconds=3.0), "a small share of a long job"


A, B = (freeze(np.frombuffer(one, np.uint8)) for one in (b"ACGTACGTTA", b"CGTACGTTAA"))


def costly(problem, *_):
    """A strategy that finds a path which is right, and not the best; it says the same of its cost."""
    n, m = problem.a.size, problem.b.size
    problem.strategy = problem.reason = "spoilt"
    problem.pieces.append((np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([n, m], np.int64)))
    yield from ()
    return n + m


@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.NONE])
@pytest.mark.parametrize(("kind", "says"), [(EditJob, "and as 2 when"), (LcsJob, "as 1, and as 9 when")])
def test_a_score_that_is_wrong_everywhere_is_caught(monkeypatch, kind, says, path):
    monkeypatch.setattr(PairStrategy, "solve", lambda self: costly(self.problem))
    with pytest.raises(SelfCheckFailed, match=f"of 10 and 10 letters .*{says} recomputed"):
        run_job(kind(a=A, b=B, path=path), device=Device.CPU)


@pytest.mark.parametrize("swaps", [False, True])
@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.NONE])
def test_a_distance_with_swaps_that_is_too_large_everywhere_is_caught(monkeypatch, path, swaps):
    def spoilt(problem, *_):
        found = yield from costly(problem)
        return found, found + (-1 if not swaps else 1)

    monkeypatch.setattr("wavediff.core.kernels.swap_edit.run._matrix", spoilt)
    with pytest.raises(SelfCheckFailed, match=r"came out as 18, and as \d when"):
        run_job(SwapEditJob(a=A, b=B, path=path, swaps=swaps), device=Device.CPU)


def test_a_bound_that_is_no_distance_is_not_asked_for():
    """Inside a threshold that is too low nothing is claimed but that it is."""
    rng = np.random.default_rng(2)
    a, b = rng.integers(65, 69, 400, np.uint8), rng.integers(65, 69, 400, np.uint8)
    result = run_job(EditJob(a=a, b=b, band=BandMode.FIXED, threshold=20), device=Device.CPU)
    assert not result.exact
