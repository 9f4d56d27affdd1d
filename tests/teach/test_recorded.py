"""Lessons on runs that happened: beside counts of the places of a record, one by one."""

from dataclasses import replace

import numpy as np
import pytest

from wavediff.app.commands.cli import main
from wavediff.app.draw.page import lesson_page
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.record.run_file import read_record
from wavediff.core.teach.lesson import MAX_SENTENCE_LETTERS, lessons
from wavediff.core.teach.questions import Kind
from wavediff.core.teach.recorded import MAX_LANES, N_STEPS, STORED, RecordedTrace
from wavediff.core.teach.scene import NEVER, Grid, Lanes, Sheet
from wavediff.core.teach.traces import InputsRefused, new_trace
from wavediff.core.teach.unit import Unit


def small(began, ended, by, *names):
    """Return the trace of a record of these ticks, a second each; what was not begun was skipped."""
    run = read_record(STORED)
    times = np.array(began, np.uint32), np.array(ended, np.uint32), np.array(by, np.uint8)
    record = RunRecord(*times, names, seconds_per_tick=1.0)
    states = np.where(times[0] > 0, BlockState.DONE, BlockState.OUTSIDE_BAND).astype(np.uint8)
    attempt = run.recorded.attempts[0]._replace(record=record, block_map=states)
    return RecordedTrace(replace(run, recorded=run.recorded._replace(attempts=(attempt,))), "")


def parts(trace, k):
    grid, sheet, lanes = trace.scene(Unit.TIME, k).parts
    assert isinstance(grid, Grid)
    assert isinstance(sheet, Sheet)
    assert isinstance(lanes, Lanes)
    return grid, sheet, lanes


def test_each_step_counts_the_places_that_had_ended():
    trace = new_trace("run", {})
    assert isinstance(trace, RecordedTrace)
    record = trace.record
    for k in range(0, N_STEPS, 7):
        ticks = k * int(record.ended.max()) / N_STEPS
        done = int((record.ended <= ticks).sum())
        running = int((record.began <= ticks).sum()) - done
        shown = [row[1] for row in parts(trace, k)[1].rows][1:3]
        assert shown == [f"{done:,}", f"{running:,}"]
    assert parts(trace, N_STEPS)[1].rows[1][1] == f"{record.ended.size:,}"


def test_a_group_has_the_step_in_which_its_last_place_ended():
    trace = new_trace("run", {})
    assert isinstance(trace, RecordedTrace)
    ended, grid = trace.record.ended, parts(trace, 0)[0]
    assert grid.values.shape == (8, 16)
    for row, col in np.ndindex(grid.values.shape):
        last = int(ended[row * 64 : row * 64 + 64, col * 4 : col * 4 + 4].max())
        assert grid.rank[row, col] == -(-last * N_STEPS // int(ended.max()))
    assert (np.diff(grid.rank, axis=0) >= 0).all()
    assert (np.diff(grid.rank, axis=1) >= 0).all()


def test_bars_are_the_steps_in_which_a_lane_was_at_work():
    trace = small([[1, 33], [1, 49]], [[32, 64], [16, 64]], [[0, 0], [1, 1]], "thread 1", "thread 2")
    lanes = parts(trace, N_STEPS)[2]
    assert lanes.names == ("thread 1", "thread 2")
    bars = sorted(zip(lanes.lane.tolist(), lanes.began.tolist(), lanes.ended.tolist(), strict=True))
    assert bars == [(0, 1, 32), (0, 33, 64), (1, 1, 16), (1, 49, 64)]


def test_busy_is_told_of_lanes_that_have_places_of_their_own():
    alone = small([[1, 20, 64]], [[20, 40, 64]], [[0, 0, 1]], "thread 1", "thread 2")
    assert [parts(alone, k)[1].rows[3][1] for k in (10, 30, 50)] == ["50 %", "50 %", "0 %"]
    assert alone.say(Unit.TIME, N_STEPS).endswith("The workers were busy 31 % of the whole run.")
    shared = small([[1, 1, 64]], [[20, 20, 64]], [[0, 0, 1]], "thread 1", "thread 2")
    assert len(parts(shared, 10)[1].rows) == 3
    assert shared.say(Unit.TIME, N_STEPS).endswith("A place counts for the worker that ended it.")


def test_lanes_beyond_what_can_be_read_are_grouped():
    names = tuple(f"thread {k + 1}" for k in range(20))
    row = list(range(20))
    trace = small([[1] * 20], [[64] * 20], [row], *names)
    shown = parts(trace, 1)[2].names
    assert len(shown) <= MAX_LANES
    assert (shown[0], shown[-1]) == ("thread 1–3", "thread 19–20")


def test_a_place_that_a_stopped_run_had_not_ended_is_never_known():
    trace = small([[1, 10], [10, 0]], [[64, 0], [20, 0]], [[0, 0], [0, 0]], "thread 1")
    grid = parts(trace, N_STEPS)[0]
    assert grid.rank.tolist() == [[64, NEVER], [20, NEVER]]
    assert trace.say(Unit.TIME, N_STEPS).startswith("64.000 s: 2 of 3 places are done.")


def test_places_that_were_skipped_keep_no_group_from_ending():
    row = [1] * 17
    trace = small([[*row[:-1], 0]], [[*range(48, 64), 0]], [[0] * 17], "thread 1")
    assert parts(trace, N_STEPS)[0].rank.tolist()[0][-1] == NEVER  # the last group is the skipped one alone
    trace = small([[0, *row[:-1]]], [[0, *range(48, 64)]], [[0] * 17], "thread 1")
    assert parts(trace, N_STEPS)[0].rank.tolist()[0][0] == 49  # 48 of 63 seconds, in 64 steps


def test_what_was_skipped_is_not_missing_from_what_is_done():
    trace = small([[1, 0, 0], [1, 9, 0]], [[64, 0, 0], [20, 30, 0]], [[0, 0, 0], [0, 0, 0]], "thread 1")
    assert "3 places of the block map (3 more were skipped)" in trace.say(Unit.TIME, 0)
    assert trace.say(Unit.TIME, N_STEPS).startswith("64.000 s: 3 of 3 places are done.")
    assert trace.value_of("places") == 3


def test_sentences_can_be_read_and_tell_the_machine_and_the_day():
    run = read_record(STORED)
    trace = RecordedTrace(replace(run, machine="a processor of many words " * 9), "")
    assert all(len(trace.say(Unit.TIME, k)) <= MAX_SENTENCE_LETTERS for k in range(N_STEPS + 1))
    first = new_trace("run", {}).say(Unit.TIME, 0)
    assert run.machine in first
    assert run.when[:10] in first


def test_what_is_no_record_is_refused(tmp_path):
    path = tmp_path / "run.json"
    path.write_text("{}")
    with pytest.raises(InputsRefused, match="not the record of a run"):
        new_trace("run", {"record": str(path)})
    with pytest.raises(InputsRefused, match="name of a file"):
        new_trace("run", {"record": 5})
    with pytest.raises(ValueError, match="no times of blocks"):
        small([[0]], [[0]], [[0]], "thread 1")


def test_a_record_of_ones_own_is_played_from_the_command_line(tmp_path, capsys):
    a, b, path = tmp_path / "a.fa", tmp_path / "b.fa", tmp_path / "run.json"
    rng = np.random.default_rng(5)
    for file in (a, b):
        file.write_text(">one\n" + "".join(rng.choice(list("ACGT"), 3000)) + "\n")
    assert (
        main(["compare", str(a), str(b), "--method", "edit", "--device", "cpu", "--record", str(path)]) == 1
    )  # they differ
    capsys.readouterr()
    assert main(["lesson", "your-run", "--set", f"record={path}", "--step", str(N_STEPS)]) == 0
    assert "places are done" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["card", "your-run"])
def test_a_page_of_a_run_is_small(name):
    (lesson,) = (one for one in lessons() if one.id == name)
    assert len(lesson_page(lesson).encode()) < 1 << 20


def test_a_run_says_whose_it_is_and_asks_whether_all_lanes_are_at_work():
    run = read_record(STORED)
    here = RecordedTrace(run, "last", was_run_here=True)
    assert here.value_of("whose") == f"The run of the current answer: {run.a.name} and {run.b.name}."
    assert "ships" in RecordedTrace(run, "last").value_of("whose")
    assert RecordedTrace(run, "run.json").value_of("whose").startswith("The run recorded in run.json:")
    one, other = (here.ask(Unit.TIME, k, Kind.CHOICE) for k in (1, 32))
    assert one.text == "After 0.071 s: what do the workers do?"
    assert (one.accepts, other.accepts) == ({"begin"}, {"all"})
    assert "127 are at work" in one.why
