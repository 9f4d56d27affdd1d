"""Texts of more characters than a byte counts, dropped on the window: their answer and their list are by characters."""

from pathlib import Path

import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
CASE = Path(__file__).parents[1] / "data" / "many_characters"


def chinese(me):
    me.wait_for_first_answer()
    me.drop([CASE / "a.txt", CASE / "b.txt"])
    me.wait_to_see("6 edits", 120)  # kernels may be compiled first
    me.wait_until(lambda: 0 < len(me.differences()) <= 6, "each difference has a row", 30)
    assert "�" not in "".join(map(str, me.differences()))


def test_bug_f2_chinese_characters_have_six_edits_in_the_window(tmp_path):
    play(Home(tmp_path), chinese)
