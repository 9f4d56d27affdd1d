"""Times of a run: shares of pixels against a slow count, lanes that are shown, the axis of the stages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavediff.app.compare.run_times import MAX_LANES, RunTimes, busy_shares
from wavediff.core.jobs.run_record import STAGES, RunRecord, Span, thread_lanes


def made(rng, lanes, places):
    """A record of lanes that each do one place after another, with waits."""
    began, ended = np.zeros((1, places), np.uint32), np.zeros((1, places), np.uint32)
    by = rng.integers(0, lanes, (1, places)).astype(np.uint8)
    now = np.ones(lanes, np.uint32)
    for k in range(places):
        lane = by[0, k]
        began[0, k] = now[lane] + rng.integers(0, 40)
        ended[0, k] = began[0, k] + rng.integers(0, 50)
        now[lane] = ended[0, k]
    return RunRecord(began, ended, by, thread_lanes(lanes), seconds_per_tick=1e-3)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 30), st.integers(1, 40))
def test_shares_are_the_time_at_places(seed, lanes, places, n):
    rng = np.random.default_rng(seed)
    record = made(rng, lanes, places)
    edges = np.linspace(-0.01, record.seconds + rng.uniform(0, 0.05), n + 1)
    slow = np.zeros((lanes, n))
    for began, ended, by in zip(record.began[0], record.ended[0], record.by[0], strict=True):
        first, last = (float(began) - 1) * 1e-3, (float(ended) - 1) * 1e-3
        for k in range(n):
            slow[by, k] += max(0.0, min(last, edges[k + 1]) - max(first, edges[k])) / (edges[k + 1] - edges[k])
    assert np.allclose(busy_shares(record, edges), slow, atol=1e-6)


def test_of_many_lanes_the_busiest_are_shown_and_all_together():
    record = made(np.random.default_rng(1), 20, 400)
    times = RunTimes.of(record, ())
    busy = sorted((lane.busy for lane in record.lanes()), reverse=True)
    assert len(times.lanes) == MAX_LANES
    assert sorted((lane.busy for lane, number in times.lanes if number is not None), reverse=True) == busy[:7]
    shares = times.shares(50)
    assert shares.shape == (MAX_LANES, 50)
    assert np.allclose(shares[-1].mean(), np.mean(busy), atol=0.02)


def test_the_axis_has_all_stages_and_all_blocks():
    record = made(np.random.default_rng(2), 2, 50)
    spans = (Span("encode", STAGES, -0.5, -0.1), Span("blocks", STAGES, 0.0, 0.2), Span("x", "thread 1", -9.0, 9.0))
    times = RunTimes.of(record, spans)
    assert times.first == -record.seconds / 4  # all of the preparation would leave no room for the blocks
    assert times.last == record.seconds
    assert RunTimes.of(record, (Span("check", STAGES, 0.0, record.seconds + 1e-3),)).last == record.seconds + 1e-3
    assert [span.name for span in times.stages] == ["encode", "blocks"]
    assert times.slowest[0].seconds == (record.ended - record.began).max() * record.seconds_per_tick
