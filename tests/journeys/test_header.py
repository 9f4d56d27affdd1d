"""The header by mouse and keys: what opens under it, swap and undo, and a file dropped on a chip."""

import pytest

from tests.journeys.samples import SAMPLES
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey


def uses_the_header(me):
    me.wait_for_first_answer()
    a, b = SAMPLES["one letter changed"].files(me.folder, "head")
    me.drop([a, b])
    me.wait_to_see(a.name, 20)
    me.wait_idle()
    # What is known of a sequence, and the focus back where it was.
    me.open_chip("A")
    me.wait_to_see("Open…", 10)
    me.picture("chip")
    assert me.is_there("Read A as")
    me.choose("Read A as", "Text")
    me.wait_until(lambda: me.chosen("Read A as") == "Text", "A is read as text", 20)
    me.close_popover()
    assert "Sequence A" in me.focused(), me.focused()
    assert any("Text" in line for line in chips(me)), chips(me)
    # Choices under Options count at once, and can be undone.
    me.choose("Traceback", "None")
    me.wait_idle()
    assert me.chosen("Traceback") == "None"
    me.key("Ctrl+Z")
    me.wait_idle()
    assert me.chosen("Traceback") != "None"
    # Swap, and back.
    before = chips(me)
    me.key("Alt+\\")
    me.wait_until(lambda: chips(me) != before, "A and B are swapped", 10)
    me.wait_idle()
    me.key("Ctrl+Z")
    me.wait_until(lambda: chips(me) == before, "the swap is undone", 10)
    me.wait_idle()
    me.key("Ctrl+Shift+Z")
    me.wait_until(lambda: chips(me) != before, "A and B are swapped again", 10)
    me.wait_idle()
    # A file dropped on a chip replaces that side.
    other = me.folder / "other.fa"
    other.write_text(">other\nACGTACGT\n")
    kept = chips(me)[1]
    me.drop([other], on=chips(me)[0])
    me.wait_until(lambda: "other.fa" in chips(me)[0], "the file is A", 20)
    assert chips(me)[1] == kept
    me.wait_idle()
    # A narrow window has the same choices.
    me.resize(800, 600)
    me.choose("Method", "Common letters")
    me.wait_idle()
    assert me.chosen("Method") == "Common letters"
    assert "Device" in me.choosers()
    me.picture("narrow")


def chips(me):
    """The names of both chips, A before B."""
    return sorted(name for name in set(me.names_seen()) if name.startswith("Sequence "))[:2]


def test_the_header_is_used(tmp_path):
    play(Home(tmp_path), uses_the_header, leave="key")
