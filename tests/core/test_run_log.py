"""Log of a run: spans of its stages in the order of time, however it ended; and the run on a card that ships."""

import json
from itertools import pairwise
from pathlib import Path
from time import perf_counter, sleep
from unittest.mock import Mock

import numpy as np
import pytest

from tests.core.running import record_of
from wavediff.core.jobs.events import Compiled, Planned, StepDone
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import COMPILING, STAGES, Box, Span
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.record.playback import MAX_SPANS, Playback, RunLog
from wavediff.core.record.run_file import read_record


def assert_lanes_in_order(recorded):
    """No lane is at two things at once, and all lies within the run."""
    for lane in {span.lane for span in recorded.spans}:
        spans = [span for span in recorded.spans if span.lane == lane]
        assert all(0 <= span.began <= span.ended <= recorded.seconds for span in spans)
        assert all(before.ended <= after.began for before, after in pairwise(spans))


def letters(seed, n=20_000):
    return np.random.default_rng(seed).integers(0, 4, n).astype(np.uint8)


def test_pieces_of_a_stage_are_one_span_and_other_stages_others():
    log = RunLog("cpu")
    for kernel, n in (("encode", 1), ("blocks", 3), ("traceback", 1), ("blocks", 1)):
        for _ in range(n):
            log.add(StepDone(1, kernel, 2, 10, 0.0))
    spans = log.recorded(1).spans
    assert [(s.name, s.calls, s.cells) for s in spans] == [
        ("encode", 2, 10), ("blocks", 6, 30), ("traceback", 2, 10), ("blocks", 2, 10),
    ]  # fmt: skip
    assert {s.lane for s in spans} == {STAGES}


def test_a_wait_between_two_pieces_is_seen():
    log = RunLog("cpu")
    log.add(StepDone(1, "blocks", 1, 1, 0.0))
    sleep(0.02)
    log.add(StepDone(1, "blocks", 1, 1, 0.0))
    first, second = log.recorded(1).spans
    assert second.began - first.ended >= 0.015


def test_compiling_has_a_lane_of_its_own_and_a_span_never_begins_before_the_last_one_ended():
    log = RunLog("cpu")
    log.add(Compiled(1, "blocks", 60.0))
    log.add(StepDone(1, "blocks", 1, 1, 60.0))
    log.add(StepDone(1, "verify", 1, 0, 60.0))
    recorded = log.recorded(1)
    assert [(s.name, s.lane) for s in recorded.spans] == [
        ("blocks", STAGES), ("verify", STAGES), ("blocks", COMPILING),
    ]  # fmt: skip
    assert_lanes_in_order(recorded)


def test_parts_are_told_from_the_beginning_of_the_run_on():
    log = RunLog("cpu")
    now = perf_counter()
    log.add(StepDone(1, "pairs", 2, 0, 0.0, (Span("pairs", "thread 1", now, now + 0.5, box=Box(0, 0, 2, 3)),)))
    span = log.recorded(1).spans[1]
    assert (span.lane, span.box, span.seconds) == ("thread 1", Box(0, 0, 2, 3), pytest.approx(0.5))
    assert span.began == pytest.approx(now - log.start)


def test_a_lane_of_too_many_spans_is_told_more_coarsely_and_nothing_is_lost():
    log, n = RunLog("cpu"), 3 * MAX_SPANS
    for k in range(n):
        log.add(StepDone(1, ("blocks", "small")[k % 2], 1, 7, 0.0))
    recorded = log.recorded(1)
    assert len(recorded.spans) <= MAX_SPANS
    assert sum(s.calls for s in recorded.spans) == n
    assert sum(s.cells for s in recorded.spans) == 7 * n
    assert "blocks+small" in {s.name for s in recorded.spans}
    assert_lanes_in_order(recorded)


def test_a_run_is_recorded_with_its_attempt_and_its_stages():
    recorded = record_of(LcsJob(a=letters(1), b=letters(2), strategy=Strategy.FULL, threads=1))
    stages = [span.name for span in recorded.spans if span.lane == STAGES]
    assert stages[0] == "encode"
    assert {"blocks", "traceback", "verify"} < set(stages)
    assert_lanes_in_order(recorded)
    (attempt,) = recorded.attempts
    cells = sum(span.cells for span in recorded.spans if span.name == "blocks" and span.lane == STAGES)
    assert cells == attempt.cells
    begins = attempt.record.start - recorded.start
    assert 0 <= begins <= begins + attempt.record.seconds <= recorded.seconds


def test_a_stopped_run_is_recorded_too():
    recorded = record_of(LcsJob(a=letters(1, 300_000), b=letters(2, 300_000), strategy=Strategy.FULL), 1)
    (attempt,) = recorded.attempts
    cells = sum(span.cells for span in recorded.spans if span.lane == STAGES)
    assert 0 < cells < attempt.cells
    assert_lanes_in_order(recorded)


def test_what_an_attempt_kept_is_not_held_by_the_log():
    log, kept = RunLog("cpu"), Mock()
    log.add(Planned(1, BlockGrid(1, 1, 1, 1), np.zeros((1, 1), np.uint8), "full", "", 1, kept=kept))
    assert [one.kept for one in log.recorded(1).attempts] == [None]


FILE = Path(__file__).parents[2] / "resources" / "lessons" / "card-run.json"


def test_it_is_small_and_says_on_which_machine_and_when_it_was_made():
    assert FILE.stat().st_size <= 1_000_000
    told = json.loads(FILE.read_text(encoding="ascii"))
    assert "NVIDIA" in told["machine"]
    assert told["when"].startswith("2026-")


def test_strips_follow_each_other_and_launches_too():
    run = read_record(FILE)
    (attempt,) = run.recorded.attempts
    record = attempt.record
    assert run.recorded.device == "gpu"
    assert attempt.cells == run.a.length * run.b.length == (1 << 24) ** 2
    assert (attempt.block_map == BlockState.DONE).all()
    assert not record.interpolated
    began, ended = record.began.astype(np.int64), record.ended.astype(np.int64)
    assert (began > 0).all()
    assert (ended >= began).all()
    assert (began[:, 1:] >= ended[:, :-1]).all()
    assert (began[1:] >= began[:-1]).all()
    assert (ended[1:] >= ended[:-1]).all()
    assert sum(lane.n_places for lane in Playback(record).lanes) == record.ended.size
    launches = [span for span in run.recorded.spans if span.lane == "launches"]
    assert len(launches) > 50
    assert sum(span.cells for span in launches) == attempt.cells
    assert all(one.ended <= other.began for one, other in pairwise(launches))
