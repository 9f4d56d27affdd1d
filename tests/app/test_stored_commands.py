"""The command in a picture of any part of the window: a terminal takes it, and it draws or opens that part again."""

import argparse
import os
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from tests.app.fakes import fasta
from tests.app.parts import open_texts
from tests.app.real_kernels import fake_kernels, window
from tests.app.test_blocks import A, B, arrange
from tests.core.reading.test_alignments import GOOD
from tests.core.reading.test_alignments import A as GIVEN_A
from tests.core.reading.test_alignments import B as GIVEN_B
from wavediff.app.commands import cli
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.difference_list import IN_B
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.dots.letter_range import LetterRange
from wavediff.app.search.search_view import SearchView
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.pair import GivenFile
from wavediff.app.window import application
from wavediff.app.window.panels.panels import LOWER, PANELS
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.core.jobs.choices import View
from wavediff.core.methods import EDIT
from wavediff.core.system import qt_libraries

__all__ = ["fake_kernels", "window"]


@pytest.fixture
def taken(monkeypatch, tmp_path):
    """Run words as a terminal does: arguments of the window that it opens, or None where the picture is drawn."""
    started = []
    monkeypatch.setattr(qt_libraries, "why_no_display", lambda: None)
    monkeypatch.setattr(application, "main", lambda _paths, typed=None: started.append(typed) or 0)

    def run(recipe):
        picture = tmp_path / "again.png"
        words = recipe.with_options({"png": str(picture), "quiet": True}).words
        if "--png" not in recipe.command("--png", "x.png"):
            words = recipe.words
        assert cli.main([*words]) in (0, 1), words
        assert picture.exists() == (recipe.words[0] not in ("open", "contigs")), words
        picture.unlink(missing_ok=True)
        return started.pop() if recipe.words[0] == "open" else None

    return run


def relative(word):
    return os.path.basename(word) if os.path.isabs(word) else word


def stored(window, panel=LOWER[0]):
    """Recipes of the parts in sight by name; without those of parts that name no files."""
    found = parts_of(window, panel, window.centralWidget())
    recipes = {name: part.recipe() for name, part in found.items()}
    return {name: recipe for name, recipe in recipes.items() if recipe is not None}


def compared(qtbot, window, paths):
    session = window.session
    session.open_paths(paths)
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.a.source == str(paths[0]))
    qtbot.waitUntil(lambda: not session.busy and not window.turns.busy)


def leave(qtbot, window):
    """Compare another pair by another method."""
    window.session.arrange(None)
    window.session.start_with("lcs")
    open_texts(window.session, "AAA", "AAC")
    qtbot.waitUntil(lambda: window.session.outcome is not None and len(window.session.outcome.a) == 3)
    qtbot.waitUntil(lambda: not window.session.busy and not window.turns.busy)


def near(one, other):
    """Whether two ranges of a dot plot are the same, but for the part of a letter at each end."""
    ends = ((range_.a_from, range_.a_to, range_.b_from, range_.b_to) for range_ in (one, other))
    return max(abs(x - y) for x, y in zip(*ends, strict=True)) <= 2


def bare(recipe):
    """Words of a recipe without the place, which is in sight again, and perhaps not in the first row."""
    words = [*recipe.words]
    at = words.index("--at") if "--at" in words else len(words)
    return words[:at] + words[at + 2 :]


def opened_again(qtbot, window, taken, name, recipe, seen=lambda: True):
    """Open another pair, then run the recipe: the same part then stores the same command, and its place is ``seen``."""
    leave(qtbot, window)
    typed = taken(recipe)
    assert isinstance(typed, argparse.Namespace)
    window.pictures.open_typed(typed)
    qtbot.waitUntil(lambda: name in (now := stored(window)) and bare(now[name]) == bare(recipe) and seen())


@pytest.fixture
def mutants(tmp_path):
    letters = "ACGTTGCATTAC" * 500
    changed = letters[:1_000] + letters[1_003:4_000] + "GG" + letters[4_000:]
    return [fasta(tmp_path / f"{name}.fa", (name, one)) for name, one in (("a", letters), ("b", changed))]


def test_every_part_of_every_panel_has_a_command_that_is_taken(qtbot, window, mutants, taken, tmp_path):
    session = window.session
    session.choose(**EDIT.option("band").parse("99"), method="edit")
    compared(qtbot, window, mutants)
    window.view(SearchView).wish.editor.setPlainText("GATTACA\nTTGCA")
    window.view(SearchView).run()
    qtbot.waitUntil(lambda: window.view(SearchView).model.n_rows and not session.search.running)
    window.bring_up("race")
    qtbot.waitUntil(lambda: bool(session.race.chosen))
    session.race.run()
    qtbot.waitUntil(lambda: session.race.outcome is not None and not session.busy)
    session.transform.run()
    qtbot.waitUntil(lambda: session.transform.current is not None and not session.busy)
    session.many.open([fasta(tmp_path / "many.fa", *((f"r{k}", "ACGTTGCATTACCATGACCA"[k:]) for k in range(4)))])
    qtbot.waitUntil(lambda: session.many.outcome is not None)
    listed = window.view(DifferencesView)
    window.bring_up("differences")
    listed.least.setValue(2)
    listed.table.rows.horizontalHeader().setSortIndicator(IN_B, Qt.SortOrder.DescendingOrder)
    window.alignment.steps.go_to("A:3000")
    qtbot.waitUntil(lambda: window.alignment.canvas.columns[0] > 1_000)
    found = {}
    for panel in PANELS:
        window.bring_up(panel.id)
        qtbot.waitUntil(lambda panel=panel: window.areas[panel.id].isVisible() and not window.turns.busy)
        if panel.id == "lessons":
            qtbot.waitUntil(lambda: window.view(LessonView).player is not None)
        found |= {(panel.id, name): recipe for name, recipe in stored(window, panel).items()}
    titles = {(one.id, one.title) for one in PANELS if one.id not in ("computation", "given")}
    assert not titles - {*found}, "a panel has no command"
    commands = {recipe.words: (name, recipe) for (_, name), recipe in found.items()}
    assert {words[0] for words in commands} == {"compare", "open", "race", "batch", "bwt", "lesson"}
    for name, recipe in commands.values():
        assert (taken(recipe) is not None) == (name in ("Window", "Search", "Given alignment")), name


def test_the_window_opens_again_at_its_place_in_the_letters(qtbot, window, mutants, taken):
    window.session.choose(**EDIT.option("band").parse("99"), method="edit")
    compared(qtbot, window, mutants)
    listed = window.view(DifferencesView)
    listed.least.setValue(2)
    listed.table.rows.horizontalHeader().setSortIndicator(IN_B, Qt.SortOrder.DescendingOrder)
    window.alignment.steps.go_to("A:3000")
    qtbot.waitUntil(lambda: window.alignment.canvas.columns[0] > 1_000)
    canvas, recipe = window.alignment.canvas, stored(window)["Window"]
    at = canvas.columns[0]
    assert {"--band", "--sort", "--least", "--at"} < {*recipe.words}
    opened_again(qtbot, window, taken, "Window", recipe, lambda: 1_000 < canvas.columns[0] <= at < canvas.columns[1])


def test_ribbons_and_dots_of_a_rearranged_pair_open_again(qtbot, window, write, taken):
    compared(qtbot, window, write(A, B))
    arrange(qtbot, window)
    window.alignment.blocks.show_one(4)
    view = window.view(ComputationView)
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: window.session.dots.tiles is not None and not window.turns.busy)
    recipes = stored(window)
    assert ("--rearranged" in recipes["Ribbons"].words, recipes["Ribbons"].words[-1]) == (True, "#4")
    assert "--rearranged" in recipes["Window"].words
    canvas = window.alignment.ribbons.canvas
    opened_again(qtbot, window, taken, "Window", recipes["Window"], lambda: window.session.rearranged)
    opened_again(qtbot, window, taken, "Ribbons", recipes["Ribbons"], lambda: canvas.current == 4)
    leave(qtbot, window)
    compared(qtbot, window, write(A, B))
    window.bring_up("computation")
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: window.session.dots.tiles is not None and not window.turns.busy)
    dots = view.dots.canvas
    dots.look_at(LetterRange(1_000, 4_000, 2_000, 5_000))
    recipe, part = stored(window)["Dots"], dots.range_in_sight
    assert "--at" in recipe.words
    opened_again(qtbot, window, taken, "Dots", recipe, lambda: near(dots.range_in_sight, part))


def test_lines_with_their_folds_open_and_closed(qtbot, window, tmp_path, taken):
    old = "".join(f"line {k}\n" for k in range(400))
    paths = tmp_path / "old.txt", tmp_path / "new.txt"
    for path, text in zip(paths, (old, old.replace("line 300\n", "other\n")), strict=True):
        path.write_text(text)
    window.session.choose(method="lines")
    compared(qtbot, window, paths)
    closed = stored(window)["Lines"]
    assert taken(closed) is None
    window.alignment.lines.set_folds_open(True)
    window.alignment.lines.set_inline(True)
    window.alignment.hunks.go_to("#1")
    recipe = stored(window)["Lines"]
    assert (recipe.words[0], recipe.words[-2:]) == ("open", ("--layout", "inline"))
    window.alignment.lines.set_inline(False)
    opened_again(qtbot, window, taken, "Lines", recipe, lambda: window.alignment.lines.canvas.marked.place > 250)


def test_an_alignment_made_elsewhere_opens_with_its_pair(qtbot, window, tmp_path, taken, monkeypatch):
    window.session.choose(method="affine")
    compared(
        qtbot, window, [fasta(tmp_path / f"{name}.fa", (name, one)) for name, one in (("a", GIVEN_A), ("b", GIVEN_B))]
    )
    (tmp_path / "t.paf").write_text(GOOD)
    window.session.give(GivenFile(str(tmp_path / "t.paf")))
    qtbot.waitUntil(lambda: window.session.outcome.given is not None and not window.turns.busy)
    recipe = stored(window)["Window"]
    assert str(tmp_path / "t.paf") in recipe.words
    opened_again(qtbot, window, taken, "Window", recipe)
    monkeypatch.chdir(tmp_path)
    leave(qtbot, window)
    window.pictures.open_typed(taken(replace(recipe, words=tuple(map(relative, recipe.words)))))
    qtbot.waitUntil(lambda: window.session.state.given == GivenFile(str(tmp_path / "t.paf")))
    qtbot.waitUntil(lambda: stored(window).get("Window") == recipe)


def test_letters_that_are_in_no_file_open_again(qtbot, window, taken):
    open_texts(window.session, "kitten", "sitting")
    qtbot.waitUntil(lambda: window.session.outcome is not None and not window.session.busy)
    recipe = stored(window)["Window"]
    assert recipe.words[1:3] == ("data:,kitten", "data:,sitting")
    opened_again(qtbot, window, taken, "Window", recipe)
