"""The cells and the words of a run: the table of two words, and 64 x 64 cells in the middle of a long pair."""

import numpy as np
import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
MAP = "Map of the computation"
TABLE = "Table of 6 rows and 7 columns"
LETTERS = 30_000


def said(me, *parts):
    return any(all(part in line for part in parts) for line in me.read())


def small(me):
    """The real cells of two words."""
    words = [me.folder / "kitten.txt", me.folder / "sitting.txt"]
    for path in words:
        path.write_text(path.stem)
    me.drop(words)
    me.wait_to_see("n and g differ. Least of 3 + 1 by a substitution", 60)
    me.picture("cells")
    me.click(TABLE)
    me.key("Left")
    me.wait_to_see("41 of 42", 10)
    me.key("Home")
    me.wait_to_see("Row 0 and column 0 stand for nothing read yet", 10)
    me.key("Space")
    me.wait_until(lambda: not me.sees("0 of 42"), "it plays", 10)
    me.key("Space")
    me.click("Machine words")
    me.wait_until(lambda: said(me, "Letter", "ones in VP"), "a column of words is there", 10)
    me.key("End")
    me.wait_to_see("Letter g: 7 above + 0 ones in VP - 4 in VN = 3 at the foot.", 10)
    me.picture("words")
    me.choose("Letters by", "Common letters")
    me.wait_until(lambda: said(me, "Letter g", "zeros in V'", "make 4"), "the words of the LCS are there", 60)
    me.choose("Letters by", "Edits with swaps")
    me.wait_until(lambda: said(me, "Letter g", "at the foot"), "the columns of the swaps are there", 60)
    me.click("Cells")
    me.wait_until(lambda: said(me, "differ", "substitution"), "so are their cells", 10)


def long_pair(me):
    """A window of a table of 900 million cells, by each method."""
    rng = np.random.default_rng(2)
    files = [me.folder / "one.fa", me.folder / "other.fa"]
    for path in files:
        letters = rng.choice(np.frombuffer(b"ACGT", np.uint8), LETTERS).tobytes().decode()
        path.write_text(f">{path.stem}\n{letters}\n")
    me.drop(files)
    me.wait_until(lambda: said(me, "edits", "identical"), "there is an answer", 60)
    me.wait_idle()
    for method, there in (
        ("Edits", "ones in VP"),
        ("Common letters", "zeros in V'"),
        ("Edits with swaps", "ones in VP"),
    ):
        if method == "Edits":
            me.click("Machine words")
            me.wait_to_see("A table of 30,000 × 30,000 cells is too large to show", 60)
            me.click("Map")
            me.click(MAP)
        else:  # the same cells by another method
            me.click(method)
            me.wait_idle()
        me.click("Machine words")
        me.wait_until(lambda wanted=there: said(me, "Letter", wanted, "foot") or said(me, wanted, "make"), method, 60)
        me.picture(method)
        before = me.read()
        me.key("Left")
        me.wait_until(lambda old=before: me.read() != old, "it is stepped back", 10)
        me.click("Cells")
        me.wait_to_see("4,096 of 4,096", 10)
        me.click("Machine words")
        me.click("As in the kernel")
        order = "at column" if "swaps" in method else ", group"
        me.wait_until(lambda there=order: said(me, "Step ", there), "the kernel's order is there", 10)
        me.picture(f"{method} in the kernel")
        before = me.read()
        me.key("Left")  # whose keys the steps are, whatever was clicked last
        me.wait_until(lambda old=before: me.read() != old, "it is stepped back", 10)
        me.wait_until(lambda there=order: said(me, "Step ", there), "the order is still the kernel's", 10)
        me.click("Columns")
    # A block far from the path has cells of its own, at once where all is kept.
    me.click("Map")
    me.click_at(MAP, 0.9, 0.2)
    me.click("Machine words")
    me.wait_until(lambda: said(me, "A 4,", "B 26,"), "the window is at the block that was clicked", 10)
    me.wait_until(lambda: said(me, "Letter", "at the foot"), "its words are there", 30)
    # A line of the skipped work leads there too.
    me.click("Map")
    me.show_panel("Skipped work")
    me.click_row("Skipped work", 1)
    me.wait_until(lambda: said(me, "ones in VP", "foot"), "the words of a computed block are there", 20)
    me.picture("from the skipped work")


def test_cells_and_words_of_a_run(tmp_path):
    play(Home(tmp_path), small)


def test_words_in_the_middle_of_a_long_pair(tmp_path):
    play(Home(tmp_path), long_pair)
