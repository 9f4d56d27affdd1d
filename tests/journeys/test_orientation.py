"""A circle from the other strand and another origin: its one difference, in places of its file."""

import pytest

from tests.journeys.stage import ROOT, Home, play
from wavediff.core.sequences.orientation import reverse_complement

pytestmark = pytest.mark.journey

PHIX = ROOT / "resources" / "demo" / "phix174_NC_001422.1.fa"
CHANGED, TURN = 3000, 1234  # letters, from 0


def finds_the_difference(me):
    letters = b"".join(PHIX.read_bytes().split(b"\n")[1:])
    changed = letters[:CHANGED] + b"A" + letters[CHANGED + 1 :]
    other = me.folder / "other.fa"
    other.write_bytes(b">other\n" + reverse_complement(changed[TURN:] + changed[:TURN]))
    me.drop([PHIX, other])
    me.wait_to_see("52.2 % identical")
    me.key("Ctrl+Shift+R")
    me.wait_to_see("62.7 % identical")
    me.open_chip("B")
    assert me.chosen("Strand of B") == "Reverse complement"
    me.choose("Topology of B", "Circular")
    me.wait_to_see("1 substitution")
    me.close_popover()
    assert any("reverse complement, from 1,234" in name for name in me.names_seen()), me.names_seen()
    me.click_row("List of differences", 0, "Differences")
    me.wait_to_see("A 3,001 G · B 3,620 A")
    me.picture("turned")
    # The place as it is typed, and in the file that is written.
    me.fill("Go to", "B:1234")
    me.key("Return")
    me.wait_to_see("Column 1 · A 1 G · B 1,234 G")
    table = me.folder / "differences.tsv"
    me.key("Ctrl+E")
    me.name_files([table])
    me.wait_until(table.exists, "the table is written", 20)
    assert table.read_text().splitlines()[1].split("\t")[1:] == ["X", "1", "3001", "3001", "3620", "3620", "G", "A"]
    # Each step back.
    me.key("Ctrl+Z")
    me.wait_to_see("62.7 % identical")
    me.key("Ctrl+Z")
    me.wait_to_see("52.2 % identical")
    # By one entry of the menu.
    me.menu("Compare", "Turn B to fit A")
    me.wait_to_see("1 substitution")


def test_a_circle_from_the_other_strand(tmp_path):
    play(Home(tmp_path), finds_the_difference)
