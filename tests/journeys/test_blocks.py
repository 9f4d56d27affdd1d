"""Rearranged sequences: from the notice to the blocks, the range of an inverted one, the way back, a file of all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.genomes import drop_inverted, random_letters
from tests.journeys.person import Person
from tests.journeys.stage import Home, play
from tests.journeys.test_pictures import saved
from wavediff.core.sequences.orientation import reverse_complement

pytestmark = pytest.mark.journey
RIBBONS, ORDER, LIST = "Ribbons of the blocks", "Order of B's parts", "List of blocks"


def rearranged(me: Person) -> None:
    """Two genomes of which a part is inverted, and another one is in another place."""
    a = random_letters(60_000)
    b = a[:15_000] + reverse_complement(a[15_000:30_000]) + a[40_000:50_000] + a[30_000:40_000] + a[50_000:]
    drop_inverted(me, a, b)
    me.click("Show the blocks")
    me.wait_to_see("5 blocks: 1 inverted, 1 moved; 0 edits inside", 120)
    me.wait_idle()
    assert me.chosen(ORDER) == "Rearranged"
    me.picture("blocks")
    # From block to block, by key, ribbon and list.
    me.click_at(RIBBONS, 0.95, 0.15)
    me.wait_to_see("block 5 of 5")
    me.key("N")
    me.wait_to_see("Last block")
    for number in (4, 3, 2):
        me.key("Shift+N")
        me.wait_to_see(f"block {number} of 5")
    seen = me.print_of(RIBBONS)
    assert "inverted" in me.description(RIBBONS)
    me.click_row(LIST, 0)
    me.wait_to_see("block 1 of 5")
    me.wait_until(lambda: me.print_of(RIBBONS) != seen, "another ribbon is current", 10)
    # The inverted block by itself, and back.
    me.click_at(RIBBONS, 0.37, 0.1, twice=True)
    me.wait_to_see("in 15,000 letters", 60)
    me.wait_to_see("No differences")
    assert me.chosen(ORDER) == "In order"
    me.picture("inverted block")
    me.wait_idle()
    me.click("Back to the whole pair")
    me.wait_to_see("5 blocks: 1 inverted, 1 moved", 60)
    me.wait_idle()
    # Files: all blocks as PAF, the ribbons as SVG.
    path = me.folder / "found.paf"
    me.key("Ctrl+E")
    me.name_files([path])
    me.wait_until(path.exists, "the blocks are written", 60)
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    assert len(lines) == 5
    assert sorted(line[4] for line in lines) == ["+", "+", "+", "+", "-"]
    saved(me, "Ribbons", me.folder / "ribbons.svg")
    assert "one – other: Blocks" in (me.folder / "ribbons.svg").read_text()
    # In order again.
    me.choose(ORDER, "In order")
    me.wait_to_see("edits")
    me.wait_idle()


def test_blocks_of_rearranged_genomes(tmp_path: Path) -> None:
    play(Home(tmp_path), rearranged)
