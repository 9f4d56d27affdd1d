"""Record of a run in files: read back as it was written, refused where it is damaged, and drawn as trace events."""

import json
from base64 import b64encode
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from zlib import compress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.helpers import alignment, comparison, sequence
from wavediff.core.base.errors import ExportError, InputError, NotEnoughMemory
from wavediff.core.export import record as record_module
from wavediff.core.export.record import record as document
from wavediff.core.export.record import trace
from wavediff.core.jobs.events import Planned, Recorded
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import STAGES, Box, RunRecord, Span, thread_lanes
from wavediff.core.record import run_file
from wavediff.core.record.playback import Playback
from wavediff.core.record.run_file import MAX_STORED_PLACES_IN_ALL, is_record, parse_record, read_record
from wavediff.core.system.machine import cores

ROWS, COLS = 3, 40


def record(seed=1, *, unended=False):
    """Return places that two threads did in turn, 10 ticks each, a row after the other."""
    order = np.arange(ROWS * COLS, dtype=np.uint32).reshape(ROWS, COLS)
    began, by = 10 * (order // 2) + 1, (order % 2).astype(np.uint8)
    ended = began + 7
    if unended:
        ended[-1] = 0
    return RunRecord(began, ended, by, thread_lanes(2), 100.25, 1e-6, interpolated=seed == 2)


def answer(*records):
    found = comparison(sequence(b"ACGT", "first"), sequence(b"ACGA", "zweite Größe"), alignment("===X"))
    states = np.full((ROWS, COLS), BlockState.DONE, np.uint8)
    states[1, 3] = BlockState.PATH
    grid = BlockGrid(ROWS * 10, COLS * 10, 10, 10)
    attempts = tuple(
        Planned(1, grid, states, "band" if k == 0 else "full", "so", 120, -5, 6, 7, one)
        for k, one in enumerate(records)
    )
    spans = (Span("blocks", STAGES, 0.25, 0.5, 3, 120), Span("part", "thread 1", 0.25, 0.3, box=Box(0, 0, 2, 3)))
    return replace(found, options={"band": "none"}, recorded=Recorded(1, "cpu", 100.0, 1.5, spans, attempts))


def text(found):
    return b"".join(document(found))


def test_what_is_written_is_read_again(tmp_path):
    found = answer(record(unended=True), None, record(2))
    path = tmp_path / "run.json"
    path.write_bytes(text(found))
    assert is_record(path)
    run = read_record(path)
    assert (run.method, run.options, run.value, run.fold_case, run.threads) == ("edit", {"band": "none"}, 2, True, 1)
    assert [(one.name, one.length) for one in (run.a, run.b)] == [("first", 4), ("zweite Größe", 4)]
    assert datetime.fromisoformat(run.when).tzinfo is not None
    assert run.machine.endswith(f"{cores()} cores")
    written, again = found.recorded, run.recorded
    assert (again.seconds, again.device, again.spans) == (written.seconds, written.device, written.spans)
    assert len(again.attempts) == 3
    for before, after in zip(written.attempts, again.attempts, strict=True):
        assert (after.grid, after.strategy, after.reason) == (before.grid, before.strategy, before.reason)
        assert (after.cells, after.low, after.high, after.threshold) == (120, -5, 6, 7)
        assert np.array_equal(after.block_map, before.block_map)
        assert (after.record is None) == (before.record is None)
        if before.record is not None and after.record is not None:
            assert after.record.start == pytest.approx(0.25)  # since the run began
            for name in ("began", "ended", "by"):
                assert np.array_equal(getattr(after.record, name), getattr(before.record, name)), name
            assert (after.record.names, after.record.interpolated) == (before.record.names, before.record.interpolated)
            assert after.record.seconds == before.record.seconds


def test_more_lanes_than_a_byte_counts_are_kept():
    many = record()
    many.names, many.by = thread_lanes(1056), np.full((ROWS, COLS), 1055, np.uint16)
    again = parse_record(text(answer(many)), "run.json").recorded.attempts[0].record
    assert (again.by == 1055).all()
    assert Playback(again).lanes[1055].n_places == SIZE


def test_a_comparison_without_a_record_is_refused():
    found = replace(answer(), recorded=None)
    for writer in (document, trace):
        with pytest.raises(ExportError, match="were not kept"):
            list(writer(found))


def changed(change):
    value = json.loads(text(answer(record())))
    change(value)
    return json.dumps(value).encode()


def put(*path, value):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return change


def packed(array):
    return b64encode(compress(array.tobytes())).decode()


SIZE = ROWS * COLS
BAD = {
    "schema_version 2": put("schema_version", value=2),
    "'seconds' is nan": put("seconds", value=float("nan")),
    "'seconds' is inf": put("seconds", value=float("inf")),
    "'seconds' is 1000000": put("seconds", value=10**400),
    "'value' is -inf": put("value", value=float("-inf")),
    "'value' is 1000000": put("value", value=10**400),
    r"'attempts\[0\].low' is -1000000": put("attempts", 0, "low", value=-(10**400)),
    "'seconds' is -1": put("seconds", value=-1),
    "'seconds' is 1e": put("seconds", value=1e300),  # ticks times such a tick would be no number
    "'threads' is true": put("threads", value=True),
    "'a.name' is missing": lambda value: value["a"].pop("name"),
    "'a.length' is -1": put("a", "length", value=-1),
    r"'options.band' is \[\]": put("options", "band", value=[]),
    r"'spans' is no list of objects": put("spans", value=[1]),
    r"'spans\[0\].ended' is 9": put("spans", 0, "ended", value=9),
    r"'spans\[1\].box' is no list of 4": put("spans", 1, "box", value=[1, 2]),
    r"'attempts\[0\].shape' is 3,000,000 x": put("attempts", 0, "shape", value=[3_000_000, 40]),
    r"'attempts\[0\].shape' is 3 x 41": put("attempts", 0, "shape", value=[3, 41]),
    r"blocks of 0 x 10": put("attempts", 0, "grid", value=[30, 400, 0, 10, 0, 0]),
    r"'attempts\[0\].states' cannot be unpacked": put("attempts", 0, "states", value="&"),
    r"'attempts\[0\].states' has not 120 bytes": put("attempts", 0, "states", value=packed(np.zeros(121, np.uint8))),
    r"has a state 99": put("attempts", 0, "states", value=packed(np.full(SIZE, 99, np.uint8))),
    r"ended before it began": put("attempts", 0, "record", "ended", value=packed(np.ones(SIZE, "<u4"))),
    r"'attempts\[0\].record.by' has lane 7": put("attempts", 0, "record", "by", value=packed(np.full(SIZE, 7, "u1"))),
    r"record.lanes' is no list": put("attempts", 0, "record", "lanes", value=[]),
    r"record.interpolated' is 1": put("attempts", 0, "record", "interpolated", value=1),
}


@pytest.mark.parametrize("message", BAD)
def test_a_damaged_record_is_refused_with_its_field(message):
    with pytest.raises(InputError, match=message) as caught:
        parse_record(changed(BAD[message]), "run.json")
    assert str(caught.value).startswith("run.json: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no JSON"),
        (b">a\nACGT\n", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"{}", "not the record of a run"),
        (b"[1]", "not the record of a run"),
        (b'{"schema": "wavediff/record", ', "not whole"),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_record(path)


def test_a_small_file_does_not_become_a_large_array():
    bomb = packed(np.zeros(1 << 26, np.uint8))
    assert len(bomb) < 100_000
    with pytest.raises(InputError, match="has not 480 bytes"):
        parse_record(changed(put("attempts", 0, "record", "began", value=bomb)), "run.json")


def test_all_attempts_together_have_one_budget():
    side = 2048
    planes = {kind: packed(np.zeros(side * side, kind)) for kind in ("u1", "<u4")}

    def attempts(n):
        def change(document):
            one = document["attempts"][0]
            one |= {"shape": [side, side], "grid": [side, side, 1, 1, 0, 0], "states": planes["u1"]}
            one["record"] |= {"began": planes["<u4"], "ended": planes["<u4"], "by": planes["u1"]}
            document["attempts"] = [one] * n

        return changed(change)

    most = MAX_STORED_PLACES_IN_ALL // side**2
    assert len(parse_record(attempts(most), "run.json").recorded.attempts) == most
    with pytest.raises(InputError, match="'attempts' have 20,971,520 places together; at most 16,777,216 are read"):
        parse_record(attempts(most + 1), "run.json")


def test_the_memory_that_is_free_bounds_a_record(monkeypatch):
    monkeypatch.setattr(run_file, "available_memory", lambda: SIZE * run_file.BYTES_PER_PLACE - 1)
    with pytest.raises(NotEnoughMemory, match=r"the record needs 1.3 kB of memory"):
        parse_record(text(answer(record())), "run.json")


def test_a_file_of_many_small_values_is_refused_before_it_is_parsed():
    with pytest.raises(InputError, match="more than 2,097,152 values"):
        parse_record(b'{"schema": "wavediff/record", "spans": [' + b"[]," * (1 << 20) + b"[]]}", "run.json")


def paths(value, at=()):
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, one in inside for found in [(*at, key), *paths(one, (*at, key))]]


@given(st.data())
def test_whatever_stands_in_a_field_the_reader_takes_or_refuses_it(data):
    value = json.loads(text(answer(record(), None)))
    where = data.draw(st.sampled_from(paths(value)))
    put(*where, value=data.draw(st.sampled_from([None, True, -1, 0, 1 << 70, 0.5, "", "x", [], {}, [[]]])))(value)
    with suppress(InputError):
        parse_record(json.dumps(value).encode(), "run.json")


def events(found):
    value = json.loads(b"".join(trace(found)))
    return list(value["traceEvents"])


def assert_in_order(complete):
    for lane in {one["tid"] for one in complete}:
        mine = [one for one in complete if one["tid"] == lane and one["cat"] != "stage"]
        assert all(one["dur"] >= 0 for one in mine)
        assert all(a["ts"] + a["dur"] <= b["ts"] + 1e-3 for a, b in pairwise(mine))


def test_a_trace_has_a_complete_event_for_each_block_below_its_stages():
    found = events(answer(record()))
    lanes = {one["args"]["name"]: one["tid"] for one in found if one["name"] == "thread_name"}
    assert lanes == {"stages": 0, "thread 1": 1, "thread 2": 2}
    complete = [one for one in found if one["ph"] == "X"]
    blocks = [one for one in complete if one["cat"] == "band"]
    assert len(blocks) == SIZE
    assert_in_order(complete)
    assert {(one["args"]["row"], one["args"]["column"]) for one in blocks} == {
        (row + 1, column + 1) for row in range(ROWS) for column in range(COLS)
    }
    first = min(blocks, key=lambda one: (one["ts"], one["tid"]))
    assert (first["ts"], first["dur"]) == (pytest.approx(250_001), pytest.approx(7))  # the attempt began at 0.25 s


def test_places_that_were_not_ended_are_no_events_and_each_attempt_is_told():
    complete = [one for one in events(answer(record(unended=True), record())) if one["ph"] == "X"]
    kinds = [one["cat"] for one in complete]
    assert (kinds.count("band"), kinds.count("full")) == (SIZE - COLS, SIZE)


def test_places_that_were_timed_together_are_one_event():
    rows = record(2)
    rows.began[:], rows.ended[:] = rows.began[:, :1], rows.ended[:, -1:]
    rows.by[:] = 0
    blocks = [one for one in events(answer(rows)) if one.get("cat") == "band"]
    assert [(one["args"]["row"], one["args"]["interpolated"]) for one in blocks] == [(1, True), (2, True), (3, True)]


@pytest.mark.parametrize("most", [119, 60, 7])
def test_too_many_blocks_are_told_together(monkeypatch, most):
    monkeypatch.setattr(record_module, "MAX_EVENTS", most)
    complete = [one for one in events(answer(record())) if one["ph"] == "X"]
    assert_in_order(complete)
    blocks = [one for one in complete if one["cat"] == "band"]
    assert len(blocks) <= most + 1  # the last of a lane may be of fewer
    assert sum(one["args"].get("blocks", 1) for one in blocks) == SIZE
    assert sum(one["args"].get("busy", one["dur"] / 1e6) for one in blocks) == pytest.approx(SIZE * 7e-6)
