"""Letters before there is an alignment: of one sequence alone, while a comparison runs; and in a small window."""

from pathlib import Path

import numpy as np
import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
LETTERS = np.frombuffer(b"ACGT", np.uint8)
WORD = "GATTACAGATTACA"
MAP = "Map of the computation"


def written(path, letters):
    path.write_bytes(b">" + path.stem.encode() + b"\n" + letters + b"\n")
    return path


def chance(n, seed):
    return LETTERS[np.random.default_rng(seed).integers(0, 4, n)].tobytes()


def reads_before_it_is_aligned(me, n):
    me.wait_for_first_answer()
    long = [written(me.folder / f"{name}.fa", chance(n, seed)) for name, seed in (("one", 1), ("two", 2))]
    me.choose("Traceback", "None")
    me.drop(long)
    me.wait_to_see("Not aligned yet: A and B as they are.")
    me.wait_to_see("differences: not yet")
    me.wait_to_see("A 1 ")
    me.picture("while it runs")
    # They can be read and gone to while the front moves.
    me.key("Ctrl+L")
    me.type("B:400,000")
    me.key("Return")
    me.wait_to_see("B 400,000 ", 10)
    me.key("N")
    assert me.sees("differences: not yet"), "there is nothing to step through"
    me.key("Esc")
    me.wait_to_see("Stopped before there was an alignment", 20)
    assert me.sees("B 400,000 "), "who reads somewhere stays there"


def test_letters_while_a_comparison_runs(tmp_path):
    play(Home(tmp_path), reads_before_it_is_aligned, n=1_000_000)


def looks_at_one_alone(me, path):
    me.wait_to_see("B is missing")
    me.wait_to_see("A 1 ")
    me.show_panel("Search")
    me.click("Patterns", "Search")
    me.key("Ctrl+A")
    me.type(WORD)
    me.key("Ctrl+Return")
    me.wait_until(lambda: len(me.table("Hits", "Search")) == 1, "the word is found", 60)
    me.click_row("Hits", 0, "Search")
    me.wait_to_see("A 5,001 G", 10)
    assert me.sees("14 letters selected"), "all of the hit is selected"
    me.picture("a hit in one alone")
    # Without a path there is no alignment: the letters stay, and say why.
    me.choose("Traceback", "None")
    me.drop([Path(path), Path(path)])
    me.wait_to_see("Only the distance was asked for", 60)
    assert me.sees("not aligned")


def test_one_sequence_alone_and_no_path(tmp_path):
    path = written(tmp_path / "alone.fa", chance(5_000, 3) + WORD.encode() + chance(3_000, 4))
    play(Home(tmp_path / "home"), looks_at_one_alone, path, path=str(path))


def in_a_small_window(me):
    me.wait_for_first_answer()
    me.resize(800, 500)
    me.wait_until(lambda: me.is_there("Parts of the window"), "one part is seen at a time", 10)
    me.show_panel("Computation")
    me.wait_until(lambda: me.is_there(MAP), "the map alone is seen", 10)
    assert not me.is_there("Zoom strip")
    me.click(MAP)
    me.wait_until(lambda: me.is_there("Zoom strip"), "the letters come to the front", 10)
    assert "in letters" in me.focused()
    me.picture("from the map to the letters")
    me.show_panel("Differences")
    me.click("List of differences", "Differences")
    assert not me.is_there("Zoom strip"), "a click goes through the list"
    me.key("Return")
    me.wait_until(lambda: me.is_there("Zoom strip"), "Enter brings the letters", 10)


def test_a_chosen_place_brings_the_letters_in_a_small_window(tmp_path):
    play(Home(tmp_path), in_a_small_window)
