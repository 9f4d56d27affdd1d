"""The answer line through a run and a stop, and the map beside it."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
MAP = "Map of the computation"
LETTERS = np.frombuffer(b"ACGT", np.uint8)


def write(path, letters):
    path.write_bytes(b">" + path.stem.encode() + b"\n" + letters.tobytes() + b"\n")
    return path


def answer(me):
    return " ".join(line for line in me.named("Result") if line)


def stopped_and_run_again(me, files):
    """A whole matrix of 10^12 cells is stopped: what was computed stays in sight, and Run begins again."""
    me.wait_for_first_answer()
    me.choose("Traceback", "None")
    me.drop([Path(each) for each in files])
    # Until its kernel is compiled nothing is computed, and nothing could be kept.
    me.wait_until(lambda: re.search(r"Comparing… [\d.]*[1-9]", answer(me)), "it says how far it is")
    assert "Esc stops and keeps the map" in answer(me)
    me.wait_until(lambda: me.is_there("Stop"), "the button is Stop while it runs", 10)
    empty = me.print_of(MAP)
    me.wait_until(lambda: me.print_of(MAP) != empty, "the map fills")
    me.picture("running")
    for opens in ("Ctrl+L", "F11", "Ctrl+Shift+O"):  # a field, full screen, a popover: nearer than the run
        me.key(opens)
        me.key("Esc")
    assert "Go to" not in me.focused()
    assert "Comparing…" in answer(me)
    me.key("Esc")
    me.wait_idle(20)
    me.wait_until(
        lambda: "Stopped at" in answer(me) and "press Run to recompute" in answer(me), "it says where it stopped", 10
    )
    stopped = me.print_of(MAP)
    me.picture("stopped")
    assert me.is_there("Run")
    me.click(MAP)
    me.click("Run")
    me.wait_until(lambda: "Comparing…" in answer(me), "press Run to recompute")
    me.key("Esc")
    me.wait_idle(20)
    assert me.print_of(MAP) != stopped, "it began anew"
    # A small pair in its place is compared as ever.
    words = me.folder / "kitten.txt", me.folder / "sitting.txt"
    for path in words:
        path.write_text(path.stem)
    me.drop(words)
    me.wait_until(lambda: "3 edits" in answer(me), "two words are compared", 30)
    # Scores of texts need no matrix, and what texts have not is grey.
    me.choose("Letters by", "Scores (affine gaps)")
    me.wait_idle()
    if "Score" not in answer(me):
        me.click("Run")
    me.wait_until(lambda: "Score 0" in answer(me), "four letters match, two do not, and a gap of one costs 2", 60)
    grey = [text for text, enabled in me.menus()["Compare"] if not enabled]
    assert {"Reverse-complement B", "Turn B to fit A"} <= set(grey), me.menus()["Compare"]
    me.key("Ctrl+Shift+R")
    assert not me.messages()


def test_a_run_that_is_stopped(tmp_path):
    chance = np.random.default_rng(1)
    files = [write(tmp_path / f"{name}.fa", LETTERS[chance.integers(0, 4, 1_000_000)]) for name in ("one", "two")]
    play(Home(tmp_path), stopped_and_run_again, files=[str(each) for each in files])
