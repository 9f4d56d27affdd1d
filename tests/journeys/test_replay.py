"""The replay: lanes that are clicked, and the colours of blocks; the rest is in tests/app/test_replay.py."""

import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
MAP = "Map of the computation"
PLAYS, RESTS = "‖", "▶"  # what the button of the transport says


def plays(me):
    return me.sees(PLAYS)


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


def schedules(me):
    me.wait_for_first_answer()
    me.tick("Scheduling", True, "Computation")
    me.wait_until(lambda: me.is_there("Compare schedules…"), "schedules are offered", 30)
    me.click("Compare schedules…")
    me.wait_until(lambda: any(name.startswith("Speed-up by") for name in me.names_seen()), "there is a plot", 60)
    me.picture("speed-ups")
    me.click("Play the schedule")
    me.wait_to_see("A schedule computed from the times of the run", 30)
    me.wait_until(lambda: plays(me), "it plays", 10)
    me.picture("schedule")
    me.click("Back to the answer")
    me.wait_until(lambda: not me.sees("A schedule computed from the times"), "the run is back", 10)


def test_lanes_are_clicked_and_blocks_coloured(tmp_path):
    play(Home(tmp_path), lanes_and_colours)
