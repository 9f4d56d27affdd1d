"""Batches on a card agree with rapidfuzz whatever the lengths, the words of a lane and the slices."""

import numpy as np
import pytest

from tests.core.pairs import random_letters
from tests.core.swaps import swapped
from tests.core.test_batch import every_method, known
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Progress, StepDone, run_to_end
from wavediff.core.methods import SWAP
from wavediff.core.methods.batch import BatchJob
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.batch import run, warp_classes
from wavediff.gpu.batch.run import run_on
from wavediff.gpu.batch.warp_classes import make_plan

SIZES = [0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 255, 256, 257, 400]


def _sequences(seed, sizes, n_letters):
    rng = np.random.default_rng(seed)
    return [random_letters(rng, n, n_letters) for n in sizes]


def _known(a, b, how, method):
    return known(a, b, how, method).tolist()


def _run(card, a, b, words=0, **choices):
    job = BatchJob(a=SequencePool.of(a), b=None if b is None else SequencePool.of(b), **choices)
    return run_to_end(run_on(card, job, words=words)).values.tolist()


@every_method
@pytest.mark.parametrize("words", [1, 4])
def test_sizes_round_words_and_groups(card, method, words):
    rng = np.random.default_rng(1)
    for n_letters in (1, 4, 256):
        a = _sequences(n_letters, SIZES, n_letters)
        b = [swapped(rng, one, one.size // 4, n_letters) for one in a[::2]] + _sequences(3, (0, 7, 300), n_letters)
        assert _run(card, a, b, words, method=method) == _known(a, b, Pairing.ALL_TO_ALL, method)
        n = len(b)
        zipped = _run(card, a[:n], b, words, method=method, pairs=Pairing.ONE_TO_ONE)
        assert zipped == _known(a[:n], b, Pairing.ONE_TO_ONE, method)


LONG = {  # lengths of A and of B, and the limit of a warp that they meet
    "edges": (SIZES, SIZES, {}),
    "strip by strip": ((1023, 1024, 1025, 2049, 5), (1200, 1300, 1100, 2100, 3000), {}),
    "too long for a warp": ((40, 1100, 300, 0), (400, 500, 10, 900), {"MAX_STEPS": 90}),
    "one long pair takes the card": ((40, 500, 30, 500), (20, 500, 10, 7), {"ALONE_STEPS": 130}),
}


@every_method
@pytest.mark.parametrize("how", list(Pairing))
@pytest.mark.parametrize("lengths", LONG)
def test_rows_that_are_long_for_a_warp(card, method, how, lengths, monkeypatch):
    of_a, of_b, limits = LONG[lengths]
    for name, value in limits.items():
        monkeypatch.setattr(warp_classes, name, value)
    a, b = _sequences(5, of_a, 4), _sequences(6, of_b, 4)
    assert _run(card, a, b, 1, method=method, pairs=how) == _known(a, b, how, method)
    if how is Pairing.ALL_TO_ALL:
        assert _run(card, a, None, method=method) == _known(a, a, how, method)


@pytest.mark.parametrize("how", list(Pairing))
def test_two_long_pairs_share_the_card(how):
    long, many = np.array([300_000]), np.array([300_000, 100, 300_000, 20])
    assert list(make_plan(how, False, long, long, 1 << 15).long()) == [(0, 0)]
    assert not list(make_plan(how, False, many, many, 1 << 15).long())


@pytest.mark.parametrize("how", list(Pairing))
@pytest.mark.parametrize("own", [False, True])
def test_slices_add_up(card, how, own, monkeypatch):
    if own and how is Pairing.ONE_TO_ONE:
        return
    monkeypatch.setattr(run, "FIRST_CELLS", 3e5 / card.processors)
    monkeypatch.setattr(run, "LAUNCH_SECONDS", 0.0)
    monkeypatch.setattr(run, "MIN_WARPS", 0)
    monkeypatch.setattr(run, "MAX_BORDER_BYTES", 5000)
    rng = np.random.default_rng(7)
    sizes = [*rng.integers(0, 150, 24).tolist(), 1100, 1500]
    a, b = _sequences(8, sizes, 4), None if own else _sequences(9, sizes[::-1], 4)
    job = BatchJob(a=SequencePool.of(a), b=None if b is None else SequencePool.of(b), pairs=how, method=SWAP)
    events = list(run_on(card, job, words=1))
    done = [e for e in events if isinstance(e, StepDone) and e.kernel == "pairs"]
    other = a if b is None else b
    if how is Pairing.ONE_TO_ONE:
        expected = [(x.size * y.size) for x, y in zip(a, other, strict=True)]
    else:
        expected = [x.size * y.size for i, x in enumerate(a) for j, y in enumerate(other) if not own or i < j]
    assert sum(e.cells for e in done) == sum(expected)
    assert sum(e.calls for e in done) == len(expected)
    assert [e for e in events if isinstance(e, Progress)][-1].done == len(expected)
    assert len(done) > 3
    assert _run(card, a, b, 1, method=SWAP, pairs=how) == _known(a, other, how, SWAP)


def test_case_is_folded_where_asked(card):
    a, b = SequencePool.of([np.frombuffer(b"acgtZ", np.uint8)]), SequencePool.of([np.frombuffer(b"ACGTz", np.uint8)])
    assert run_to_end(run_on(card, BatchJob(a=a, b=b, fold_case=True))).values.tolist() == [[0]]
    assert run_to_end(run_on(card, BatchJob(a=a, b=b))).values.tolist() == [[5]]
