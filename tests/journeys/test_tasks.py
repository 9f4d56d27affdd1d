"""Two tasks of a day's work, in as many actions as a person takes: each entry of a list is one."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.journeys.stage import ROOT, Home, play

LIST, PANEL = "List of differences", "Differences"
DEMO = ROOT / "resources" / "demo"
INSERTED = 4_321  # letters
Action = tuple[Callable[[], object], Callable[[], object], str]


def take(me, most, *actions):
    """Do each action, and wait until what is to be seen then is seen."""
    assert len(actions) <= most, f"{len(actions)} actions, and not {most}"
    for deed, is_seen, what in actions:
        deed()
        me.wait_until(is_seen, what)


def rows(me):
    return me.table(LIST, PANEL) if me.is_there(LIST, PANEL) else []


def save_as(me, path):
    me.name_files([path])


def the_fifth_difference(me):
    """PhiX and its control: which letters differ the fifth time, and a table of all."""
    files, table = [DEMO / "phix174_NC_001422.1.fa", DEMO / "phix174_illumina_control.fa"], me.folder / "out1.tsv"
    take(
        me,
        5,
        (lambda: me.drop(files), lambda: me.sees("5 substitutions ·"), "five substitutions are the answer"),
        (lambda: me.click_row(LIST, 4, PANEL), lambda: me.sees("A 2,811 C · B 2,811 T"), "the letters are said"),
        (lambda: me.click("Save list…", PANEL), me.file_dialog_is_open, "a name is asked for"),
        (lambda: save_as(me, table), table.exists, "the table is saved"),  # the name and Return: two actions
    )
    assert me.sees("difference 5 of 5")
    lines = [line.split("\t") for line in table.read_text().splitlines()]
    assert len(lines) == 6
    assert lines[5][:4] == ["5", "X", "1", "2811"], lines[5]
    # The alignment by its key is the same table where the name says so.
    other = me.folder / "out2.tsv"
    me.key("Ctrl+E")
    save_as(me, other)
    me.wait_until(other.exists, "the alignment is exported", 20)
    assert other.read_text().splitlines()[5].split("\t")[:1] == ["5"], other.read_text()


def test_the_fifth_difference_and_a_table(tmp_path):
    play(Home(tmp_path), the_fifth_difference)


def the_largest_insertion(me, place):
    """Two genomes, one letter of a thousand changed: the longest insertion, and back to where one was."""
    files = [me.folder / "genome_a.fa", me.folder / "genome_b.fa"]
    inserted = f"A gap after {place:,} · "
    take(
        me,
        8,
        (lambda: me.drop(files), lambda: rows(me), "the differences are listed"),
        (lambda: me.click_heading(LIST, "Length", PANEL), lambda: rows(me)[0][4] == f"{INSERTED:,}", "it is on top"),
        (lambda: me.click_row(LIST, 0, PANEL), lambda: me.sees(inserted), "the letters are at the insertion"),
        (lambda: me.key("Alt+Left"), lambda: me.sees("A 1 "), "one is back at the beginning"),
    )
    me.key("Alt+Right")
    me.wait_until(lambda: me.sees(inserted), "and at the insertion again", 10)
    assert me.sees(f"insertion, {INSERTED:,} letters"), "in one piece"
    me.picture("largest")


def write_genomes(folder, n):
    """Write two sequences of about ``n`` letters; return after which letter of A the long insertion lies."""
    chance, letters = np.random.default_rng(5), np.frombuffer(b"ACGT", np.uint8)
    a = letters[chance.integers(0, 4, n)]
    at, kind = np.sort(chance.choice(n, n // 1000, replace=False)), chance.random(n // 1000)
    place = n * 62 // 100
    a[place - 1 : place + 1] = ord("A")  # and T is inserted: letters at random can be spread at the same cost
    keep = np.ones(n, np.bool_)
    keep[at[kind < 0.14]] = False
    b = a.copy()
    changed = at[kind >= 0.28]
    b[changed] = letters[(np.searchsorted(letters, a[changed]) + chance.integers(1, 4, changed.size)) % 4]
    b[place - 1 : place + 1], keep[place - 1 : place + 1] = ord("A"), True
    short = at[(kind >= 0.14) & (kind < 0.28)]
    places = np.concatenate([np.cumsum(keep)[short], np.full(INSERTED, np.count_nonzero(keep[:place]))])
    inserted = np.concatenate([letters[chance.integers(0, 4, short.size)], np.full(INSERTED, ord("T"))])
    b = np.insert(b[keep], places, inserted)
    for name, sequence in (("a", a), ("b", b)):
        (folder / f"genome_{name}.fa").write_bytes(b">chr1 made\n" + sequence.astype(np.uint8).tobytes() + b"\n")
    return place


@pytest.mark.journey
def test_the_largest_insertion_of_a_genome(tmp_path):
    play(Home(tmp_path), the_largest_insertion, place=write_genomes(tmp_path, 5_000_000))
