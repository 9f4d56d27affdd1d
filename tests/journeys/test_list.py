"""The list of differences: sorted, filtered, gone through, copied and saved; and places gone to, back and forward."""

import random
import re
from contextlib import suppress

import pytest

from tests.journeys import screen
from tests.journeys.asker import Lost
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
A = "".join(random.Random(3).choices("ACGT", k=600))
INSERTED = "TTTTTTTTTTTTTT"
B = A[:100] + ("A" if A[100] == "T" else "T") + A[101:200] + INSERTED + A[200:400] + A[403:]


def rows(me):
    """The rows in sight; none while there is no list, as during another run."""
    with suppress(Lost):
        return me.table("List of differences", "Differences")
    return []


def counter(me):
    return next((line for line in me.read() if re.match(r"[\d,]+ differences?$|difference [\d,]+ of", line)), "")


def through_the_list(me):
    me.wait_for_first_answer()
    a, b = me.folder / "first.fa", me.folder / "second.fa"
    a.write_text(f">chr1 first\n{A}\n")
    b.write_text(f">chr2 second\n{B}\n")
    me.drop([a, b])
    me.wait_to_see("chr1 and chr2")  # from now on no list is that of the sample
    me.wait_until(lambda: any(row[4] == "14" for row in rows(me)), "the insertion is one row", 30)
    everything = len(rows(me))
    assert f"+ {INSERTED}" in [row[5] for row in rows(me)], "the change is not cut where there is room"
    # The tabs stay where they are, whatever is in front, and the list comes back as it was.
    tabs, listed = me.middle_of("Panels"), rows(me)
    for title in ("Search", "Statistics", "Lessons", "Differences"):
        me.show_panel(title)
        assert me.middle_of("Panels") == tabs, title
    assert rows(me) == listed
    me.menu("View", "Reset the layout")
    assert me.middle_of("Panels") == tabs
    # The longest first, by its heading; then only the long ones.
    me.fill("Length from", "10", "Differences")
    me.key("Return")
    me.wait_until(lambda: len(rows(me)) < everything, "short differences are left out", 10)
    assert [row[1] for row in rows(me)] == ["insertion"], rows(me)
    # From the row to the letters by Enter, and its line on the clipboard.
    me.click("List of differences", "Differences")
    me.key("Home")
    me.key("Ctrl+C")
    me.wait_until(lambda: me.clipboard().startswith("number\t"), "Ctrl+C copies rows", 10)
    assert me.clipboard().splitlines()[1].split("\t")[1:3] == ["I", "14"]
    me.key("Return")
    me.wait_until(lambda: "in letters" in me.focused(), "Enter goes to the letters", 10)
    me.wait_until(lambda: any("insertion, 14 letters" in line for line in me.read()), "its length is said", 10)
    me.picture("list")
    path = me.folder / "list.tsv"
    me.click("Save list…", "Differences")
    me.name_files([path])
    me.wait_until(path.exists, "the list is saved", 20)
    assert [line.split("\t")[1:3] for line in path.read_text().splitlines()[1:]] == [["I", "14"]]
    me.fill("Length from", "1", "Differences")
    me.key("Return")
    me.wait_until(lambda: len(rows(me)) == everything, "all are listed again", 10)
    # Places: of a record's range, of B; back and forward.
    for typed, seen in (("chr1:300-310", "A 300 "), ("B:50", "B 50 "), ("#1", "difference 1 of")):
        me.key("Ctrl+L")
        me.type(typed)
        me.key("Return")
        me.wait_until(lambda seen=seen: any(seen in line for line in me.read()), f"{typed} is gone to", 10)
    for keys, seen in (("Alt+Left", "B 50 "), ("Alt+Left", "A 300 "), ("Alt+Right", "B 50 ")):
        me.key(keys)
        me.wait_until(lambda seen=seen: any(seen in line for line in me.read()), f"{keys} goes to {seen}", 10)
    me.key("Ctrl+L")
    me.type("chr9:1")
    me.key("Return")
    me.wait_until(lambda: any("neither A nor B" in line for line in me.read()), "a wrong name is said", 10)


def test_the_list_of_differences(tmp_path):
    play(Home(tmp_path), through_the_list)


def nothing_is_cut(me):
    """The ring of the list is whole, a kind that is off keeps its letter, and a text is cut where it must be only."""
    me.wait_for_first_answer()
    me.resize(1280, 800)
    other = (
        A[:100] + ("A" if A[100] == "T" else "T") + A[101:200] + ("C" if A[200] != "C" else "G") + A[200:400] + A[401:]
    )
    pair = [me.folder / "here.fa", me.folder / "there.fa"]
    for path, letters in zip(pair, (A, other), strict=True):
        path.write_text(f">{path.stem} of a long description {'that goes on ' * 20}\n{letters}\n")
    me.drop(pair)
    me.wait_to_see("here and there")
    me.wait_until(lambda: len(rows(me)) == 3, "three differences are listed", 30)
    plain = [me.look(lambda x=x: screen.colours_down(screen.find("List of differences"), x)) for x in (0, -1)]
    me.click_row("List of differences", 1, "Differences")
    for x, before in zip((0, -1), plain, strict=True):
        ring = me.look(lambda x=x: screen.colours_down(screen.find("List of differences"), x))
        assert len(ring) == 1, "of one colour all the way down"
        assert ring != before
    signs = []
    for kind in ("Substitutions", "Insertions", "Deletions"):
        me.click(f"{kind}: 1 letter")
        me.wait_until(lambda: len(rows(me)) == 2, f"{kind} are left out", 10)
        signs.append(me.print_of(f"{kind}: 1 letter"))
        me.click(f"{kind}: 1 letter")
        me.wait_until(lambda: len(rows(me)) == 3, f"{kind} are back", 10)
    assert len(set(signs)) == 3, "a letter in each empty box"
    me.key("Alt+End")
    me.fill("Go to a place in the alignment", "xyz")
    me.key("Return")
    me.wait_to_see("“xyz” is not a number")
    me.picture("nothing is cut")
    cut = me.look(screen.cut_texts)
    assert not any("deletion, 1 letter" in one or one in ("here", "there") for one in cut), cut
    assert me.cut_off() == []


def test_rings_signs_and_texts_are_whole(tmp_path):
    play(Home(tmp_path), nothing_is_cut)
