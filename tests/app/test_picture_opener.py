"""A picture that is dropped on the window: what it shows is offered, opened as it was, or refused in a sentence."""

import json
import os
import random
import shlex
import unicodedata

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from tests.app.parts import open_texts
from tests.fuzz.targets import CORPUS
from wavediff.app.commands import cli
from wavediff.app.commands.compare_options import check_pair
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.difference_list import IN_B, Listing
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.teach.lesson_pictures import frame_options, lesson_picture
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_files import PICTURES
from wavediff.app.window.panels.panels import LOWER, PANELS
from wavediff.app.window.pictures.panel_pictures import PictureDialog
from wavediff.app.window.pictures.pictured_parts import parts_of
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.recipe import read_recipe
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.methods import EDIT
from wavediff.core.sequences.orientation import Strand
from wavediff.core.teach.lesson import lesson_named, lessons
from wavediff.core.teach.player import Frame, Player, frame_at
from wavediff.core.teach.unit import Unit

LISTED = "--method edit --view differences --sort b:desc --kinds substitution"
WORDS = "--method edit --view words --unit operation --step 7"
LETTERS = {"a": "ACGTTGCATTACCATGACCA", "b": "ACGTTGCTTTACCATGACGA"}


@pytest.fixture
def pair(tmp_path):
    found = []
    for name, letters in LETTERS.items():
        (tmp_path / f"{name}.fa").write_text(f">{name}\n{letters}\n")
        found.append(tmp_path / f"{name}.fa")
    return found[0], found[1]


@pytest.fixture
def saved(qtbot, window, pair, tmp_path):
    """Save a picture of a comparison of two files, by edit distance in a band of 9, case ignored, B turned."""
    session = window.session
    session.choose(**EDIT.option("band").parse("9"), method="edit")
    session.open_paths(pair)
    qtbot.waitUntil(lambda: session.outcome is not None)
    session.orient(Strand.MINUS)
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.b.orientation.strand is Strand.MINUS)

    def save(kind):
        window.actions_by_id["picture"].trigger()
        dialog = window.findChild(PictureDialog)
        qtbot.waitUntil(dialog.save_button.isEnabled)
        path = tmp_path / f"picture.{kind}"
        dialog.save(path, PICTURES[kind])
        qtbot.waitUntil(lambda: window.findChild(PictureDialog) is None)
        session.start_with("lcs")
        open_texts(session, "AAA", "AAC")
        qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 3)
        return path

    return save


def asked(qtbot, window):
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    found = window.findChild(QMessageBox, "picture_box")
    assert isinstance(found, QMessageBox)
    return found


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_opens_what_it_shows(qtbot, window, saved, kind):
    window.session.open_paths([saved(kind)])
    box = asked(qtbot, window)
    assert box.text().splitlines() == [
        "This picture shows a × b, compared by edit distance. Open these?",
        "",
        "This opens:",
        "a.fa next to the picture",
        "b.fa next to the picture",
    ]
    qtbot.keyClick(box, Qt.Key.Key_Return)
    session = window.session
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.b.orientation.strand is Strand.MINUS)
    assert (session.outcome.a.name, session.outcome.b.name) == ("a", "b")
    assert session.choices.typed["band"] == "9"
    assert session.outcome.options["band"] == "9"


def test_a_picture_of_the_window_opens_the_order_of_its_list_and_its_place_in_the_letters(qtbot, window, tmp_path):
    session, shown, listed = window.session, window.alignment.canvas, window.view(DifferencesView)
    pair = [tmp_path / "a.fa", tmp_path / "b.fa"]
    for path, letters in zip(pair, ("ACGTTGCATTAC" * 500, "ACGTTGCTTTAC" * 500), strict=True):
        path.write_text(f">{path.stem}\n{letters}\n")
    session.open_paths(pair)
    qtbot.waitUntil(lambda: session.outcome is not None and not window.turns.busy)
    window.show_panel("differences")
    listed.least.setValue(2)
    listed.table.rows.horizontalHeader().setSortIndicator(IN_B, Qt.SortOrder.DescendingOrder)
    window.alignment.steps.go_to("A:3000")
    at = shown.columns[0]
    assert at > 1000
    part = parts_of(window, LOWER[0], window.centralWidget())["Window"]
    recipe = part.recipe()
    assert recipe.view == ""
    assert shlex.join(recipe.words).endswith(f" --sort b:desc --least 2 --at {at + 1}")
    (tmp_path / "window.svg").write_bytes(part.made(None).by(recipe).picture(PICTURES["svg"]))
    taken = cli.parsed(recipe.words)
    check_pair(taken)
    assert (taken.sort, taken.least, taken.at) == ("b:desc", 2, str(at + 1)), "the command line takes it"
    session.start_with("lcs")
    open_texts(session, "AAA", "AAC")
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 3)
    session.open_paths([tmp_path / "window.svg"])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and len(session.outcome.a) == 6_000)
    qtbot.waitUntil(lambda: shown.columns[0] <= at < shown.columns[1] and shown.columns[0] > 1000)
    qtbot.waitUntil(lambda: listed.asked == Listing(IN_B, descending=True, least=2))


def test_a_picture_opens_the_part_that_it_shows_as_it_was_seen(qtbot, window, pair, tmp_path):
    """Made by the command line: the list in an order, a moment of the run, words from a cell on."""
    first, second = map(str, pair)
    pair[1].write_text(f">b\n{LETTERS['b'][:10]}{LETTERS['b'][12:]}\n")
    listed = window.view(DifferencesView)
    assert cli.main(shlex.split(f"compare {first} {second} --quiet {LISTED} --png {tmp_path / 'list.png'}")) == 1
    window.session.open_paths([tmp_path / "list.png"])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: listed.asked == Listing(IN_B, descending=True, kinds=Kinds.MISMATCH))
    qtbot.waitUntil(lambda: listed.model.n_rows == 2)
    view = window.view(ComputationView)
    assert cli.main(shlex.split(f"compare {first} {second} --quiet {WORDS} --png {tmp_path / 'words.png'}")) == 1
    window.session.open_paths([tmp_path / "words.png"])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is None)
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.view is View.WORDS and view.pages[View.WORDS].stage.player is not None)
    player = view.pages[View.WORDS].stage.player
    qtbot.waitUntil(lambda: (player.frame.unit, player.frame.step) == (Unit.OPERATION, 7))


GENE = "GTGAGACCGACAAACGCGATAGAGTAATCTTATAAATCAGGCAAATACTCGGTCC"


@pytest.mark.parametrize(
    ("a", "b", "words", "edits"),
    [
        (GENE.encode(), GENE.replace("T", "U").encode(), "--letters exact", GENE.count("T")),
        ("Käse für alle".encode("cp1252"), "Käse für jeden".encode("cp1252"), "--encoding cp1252", 4),
        ("Käse".encode("cp1252"), "Käsen".encode(), "--encoding cp1252 --encoding-b utf-8", 1),
        (unicodedata.normalize("NFD", "Käse für").encode(), "Käse füx".encode(), "--normalize nfc", 1),
    ],
)
def test_a_picture_opens_with_the_letters_that_were_compared(qtbot, window, tmp_path, a, b, words, edits):
    for name, letters in (("a", a), ("b", b)):
        (tmp_path / f"{name}.txt").write_bytes(letters)
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    picture = tmp_path / "picture.svg"
    made = ["compare", *files, "--method", "edit", "--quiet", *words.split(), "--svg", str(picture)]
    assert cli.main(made) == 1
    session = window.session
    session.open_paths([picture])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and not session.running)
    assert session.outcome.result.distance == edits
    assert not [one.text for one in window.answer.notices.notices if "has changed" in one.text]
    assert session.outcome.recipe.words[-len(words.split()) :] == tuple(words.split())


def test_a_picture_of_a_circle_opens_turned(qtbot, window, tmp_path):
    """From which letter on is found again, on a thread of its own."""
    letters = "".join(random.Random(5).choices("ACGT", k=3_000))
    (tmp_path / "a.fa").write_text(f">a\n{letters}\n")
    (tmp_path / "b.fa").write_text(f">b\n{letters[700:] + letters[:700]}\n")
    files = [str(tmp_path / name) for name in ("a.fa", "b.fa")]
    assert cli.main(["compare", *files, "--quiet", "--topology", "circular", "--svg", str(tmp_path / "p.svg")]) == 0
    session = window.session
    session.open_paths([tmp_path / "p.svg"])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.b.orientation.circular)
    assert session.outcome.b.orientation.shift == 2_300


def test_a_picture_with_its_inputs_as_json_opens(qtbot, window, tmp_path):
    """It was made before digests stood behind the command line."""
    picture, told = tmp_path / "cells.png", []
    picture.write_bytes((CORPUS / "recipe" / "cells.png").read_bytes())
    for name, letters in (("word.txt", "abracadabra"), ("words.txt", "abrakadabraX")):
        (tmp_path / name).write_text(letters)
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    session, view = window.session, window.view(ComputationView)
    session.open_paths([picture])
    box = asked(qtbot, window)
    assert box.text().startswith("This picture shows word × words, compared by edit distance.")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.b.name == "words")
    qtbot.waitUntil(lambda: view.view is View.CELLS and view.pages[View.CELLS].stage.player is not None)
    assert told == ["words.txt has changed since the picture was made."]


def test_nothing_is_opened_that_was_not_agreed_to(qtbot, window, saved):
    window.session.open_paths([saved("png")])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Escape)
    assert len(window.session.pair["A"] or ()) == 3
    assert window.session.choices.method == "lcs"


def test_files_that_changed_or_are_gone_are_said(qtbot, window, saved, pair):
    path, told = saved("png"), []
    window.session.noticed.connect(lambda notice: told.append(notice.text))
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    pair[1].write_text(">b\nACGT\n")
    window.session.open_paths([path])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "b.fa has changed since the picture was made." in told)
    qtbot.waitUntil(lambda: window.session.outcome is not None and len(window.session.outcome.b) == 4)
    os.rename(pair[1], pair[1].with_name("elsewhere"))
    window.session.open_paths([path])
    box = asked(qtbot, window)
    assert box.text().splitlines()[-1] == "b.fa, which is missing: put it next to the picture first"
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any("b.fa is not next to the picture; put the file there" in one for one in told))


@pytest.mark.parametrize("more", ["", "--orient minus"])
def test_a_picture_of_a_race_races_once_the_pair_is_compared(qtbot, window, pair, tmp_path, more):
    line = f"race {pair[0]} {pair[1]} --quiet --method edit --kernels cpu,cpu-full --rounds 2 {more}"
    assert cli.main(shlex.split(f"{line} --png {tmp_path / 'race.png'}")) == 0
    window.session.open_paths([tmp_path / "race.png"])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    race = window.session.race
    qtbot.waitUntil(lambda: race.outcome is not None)
    assert [leg.id for leg in race.outcome.result.legs] == ["cpu", "cpu-full"]
    assert race.outcome.b.orientation.strand is (Strand.MINUS if more else Strand.PLUS)
    assert not race.outcome.disturbed


def test_what_a_picture_shows_ends_with_its_pair(qtbot, window, pair, tmp_path, monkeypatch):
    """A comparison that never ends, then another pair: neither a race nor another view begins there."""
    line = f"race {pair[0]} {pair[1]} --quiet --method edit --kernels cpu --rounds 1 --png {tmp_path / 'race.png'}"
    assert cli.main(shlex.split(line)) == 0
    session = window.session
    with monkeypatch.context() as held:
        held.setattr(session, "run", lambda: None)
        session.open_paths([tmp_path / "race.png"])
        qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: session.pair.complete is not None and session.race.chosen == ("cpu",))
    qtbot.expect(session.compared, open_texts, session, "kitten", "sitting")
    qtbot.wait(100)
    assert not session.race.running
    assert session.race.outcome is None


def test_files_that_were_open_before_are_found_again(qtbot, window, saved, pair, tmp_path):
    far = tmp_path / "far"
    far.mkdir()
    moved = saved("png").rename(far / "picture.png")
    window.session.open_paths([moved])
    box = asked(qtbot, window)
    assert str(pair[0]) in box.text().splitlines(), "where it was, and no place where it is not"
    qtbot.keyClick(box, Qt.Key.Key_Return)
    session = window.session
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.a.source == str(pair[0]))


def test_a_matrix_of_a_picture_is_read_from_beside_it(qtbot, window, pair, tmp_path):
    matrix = tmp_path / "mine.txt"
    matrix.write_text("   A  C  G  T\nA  4 -4 -4 -4\nC -4  4 -4 -4\nG -4 -4  4 -4\nT -4 -4 -4  4\n")
    line = f"compare {pair[0]} {pair[1]} --quiet --method affine --matrix {matrix} --png {tmp_path / 'x.png'}"
    assert cli.main(shlex.split(line)) == 1
    assert "--matrix mine.txt" in " ".join(read_recipe(tmp_path / "x.png").words)
    window.session.open_paths([tmp_path / "x.png"])
    box = asked(qtbot, window)
    assert "mine.txt next to the picture" in box.text().splitlines()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    session = window.session
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.method.id == "affine")
    assert session.choices.typed["matrix"] == str(matrix)


def test_a_picture_of_anything_else_is_refused_in_a_sentence(qtbot, window, tmp_path):
    told = []
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    (tmp_path / "x.svg").write_text("<svg/>")
    window.session.open_paths([tmp_path / "x.svg"])
    qtbot.waitUntil(lambda: len(told) == 1)
    assert "no picture saved by Wavediff" in told[0]
    assert "\n" not in told[0]


@pytest.mark.parametrize(("name", "language"), [("edit-words", "en"), ("edit-table", "de")])
def test_a_picture_of_a_lesson_opens_it_at_its_step(qtbot, window, tmp_path, name, language):
    lesson = lesson_named(name, language).with_typed({"a": "GATTA", "b": "GACT"})
    path = tmp_path / "lesson.svg"
    path.write_bytes(lesson_picture(lesson, frame_at(lesson, 3)).picture(PICTURES["svg"]))
    window.session.open_paths([path])
    box = asked(qtbot, window)
    assert lesson.title in box.text()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    view = window.view(LessonView)
    qtbot.waitUntil(lambda: view.player is not None and view.player.frame.step == 3)
    assert view.player.frame.part.inputs["a"] == "GATTA"
    assert view.player.lesson.language == language


@pytest.mark.parametrize("name", ["edit-words", "lcs-64-times"])
def test_the_options_of_a_picture_name_its_frame_among_all_scenes(name):
    lesson = next(one for one in lessons() if one.id == name)
    player = Player(lesson)
    while not player.at_end:
        player.step()
        frame = player.frame  # also that before a question's answer
        *number, step = map(int, list(frame_options(lesson, frame))[1::2])
        assert frame_at(lesson, step, *number) == frame
        if player.question is not None:
            player.tell()
    with pytest.raises(WavediffError, match="has no step 9999 in its scene 1 of"):
        frame_at(lesson, 9999, 1)


def test_a_picture_of_a_later_scene_opens_it_there(qtbot, window, tmp_path):
    lesson = next(one for one in lessons() if one.id == "edit-words")
    part = lesson.parts[-1]
    frame = Frame(part, part.scenes[-1], part.scenes[-1].unit, part.scenes[-1].last)
    path = tmp_path / "lesson.svg"
    path.write_bytes(lesson_picture(lesson, frame).picture(PICTURES["svg"]))
    window.session.open_paths([path])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    view = window.view(LessonView)
    qtbot.waitUntil(lambda: view.player is not None and view.player.frame.scene is not None)
    qtbot.waitUntil(lambda: view.player is not None and view.player.frame.step == frame.step)
    found = view.player.frame
    assert (found.scene.id, found.unit) == (part.scenes[-1].id, frame.unit)


def test_a_picture_of_a_transform_keeps_the_normal_form(qtbot, window, tmp_path):
    """The window takes it over, and writes it into a picture of its own."""
    text, made = tmp_path / "a.txt", tmp_path / "picture.svg"
    text.write_text(unicodedata.normalize("NFD", "Käse für Köln"), encoding="utf-8")
    assert cli.main(["bwt", str(text), "--quiet", "--normalize", "nfc", "--svg", str(made)]) == 0
    session = window.session
    session.open_paths([made])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.transform.current is not None and not session.running)
    panel = next(one for one in PANELS if one.id == "bwt")
    part = parts_of(window, panel, window)[panel.title]
    assert part.recipe().words == ("bwt", str(text), "--record", "1", "--case", "exact", "--normalize", "nfc")
    assert not [one.text for one in window.answer.notices.notices if "has changed" in one.text]


def saved_part(qtbot, window, name, path):
    """Save a picture of a part of the window."""
    window.actions_by_id["picture"].trigger()
    dialog = window.findChild(PictureDialog)
    dialog.part.choose(name)
    dialog.part.activated.emit(dialog.part.currentIndex())
    qtbot.waitUntil(dialog.save_button.isEnabled)
    dialog.save(path, PICTURES[path.suffix[1:]])
    qtbot.waitUntil(lambda: window.findChild(PictureDialog) is None)


@pytest.mark.parametrize("part", ["Letters", "Window"])
def test_a_picture_of_a_pair_without_an_answer_opens_the_pair(qtbot, window, pair, tmp_path, monkeypatch, part):
    session = window.session
    session.choose(**EDIT.option("band").parse("9"), method="edit")
    with monkeypatch.context() as held:
        held.setattr(session, "run", lambda: None)
        session.open_paths(pair)
        qtbot.waitUntil(lambda: session.pair.complete is not None)
        saved_part(qtbot, window, part, tmp_path / "x.svg")
    assert session.outcome is None
    session.start_with("lcs")
    open_texts(session, "AAA", "AAC")
    qtbot.waitUntil(lambda: session.outcome is not None)
    session.open_paths([tmp_path / "x.svg"])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.a.name == "a")
    assert session.outcome.options["band"] == "9"


def test_a_picture_of_blocks_opens_the_pair_as_rearranged(qtbot, window, pair, tmp_path, monkeypatch):
    session = window.session
    wanted = []
    monkeypatch.setattr(session, "find_blocks", lambda again=False: wanted.append(session.state.seed_letters) or True)
    session.open_paths(pair)
    qtbot.waitUntil(lambda: session.pair.complete is not None)
    session.arrange(11)
    saved_part(qtbot, window, "Window", tmp_path / "x.png")
    found = cli.parsed(read_recipe(tmp_path / "x.png").words)
    assert (found.rearranged, found.seed_letters) == (True, 11)
    session.arrange(None)
    session.open_paths([tmp_path / "x.png"])
    qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.state.seed_letters == 11)
    assert wanted[-1] == 11


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_picture_of_no_pair_says_that_it_names_no_files(qtbot, window, tmp_path, suffix):
    told = []
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    window.session.open_text("AAA", Side.A)
    qtbot.waitUntil(lambda: window.session.pair["A"] is not None)
    saved_part(qtbot, window, "Window", tmp_path / f"x.{suffix}")
    window.session.open_paths([tmp_path / f"x.{suffix}"])
    qtbot.waitUntil(lambda: len(told) == 1)
    assert "a picture that names no files" in told[0]


@pytest.mark.parametrize("absolute", [True, False])
def test_an_answer_in_json_opens_its_pair_once_the_user_agrees(qtbot, window, pair, tmp_path, monkeypatch, absolute):
    monkeypatch.chdir(tmp_path)
    names = [str(one) if absolute else one.name for one in pair]
    words = "compare", *names, "--method", "swap", "--orient", "minus", "--case", "exact", "--json", "x.json"
    assert cli.main([*words, "--quiet"]) == 1
    session = window.session
    session.open_paths([tmp_path / "x.json"])
    box = asked(qtbot, window)
    assert box.text().startswith("This answer shows a × b, compared by")
    assert session.pair.complete is None
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.outcome is not None)
    qtbot.waitUntil(lambda: session.outcome.b.orientation.strand is Strand.MINUS)
    assert (session.outcome.method.id, session.outcome.fold_case) == ("swap", False)
    assert session.outcome.result.distance == json.loads((tmp_path / "x.json").read_text())["value"]


def test_an_answer_of_pasted_letters_says_that_it_names_no_files(qtbot, window, tmp_path):
    told = []
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    assert cli.main(["compare", "data:,ACGT", "data:,ACT", "--json", str(tmp_path / "x.json"), "--quiet"]) == 1
    window.session.open_paths([tmp_path / "x.json"])
    qtbot.waitUntil(lambda: bool(told))
    assert told == [f"{tmp_path / 'x.json'}: this program cannot make what this answer shows: A or B was not in a file"]


def test_a_timeline_is_refused_by_its_name(qtbot, window, pair, tmp_path):
    path = tmp_path / "x.trace.json"
    assert cli.main(["compare", *map(str, pair), "--trace", str(path), "--quiet"]) == 1
    with qtbot.waitSignal(window.session.noticed) as noticed:
        window.session.open_paths([path])
    assert "this is a timeline of Wavediff" in noticed.args[0].text
    assert "open it in ui.perfetto.dev" in noticed.args[0].text


def test_an_answer_in_json_brings_back_free_ends_and_the_band(qtbot, window, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.fa").write_text(">a\nTTTTACGTACGTTTTT\n")
    (tmp_path / "b.fa").write_text(">b\nACGTTCGT\n")
    for options in (("--ends", "a"), ("--band", "none", "--traceback", "none")):
        assert cli.main(["compare", "a.fa", "b.fa", "--method", "edit", *options, "--json", "x.json", "-q"]) == 1
        answer = json.loads((tmp_path / "x.json").read_text())
        assert answer["options"] == dict(zip([word[2:] for word in options[::2]], options[1::2], strict=True))
        window.session.open_paths([tmp_path / "x.json"])
        qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
        with qtbot.waitSignal(window.session.compared):
            window.findChild(QMessageBox, "picture_box").button(QMessageBox.StandardButton.Open).click()
        qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is None)
        assert dict(window.session.outcome.options) == answer["options"]
        assert window.session.outcome.result.distance == answer["value"]
