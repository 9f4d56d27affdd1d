"""Figures of a record: each against its definition, place by place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.clock import check_within, longest, moment
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.run_record import RunRecord, thread_lanes
from wavediff.core.record.playback import SHARED_TIME_RATIO, Playback
from wavediff.core.teach.schedule import Rule, simulate

TICK = 0.5  # seconds


@st.composite
def records(draw):
    """Any times at all: places begun or not, ended or not."""
    shape = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    n, lanes = shape[0] * shape[1], draw(st.integers(1, 3))
    began = np.array(draw(st.lists(st.integers(0, 40), min_size=n, max_size=n)), np.uint32).reshape(shape)
    took = np.array(draw(st.lists(st.integers(0, 20), min_size=n, max_size=n))).reshape(shape)
    ended = np.where((began > 0) & (took > 0), began + took, 0).astype(np.uint32)
    by = np.array(draw(st.lists(st.integers(0, lanes - 1), min_size=n, max_size=n)), np.uint8).reshape(shape)
    return RunRecord(began, ended, by, thread_lanes(lanes), 0.0, TICK)


def durations(record):
    """Ticks of each place that was ended."""
    return {
        (i, j): int(record.ended[i, j]) - int(record.began[i, j])
        for i, j in np.ndindex(record.ended.shape)
        if record.ended[i, j]
    }


@given(records())
def test_the_slowest_places_are_the_longest_ones(record):
    took = durations(record)
    found = Playback(record).slowest(4)
    assert [one.seconds for one in found] == [TICK * ticks for ticks in sorted(took.values(), reverse=True)[:4]]
    for one in found:
        assert took[one.row, one.col] * TICK == one.seconds
        assert one.lane == record.names[record.by[one.row, one.col]]


def covered(record, lane):
    mine = [place for place in durations(record) if record.by[place] == lane]
    return {tick for place in mine for tick in range(int(record.began[place]), int(record.ended[place]))}


@st.composite
def wavefronts(draw):
    """Records in which each place waits for those above it and left of it; one lane computes one place at a time."""
    shape, lanes = (draw(st.integers(1, 5)), draw(st.integers(1, 6))), draw(st.integers(1, 3))
    took = draw(st.lists(st.integers(0, 20), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    schedule = simulate(np.array(took).reshape(shape), lanes, draw(st.sampled_from([Rule.QUEUE, Rule.STRIPS])))
    began, ended = ((times + 1).astype(np.uint32) for times in (schedule.began, schedule.ended))
    return RunRecord(began, ended, schedule.by.astype(np.uint8), thread_lanes(lanes), 0.0, TICK)


def waits_are_kept(record):
    """Whether no place began before its neighbours above and to the left ended."""
    return all(
        not 0 < record.began[i, j] < record.ended[before]
        for i, j in np.ndindex(record.began.shape)
        for before in ((i - 1, j), (i, j - 1))
        if min(before) >= 0
    )


@given(wavefronts())
def test_a_run_never_takes_less_than_its_ideal_time(record):
    found = Playback(record).ideal_seconds
    assert found is not None
    assert found <= record.seconds


def test_a_band_computed_in_pieces_at_the_same_time_has_no_ideal_time():
    began = np.array([[1, 0], [101, 201], [1, 101]], np.uint32)  # the last row is a piece of its own
    ended = np.where(began > 0, began + 100, 0).astype(np.uint32)
    by = np.array([[0, 0], [0, 0], [1, 1]], np.uint8)
    playback = Playback(RunRecord(began, ended, by, thread_lanes(2), 0.0, TICK))
    assert playback.ideal_seconds is None, "a chain over both pieces would be longer than the run"
    assert not playback.lanes_share_places


@given(records() | wavefronts())
def test_the_ideal_time_is_that_of_the_longest_chain_or_of_all_the_work(record):
    took, rows, cols = durations(record), *record.began.shape
    chain = {(-1, -1): 0}
    for i in range(rows):
        for j in range(cols):
            chain[i, j] = took.get((i, j), 0) + max(chain.get((i - 1, j), 0), chain.get((i, j - 1), 0))
    work = sum(took.values()) / len(record.names)
    playback, lanes = Playback(record), Playback(record).lanes
    found, busy = playback.ideal_seconds, sum(len(covered(record, lane)) for lane in range(len(lanes)))
    if sum(took.values()) > SHARED_TIME_RATIO * busy + 0.5:
        assert found is None, "lanes share places, whose times are then no work"
    elif not waits_are_kept(record):
        assert found is None, "places did not wait for each other"
    else:
        assert found == pytest.approx(TICK * max(*chain.values(), work))


@given(records())
def test_the_longest_wait_is_the_longest_time_without_a_place(record):
    end = max((int(one) for one in record.ended.flat), default=0)
    for lane, found in enumerate(Playback(record).lanes):
        busy, idle, longest = covered(record, lane), 0, 0
        for tick in range(1, end):
            idle = 0 if tick in busy else idle + 1
            longest = max(longest, idle)
        assert found.wait.ended - found.wait.began == pytest.approx(TICK * longest)
        assert found.wait.lane == found.name
        assert 0 <= found.wait.began <= found.wait.ended <= TICK * max(1, end)


@given(records(), st.floats(0, 40), st.data())
def test_a_moment_is_what_the_times_say(record, at, data):
    states = [BlockState.DONE, BlockState.PATH, BlockState.MONOTONE, BlockState.OUTSIDE_BAND]
    n = record.began.size
    final = np.array(data.draw(st.lists(st.sampled_from(states), min_size=n, max_size=n)), np.uint8)
    final = final.reshape(record.began.shape)
    found, now = Playback(record).at(at, final), at / TICK
    for place in np.ndindex(final.shape):
        began, ended = int(record.began[place]), int(record.ended[place])
        right = BlockState(int(final[place]))
        if began > now:
            right = BlockState.WAITING
        elif began and (not ended or ended > now):
            right = BlockState.RUNNING
        elif began and right is BlockState.PATH:
            right = BlockState.DONE
        assert found[place] == right


@given(records())
def test_shares_of_lanes_are_those_of_their_places(record):
    took, end = durations(record), int(record.ended.max())
    for lane, found in enumerate(Playback(record).lanes):
        mine = [ticks for place, ticks in took.items() if record.by[place] == lane]
        assert (found.name, found.n_places) == (record.names[lane], len(mine))
        assert found.busy == pytest.approx(len(covered(record, lane)) / max(1, end - 1))


@pytest.mark.timed
def test_a_moment_of_the_largest_record_is_found_at_once():
    began = (np.add.outer(np.arange(1024), np.arange(1024)) * 100 + 1).astype(np.uint32)
    by = np.zeros(began.shape, np.uint8)
    playback = Playback(RunRecord(began, began + np.uint32(80), by, thread_lanes(1), 0.0, 1e-6))
    final = np.full(began.shape, BlockState.PATH, np.uint8)
    took = []
    for share in range(5):
        start = moment()
        playback.at(playback.seconds * 0.2 * share, final)
        took.append(longest([start, moment()]))
    check_within(min(took), 0.016, "a moment of the largest record")  # a frame of the screen
