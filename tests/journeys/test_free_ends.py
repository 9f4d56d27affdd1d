"""A gene is placed in a genome: the choice under Options, the answer, the letters, and the list of places."""

import random

import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey

GENE = "".join(random.Random(1).choices("ACGT", k=600))
GENOME = "".join(random.Random(2).choices("ACGT", k=9_000))


def places_a_gene(me):
    me.wait_for_first_answer()
    back = GENE.translate(str.maketrans("ACGT", "TGCA"))[::-1]
    genome, gene = me.folder / "genome.fa", me.folder / "gene.fa"
    genome.write_text(f">genome\n{GENOME[:2_000]}{GENE}{GENOME[2_000:]}{back}\n")
    gene.write_text(f">gene\n{GENE}\n")
    me.drop([genome, gene])
    me.wait_to_see(genome.name, 20)
    me.wait_idle()
    me.choose("Free ends", "Of A: B inside A")
    me.wait_to_see("B placed in A at 2,001–2,600, 0 edits", 60)
    me.wait_idle()
    me.wait_to_see("Column 2,001 · A 2,001", 20)
    me.wait_to_see("No differences in the aligned part.", 20)
    me.picture("placed")
    me.choose("Places", "All within 5 %")
    me.wait_to_see("2 places, 1 of them on the other strand", 60)
    # What cannot be is said with what can.
    me.key("Alt+\\")
    me.wait_to_see("2 notices", 20)
    me.click("2 notices")
    me.wait_to_see("B is longer than A (10,200 and 600 letters), so it cannot be placed inside it", 20)
    me.picture("too long to be placed")
    me.click("Compare whole")
    me.wait_until(lambda: me.chosen("Free ends") == "None", "both are compared from end to end", 20)
    me.wait_idle()
    me.key("Ctrl+Z")
    me.wait_until(lambda: me.chosen("Free ends") == "Of A: B inside A", "the choice is back", 20)
    me.choose("Free ends", "Of both: overlap")
    me.wait_to_see("A placed in B at 2,001–2,600, 0 edits", 60)
    me.choose("Free ends", "None")
    me.wait_idle()


def test_a_gene_is_placed_in_a_genome(tmp_path):
    play(Home(tmp_path), places_a_gene, leave="key")
