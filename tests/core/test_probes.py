"""O(ND) probes against rapidfuzz, called directly: jobs take them only where few edits are likely."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Hamming, Indel, Levenshtein

from tests.core.pairs import mutate, random_letters
from tests.depth import examples
from tests.oracles import edit as edit_oracle
from tests.oracles import lcs as lcs_oracle
from wavediff.core.jobs.alignment import LETTER
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.pairwise.diagonal_transition import likely_path
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import (
    ANY,
    NOWHERE,
    UNREACHED,
    extend_points,
    trace_kept,
    trace_points,
)
from wavediff.core.kernels.pairwise.diagonal_transition.likely_path import lead, likely_cost
from wavediff.core.kernels.pairwise.diagonal_transition.probe import INITIAL_STATE, probe_steps
from wavediff.core.kernels.pairwise.edit import strategy
from wavediff.core.kernels.pairwise.edit.strategy import hamming, is_subsequence, subsequence_path
from wavediff.core.kernels.pairwise.estimate import SampledKmers, kmer_length
from wavediff.core.kernels.traceback.assemble import assemble_alignment
from wavediff.core.kernels.traceback.verify import MORE, RIGHT, verify_runs
from wavediff.core.methods import EDIT, LCS
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.run.runner import run_job


def test_a_probe_leads_back_from_beyond_two_to_the_31_letters():
    """Letters that nobody writes to take no memory."""
    n = (1 << 31) + 64
    a, b = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    a[n - 20], b[n - 20], a[n - 9 :], b[n - 8 :] = 1, 2, np.arange(10, 19), np.arange(11, 19)
    points, seen, width = np.full(9, NOWHERE, np.int64), np.zeros(4 * 7, np.uint32), 7
    source = np.full(width, UNREACHED, np.int64)
    source[3] = 0
    extend_points((0, 0), a, b, source, 0, 0, 3, points, seen, 0, 4, ANY, 1)
    ops, lengths = np.empty(7, np.uint8), np.empty(7, np.int64)
    *_, runs = trace_points((0, 0), a, b, 0, n, 0, 2, width, seen, ops, lengths, 0)
    columns = [f"{k}{LETTER[op]}" for op, k in zip(ops[:runs], lengths[:runs].tolist(), strict=True)]
    assert columns == ["8=", "1X", "10=", "1X", f"{n - 20}="]


@st.composite
def short_pairs(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_letters = draw(st.sampled_from([1, 2, 4, 256]))
    a = random_letters(rng, draw(st.integers(0, 90)), n_letters)
    if draw(st.booleans()):
        return a, random_letters(rng, draw(st.integers(0, 90)), n_letters)
    return a, mutate(rng, a, draw(st.integers(0, 9)), n_letters)


def follows(a, b, ops, lengths):
    """Check that runs (last column first) align ``a`` and ``b``; return the alignment's columns."""
    alignment = run_to_end(
        assemble_alignment(Step(0), [(ops, lengths)], a, b, edit_oracle.common_prefix(a.tobytes(), b.tobytes()), 0)
    )
    place = np.zeros(5, np.int64)
    while verify_runs(a, b, False, alignment.ops, alignment.lengths, place, 7) == MORE:
        pass
    assert place[0] == RIGHT
    return "".join(LETTER[op] * n for op, n in zip(alignment.ops, alignment.lengths.tolist(), strict=True))


@pytest.mark.parametrize(
    ("delta_bits", "distance", "script"),
    [((0,), Indel.distance, lcs_oracle.script), ((0, 0), Levenshtein.distance, edit_oracle.script)],
    ids=["insertions and deletions", "edits"],
)
@given(pair=short_pairs(), pieces=st.integers(1, 7), letters=st.sampled_from([0, 1, 9, 1 << 20]))
@examples(400)
def test_probe(delta_bits, distance, script, pair, pieces, letters):
    """It reaches the end at the right cost, not before, and its points lead back over the stated path."""
    a, b = pair
    right = distance(a.tobytes(), b.tobytes())
    for limit, answer in ((right - 1, -1), (right, right)):
        points = np.full(2 * max(limit, 0) + 3, NOWHERE, np.int64)
        found, cost, place = -1, 0, INITIAL_STATE
        while found < 0 and cost <= limit:
            end = min(cost + pieces, limit + 1)
            found, cost, *place = probe_steps(
                delta_bits, a, b, points, -max(limit, 0), cost, end, tuple(place), letters
            )
        assert found == answer
    width, to = 2 * right + 1, b.size - a.size
    source = np.full(width, UNREACHED, np.int64)
    source[right - to] = 0
    for every, walk in ((1, None), (pieces, trace_kept)):
        points, seen = np.full(width + 2, NOWHERE, np.int64), np.zeros((right // every + 1) * width, np.uint32)
        d = 0
        while d <= right:
            d = extend_points(
                delta_bits, a, b, source, 0, to, right, points, seen, d, min(d + pieces, right + 1), letters, every
            )
        ops, lengths = np.empty(2 * right + 1, np.uint8), np.empty(2 * right + 1, np.int64)
        if walk is None:
            i, j, runs = trace_points(delta_bits, a, b, 0, a.size, to, right, width, seen, ops, lengths, 0)
        else:
            i, j, runs = walk(delta_bits, a, b, seen, width, every, right, ops, lengths)
        whole = np.append(ops[:runs], np.array([3, 2], np.uint8)), np.append(lengths[:runs], [i, j])
        assert follows(a, b, *whole) == script(a.tobytes(), b.tobytes())


@pytest.mark.parametrize("delta_bits", [(0,), (0, 0)], ids=["insertions and deletions", "edits"])
@given(pair=short_pairs(), lag=st.sampled_from([0, 3, 1 << 10]), letters=st.sampled_from([1, 40, 1 << 20]))
@examples(200)
def test_a_likely_path_costs_no_less_than_the_best(delta_bits, pair, lag, letters):
    """However narrow, it is a path; with every diagonal it is the best."""
    a, b = pair
    distance = (Indel if len(delta_bits) == 1 else Levenshtein).distance(a.tobytes(), b.tobytes())
    found = run_to_end(likely_cost(Step(1), a, b, delta_bits))
    assert found == distance  # a lag that none of these has
    points, state = np.empty(2 * (a.size + b.size) + 9, np.int64), np.zeros(likely_path.STATE, np.int64)
    cost = likely_path.UNFINISHED
    while cost == likely_path.UNFINISHED:
        cost = lead(delta_bits, a, b, points, state, letters, lag)
    assert cost == likely_path.GIVEN_UP or distance <= cost <= a.size + b.size


@pytest.mark.parametrize("method", [EDIT, LCS], ids=str)
@pytest.mark.parametrize("beyond", [-1, 0, 1, 2 * likely_path.MAX_DIAGONALS])
def test_a_pair_whose_last_diagonal_is_beyond_all_others(method, beyond):
    """A gene before its genome: read outside its points, the likely path ended the program."""
    short, long = np.array([2, 0, 2], np.uint8), np.ones(likely_path.MAX_DIAGONALS + 3 + beyond, np.uint8)
    long[500] = 0
    for a, b in ((short, long), (long, short)):
        result = run_job(method.job_type(a=a, b=b, path=TracebackMethod.NONE, threads=1))
        assert method.value(result) == (1 if method is LCS else long.size - 1)


@given(pair=short_pairs(), piece=st.sampled_from([1, 7, strategy.REPORT_LETTERS]))
@examples(300)
def test_bounds(pair, piece):
    a, b = pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strategy, "REPORT_LETTERS", piece)
        _check_bounds(a, b)


def _check_bounds(a, b):
    bound = run_to_end(hamming(Step(0), a, b))
    assert bound == Hamming.distance(a.tobytes(), b.tobytes(), pad=True)
    assert bound >= Levenshtein.distance(a.tobytes(), b.tobytes())
    inside = run_to_end(is_subsequence(Step(0), a, b))
    assert inside == lcs_oracle.is_subsequence(a.tobytes(), b.tobytes())
    if inside:
        assert follows(a, b, *run_to_end(subsequence_path(Step(0), a, b, 0, 2))) == edit_oracle.script(
            a.tobytes(), b.tobytes()
        )


@pytest.mark.parametrize("share", [0.002, 0.01, 0.05, 0.1])
def test_seeds_guess_the_share_of_changes(share):
    rng = np.random.default_rng(8)
    a = rng.integers(0, 4, 200_000).astype(np.uint8)
    b = a.copy()
    changed = rng.random(a.size) < share
    b[changed] = (b[changed] + rng.integers(1, 4, int(changed.sum()))) % 4
    guess = seeds_say(a, b)
    assert guess.low <= share
    assert 0.8 * share < guess.high < 2 * share
    assert seeds_say(a, rng.integers(0, 4, 200_000).astype(np.uint8)) is None


@pytest.mark.parametrize("n_codes", [1, 2, 3, 4, 5, 20, 129, 256])
@pytest.mark.parametrize("n", [0, 9, 40, 3000])
def test_seeds_that_occur_elsewhere_are_met_once(n_codes, n):
    rng = np.random.default_rng(n_codes + n)
    a, b = (rng.integers(0, n_codes, size, np.uint8) for size in (n, n // 2 + 40))
    b[5 : 5 + n // 3] = a[n // 4 : n // 4 + n // 3]
    length = kmer_length(n, n_codes)
    seeds = SampledKmers(a, length, n_codes)
    n_seeds = min(1024, n - length + 1)  # as many as there are, or evenly spread
    starts = [x * (n - length) // max(1, n_seeds - 1) for x in range(n_seeds)]
    known = {a[i : i + length].tobytes() for i in starts}
    seen = {b[i : i + length].tobytes() for i in range(b.size - length + 1)}
    for first in range(0, b.size, 700):
        seeds.meet(b, first, first + 700)
    assert (seeds.sampled, seeds.met) == (len(known), len(known & seen))


@pytest.mark.parametrize("n", [2, 1 << 20, 1 << 33])
def test_seeds_of_any_alphabet_fit_a_word(n):
    for n_codes in range(1, 257):
        SampledKmers(np.zeros(1, np.uint8), kmer_length(n, n_codes), n_codes)
    with pytest.raises(ValueError, match="9 codes of 8 bits"):
        SampledKmers(np.zeros(1, np.uint8), 9, 256)


def seeds_say(a, b):
    seeds = SampledKmers(a, kmer_length(a.size, 4), 4)
    seeds.meet(b, 0, b.size)
    return seeds.changed()
