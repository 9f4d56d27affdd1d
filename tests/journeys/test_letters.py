"""How letters are shown: view options, kinds switched off, and texts beyond ASCII."""

import random
import re

import pytest

from tests.journeys.samples import SAMPLES
from tests.journeys.stage import Home, play

A = "".join(random.Random(3).choices("ACGT", k=600))
B = "N" * 20 + A[20:100] + ("A" if A[100] == "T" else "T") + A[101:200] + "TTTTTTTTTTTTTT" + A[200:400] + A[403:]
LIST, PANEL = "List of differences", "Differences"
OPTIONS = ("Wrap lines", "Ruler of B", "Larger letters", "Smaller letters")
COLOURS = ("Coloured letters", "Coloured cells", "Differences only")


def letters(me):
    """The name of the letters."""
    return next(name for name in me.names_seen() if re.fullmatch(r"Alignment of .* in letters", name))


def counter(me):
    return next((line for line in me.read() if re.match(r"[\d,]+ differences?$|difference [\d,]+ of", line)), "")


def take(me, *entries):
    """Take an entry of the view options, or one of a menu in it."""
    me.click("View options")
    for entry in entries:
        me.take_entry(entry)


def with_view_options(me):
    me.wait_for_first_answer()
    a, b = me.folder / "first.fa", me.folder / "second.fa"
    a.write_text(f">chr1 first\n{A}\n")
    b.write_text(f">chr2 second\n{B}\n")
    me.drop([a, b])
    me.wait_to_see("chr1 and chr2")
    me.wait_idle()
    me.click("View options")
    assert set(me.entries()) >= {*OPTIONS, "Base colours"}, me.entries()
    me.key("Esc")
    me.close_menus()
    seen = [me.print_of(letters(me))]
    for entries in (("Larger letters",), ("Ruler of B",), ("Wrap lines",), ("Base colours", COLOURS[1])):
        take(me, *entries)
        me.wait_until(lambda: me.print_of(letters(me)) not in seen, f"{entries} changes the letters", 10)
        seen.append(me.print_of(letters(me)))
        me.picture(entries[-1])
    # Not wrapped: one line, and the scroll bar of columns.
    assert me.is_there("Columns of the alignment")
    place = counter(me)
    me.key("N")
    me.wait_until(lambda: counter(me) != place, "N goes on in one line too", 10)
    for entries in (("Base colours", COLOURS[2]), ("Wrap lines",), ("Ruler of B",), ("Smaller letters",)):
        take(me, *entries)
    me.key("Alt+Home")
    kinds(me)


def kinds(me):
    """Kinds are switched off one by one: counter and list follow, and the last one stays."""
    names = [
        next(n for n in me.names_seen() if n.startswith(kind))
        for kind in ("Substitution", "Insertion", "Deletion", "Unknown")
    ]
    total = counter(me)
    assert total.split()[-1 if "of" in total else 0] == "3", "unknown letters are none"
    me.click(names[3])
    me.wait_until(lambda: me.table(LIST, PANEL)[0][1] == "unknown (N)", "unknown letters are listed", 10)
    me.picture("unknown")
    me.click(names[3])
    me.wait_until(lambda: counter(me) == total, "unknown letters are left out again", 10)
    for name in names[:2]:
        before = counter(me)
        me.click(name)
        me.wait_until(lambda before=before: counter(me) != before, f"{name} counts no longer", 10)
    assert {row[1] for row in me.table(LIST, PANEL)} == {"deletion"}, me.table(LIST, PANEL)
    me.key("Alt+Down")
    me.wait_until(lambda: me.sees("· deletion"), "the next difference is a deletion", 10)
    me.click(names[2])
    assert me.is_ticked(names[2]), "one kind stays"
    me.picture("deletions")
    for name in names[:2]:
        me.click(name)
    me.key("Alt+Home")
    me.wait_until(lambda: counter(me) == total, "all kinds count again", 10)


@pytest.mark.journey
def test_view_options_and_kinds(tmp_path):
    play(Home(tmp_path), with_view_options)


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
