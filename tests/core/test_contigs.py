"""Contigs of made assemblies: places, strands, order, gaps, and what is not placed."""

import pytest

from wavediff.core.jobs.contigs import ContigsResult, Next, NextKind, NotPlaced, Placement
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock


def border(at):
    return Border(at, at, at)


def placed(number, start, end, **more):
    block = CollinearBlock(
        BlockKind.COLLINEAR, (border(start), border(end)), (border(0), border(end - start)), more.get("minus", False)
    )
    more = {"blocks": (block,), "contig": (0, end - start)} | more
    return Placement(number, f"c{number}", end - start, a=(border(start), border(end)), **more)


def test_the_answer_counts_contigs_and_gaps():
    other = CollinearBlock(BlockKind.MOVED, (border(900), border(950)), (border(100), border(150)))
    chimera = placed(3, 500, 600, minus=True)
    chimera = placed(3, 500, 600, minus=True, blocks=(*chimera.blocks, other))
    placements = (placed(1, 0, 100), Placement(2, "c2", 9, NotPlaced.SHORT), chimera)
    found = ContigsResult(
        1_000, False, 11, 128, placements, (0, 2), (Next(NextKind.GAP, 400), Next(NextKind.END, 0)), 250,
        ((100, 500), (600, 1_000)),
    )  # fmt: skip
    assert found.text == "2 of 3 contigs placed, 1 turned, 1 chimeric, cover 25.0 % of A; 2 gaps, 1 not placed"
    assert [one.number for one in found.placed] == [1, 3]
    assert [one.name for one in found.unplaced] == ["c2"]
    assert (chimera.elsewhere, chimera.covered) == (50, 100)
    assert found.next_to[0].text == "gap 400"


@pytest.mark.parametrize("n", [0, 2])
def test_none_is_placed(n):
    left = tuple(Placement(at + 1, "c", 500, NotPlaced.UNKNOWN) for at in range(n))
    found = ContigsResult(900, False, 11, 128, left, (), (), 0, ((0, 900),))
    assert found.text == f"none of {n} contigs placed: no chain of shared 11-mers"
