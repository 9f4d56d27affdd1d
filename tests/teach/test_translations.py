"""Lessons in other languages: they do, ask and compute what their originals do, and nothing in them stays English."""

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.teach.page_elements import Elements
from wavediff.app.commands.cli import main
from wavediff.core.teach.language import ENGLISH, FOLDER, LANGUAGES, in_language
from wavediff.core.teach.lesson import FOLDER as LESSONS
from wavediff.core.teach.lesson import check_lesson, headings, lesson_named, read_lesson, translations
from wavediff.core.teach.player import Player
from wavediff.core.teach.sentence import sentence_fields
from wavediff.core.teach.unit import Unit

PATHS = [one.path for one in translations()]
ENGLISH_WORD = re.compile(r"\b(the|and|is|of|that|row|column|letter|above|left|differ|begins|ones|edits|bits? )\b")
WORDS = ("title", "source", "topic", "notes", "say", "language")
LETTERS = st.text("abc", min_size=1, max_size=5)


def read(path):
    return tomllib.loads(path.read_text("utf-8"))


def without_words(data):
    if isinstance(data, dict):
        return {key: without_words(value) for key, value in data.items() if key not in WORDS}
    return [without_words(one) for one in data] if isinstance(data, list) else data


def test_four_lessons_are_there_in_german():
    assert [path.parent.name for path in PATHS] == ["de"] * 4
    assert LANGUAGES == (ENGLISH, "de")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_translation_has_the_scenes_questions_and_names_of_its_original(path):
    original, translated = read(LESSONS / path.name), read(path)
    assert without_words(translated) == without_words(original)
    assert translated["language"] == path.parent.name
    for key in ("title", "source", "topic", "notes"):
        assert translated[key] != original[key]
    scenes = [[scene for part in each["part"] for scene in part["scene"]] for each in (original, translated)]
    for one, other in zip(*scenes, strict=True):
        assert ("say" in one) == ("say" in other)
        if "say" in one:
            assert sorted(sentence_fields(one["say"])) == sorted(sentence_fields(other["say"]))
            assert one["say"] != other["say"]
    check_lesson(read_lesson(path), path.name)


def numbers(text):
    return sorted(re.findall(r"\d+", text))


def check_spoken(english, language):
    said = in_language(language, english)
    assert said != english or english == "Diagonal", english
    assert not ENGLISH_WORD.search(said), said
    assert numbers(said) == numbers(english)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
@given(a=LETTERS, b=LETTERS)
def test_all_that_is_said_and_asked_of_any_letters_is_translated(path, a, b):
    lesson = read_lesson(LESSONS / path.name)
    takes_both = {"a", "b"} <= set(lesson.parts[0].trace.inputs)
    for part in lesson.with_inputs({"a": a, "b": b} if takes_both else {"a": a}).parts:
        for unit in part.trace.units if part.method != "lcs" and part.method != "edit" else part.units:
            for k in range(part.trace.steps(unit) + 1):
                check_spoken(part.trace.say(unit, k), path.parent.name)
                for kind in part.trace.kinds(unit) if k and (k == part.trace.steps(unit) or unit != Unit.CELL) else ():
                    asked = part.trace.ask(unit, k, kind)
                    texts = [asked.text, asked.why, *(slip.text for slip in asked.slips)]
                    for text in texts + [name for _, name in asked.options]:
                        check_spoken(text, path.parent.name)


def test_the_numbers_of_a_form_are_all_filled_in():
    for language in LANGUAGES[1:]:
        for english, other in tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8")).items():
            assert english.count("{}") == other.count("{}"), english


def test_a_lesson_is_chosen_by_its_language(capsys, tmp_path):
    assert lesson_named("edit-table", "de").title == "Die wenigsten Änderungen"
    assert [one.id for one in headings("de")] != []
    assert {one.id for one in headings("de")} == {one.id for one in headings()}
    page = tmp_path / "edit-table.html"
    assert main(["lesson", "edit-table", "--language", "de", "--a", "Haus", "--b", "Maus", "--html", str(page)]) == 0
    assert main(["lesson", "edit-table", "--language", "de", "--step", "1"]) == 0
    out = capsys.readouterr().out
    assert "k und s sind verschieden. Das Kleinste von 0 + 1 durch Ersetzen" in out
    assert "Zelle 1 von 42" in out
    text = page.read_text("utf-8")
    tags = {tag: attributes for tag, attributes, _ in Elements.of(text)}
    assert tags["html"]["lang"] == "de"
    assert "lesson edit-table --language de --a Haus --b Maus --html" in text
    assert "H und M sind verschieden" in text
    assert "Was steht in Zeile 1 (H), Spalte 1 (M)?" in text


def test_a_course_and_the_list_have_the_lessons_that_are_translated(capsys, tmp_path):
    assert main(["lesson", "--language", "de"]) == 0
    listed = capsys.readouterr().out
    assert "Die wenigsten Änderungen" in listed
    assert "A run of your own" in listed
    assert listed.count("\n") == len(headings())


def test_a_sheet_of_exercises_is_translated(capsys):
    assert main(["lesson", "shift-or", "--language", "de", "--exercises", "3", "--seed", "7", "--no-pager"]) == 0
    sheet = capsys.readouterr().out
    assert "Wie viele Muster enden dort?" in sheet
    assert "Lösungen" in sheet
    assert "What" not in sheet
    assert "After" not in sheet


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
@given(st.integers(0, 60), st.sets(st.sampled_from(["0", "7", "x", "1,1", "2,1", "0101", "diagonal"]), min_size=1))
def test_a_wrong_answer_is_answered_in_the_language(path, at, answer):
    player = Player(read_lesson(path))
    player.seek(min(at, player.n_frames - 1))
    player.ask_fresh(at)
    if player.question is not None and not (marked := player.answer(answer)).is_right:
        assert marked.hint
        assert not ENGLISH_WORD.search(marked.hint), marked.hint
