"""Two versions of a program by lines: hunks, folds, both layouts, a block that moved, what is copied, a picture."""

import re

import pytest

from tests.app.line_texts import MOVED, NEW, OLD
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
LINES = "Lines of A and B"
FOLDED = re.compile(r"[\d,]+ equal lines, folded")


def counter(me):
    return next((line for line in me.read() if re.match(r"[\d,]+ hunks?$|hunk [\d,]+ of", line)), "")


def said(me):
    """What a screen reader says of the current row."""
    return me.description(LINES)


def by_lines(me):
    """The first answer is by lines; the window is used as a reviewer of a change does."""
    me.wait_for_first_answer()
    files = [me.folder / folder / "genes.py" for folder in ("old", "new")]
    for path, text in zip(files, (OLD, NEW), strict=True):
        path.parent.mkdir()
        path.write_text(text)
    me.drop(files)
    me.wait_until(lambda: any("1 block moved" in line for line in me.named("Result")), "the answer counts lines")
    me.wait_idle()
    me.picture("opened")
    hunks = int(re.search(r"(\d+) hunks", " ".join(me.named("Result")))[1])
    me.click_at(LINES, 0.3, 0.02)
    for number in range(1, hunks + 1):
        me.key("N")
        me.wait_until(lambda k=number: counter(me) == f"hunk {k} of {hunks}", f"N goes to hunk {number}", 10)
    me.picture("last hunk")
    folds(me)
    layouts(me)
    copied(me)
    assert not me.messages()


def folds(me):
    """A fold is opened by a key, and by the chooser all are."""
    me.key("Home")
    for _ in range(40):
        if FOLDED.match(said(me)):
            break
        me.key("Down")
    assert FOLDED.match(said(me)), said(me)
    me.key("Return")
    assert not FOLDED.match(said(me))
    me.key("Left")
    assert FOLDED.match(said(me))
    me.choose("Equal lines", "Show all lines")
    me.click_at(LINES, 0.3, 0.02)
    me.key("End")
    assert f"line {OLD.count(chr(10))} of A" in said(me)
    me.choose("Equal lines", "Fold equal lines")


def layouts(me):
    side = me.print_of(LINES)
    me.click_at(LINES, 0.3, 0.02)
    me.key("Ctrl+I")
    me.wait_until(lambda: me.print_of(LINES) != side, "Ctrl+I shows them inline", 10)
    me.picture("inline")
    me.key("Ctrl+I")
    me.click("Letters")
    me.wait_idle()
    me.wait_until(lambda: me.is_there("Alignment of genes and genes in letters"), "letters are one click", 30)
    me.click("Lines")
    me.wait_idle()
    me.wait_until(lambda: me.is_there(LINES), "and lines another", 30)


def copied(me):
    """The block that moved is gone to by its line, and copied as it is."""
    me.key("Ctrl+L")
    me.type(f"A {OLD[: OLD.index(MOVED)].count(chr(10)) + 1}")
    me.key("Return")
    me.wait_until(lambda: "def mass(protein):" in said(me), "Go to takes a line of A", 10)
    me.wait_until(lambda: LINES in me.focused(), "the lines have the keys", 10)
    for _ in range(2):
        me.key("Shift+Down")
    me.key("Ctrl+C")
    assert me.clipboard() == "".join(MOVED.splitlines(keepends=True)[:3])


def test_two_versions_of_a_program(tmp_path):
    play(Home(tmp_path), by_lines)
