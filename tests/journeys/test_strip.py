"""The zoom strip with features, projected from one sequence to the other."""

import re

import pytest

from tests.app.annotated import DEMO, phix174
from tests.journeys.stage import Home, play
from wavediff.app.compare.strip_drawing import LEFT_PX, RIGHT_PX

pytestmark = pytest.mark.journey

STRIP = "Zoom strip"
LANES_PX = 24  # logical pixels of a level


def caret(me):
    """The letter of A at the caret, or before the gap there."""
    line = next(line for line in me.read() if line.startswith("Column "))
    return int(re.search(r"A (?:gap after )?([\d,]+)", line).group(1).replace(",", ""))


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
