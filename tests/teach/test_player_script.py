"""The script of a page, run by node: it says at each step what the program's own player says, and asks as it does."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.depth import one_of
from tests.processes import spawned
from wavediff.app.draw.page import SCRIPT, Frames, page_data
from wavediff.app.draw.svg import EMPTY
from wavediff.core.teach.lesson import Lesson, headings, lesson_named, lessons, read_lesson
from wavediff.core.teach.lesson_data import lesson_data
from wavediff.core.teach.player import Player
from wavediff.core.teach.questions import Kind

RUNNER = Path(__file__).with_name("player_page.js")

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node runs the script")


Shown = Callable[[Lesson, list[dict[str, str]]], list[list[str]]]
Said = Callable[[Lesson, list[dict[str, str]]], list[str]]


@pytest.fixture(scope="module")
def shown():
    """Return what tells what a page says and draws after each of some actions; every page is new to the one node."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with spawned(["node", RUNNER], text=True, encoding="utf-8", **pipes) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        assert node.stderr is not None

        def play(lesson, actions):
            given = {"script": SCRIPT.read_text("utf-8"), "data": page_data(lesson)}
            node.stdin.write(json.dumps(given | {"actions": actions}) + "\n")
            node.stdin.flush()
            line = node.stdout.readline()
            assert line, node.stderr.read()
            return json.loads(line)

        yield play


@pytest.fixture
def said(shown):
    return lambda lesson, actions: [text for text, *_ in shown(lesson, actions)]


@pytest.mark.parametrize("name", one_of(6, [one.id for one in headings()]))
def test_a_page_says_and_shows_what_the_program_does(name, shown):
    """On the way there, to the end and back to the start, by each question; the elements are those of the frame."""
    lesson = read_lesson(next(one.path for one in headings() if one.id == name))
    pools = []

    def new_pool():
        pools.append(Frames())
        return pools[-1]

    lesson_data(lesson, new_pool)
    player, wanted, actions = Player(lesson), list[list[str]](), list[dict[str, str]]()

    def look(key):
        part, _, unit, step = player.frame
        pool = pools[next(place for place, one in enumerate(lesson.parts) if one is part)]
        asked = player.question is not None
        drawn = pool.frame(part, unit, step, part.shown.scene(unit, step), asked=asked)
        wanted.append([player.sentence, *(pool.svg.text_of(ids) for ids in drawn)])
        actions.append({"press": key})

    while not player.at_end:
        player.step()
        look("ArrowRight")
        if player.question is not None:
            player.tell()
            look("Escape")
    player.seek(0)
    look("Home")
    player.seek(player.n_frames - 1)
    look("End")
    for _ in range(player.at):
        player.back()
        look("ArrowLeft")
    assert all(text for texts in wanted for text in texts[:2])
    for (sentence, *drawn), texts in zip(shown(lesson, actions), wanted, strict=True):
        assert [sentence, *(part.replace(EMPTY, "").replace("&#126;", "~") for part in drawn)] == texts


def test_a_word_where_a_number_is_wanted_is_no_try_on_a_page(said):
    lesson = next(one for one in lessons() if one.id == "lcs-table")
    *tries, last = said(lesson, [{"press": "ArrowRight"}, *({"type": text} for text in ("", "x", "7", "8"))])
    assert all(text.endswith(tries[0]) for text in tries), "it is asked again"
    assert not last.endswith(tries[0])


@pytest.mark.parametrize(
    ("language", "wrong", "right"), [("en", "That is not it.", "Right."), ("de", "Das ist es nicht.", "Richtig.")]
)
def test_a_page_marks_answers_and_walks_all_paths(language, wrong, right, said):
    lesson = lesson_named("lcs-table", language)
    first = Player(lesson)
    first.step()
    assert first.question.kind is Kind.VALUE
    found = said(lesson, [{"press": "ArrowRight"}, {"type": "7"}, {"type": " 0 "}, {"press": "End"}, {"press": "End"}])
    assert found[:3] == [first.question.text, f"{wrong} {first.question.text}", f"{right} {first.question.why}"]
    assert found[3] == found[4]


@pytest.mark.parametrize("name", ["lcs-table", "lcs-orders", "lcs-words", "diagonals"])
def test_a_page_goes_by_scenes_as_the_player_does(name, said):
    """To the question of a scene, to its answer, to the next scene; back without asking."""
    lesson = next(one for one in lessons() if one.id == name)
    player, wanted, actions = Player(lesson), [], []
    while player.jump(1):
        wanted.append(player.sentence)
        actions.append({"press": "PageDown"})
    while player.jump(-1):
        wanted.append(player.sentence)
        actions.append({"press": "PageUp"})
    assert said(lesson, actions) == wanted
