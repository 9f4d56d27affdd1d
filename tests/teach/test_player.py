"""Player of a lesson: steps either way, scenes, units, speed, and questions that stand before their answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.app.draw.page import page_data
from wavediff.core.teach.film import moments
from wavediff.core.teach.lesson import FOLDER, lessons, read_lesson
from wavediff.core.teach.player import SPEEDS, Player
from wavediff.core.teach.questions import LEVELS, Kind
from wavediff.core.teach.unit import Unit


@pytest.fixture
def lesson():
    return read_lesson(FOLDER / "01-lcs-table.toml")


@pytest.mark.parametrize("number", range(6))
def test_every_lesson_goes_to_its_end_and_back(number):
    player = Player(lessons()[number])
    seen = []
    while not player.at_end:
        seen.append((player.frame, player.sentence))
        player.step()
        if player.question is not None:
            player.tell()
    for frame, sentence in reversed(seen):
        player.back()
        assert (player.frame, player.sentence) == (frame, sentence)
    assert player.at == 0


@given(st.lists(st.integers(-3, 60), max_size=8))
def test_a_frame_is_the_same_however_it_was_reached(places):
    player = Player(read_lesson(FOLDER / "03-lcs-words.toml"))
    for place in places:
        player.seek(place)
        other = Player(player.lesson)
        other.asking = False
        for _ in range(player.at):
            other.step()
        assert other.frame == player.frame
        one, two = (each.part.trace.scene(each.unit, each.step) for each in (player.frame, other.frame))
        assert np.array_equal(one.grid.rank, two.grid.rank)
        assert one.parts[1:] == two.parts[1:]


def test_what_is_asked_is_not_shown_before(lesson):
    player = Player(lesson)
    player.step()
    assert player.question.kind is Kind.VALUE
    assert player.frame.step == 0
    player.step()
    assert player.at == 1
    assert not player.answer({"7"}).is_right
    assert player.question is not None
    assert player.answer({"0"}).is_right
    assert player.question is None
    assert player.frame.step == 1
    player.back()
    player.step()
    assert player.question is None  # it was answered


def test_nothing_is_asked_of_who_does_not_want_it(lesson):
    player = Player(lesson)
    player.asking = False
    player.seek(player.n_frames - 2)
    player.step()
    assert player.at_end


def test_scenes_are_jumped_to(lesson):
    player = Player(lesson)
    seen = []
    for _ in range(5):  # two of the scenes ask first, and then the key of a clicker tells
        assert player.jump(1)
        seen.append((player.frame.scene.id if player.frame.scene else "", player.question is not None))
    assert seen == [("differ", True), ("differ", False), ("equal", True), ("equal", False), ("row", False)]
    assert (player.frame.scene.id if player.frame.scene else "", player.frame.step) == ("row", 3)
    player.step()
    player.jump(-1)
    assert player.frame.step == 3
    player.seek(0)
    assert not player.jump(-1)
    assert player.at == 0
    player.seek(player.n_frames - 1)
    assert not player.jump(1)


def test_no_scene_is_left_before_its_end_was_seen():
    """A table that the next scene does not go on with is shown filled, also to who has a clicker only."""
    player = Player(read_lesson(FOLDER / "02-lcs-orders.toml"))
    seen = []
    while player.jump(1):
        seen.append((player.frame.unit, player.frame.step))
    assert seen[:4] == [(Unit.CELL, 1), (Unit.CELL, 25), (Unit.ROW, 0), (Unit.ROW, 5)]
    back = []
    while player.jump(-1):
        back.append((player.frame.unit, player.frame.step))
    assert back[0] == (Unit.WORD, 1)
    assert back[-1] == (Unit.CELL, 0)


def test_the_answer_is_told_until_it_goes_on():
    player = Player(read_lesson(FOLDER / "14-diagonals.toml"))
    while player.question is None:
        player.jump(1)
    answer = player.coming
    player.jump(1)
    assert (
        player.sentence == answer == "1 edit: a step from the diagonals beside, then slide. "
        "Row 9 on diagonal -1 is the furthest."
    )
    player.step()
    assert player.sentence == "G = G: on to row 6 for nothing."


def test_a_film_and_a_page_play_as_long_as_the_player(lesson):
    times = Player(lesson).all_milliseconds()
    filmed = [one.milliseconds for one in moments(lesson) if not one.is_question]
    assert (page_data(lesson)["milliseconds"], times[:-1]) == (times, filmed[:-1])


def test_a_unit_begins_where_no_more_is_known(lesson):
    player = Player(lesson)
    player.seek(next(at for at in player.marks if player._frame(at).step == 17))
    player.choose_unit(Unit.ROW)
    assert (player.frame.unit, player.frame.step) == (Unit.ROW, 3)
    player.step()
    player.step()
    assert player.at_end
    player.choose_unit(None)
    assert player.frame.part is lesson.parts[0]
    assert player.at == 0


def test_it_plays_by_the_clock_and_stops_at_a_question_and_at_the_end(lesson):
    player = Player(lesson)
    player.play(True)
    read = 2 + 0.05 * len(player.sentence)
    assert not player.tick(read - 0.1)
    assert player.tick(0.2)
    assert not player.playing
    assert player.question is not None
    player.tell()
    player.asking = False
    player.play(True)
    for _ in range(len(SPEEDS)):
        player.change_speed(1)
    assert player.speed == SPEEDS[-1]
    times = player.all_milliseconds()
    player.tick(sum(times[1:9]) / 1000 / SPEEDS[-1] + 0.001)
    assert player.at == 9
    player.tick(sum(times) / 1000)
    assert player.at_end
    assert not player.playing
    player.play(True)
    assert player.at == 0


def test_page_down_stops_where_what_was_not_answered_is_asked_again():
    player = Player(read_lesson(FOLDER / "18-rotations.toml"))
    while player.question is None:
        assert player.jump(1)
    first = player.question
    player.answer({"4"})
    assert player.answer({"5"}).hint == "Row 1 begins there: it is sorted in already."
    assert player.question is None
    assert player.jump(1)
    assert (player.question.kind, player.question.step) == (first.kind, first.step + 1)
    player.answer({"0"})
    assert player.jump(1)
    assert (player.question, player.frame.scene.id) == (None, "columns")


def test_steps_that_ask_often_keep_to_a_level():
    lesson, asked = read_lesson(FOLDER / "08-edit-table.toml"), []
    for level in LEVELS:
        player = Player(lesson)
        player.every, player.level, kinds = 1, level, set()
        while not player.at_end:
            scene = player.frame.scene
            player.step()
            if player.question is not None:
                own = player.frame.scene is not scene and player.frame.scene.ask is player.question.kind
                kinds |= set() if own else {player.question.kind}
                player.tell()
        asked.append(kinds)
    assert asked[0] <= set(LEVELS[1])
    assert asked[1] & set(LEVELS[2])
    assert not asked[1] & set(LEVELS[3])
