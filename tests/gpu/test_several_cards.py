"""Batches and searches on several cards: the answers, and their order, are those of one card."""

import numpy as np
import pytest

from tests.core.running import watched
from tests.core.searches import patterns, random_dna, rows
from wavediff.core.base.errors import DeviceError
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import HitsFound, Progress, StepDone, run_to_end
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.batch.run import run as run_batch_on_cpu
from wavediff.core.kernels.search.run import run as run_search_on_cpu
from wavediff.core.methods import EDIT, LCS, SWAP
from wavediff.core.methods.batch import BatchJob
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.batch import run as batch
from wavediff.gpu.batch import warp_classes
from wavediff.gpu.batch.warp_classes import make_plan
from wavediff.gpu.card.side_by_side import side_by_side
from wavediff.gpu.search import run
from wavediff.gpu.search import run as search


def pool(seed, n):
    rng = np.random.default_rng(seed)
    return SequencePool.of([rng.integers(65, 69, size, np.uint8) for size in rng.integers(0, 200, n)])


@pytest.mark.parametrize("method", [LCS, EDIT, SWAP], ids=str)
@pytest.mark.parametrize("how", [*Pairing, "own"], ids=str)
@pytest.mark.parametrize("some_long", [False, True])
def test_a_batch(cards, method, how, some_long, monkeypatch):
    if some_long:
        monkeypatch.setattr(warp_classes, "MAX_STEPS", 48)
    a, b = pool(1, 24), None if how == "own" else pool(2, 24)
    job = BatchJob(a=a, b=b, method=method, pairs=Pairing.ALL_TO_ALL if how == "own" else how)
    one = run_to_end(batch.run_on(cards[0], job))
    told, found = watched(batch.run_on(cards[0], job, lambda: cards[1:]))
    assert np.array_equal(found.values, one.values)
    assert max(event.done for event in told if isinstance(event, Progress)) == job.n_pairs
    pairs = [event for event in told if isinstance(event, StepDone) and event.kernel == "pairs"]
    assert sum(event.calls for event in pairs) == job.n_pairs
    assert sum(event.cells for event in pairs) == job.n_cells


@pytest.mark.parametrize("method", [LCS, EDIT, SWAP], ids=str)
@pytest.mark.parametrize("how", [*Pairing, "own"], ids=str)
def test_a_batch_of_pairs_with_several_strips(cards, method, how):
    rng = np.random.default_rng(7)
    a, b = (
        SequencePool.of([rng.integers(65, 69, size, np.uint8) for size in (1025, 1500, 2100, 2500)]) for _ in range(2)
    )
    pairs = Pairing.ALL_TO_ALL if how == "own" else how
    job = BatchJob(a=a, b=None if how == "own" else b, method=method, pairs=pairs)
    classes = make_plan(pairs, how == "own", a.sizes, b.sizes, 1 << 30).classes
    assert max(one.strips for one in classes) > 1
    found = run_to_end(batch.run_on(cards[0], job, lambda: cards[1:]))
    assert np.array_equal(found.values, run_to_end(run_batch_on_cpu(job)).values)


@pytest.mark.parametrize("limit", [10, 10**6])
def test_a_search(cards, limit, monkeypatch):
    monkeypatch.setattr(run, "MAX_CHUNK", 1 << 12)
    text = random_dna(1, 100_000)
    job = SearchJob(
        text=text, patterns=patterns(b"ACGT", *(text[k : k + 60].tobytes() for k in range(60))), limit=limit
    )
    wanted = run_to_end(run_search_on_cpu(job))
    told, found = watched(search.run_on(cards[0], job, lambda: cards[1:]))
    ends = [int(event.hits.end.min()) for event in told if isinstance(event, HitsFound)]
    letters = [event.done for event in told if isinstance(event, Progress) and event.stage == "search"]
    assert rows(found.hits) == rows(wanted.hits)
    assert found.complete == wanted.complete
    assert ends == sorted(ends)
    assert letters == sorted(letters)
    assert letters[-1] == text.size or limit == 10


def test_a_search_of_nothing(cards):
    job = SearchJob(text=np.zeros(0, np.uint8), patterns=patterns(b"ACGT"))
    assert not len(run_to_end(search.run_on(cards[0], job, lambda: cards[1:])).hits)


def steps(n, error=None, closed=None):
    """Yield ``n`` events, note in ``closed`` that it began and that it ended, fail with ``error`` at last."""
    closed = [] if closed is None else closed
    closed.append("begun")
    try:
        for k in range(n):
            yield StepDone(1, "blocks", 1, k, 2.0)
        if error is not None:
            raise error
    finally:
        closed.append("ended")
    return n


def test_cards_side_by_side_are_told_of_as_one():
    told, found = watched(side_by_side([steps(3), steps(5)]))
    assert found == [3, 5]
    assert sorted(event.cells for event in told) == [0, 0, 1, 1, 2, 2, 3, 4]
    assert sum(event.seconds for event in told) < 1.0  # of the time that passed


def test_where_a_card_fails_the_others_end():
    closed = []
    with pytest.raises(DeviceError, match="as the test has it"):
        list(side_by_side([steps(10**9, closed=closed), steps(1, DeviceError("as the test has it"), closed)]))
    assert closed.count("begun") == closed.count("ended")


def test_who_stops_waits_for_all_cards():
    closed = []
    events = side_by_side([steps(10**9, closed=closed), steps(10**9, closed=closed)])
    next(events)
    events.close()
    assert closed.count("begun") == closed.count("ended") > 0
