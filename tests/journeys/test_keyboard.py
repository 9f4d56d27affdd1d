"""The keyboard alone, from the start to a file that was exported."""

import re

from tests.journeys.samples import SAMPLES
from tests.journeys.stage import Home, play


def by_keys(me):
    me.wait_for_first_answer()
    # Differences can be stepped through without a click, also with the letter alone.
    assert "in letters" in me.focused(), f"at the start the focus is in {me.focused() or 'nothing'}"
    place = where(me)
    me.key("N")
    me.wait_until(lambda: where(me) != place, "N goes to the next difference", 10)
    me.resize(1050, 800)  # where one method is in sight
    every_control_is_reached(me, "'Method'")
    for control in ("B's parts", "'Method'", "Sequence A", "'Run'"):
        tab_to(me, control)
        place = where(me)
        me.key("N")
        me.wait_until(lambda place=place: where(me) != place, f"N goes on from {control}", 10)
    me.resize(1280, 800)  # where all methods are in sight
    every_control_is_reached(me, "'Edits'")
    # Two files, the method by its access key or by Tab, Run, and out.
    a, b = SAMPLES["one letter changed"].files(me.folder, "keys")
    me.key("Ctrl+O")
    me.name_files([a, b])
    me.wait_idle()
    me.wait_to_see(a.name, 20)
    tab_to(me, "'Edits'")
    me.key("Down")
    me.wait_until(lambda: me.chosen("Method") != "Edits", "the arrow takes the next method", 10)
    method = me.chosen("Method")
    me.key("Ctrl+R")
    me.wait_idle()
    assert "swap" in " ".join(me.named("Result")), (method, me.named("Result"))
    me.key("Alt+Down")
    me.wait_until(lambda: "1 of 1" in where(me), "Alt+Down goes to the difference", 10)
    tab_to(me, "in letters'")
    me.key("Ctrl+A")
    me.key("Ctrl+C")
    assert me.clipboard().startswith(">"), me.clipboard()[:80]
    me.key("Ctrl+L")
    me.type("A:20")
    me.key("Return")
    me.wait_until(lambda: any("A 20 " in line for line in me.read()), "Ctrl+L goes to a letter", 10)
    path = me.folder / "by keys.paf"
    me.key("Ctrl+E")
    me.name_files([path])
    me.wait_until(path.exists, "the alignment is exported", 20)
    assert len(path.read_text().split("\t")) >= 12, path.read_text()
    menus_by_keys(me)


def where(me):
    """The counter of differences."""
    return next((line for line in me.read() if re.match(r"[\d,]+ differences?$|difference [\d,]+ of", line)), "")


def every_control_is_reached(me, method):
    """Tab goes round through the window: it comes back to where it began, and every control was on the way."""
    first, reached = me.focused(), []
    for _ in range(120):
        me.key("Tab")
        reached.append(me.focused())
        if me.focused() == first:
            break
    else:
        raise AssertionError(f"Tab never comes back to {first}: the last were {reached[-8:]}")
    for name in ("Sequence A", "'Swap", "Sequence B", "B's parts", method, "'Options'", "'Run'", "Go to"):
        assert any(name in each for each in reached), f"Tab does not reach {name}: {reached}"
    count = len(reached)
    for _ in range(count):
        me.key("Shift+Tab")
    assert me.focused() == first, f"Shift+Tab goes another way round: to {me.focused()}"


def tab_to(me, part):
    for _ in range(120):
        if part in me.focused():
            return
        me.key("Tab")
    raise AssertionError(f"Tab does not reach {part}")


def menus_by_keys(me):
    """Every menu opens with its access key, and every view of the menu can be opened."""
    for head in me.menus():
        me.key(f"Alt+{head[0]}")
        assert me.entries(), f"Alt+{head[0]} opens no menu"
        me.key("Esc")
        me.close_menus()
    for keys in ("Ctrl+F", "Ctrl+B", "Ctrl+K", "F1"):
        me.key(keys)
        me.wait_idle()
        me.key("Esc")


def test_from_the_start_to_an_export_by_keys(tmp_path):
    play(Home(tmp_path), by_keys, leave="key")
