"""The replay: by itself after a short run unless a preference says no; its lanes, and the colours of its blocks."""

import time
from pathlib import Path

import pytest

from tests.journeys.stage import Home, play
from tests.stored_runs import stored_run

pytestmark = pytest.mark.journey
MAP = "Map of the computation"
PLAYS, RESTS = "‖", "▶"  # what the button of the transport says
LONGER_SECONDS = 1.0  # than it takes from an answer to a replay by itself


def plays(me):
    return me.sees(PLAYS)


def by_itself(me):
    me.wait_for_first_answer()
    me.wait_until(lambda: me.sees(RESTS) or plays(me), "the run can be replayed", 30)
    me.wait_until(lambda: not plays(me), "its replay is over", 30)
    me.key("Ctrl+R")
    me.wait_until(lambda: plays(me), "the map plays by itself", 30)
    assert any("2,512 edits" in line for line in me.named("Result")), me.named("Result")
    me.picture("by itself")
    me.key("Right")
    assert not plays(me), "a key ends it"
    me.menu("File", "Preferences…")
    me.tick("Replay a run of less than a second by itself", False)
    me.click("Close")
    me.key("Ctrl+R")
    me.wait_idle()
    until = time.monotonic() + LONGER_SECONDS
    while time.monotonic() < until:
        assert not plays(me), "it was not wanted"


def lanes_and_colours(me):
    me.wait_for_first_answer()
    me.tick("Scheduling", True, "Computation")
    me.wait_until(lambda: any(name.startswith("Lanes: ") for name in me.names_seen()), "there are lanes", 30)
    lanes = next(name for name in me.names_seen() if name.startswith("Lanes: "))
    assert "thread 1" in lanes, lanes
    assert "%" in lanes, lanes
    me.wait_until(lambda: not plays(me), "the replay is over", 30)
    whole = me.print_of(MAP)
    me.click_at(lanes, 0.4, 0.8)
    me.wait_until(lambda: me.print_of(MAP) != whole, "the map is as it was then", 10)
    me.picture("moment")
    me.click("To the end (End)")
    me.wait_until(lambda: me.print_of(MAP) == whole, "all of it is computed again", 10)
    seen = {whole}
    for entry in ("Duration", "Lane", "Order"):
        me.choose("Colour of the blocks", entry, "Computation")
        me.wait_until(lambda seen=seen: me.print_of(MAP) not in seen, f"the colours tell {entry}", 10)
        seen.add(me.print_of(MAP))
        me.picture(entry)
    assert any("first to last" in name for name in me.names_seen())
    me.choose("Colour of the blocks", "State", "Computation")
    me.wait_until(lambda: me.print_of(MAP) == whole, "the colours tell states", 10)


def finer_blocks(me):
    me.wait_for_first_answer()
    me.wait_until(lambda: me.is_there("Replay with smaller blocks"), "finer blocks are offered", 30)
    me.wait_until(lambda: not plays(me), "the replay is over", 30)
    whole, answer = me.print_of(MAP), me.named("Result")
    me.click("Replay with smaller blocks")
    me.wait_to_see("not the run of the answer", 60)
    me.wait_until(lambda: plays(me), "it plays", 10)
    me.picture("finer")
    assert me.named("Result") == answer
    me.click("Back to the answer")
    me.wait_until(lambda: me.print_of(MAP) == whole, "the run of the answer is back", 10)


def test_a_small_pair_runs_again_in_finer_blocks(tmp_path):
    play(Home(tmp_path), finer_blocks)


def stored_record(me, path):
    me.wait_until(lambda: me.is_there("Open the sample"), "there is a beginning")
    me.drop([Path(path)])
    me.wait_to_see("Stored run of stored one and other: run.json", 60)
    me.wait_until(lambda: plays(me), "it plays", 10)
    assert me.sees("cores"), "the machine is told"
    me.picture("stored")
    me.click("Close", "Computation")
    me.wait_until(lambda: not me.sees("Stored run of"), "nothing is shown again", 10)
    me.wait_for_first_answer()
    me.wait_to_see("edits", 60)


def test_a_stored_record_is_replayed_without_its_sequences(tmp_path):
    play(Home(tmp_path), stored_record, path=str(stored_run(tmp_path)))


def schedules(me):
    me.wait_for_first_answer()
    me.tick("Scheduling", True, "Computation")
    me.wait_until(lambda: me.is_there("Compare schedules…"), "schedules are offered", 30)
    me.click("Compare schedules…")
    me.wait_until(lambda: any(name.startswith("Speed-up by") for name in me.names_seen()), "there is a plot", 60)
    me.picture("speed-ups")
    me.click("Play the schedule")
    me.wait_to_see("A schedule on the times of the run, not a run", 30)
    me.wait_until(lambda: plays(me), "it plays", 10)
    me.picture("schedule")
    me.click("Back to the answer")
    me.wait_until(lambda: not me.sees("A schedule on the times"), "the run is back", 10)


def test_other_schedules_are_compared_and_played(tmp_path):
    play(Home(tmp_path), schedules)


def test_lanes_are_clicked_and_blocks_coloured(tmp_path):
    play(Home(tmp_path), lanes_and_colours)


def test_a_short_run_is_replayed_by_itself(tmp_path):
    play(Home(tmp_path), by_itself)
