"""The map of the computation: a click goes to the letters, the wheel closer and Ctrl+0 back; small pairs and swaps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.journeys.person import Person
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
MAP = "Map of the computation"


def is_in_the_middle(line: str) -> bool:
    """Near half of the way along both, as the axes are part of the map: B has 70 letters fewer and begins some 540
    before the place where A does."""
    found = re.search(r"A (\d,\d{3}) .*B (\d,\d{3}) ", line)
    at_a, at_b = (int(group.replace(",", "")) for group in found.groups()) if found else (0, 0)
    return 7_000 < at_a < 8_700 and 400 < at_a - at_b < 700


def over_the_map(me: Person) -> None:
    me.wait_for_first_answer()
    me.wait_to_see(" of the matrix computed, ", 30)
    me.click(MAP)
    me.wait_until(lambda: any(is_in_the_middle(line) for line in me.read()), "a click goes there", 10)
    me.wheel(MAP, 1)  # which takes the letter of the path under the pointer for the one that was clicked
    me.key("Ctrl+0")
    whole = me.print_of(MAP)
    me.wheel(MAP, 6)
    me.wait_until(lambda: me.print_of(MAP) != whole, "the wheel goes closer", 10)
    me.picture("closer")
    part = me.print_of(MAP)
    me.click("Play or pause (Space)", "Computation")
    me.wait_until(lambda: me.print_of(MAP) not in (part, whole), "it plays", 10)
    me.picture("the whole plays")
    me.click("To the end (End)", "Computation")
    me.wait_until(lambda: me.print_of(MAP) == part, "the part is seen again", 10)
    me.key("Ctrl+0")
    me.wait_until(lambda: me.print_of(MAP) == whole, "all of it is seen again", 10)
    me.click_at(MAP, 0.8, 0.3)
    me.wait_to_see("Path column nearest to the clicked position", 10)
    me.picture("beside the path")
    small = [me.folder / "kitten.txt", me.folder / "sitting.txt"]
    for path in small:
        path.write_text(path.stem)
    me.drop(small)
    me.wait_until(lambda: any("3 edits" in line for line in me.read()), "two words are compared", 30)
    me.click("Map")
    me.click(MAP)
    me.wait_until(lambda: any("A 4 t" in line for line in me.read()), "a click goes to a cell", 10)
    me.picture("cells")
    me.choose("Letters by", "Edits with swaps")
    me.wait_until(lambda: any("swaps" in line and "edits" in line for line in me.read()), "swaps are allowed", 60)
    assert me.print_of(MAP)


def test_the_map_of_the_computation(tmp_path: Path) -> None:
    play(Home(tmp_path), over_the_map)
