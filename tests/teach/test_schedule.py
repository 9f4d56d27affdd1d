"""Schedules of blocks: golden times of the papers' figures, and what every rule keeps to, whatever blocks take."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.kernels.pairwise.blocks import block_worker, matrix_plan
from wavediff.core.teach import schedule
from wavediff.core.teach.schedule import MAX_PLACES, Rule, TooManyBlocks, simulate

TWO_WORKERS = [
    [1, 2, 3, 4, 6, 9, 11, 14],
    [2, 3, 5, 7, 9, 12, 14, 16],
    [4, 5, 7, 10, 12, 15, 17, 18],
    [6, 8, 10, 13, 15, 17, 19, 20],
    [8, 11, 13, 16, 18, 19, 20, 21],
]
SHAPE = st.tuples(st.integers(1, 7), st.integers(1, 7))
WORKERS = st.integers(1, 6)


def durations(shape, data):
    """Return times of few values, so that several blocks end at once; some take none."""
    size = shape[0] * shape[1]
    return np.array(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)), float).reshape(shape)


def ready_at(found, i, j):
    above = found.ended[i - 1, j] if i else 0.0
    return max(above, found.ended[i, j - 1] if j else 0.0)


@pytest.mark.parametrize("rule", [Rule.QUEUE, Rule.CALLS, Rule.STRIPS])
def test_with_workers_enough_the_times_are_those_of_the_figure(rule):
    # Kawanami and Fujimoto's Fig. 1, which has its first rows at the bottom.
    assert simulate(np.ones((3, 4)), 4, rule).ended[::-1].tolist() == [[3, 4, 5, 6], [2, 3, 4, 5], [1, 2, 3, 4]]


def test_a_queue_of_two_workers_is_ahead_of_calls():
    assert simulate(np.ones((5, 8)), 2, Rule.QUEUE).ended.tolist() == TWO_WORKERS
    seconds = {(rule, n): simulate(np.ones((5, 8)), n, rule).seconds for rule in Rule for n in (1, 2, 6)}
    assert [seconds[Rule.QUEUE, n] for n in (1, 2, 6)] == [40, 21, 12]
    assert [seconds[Rule.CALLS, n] for n in (1, 2, 6)] == [40, 24, 12]
    assert [seconds[Rule.ALONE, n] for n in (1, 2, 6)] == [40, 40, 40]


def test_speed_up_of_a_pair_of_a_million_letters():
    for workers, stated in ((16, (15.7, 14.7)), (32, (30.0, 27.7))):
        found = (15_190 / simulate(np.ones((62, 245)), workers, rule).seconds for rule in (Rule.QUEUE, Rule.CALLS))
        assert tuple(round(one, 1) for one in found) == stated


@given(SHAPE, WORKERS, st.sampled_from(Rule), st.data())
def test_no_block_begins_too_early_and_no_worker_is_at_two(shape, workers, rule, data):
    times = durations(shape, data)
    found = simulate(times, workers, rule)
    assert np.array_equal(found.ended - found.began, times)
    assert found.by.max() < workers
    assert all(found.began[i, j] >= ready_at(found, i, j) for i, j in np.ndindex(shape))
    for worker in range(workers):
        mine = found.by == worker
        spans = sorted(zip(found.began[mine], found.ended[mine], strict=True))
        assert all(one[1] <= other[0] for one, other in pairwise(spans))


@given(SHAPE, WORKERS, st.data())
def test_in_a_queue_nobody_waits_for_a_block_that_is_ready(shape, workers, data):
    found = simulate(durations(shape, data), workers, Rule.QUEUE)
    for i, j in np.ndindex(shape):
        since, until = ready_at(found, i, j), found.began[i, j]
        busy = np.minimum(found.ended, until) - np.maximum(found.began, since)
        assert busy[busy > 0].sum() == workers * (until - since)


@given(SHAPE, WORKERS, st.data())
def test_a_call_waits_for_all_of_the_one_before(shape, workers, data):
    found = simulate(durations(shape, data), workers, Rule.CALLS)
    call = np.add.outer(np.arange(shape[0]), np.arange(shape[1]))
    for k in range(1, call.max() + 1):
        assert found.began[call == k].min() >= found.ended[call == k - 1].max()


def test_a_thread_stays_with_its_strip():
    found = simulate(np.ones((40, 60)), 3, Rule.STRIPS)
    assert all(len(set(row)) == 1 for row in found.by[:30].tolist())
    assert found.seconds < 1.02 * simulate(np.ones((40, 60)), 3, Rule.QUEUE).seconds
    alone = simulate(np.ones((5, 8)), 1, Rule.STRIPS)
    assert alone.ended.tolist() == simulate(np.ones((5, 8)), 1, Rule.ALONE).ended.tolist()


def test_strips_are_those_of_the_kernels():
    assert schedule.SWITCH_LEAD_BLOCKS == block_worker.SWITCH_LEAD_BLOCKS
    assert schedule.ACTIVE_STRIPS_PER_WORKER == matrix_plan.ACTIVE_STRIPS_PER_THREAD_MIN


def test_what_cannot_be_scheduled_is_refused():
    with pytest.raises(TooManyBlocks, match=f"256 × 257 blocks .* up to {MAX_PLACES:,}"):
        simulate(np.ones((256, 257)), 2, Rule.QUEUE)
    with pytest.raises(ValueError, match="0 workers"):
        simulate(np.ones((2, 2)), 0, Rule.QUEUE)
