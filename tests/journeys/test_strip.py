"""The zoom strip: clicks move the caret, the wheel and keys zoom and move, F9 folds it; one level and three."""

import re

import numpy as np
import pytest

from tests.app.annotated import DEMO, phix174
from tests.journeys.stage import Home, play
from wavediff.app.compare.strip_drawing import LEFT_PX, RIGHT_PX

pytestmark = pytest.mark.journey

STRIP = "Zoom strip"
LANES_PX, BELOW_PX = 24, 24  # logical pixels of a level, and of what is written under it where there are several


def letters_in_sight(me):
    """The first and the last letter of A that are seen."""
    first, last = re.search(r"Letters ([\d,]+) to ([\d,]+) of A", me.description(STRIP)).groups()
    return int(first.replace(",", "")), int(last.replace(",", ""))


def caret(me):
    """The letter of A at the caret, or before the gap there."""
    line = next(line for line in me.read() if line.startswith("Column "))
    return int(re.search(r"A (?:gap after )?([\d,]+)", line).group(1).replace(",", ""))


def over_the_strip(me):
    me.wait_for_first_answer()
    assert caret(me) == 1
    first = letters_in_sight(me)
    # A click goes there with the caret, and is a place to come back from.
    me.click_at(STRIP, 0.6, 0.5)
    me.wait_until(lambda: 8_000 < caret(me) < 12_000, "the caret is where was clicked", 10)
    low, high = letters_in_sight(me)
    assert low <= caret(me) <= high, f"the caret at {caret(me)} is out of sight: {low} to {high}"
    me.key("N")
    me.wait_until(lambda: 8_000 < caret(me) < 12_000, "the next difference is the next from there", 10)
    me.key("Alt+Left")
    me.wait_until(lambda: caret(me) == 1, "back to where it was", 10)
    # Nearer at the pointer, and back.
    whole = me.print_of(STRIP)
    me.wheel(STRIP, 4)
    me.wait_until(lambda: me.print_of(STRIP) != whole, "the wheel zooms", 10)
    me.picture("nearer")
    me.wheel(STRIP, -8)
    me.wait_until(lambda: me.print_of(STRIP) == whole, "all of it is seen again", 10)
    by_keys(me, first)
    # Folded it still shows and takes clicks.
    height = me.size_of(STRIP)[1]
    me.key("F9")
    me.wait_until(lambda: me.size_of(STRIP)[1] < height, "F9 folds it", 10)
    me.picture("folded")
    me.click_at(STRIP, 0.4, 0.5)
    me.wait_until(lambda: 4_000 < caret(me) < 7_000, "a click on the folded strip goes there", 10)
    me.key("F9")
    me.wait_until(lambda: me.size_of(STRIP)[1] == height, "F9 unfolds it", 10)


def by_keys(me, first):
    """Keys of the strip, once Tab has come to it."""
    for _ in range(60):
        if STRIP in me.focused():
            break
        me.key("Shift+Tab")
    assert STRIP in me.focused(), me.focused()
    me.key("Home")
    me.wait_until(lambda: letters_in_sight(me) == first, "Home shows the beginning", 10)
    me.key("Right")
    me.wait_until(lambda: letters_in_sight(me)[0] > first[0], "Right goes on by what is in sight", 10)
    assert letters_in_sight(me)[0] <= first[1] + 1, f"from {first} to {letters_in_sight(me)} letters are left out"
    me.key("Left")
    me.wait_until(lambda: letters_in_sight(me) == first, "Left goes back", 10)
    me.key("End")
    me.wait_until(lambda: letters_in_sight(me)[1] > 16_000, "End shows the end", 10)
    far = me.print_of(STRIP)
    me.key("+")
    me.wait_until(lambda: me.print_of(STRIP) != far, "Plus zooms", 10)
    me.key("-")
    me.wait_until(lambda: me.print_of(STRIP) == far, "Minus zooms back", 10)


def test_the_zoom_strip(tmp_path):
    play(Home(tmp_path), over_the_strip)


def over_three_levels(me):
    """From 20 Mbp on there are three levels, each with its own wheel and clicks."""
    files = [me.folder / "long_a.fa", me.folder / "long_b.fa"]
    me.wait_for_first_answer()
    one = me.size_of(STRIP)[1]
    me.drop(files)
    me.wait_to_see("long and long")  # from now on no strip is that of the sample
    me.wait_until(lambda: me.is_there(STRIP) and me.size_of(STRIP)[1] > one, "the strip has opened")
    me.wait_idle()
    height = me.size_of(STRIP)[1]
    levels = height // (LANES_PX + BELOW_PX)
    assert levels == 3, f"{levels} levels of {height} px"

    def middle(level):
        return (level * (LANES_PX + BELOW_PX) + LANES_PX / 2) / height

    for level, near in ((0, 300_000), (1, 4_000), (2, 100)):  # a level is 800 px: what a pixel of each stands for
        before = caret(me)
        me.click_at(STRIP, 0.7 - 0.1 * level, middle(level))
        me.wait_until(lambda before=before: caret(me) != before, f"a click on level {level + 1} goes there", 10)
        low, high = letters_in_sight(me)
        assert low <= caret(me) <= high
        assert level == 0 or abs(caret(me) - before) < 300 * near, (level, before, caret(me))
        seen = me.print_of(STRIP)
        me.wheel(STRIP, 3, down=middle(level))
        me.wait_until(lambda seen=seen: me.print_of(STRIP) != seen, f"the wheel zooms level {level + 1}", 10)
    me.picture("three levels")
    me.resize(800, 500)
    me.wait_until(lambda: me.size_of(STRIP)[1] == LANES_PX, "a small window has room for one level", 10)


def test_three_levels_of_the_zoom_strip(tmp_path):
    chance, letters = np.random.default_rng(7), np.frombuffer(b"ACGT", np.uint8)
    a = letters[chance.integers(0, 4, 21_000_000)]
    b = a.copy()
    at = chance.choice(a.size, 5_000, replace=False)
    b[at] = letters[(np.searchsorted(letters, a[at]) + 1) % 4]
    for name, sequence in (("a", a), ("b", b)):
        (tmp_path / f"long_{name}.fa").write_bytes(b">long\n" + sequence.tobytes() + b"\n")
    play(Home(tmp_path), over_three_levels)


def annotated(me):
    """Genes of A as bars, on B as projected ones; a click goes to the first letter."""
    me.wait_until(lambda: me.is_there(STRIP) and me.size_of(STRIP)[1] > 3 * LANES_PX, "rows of features")
    me.picture("features")
    plain, wide = me.print_of(STRIP), me.size_of(STRIP)[0]
    me.click_at(STRIP, (LEFT_PX + (wide - LEFT_PX - RIGHT_PX) * 1_600 / 5_386) / wide, 0.08)
    me.wait_until(lambda: caret(me) == 1_001, "the first letter of gene F", 10)
    told = "A: CDS F +, codon 1 M · B: CDS F + (projected), codon 1 M"
    me.wait_until(lambda: any(told in line for line in me.read()), told, 10)
    me.wait_until(lambda: me.print_of(STRIP) != plain, "the gene at the caret is marked", 10)
    me.picture("codons")


def test_genes_are_seen_on_both_sequences(tmp_path):
    play(Home(tmp_path), annotated, phix174(tmp_path / "phix.gb"), DEMO / "phix174_illumina_control.fa")
