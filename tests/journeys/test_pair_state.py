"""What is chosen for one pair ends with it, is undone, and comes back from the recent list."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.journeys.person import Person
from tests.journeys.stage import Home, play
from tests.journeys.test_list import rows

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
    me.wait_until(lambda: len(rows(me)) == 0, "no difference is listed")
    me.picture("placed")
    for pair in ([short, long], [genome, variant]):
        me.drop(pair)
        me.wait_to_see(f"{pair[0].stem} and {pair[1].stem}")
        me.wait_idle()
        me.wait_until(lambda: bool(answer(me)), "there is an answer")
        assert "placed" not in answer(me), answer(me)
        assert me.chosen("Free ends") == "None"
    me.wait_until(lambda: len(rows(me)) == 1, "one substitution is listed")
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


def pasted_and_looked_at(me: Person) -> None:
    """A paste over a pair is undone, and so is what took its place; order and place end with a pair."""
    first, second = write(me.folder, first=SHORT, second=SHORT[:100] + SHORT[103:300] + LONG[:7] + SHORT[300:])
    me.wait_for_first_answer()
    me.drop([first, second])
    me.wait_to_see("first and second")
    me.wait_until(lambda: len(rows(me)) == 2, "two differences are listed")
    me.choose("Method", "Common letters")
    me.wait_idle()
    me.click_heading("List of differences", "Length", "Differences")
    me.wait_until(lambda: [row[4] for row in rows(me)] == ["7", "3"], "the longest comes first")
    me.fill("Go to a place in the alignment", "NN")
    me.key("Return")
    me.wait_to_see("“NN” is not a number")
    me.paste("B", "GATTACA" * 30)
    me.wait_to_see("first and pasted")
    me.wait_idle()
    me.wait_until(lambda: len(rows(me)) > 2, "the differences of the text are listed")
    assert [row[0] for row in rows(me)][:2] == ["1", "2"], rows(me)[:2]
    assert not me.sees("NN")
    me.drop([second], on=next(name for name in me.names_seen() if name.startswith("Sequence B: ")))
    me.wait_until(lambda: len(rows(me)) == 2, "the file is B again")
    assert [row[4] for row in rows(me)] == ["3", "7"], rows(me)
    assert me.chosen("Method") == "Edits"
    me.key("Ctrl+Z")
    me.wait_until(lambda: len(rows(me)) > 2, "the text that was pasted is back")
    me.key("Ctrl+Z")
    me.wait_until(lambda: [row[4] for row in rows(me)] == ["7", "3"], "the pair before, sorted as it was")
    assert me.chosen("Method") == "Common letters"
    me.picture("before the paste")


def test_a_paste_is_undone_with_all_that_was_looked_at(tmp_path: Path) -> None:
    play(Home(tmp_path), pasted_and_looked_at, leave="close")


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


def stopped_and_taken_back(me: Person) -> None:
    """The answer of a method is back with it after a long run of another one was stopped."""
    long = "C" + "".join(CHANCE.choices("ACGT", k=600_000)) + "C"  # which swaps take seconds for, end to end
    changed = "G" + long[1:-1] + "G"
    me.wait_for_first_answer()
    me.resize(1280, 800)
    me.drop(write(me.folder, here=long, there=changed))
    me.wait_to_see("here and there")
    me.wait_until(lambda: answer(me).startswith("2 substitutions") and len(rows(me)) == 2, "the answer", 60)
    me.choose("Method", "Edits with swaps")
    me.key("Ctrl+R")
    me.wait_until(lambda: answer(me).startswith(("Comparing", "Compiling", "Optimising")), "the run has begun", 60)
    me.wait_to_see("The differences appear here as soon as the path is known.")
    me.picture("another method")
    me.key("Esc")
    me.wait_until(lambda: "Run starts again" in answer(me), "it is stopped")
    me.choose("Method", "Edits")
    me.wait_until(lambda: answer(me).startswith("2 substitutions") and "Run" not in answer(me), "the answer is back")
    me.wait_until(lambda: (len(rows(me)) == 2 and me.sees("Speed")) or me.sees("Matrix"), "so are list and figures")
    me.picture("taken back")


def test_an_answer_is_back_with_its_method(tmp_path: Path) -> None:
    play(Home(tmp_path), stopped_and_taken_back, leave="close")
