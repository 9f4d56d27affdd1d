"""What is chosen for one pair ends with it, is undone, and comes back from the recent list; labels and views."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.journeys.person import Person
from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
CHANCE = random.Random(5)
GENOME = "".join(CHANCE.choices("ACGT", k=9_000))
GENE = GENOME[4_000:5_200]
SHORT, LONG = ("".join(CHANCE.choices("ACGT", k=600)) for _ in range(2))
MAP = "Map of the computation"


def write(folder: Path, **letters: str) -> list[Path]:
    paths = [folder / f"{name}.fa" for name in letters]
    for path, text in zip(paths, letters.values(), strict=True):
        path.write_text(f">{path.stem}\n{text}\n")
    return paths


def answer(me: Person) -> str:
    return " ".join(line for line in me.named("Result") if line)


def one_pair_after_the_other(me: Person) -> None:
    """A gene is placed by its notice; ordinary pairs that follow know nothing of that."""
    changed = GENOME[:300] + ("A" if GENOME[300] != "A" else "C") + GENOME[301:]
    genome, gene, variant = write(me.folder, genome=GENOME, gene=GENE, variant=changed)
    short, long = write(me.folder, short=SHORT, long=SHORT[:200] + LONG[:90] + SHORT[200:])
    me.wait_for_first_answer()
    me.resize(1280, 800)
    me.drop([genome, gene])
    me.wait_to_see("B is contained in A: 100 % of B, at 4,001–5,200")
    me.click("Place B inside A")
    me.wait_until(lambda: "B placed in A at 4,001–5,200" in answer(me), "it is placed")
    me.wait_until(lambda: len(me.differences()) == 0, "no difference is listed")
    me.picture("placed")
    for pair in ([short, long], [genome, variant]):
        me.drop(pair)
        me.wait_to_see(f"{pair[0].stem} and {pair[1].stem}")
        me.wait_idle()
        me.wait_until(lambda: bool(answer(me)), "there is an answer")
        assert "placed" not in answer(me), answer(me)
        assert me.chosen("Free ends") == "None"
    me.wait_until(lambda: len(me.differences()) == 1, "one substitution is listed")
    # The pair before, and the one before that, with all that was chosen for it.
    me.key("Ctrl+Z")
    me.wait_to_see("short and long")
    me.wait_idle()
    me.key("Ctrl+Z")
    me.wait_until(lambda: "B placed in A at 4,001–5,200" in answer(me), "the gene is placed again")
    me.key("Ctrl+Z")
    me.wait_to_see("B is contained in A")
    me.wait_idle()
    for _ in range(2):
        me.key("Ctrl+Shift+Z")
        me.wait_idle()
    me.wait_to_see("short and long")
    # As left, from the recent list; the last ones are short and long.
    me.menu("File", "Recent pairs")
    me.take_entry(next(entry for entry in me.entries() if "gene" in entry))
    me.wait_until(lambda: "B placed in A at 4,001–5,200" in answer(me), "the gene is placed as it was left")
    me.picture("as it was left")


def test_a_placed_gene_and_the_pairs_after_it(tmp_path: Path) -> None:
    play(Home(tmp_path), one_pair_after_the_other, leave="menu")


def notices_and_views(me: Person) -> None:
    """Labels say what they do, an error ends with the next success, and what is chosen comes back with its answer."""
    changed = GENOME[:3_000] + ("A" if GENOME[3_000] != "A" else "C") + GENOME[3_001:]
    first, second = write(me.folder, first=GENOME, second=changed)
    me.wait_for_first_answer()
    me.resize(1280, 800)
    me.drop([me.folder / "gone.fa"])
    me.wait_to_see("gone.fa: ")
    me.drop([first, second])
    me.wait_to_see("first and second")
    me.wait_until(lambda: not me.sees("gone.fa"), "the error ended with the pair that could be read")
    # A label says what its button does: B is the reverse complement already.
    me.wait_idle()
    me.key("Ctrl+Shift+R")
    me.wait_to_see("The reverse complement of B is on the other strand")
    me.picture("reverse complement")
    me.click("Compare B as in its file")
    me.wait_until(lambda: answer(me).startswith("1 substitution"), "it is compared as in its file")
    # What is said of the matrix is what was done.
    me.wait_to_see("Found directly along the diagonals, without the matrix")
    assert not me.sees("proven"), me.read()
    # The map comes into sight where the cells are too many.
    me.click("Machine words")
    me.wait_until(lambda: not me.is_there(MAP), "the words are shown")
    me.drop(write(me.folder, longer=GENOME + SHORT, other=changed + LONG))
    me.wait_to_see("longer and other")
    me.wait_until(lambda: me.is_there(MAP), "the map is shown")
    # A small window has the letters first, and a large one the tab that it had.
    me.show_panel("Differences")
    me.resize(800, 500)
    me.wait_until(lambda: me.is_there("Lines of the alignment") or me.is_there("Alignment"), "the letters are shown")
    assert "Statistics" not in me.panels_seen()
    me.picture("small")
    me.resize(1280, 800)
    me.wait_until(lambda: "Differences" in me.panels_seen(), "the list is back")
    assert "Statistics" not in me.panels_seen()


def test_labels_errors_and_views_of_a_pair(tmp_path: Path) -> None:
    play(Home(tmp_path), notices_and_views, leave="menu")
