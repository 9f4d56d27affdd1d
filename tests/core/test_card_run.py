"""The record of a run on a card that ships: it can be read, says where it was made, and keeps the order of strips."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np

from wavediff.core.jobs.grid import BlockState
from wavediff.core.reading.record_json import read_record

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
    assert sum(lane.n_places for lane in record.lanes()) == record.ended.size
    launches = [span for span in run.recorded.spans if span.lane == "launches"]
    assert len(launches) > 50
    assert sum(span.cells for span in launches) == attempt.cells
    assert all(one.ended <= other.began for one, other in pairwise(launches))
