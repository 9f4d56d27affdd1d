"""The dot plot: from the notice of an inversion to the letters at its border, with a cursor, a ramp, k and Stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys import hands, screen
from tests.journeys.genomes import drop_inverted, fasta, random_letters
from tests.journeys.person import Person
from tests.journeys.stage import Home, play
from tests.journeys.test_pictures import saved
from wavediff.core.sequences.orientation import reverse_complement

pytestmark = pytest.mark.journey
PLOT, RAMP, K, UNIQUE = "Dot plot", "Opacity of sparse dots", "Letters of a k-mer", "only runs with a unique k-mer"


def show_the_dots(me: Person) -> None:
    """Press the button of the notice: in the list of notices, where a narrow window has no room for it."""
    if not me.is_there("Show the dots"):
        me.click("1 notice")
    me.click("Show the dots")
    me.resize(1280, 800)  # where letters and dots are seen beside each other


def inverted(me: Person) -> None:
    """Two genomes of which a part is inverted."""
    a = random_letters(60_000)
    copy = a[:500]
    a = a[:40_000] + copy + a[40_000:]
    b = a[:15_000] + reverse_complement(a[15_000:30_000]) + a[30_000:]
    drop_inverted(me, a, b)
    show_the_dots(me)
    me.wait_to_see("shared 15-mers on +", 120)
    me.wait_idle()
    whole = me.print_of(PLOT)
    me.picture("both strands")
    saved(me, "Dots", me.folder / "dots.svg")
    drawn = (me.folder / "dots.svg").read_text()
    assert "one – other: Dots" in drawn
    assert drawn.count("<polyline") + drawn.count("<path") >= 4, "a line for each run"
    # The wheel goes to the letters, a click to the same place in the alignment, and the pointer is told.
    me.wheel(PLOT, 14)
    me.wait_until(lambda: me.print_of(PLOT) != whole, "the wheel goes closer", 10)
    me.wait_to_see("pixels per letter", 10)
    me.picture("letters")
    me.click(PLOT)
    me.wait_until(lambda: any(line.startswith("Column ") for line in me.read()), "a click goes there", 10)
    me.key("Ctrl+0")
    me.wait_to_see("letters per pixel", 10)
    # Another k, whose dots by chance the ramp darkens, and no repeats.
    me.fill(K, "11", "Computation")
    me.key("Return")
    me.wait_to_see("shared 11-mers on +", 60)
    me.wait_idle()
    pale = me.print_of(PLOT)
    me.click(RAMP)
    me.key("End")
    me.wait_until(lambda: me.print_of(PLOT) != pale, "the ramp darkens", 10)
    with_repeats = me.print_of(PLOT)
    me.tick(UNIQUE, True, "Computation")
    me.wait_until(lambda: me.print_of(PLOT) != with_repeats, "repeats are left out", 10)
    me.fill(K, "24", "Computation")
    me.key("Return")
    me.wait_to_see("shared 24-mers on +", 60)
    me.picture("another k")
    # Stop and back to the map.
    me.wait_idle()
    me.fill(K, "12", "Computation")
    me.key("Return")
    me.key("Escape")
    me.wait_until(lambda: me.sees("Stopped") or me.sees("shared 12-mers on +"), "it is stopped, or was faster", 60)
    if me.sees("Stopped"):
        me.click("Find the dots")
    me.wait_to_see("shared 12-mers on +", 60)
    me.click("Map")
    me.wait_until(lambda: me.is_there("Map of the computation"), "the map is there", 10)
    me.click("Dots")
    me.wait_to_see("shared 12-mers on +", 10)


def selected(me: Person) -> None:
    """A rectangle round an inversion, its letters on the other strand, and the whole pair again."""
    a = random_letters(20_000)
    b = a[:8_000] + reverse_complement(a[8_000:12_000]) + a[12_000:]
    drop_inverted(me, a, b)
    show_the_dots(me)
    me.wait_to_see("shared 14-mers on +", 120)
    me.wait_idle()
    answer = me.description("Result")
    me.act("drag round the inversion", lambda: hands.drag_at(screen.find(PLOT), (0.44, 0.42), (0.66, 0.65)))
    me.wait_to_see("Compare this range", 10)
    me.picture("a range")
    assert me.sees("B reverse-complemented [x]")
    me.key("Escape")
    me.wait_until(lambda: not me.is_there("Compare this range"), "Esc clears the selection", 10)
    me.act("drag again", lambda: hands.drag_at(screen.find(PLOT), (0.44, 0.42), (0.66, 0.65)))
    me.key("Shift+Right")
    me.key("Return")
    me.wait_until(lambda: me.is_there("Back to the whole pair"), "the range is a pair of its own", 60)
    me.wait_to_see("% identical", 60)
    me.wait_idle()
    me.picture("its letters")
    assert float(me.description("Result").split("·")[1].split("%")[0]) > 80, "the other strand was compared"
    saved(me, "Dots", me.folder / "range.svg")
    assert "one:" in (me.folder / "range.svg").read_text()
    me.key("Backspace")
    me.wait_until(lambda: me.description("Result") == answer, "the answer of the whole pair is back", 10)
    me.wait_until(lambda: not me.is_there("Back to the whole pair"), "it is the whole pair", 10)
    me.wait_to_see("shared 14-mers on +", 10)


def every_record(me: Person) -> None:
    """Two files of several records: all of them in one plot, and two of them opened from it."""
    one, two = random_letters(9_000, 1), random_letters(6_000, 2)
    a = fasta(me.folder / "a.fa", chr1=one, chr2=two, chr3=random_letters(4_000, 3))
    b = fasta(me.folder / "b.fa", x=reverse_complement(two), y=one[:3_000] + reverse_complement(one[3_000:6_000]))
    me.drop([a, b])
    for name in ("a.fa has 3 records", "b.fa has 2 records"):
        me.wait_to_see(name, 60)
        me.key("Return")
    me.wait_idle(60)
    me.click("Dots")
    me.resize(1280, 800)
    me.wait_to_see("-mers on +", 120)
    me.wait_idle()
    before = me.print_of(PLOT)
    me.tick("all records", True, "Computation")
    me.wait_until(lambda: me.print_of(PLOT) != before, "all records are drawn", 60)
    me.wait_idle()
    me.picture("all records")
    me.act("click chr2 and x", lambda: hands.click_at(screen.find(PLOT), 0.3, 0.65))
    me.wait_to_see("A chr2 1–6,000, 6,000 letters", 10)
    me.wait_to_see("B x 1–6,000, 6,000 letters", 10)
    me.picture("two records")
    me.key("Return")
    me.wait_until(lambda: me.is_there("Back to the whole pair"), "two records are the pair", 60)
    me.wait_to_see("No differences", 60)
    me.wait_idle()
    me.key("Backspace")
    me.wait_until(lambda: not me.is_there("Back to the whole pair"), "the pair before is back", 60)
    me.wait_until(lambda: me.is_ticked("all records", "Computation"), "with all records", 60)


def test_all_records_of_two_files(tmp_path: Path) -> None:
    play(Home(tmp_path), every_record)


def test_a_range_of_the_dots(tmp_path: Path) -> None:
    play(Home(tmp_path), selected)


def test_the_dots_of_an_inversion(tmp_path: Path) -> None:
    play(Home(tmp_path), inverted)
