"""The replay: by itself once after a short run, unless a preference says no."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.journeys.person import Person
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
PLAYS, RESTS = "‖", "▶"  # what the button of the transport says
LONGER_SECONDS = 1.0  # than it takes from an answer to a replay by itself


def plays(me: Person) -> bool:
    return me.sees(PLAYS)


def by_itself(me: Person) -> None:
    me.wait_for_first_answer()
    me.wait_until(lambda: me.sees(RESTS) or plays(me), "the run can be replayed", 30)
    me.wait_until(lambda: not plays(me), "its replay is over", 30)
    me.key("Ctrl+R")
    me.wait_until(lambda: plays(me), "the map plays by itself", 30)
    assert any("3,314 edits" in line for line in me.named("Result")), me.named("Result")
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


def test_a_short_run_is_replayed_by_itself(tmp_path: Path) -> None:
    play(Home(tmp_path), by_itself)
