"""Batches of any shape agree with one pair at a time, whatever the lengths, the order and the threads."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import DamerauLevenshtein, LCSseq, Levenshtein

from tests.core.pairs import EDGES, letters, random_letters
from tests.core.running import each_device, stopped
from tests.core.swaps import swapped
from tests.depth import examples
from tests.oracles import swap_edit as oracle
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.jobs.events import Progress, StepDone
from wavediff.core.kernels.batch import batch_plan
from wavediff.core.methods import EDIT, LCS, SWAP
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool

PEERS = {LCS: LCSseq.similarity, EDIT: Levenshtein.distance, SWAP: DamerauLevenshtein.distance}
every_method = pytest.mark.parametrize("method", list(PEERS), ids=str)
every_device = each_device(LCS.job_type)


def run(
    a, b, device = Device.CPU, **choices
):  # fmt: skip
    job = BatchJob(a=SequencePool.of(a), b=None if b is None else SequencePool.of(b), **choices)
    result = run_job(job, device=device)
    assert isinstance(result, BatchResult)
    assert result.values.shape == job.shape
    return result


@cache
def _peer(method, x, y):
    return int(PEERS[method](x, y))


def known(a, b, pairs, method):
    x, y = ([one.tobytes() for one in each] for each in (a, a if b is None else b))

    def peer(p, q):
        return _peer(method, *sorted((p, q)))  # the same for both orders, and asked for in several tables

    if pairs is Pairing.ONE_TO_ONE:
        return np.array([peer(p, q) for p, q in zip(x, y, strict=True)], np.int32)
    return np.array([[peer(p, q) for q in y] for p in x], np.int32).reshape(len(x), len(y))


@st.composite
def pools(draw):
    """Two lists of sequences of edge lengths, empty ones too, some of B made of A."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_letters = draw(st.sampled_from([1, 2, 4, 20, 256]))
    sizes = st.lists(st.sampled_from([n for n in EDGES if n < 600]), max_size=20)
    a = [random_letters(rng, n, n_letters) for n in draw(sizes)]
    b = [random_letters(rng, n, n_letters) for n in draw(sizes)]
    b += [swapped(rng, one, one.size // 5, n_letters) for one in a[: draw(st.integers(0, 20))]]
    return a, b


@every_device
@given(both=pools(), method=st.sampled_from(list(PEERS)), threads=st.sampled_from([1, 2, 3]))
@examples(60)
def test_each_with_each_and_pair_by_pair(device, both, method, threads):
    a, b = both
    result = run(a, b, device, method=method, threads=threads)
    assert np.array_equal(result.values, known(a, b, Pairing.ALL_TO_ALL, method))
    own = run(a, None, device, method=method, threads=threads)
    assert np.array_equal(own.values, known(a, None, Pairing.ALL_TO_ALL, method))
    n = min(len(a), len(b))
    zipped = run(a[:n], b[:n], device, method=method, threads=threads, pairs=Pairing.ONE_TO_ONE)
    assert np.array_equal(zipped.values, known(a[:n], b[:n], Pairing.ONE_TO_ONE, method))
    assert (result.n_pairs, own.n_pairs, zipped.n_pairs) == (len(a) * len(b), len(a) * (len(a) - 1) // 2, n)


@every_device
def test_ten_thousand_small_pairs_against_the_full_table(device):
    rng = np.random.default_rng(2)
    a = [random_letters(rng, int(rng.integers(0, 13)), 1 + k % 26) for k in range(10_000)]
    b = [
        swapped(rng, one, 2, 1 + k % 26) if k % 3 else random_letters(rng, int(rng.integers(0, 13)), 1 + k % 26)
        for k, one in enumerate(a)
    ]
    swap = run(a, b, device, pairs=Pairing.ONE_TO_ONE, method=SWAP).values
    assert swap.tolist() == [oracle.distance(x.tobytes(), y.tobytes()) for x, y in zip(a, b, strict=True)]
    assert (swap <= run(a, b, device, pairs=Pairing.ONE_TO_ONE, method=EDIT).values).all()


@every_device
@every_method
def test_very_unequal_members(device, method):
    rng = np.random.default_rng(3)
    sizes = [0, 5_000, 1, 64, 700, 0, 2, 2_047, 2_048, 2_049, 4_097, 3]
    a = [random_letters(rng, n, 4) for n in sizes]
    b = [random_letters(rng, n, 4) for n in reversed(sizes)]
    for pairs in Pairing:
        for left, right in ((a, b), (b[:12], a)):
            found = run(left, right, device, pairs=pairs, method=method, threads=2)
            assert np.array_equal(found.values, known(left, right, pairs, method))
    assert np.array_equal(run(a, None, device, method=method).values, known(a, None, Pairing.ALL_TO_ALL, method))


@every_device
@every_method
def test_no_pair_at_all(device, method):
    one = [letters(b"ACGT")]
    for a, b in (([], one), (one, []), ([], []), ([], None), (one, None), ([letters(b"")], [letters(b"")])):
        result = run(a, b, device, method=method)
        assert np.array_equal(result.values, known(a, b, Pairing.ALL_TO_ALL, method))


@every_device
@every_method
def test_short_strings_of_every_length_in_several_groups(device, method):
    """Up to 32 and 64 letters several share a word; at each length, in full groups and in what is left over."""
    rng = np.random.default_rng(6)
    a = [random_letters(rng, int(n), 1 + n % 5) for n in rng.permutation([*range(68), *rng.integers(0, 33, 90)])]
    b = [swapped(rng, one, one.size // 4, 5) for one in a[::2]]
    for left, right in ((a, b), (b, a)):
        found = run(left, right, device, method=method, threads=2)
        assert np.array_equal(found.values, known(left, right, Pairing.ALL_TO_ALL, method))
    assert np.array_equal(run(a, None, device, method=method).values, known(a, None, Pairing.ALL_TO_ALL, method))


@every_device
def test_more_edits_than_sixteen_bits_hold(device):
    a, b = np.full(33_000, 1, np.uint8), np.full(40_000, 2, np.uint8)
    a[5] = b[7] = 3
    for method in (EDIT, SWAP):
        assert run([a, a[:9]], [b, b[:3]], device, method=method).values.tolist() == [[39_999, 33_000], [39_999, 9]]


@every_method
def test_neither_threads_nor_order_change_an_answer(method):
    rng = np.random.default_rng(4)
    a = [random_letters(rng, int(n), 4) for n in rng.integers(0, 400, 60)]
    b = [random_letters(rng, int(n), 4) for n in rng.integers(0, 400, 45)]
    first = run(a, b, method=method, threads=1).values
    for threads in (2, 3, 3):
        assert np.array_equal(run(a, b, method=method, threads=threads).values, first)
    order = rng.permutation(len(a))
    assert np.array_equal(run([a[k] for k in order], b, method=method).values, first[order])
    assert np.array_equal(run(b, a, method=method).values, first.T)


def test_case_is_folded_only_when_asked():
    a, b = [letters(b"acgt")], [letters(b"ACGT")]
    assert run(a, b, fold_case=True).values.tolist() == [[0]]
    assert run(a, b).values.tolist() == [[4]]


@pytest.mark.parametrize("pairs", list(Pairing))
def test_what_is_reported_adds_up(pairs):
    rng = np.random.default_rng(5)
    a, b = ([random_letters(rng, 700, 20) for _ in range(64)] for _ in range(2))
    events = []
    job = BatchJob(a=SequencePool.of(a), b=SequencePool.of(b), pairs=pairs, method=SWAP)
    result = run_job(job, report=events.append)
    done = [e for e in events if isinstance(e, StepDone) and e.kernel == "pairs"]
    assert sum(e.cells for e in done) == result.n_cells == result.n_pairs * 700 * 700
    assert sum(e.calls for e in done) == result.n_pairs
    last = [e for e in events if isinstance(e, Progress)][-1]
    assert (last.done, last.total) == (result.n_pairs, result.n_pairs)


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_a_batch_of_long_pairs(threads):
    """Also in the middle of one group."""
    long = np.zeros(400_000, np.uint8)
    stopped(BatchJob(a=SequencePool.of([long]), b=SequencePool.of([long, long]), method=EDIT, threads=threads), "pairs")


def test_memory_is_estimated_before_anything_is_allocated(monkeypatch):
    monkeypatch.setattr(batch_plan, "available_memory", lambda: 1 << 28)
    many = SequencePool(np.zeros(0, np.uint8), np.zeros(100_001, np.int64))
    with pytest.raises(NotEnoughMemory, match=r"100,000 x 100,000 answers need 40\.\d GB"):
        run_job(BatchJob(a=many, b=None))


def test_a_one_to_one_batch_needs_the_same_number_of_records():
    a, b = SequencePool.of([letters(b"A")]), SequencePool.of([letters(b"A"), letters(b"C")])
    for other in (b, None):
        with pytest.raises(ValueError, match="same number of records"):
            BatchJob(a=a, b=other, pairs=Pairing.ONE_TO_ONE)
