"""The samples as they open: the answer, what is offered, and where B begins."""

import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey


def opened(me, button, answer):
    """Click ``button`` of the start page, and wait for ``answer``."""
    me.wait_until(lambda: me.is_there("Open the sample"), "the start page is shown")
    me.click(button)
    me.wait_until(lambda: any(answer in line for line in me.named("Result")), answer)
    me.wait_idle()
    me.picture(button)


def the_first(me):
    opened(me, "Open the sample", "5 substitutions")
    me.wait_until(lambda: me.is_there("List of differences", "Differences"), "its list is seen")
    rows = me.table("List of differences", "Differences")
    assert [row[2] for row in rows] == ["587", "833", "2,731", "2,793", "2,811"], rows
    assert me.sees("5 differences"), "none is chosen"
    assert me.sees("Column 1 · A 1 G · B 1 G")
    cells_beside_a_map_without_blocks(me)


def cells_beside_a_map_without_blocks(me):
    """A place is clicked there, and the answer and its time stay."""
    before = me.named("Result")
    for view in ("Cells", "Machine words"):
        me.click(view)
        me.wait_to_see("Choose Map and click a place in it to see the cells around it.")
    me.click("Map")
    me.click_at("Map of the computation", 0.6, 0.5)
    me.click("Cells")
    me.wait_to_see("4,096 of 4,096")
    me.wait_idle()
    assert me.named("Result") == before


def a_turned_circle(me):
    opened(me, "A turned circle", "edits")
    me.click("Compare as reverse complement, from A 2,001")
    me.wait_until(lambda: any("15 edits" in line for line in me.named("Result")), "it is turned")
    me.wait_until(lambda: me.is_there("List of differences", "Differences"), "its list is seen")
    assert len(me.table("List of differences", "Differences")) == 4
    me.picture("turned")
    me.key("Ctrl+Z")
    me.wait_to_see("B is on the other strand")


def two_mitochondria(me):
    opened(me, "Human and orang-utan", "2,512 edits")
    assert any("from 16,026" in name for name in me.names_seen()), me.names_seen()
    assert not me.sees("like a circular molecule"), "both begin at the same gene"
    me.open_chip("B")
    me.choose("Topology of B", "Linear")
    me.wait_to_see("B begins at A 577, like a circular molecule")
    me.close_popover()
    me.click("Compare from A 577")
    me.wait_until(lambda: any("2,512 edits" in line for line in me.named("Result")), "it is turned again")


def the_first_start(me):
    """PhiX is there with its first difference, how to open files under it; another pair takes the page away."""
    me.wait_until(lambda: any("5 substitutions" in line for line in me.named("Result")), "PhiX is compared")
    me.wait_until(lambda: me.sees("difference 1 of 5"), "its first difference is shown")
    assert me.sees("A 587 G · B 587 A")
    assert me.is_there("Open files…")
    assert not me.is_there("Differences", "Panels")
    me.picture("first start")
    me.resize(1280, 800)
    me.picture("first start, 1280 x 800")
    me.click("PhiX and its control")
    me.wait_until(lambda: me.sees("5 differences") and me.sees("Column 1 · A 1 G"), "it is opened with none chosen")


def a_card_of_the_first_start(me):
    me.wait_until(lambda: me.is_there("Open files…") and me.is_there("Result"), "PhiX is compared")
    me.click("kitten and sitting")
    me.wait_until(lambda: any("3 edits" in line for line in me.named("Result")), "the words are compared")
    assert not me.is_there("Open files…")
    me.wait_until(lambda: me.table("List of differences", "Differences"), "the list is in its place")


def the_next_start(me):
    me.wait_until(lambda: me.is_there("Open the sample"), "nothing is open")


def test_the_first_start_opens_the_first_sample(tmp_path):
    play(Home(tmp_path / "one", first=True), the_first_start)
    play(Home(tmp_path, first=True), a_card_of_the_first_start)
    play(Home(tmp_path, first=True), the_next_start)


@pytest.mark.parametrize("sample", [the_first, a_turned_circle, two_mitochondria])
def test_samples_open_and_look_right(tmp_path, sample):
    play(Home(tmp_path), sample, environment={"WAVEDIFF_LATE_SECONDS": "0.3"})
