"""Contigs: an assembly is dropped on A, its list sorted, a turned contig opened and left again, the placement saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.genomes import fasta, random_letters
from tests.journeys.person import Person
from tests.journeys.stage import Home, play
from tests.journeys.test_pictures import saved
from wavediff.core.sequences.orientation import reverse_complement

pytestmark = pytest.mark.journey
TRACKS, ORDER, LIST = "Contigs on A", "Order of B's parts", "List of contigs"


def assembled(me: Person) -> None:
    """Contigs of a genome in another order than along it, some of them turned, and a stranger."""
    a = random_letters(40_000)
    contigs = {
        "middle": reverse_complement(a[12_000:21_000]),
        "end": a[24_000:],
        "begin": a[:12_400],
        "stranger": random_letters(3_000, 8),
    }
    me.drop([fasta(me.folder / "reference.fa", reference=a)])
    me.wait_to_see("B is missing", 60)
    me.drop([fasta(me.folder / "assembly.fa", **contigs)])
    me.wait_to_see("assembly.fa has 4 records", 60)
    me.click("Contigs on A")
    me.wait_to_see("3 of 4 contigs placed, 1 turned, cover 92.5 % of A", 120)
    me.wait_idle()
    assert me.chosen(ORDER) == "Contigs on A"
    assert [row[1] for row in me.table(LIST)] == ["begin", "middle", "end", "stranger"]
    me.picture("contigs")
    # Sorted by length, the longest first; then by their numbers in the file.
    me.click_heading(LIST, "Length")
    me.wait_until(lambda: [row[1] for row in me.table(LIST)] == ["end", "begin", "middle", "stranger"], "sorted", 10)
    me.click_heading(LIST, "#")
    me.wait_until(lambda: [row[1] for row in me.table(LIST)] == ["middle", "end", "begin", "stranger"], "sorted", 10)
    # Along A, by keys; the turned one by itself, and back.
    me.click_row(LIST, 2)
    me.wait_to_see("contig 3 (begin): 12,400 letters on +, A 1–12,400, 0 edits")
    me.key("N")
    me.wait_to_see("contig 1 (middle): 9,000 letters on −, A 12,001–21,000, 0 edits")
    me.wait_to_see("contig 1: 2 of 3 along A")
    seen = me.print_of(TRACKS)
    me.click("Open the pair")
    me.wait_to_see("in 9,000 letters", 60)
    me.wait_to_see("No differences")
    assert me.chosen(ORDER) == "In order"
    me.picture("turned contig")
    me.wait_idle()
    me.key("Backspace")
    me.wait_to_see("3 of 4 contigs placed", 60)
    me.wait_idle()
    assert me.print_of(TRACKS) == seen, "as it was left"
    # Files: the placement as AGP, the tracks as SVG.
    path = me.folder / "placed.agp"
    me.click("Save placement…")
    me.name_files([path])
    me.wait_until(path.exists, "the placement is written", 60)
    lines = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]
    assert [(line[5], line[8]) for line in lines if line[4] == "W"] == [
        ("begin", "+"), ("middle", "-"), ("end", "+"), ("stranger", "+"),
    ]  # fmt: skip
    saved(me, "Tracks", me.folder / "tracks.svg")
    assert "reference – assembly.fa: Contigs" in (me.folder / "tracks.svg").read_text()


def test_contigs_of_an_assembly(tmp_path: Path) -> None:
    play(Home(tmp_path), assembled)
