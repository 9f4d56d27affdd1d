"""A small window has one part in front, and letters come where a place is chosen."""

import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
MAP = "Map of the computation"


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
