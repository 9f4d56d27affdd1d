"""Texts beyond ASCII."""

import re

import pytest

from tests.journeys.samples import SAMPLES
from tests.journeys.stage import Home, play

LIST, PANEL = "List of differences", "Differences"


def letters(me):
    """The name of the letters."""
    return next(name for name in me.names_seen() if re.fullmatch(r"Alignment of .* in letters", name))


def in_other_letters(me):
    """A text in Czech: each character is one letter, shown, gone to, listed, searched and copied as itself."""
    me.wait_for_first_answer()
    me.drop(SAMPLES["UTF-8"].files(me.folder, "czech"))
    me.wait_until(lambda: any("20 letters" in line or "in 20 and" in line for line in me.named("Result")), "20 letters")
    me.wait_idle()
    me.click(letters(me))
    me.key("Ctrl+L")
    me.type("A:2")
    me.key("Return")
    me.wait_until(lambda: me.sees("A 2 ř · B 2 ř · equal"), "the second letter is ř", 10)
    changes = " ".join(row[5] for row in me.table(LIST, PANEL))
    assert "kůň → pěl" in changes, changes
    me.click(letters(me))
    me.key("Ctrl+A")
    me.key("Ctrl+C")
    assert "Příliš žluťoučký kůň" in me.clipboard().replace("-", ""), me.clipboard()
    me.show_panel("Search")
    me.click("Patterns", "Search")
    me.key("Ctrl+A")
    me.put_on_clipboard("žlu")  # keys that are sent by Qt know ASCII only
    me.key("Ctrl+V")
    me.key("Ctrl+Return")
    me.wait_idle()
    me.wait_until(lambda: me.sees("1 hit"), "how often is said where it is seen", 20)
    me.wait_until(lambda: me.sees("Příliš [žlu]ťoučký kůň"), "it is said where, in its own letters", 20)
    me.picture("czech")


@pytest.mark.journey
def test_a_text_beyond_ascii(tmp_path):
    play(Home(tmp_path), in_other_letters)
