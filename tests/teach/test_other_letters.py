"""Lessons with other letters keep their chapters, their questions and sentences that are true of these letters."""

import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.teach.own_lesson import OWN
from wavediff.core.base.errors import InputError
from wavediff.core.teach.lesson import FOLDER, MAX_SENTENCE_LETTERS, headings, parse_lesson, read_lesson
from wavediff.core.teach.player import Player
from wavediff.core.teach.questions import Kind, ask, mark
from wavediff.core.teach.unit import Unit

PATHS = {one.id: one.path for one in headings()}
HEXADECIMAL, PATTERNS, COMPLEMENTS = ("sklansky",), ("cyclic", "flat", "search-pieces"), ("dots", "dot-chains")
NO_LETTERS = ("queue", "card", "your-run", "swap-pairs")
LETTERED = [name for name in PATHS if name not in NO_LETTERS]
OTHERS = [("GATTACA", "GCATGCA"), ("AC", "CAAC"), ("ACCTGGTACCAGGT", "TGGTACCAGGTA")]


def taken(name, a, b):
    """Other inputs of the kind that a lesson takes."""
    if name in HEXADECIMAL:
        return {"a": f"{len(a) * 7919:08X}", "b": f"{len(b) * 104729:08X}"}
    lesson = read_lesson(PATHS[name])
    both = any({"a", "b"} <= set(part.trace.inputs) for part in lesson.parts)
    if name in PATTERNS:
        return {"a": a, "b": f"{b[:3]} {b[:2]}"}
    return {"a": a, "b": b} if both else {"a": a}


def check(lesson, name):
    other = lesson
    own = read_lesson(PATHS[name])
    assert len(other.parts) == len(own.parts)
    assert any(part.own for part in other.parts)
    for part in other.parts:
        ids = [scene.id for scene in part.scenes]
        assert len(ids) == len(set(ids))
        for scene in part.scenes:
            assert 0 <= scene.first <= scene.last <= part.trace.steps(scene.unit)
            for step in {scene.first, scene.last}:
                said = part.sentence(scene, step)
                assert said.endswith((".", "?"))
                assert not scene.say or len(said) <= MAX_SENTENCE_LETTERS
                assert "{" not in said
            if scene.ask is not None:
                question = ask(part.trace, scene.unit, scene.first, scene.ask)
                some = question.accepts if question.needs_all else set(sorted(question.accepts)[:1])
                assert mark(question, set(some)).is_right
    return other


@pytest.mark.parametrize("letters", OTHERS)
@pytest.mark.parametrize("name", LETTERED)
def test_a_lesson_keeps_its_chapters_and_questions(name, letters):
    own = read_lesson(PATHS[name])
    other = check(own.with_inputs(taken(name, *letters)), name)
    for part in other.parts:
        kept = {scene.id for scene in part.scenes}
        assert {plan.id for plan in part.plans if plan.first in ("start", "end")} <= kept
        has_steps = all(part.trace.steps(unit) for unit in part.units)
        if has_steps and any(plan.ask for plan in part.plans):
            assert any(scene.ask for scene in part.scenes)
    player = Player(other)
    while player.jump(1):
        assert player.sentence


@pytest.mark.parametrize("name", [name for name in LETTERED if name not in HEXADECIMAL])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text("ACGT", min_size=2, max_size=9), st.text("ACGT", min_size=2, max_size=9))
def test_any_letters_give_a_lesson(name, a, b):
    if name in PATTERNS or name == "backward":
        b = b[:3]
    check(read_lesson(PATHS[name]).with_inputs(taken(name, a, b)), name)


@given(st.text("ab", min_size=2, max_size=6), st.text("ab", min_size=2, max_size=6))
def test_scenes_come_where_their_words_say(a, b):
    part = read_lesson(PATHS["lcs-table"]).with_inputs({"a": a, "b": b}).parts[0]
    cells = [(x, y) for x in a for y in b]
    matches = [k for k, (x, y) in enumerate(cells, 1) if x == y]
    found = {scene.id: scene.first for scene in part.scenes}
    first_mismatch = next((k for k, (x, y) in enumerate(cells, 1) if x != y), 0)
    if first_mismatch:
        assert found["differ"] == first_mismatch
    after = [k for k in matches if k > first_mismatch]
    assert found.get("equal") == (after[0] if after else None)
    assert found["last"] == found["path"] == len(cells)
    steps = [k for scene in part.scenes for k in range(scene.first, scene.last + 1)]
    assert list(dict.fromkeys(steps)) == list(range(len(cells) + 1))  # none is left out


def test_a_scene_asks_every_so_many_steps():
    text = OWN.replace('ask = "value"', 'ask = "value"\nevery = 2')
    assert text != OWN
    part = parse_lesson(text.encode(), "own.toml").parts[0]
    (plan,) = (each for each in part.plans if each.every)
    mine = [scene for scene in part.scenes if re.fullmatch(rf"{plan.id}(-\d+)?", scene.id)]
    assert [scene.first for scene in mine] == list(range(plan.first, plan.last + 1, 2))
    assert all(scene.ask is Kind.VALUE for scene in mine)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ('"next swap"', "'swap' is no step; names: match, mismatch, tie, row"),
        ('"soon"', "'soon' is no step"),
        ('"before "', "no step"),
    ],
)
def test_words_that_name_no_step_are_refused(step, told):
    text = OWN.replace("from = 0", f"from = {step}", 1)
    with pytest.raises(InputError, match=re.escape(told)):
        parse_lesson(text.encode(), "own.toml")


def test_a_part_that_is_fixed_stays_and_one_that_is_chosen_changes_alone():
    lesson = read_lesson(FOLDER / "21-swaps.toml")
    other = lesson.with_inputs({"a": "GATTACA", "b": "TAGACCA"})
    assert [part.inputs["a"] for part in other.parts] == ["GATTACA", "CA"]
    alone = lesson.with_inputs({"a": "AC"}, part=lesson.parts[1])
    assert [part.inputs["a"] for part in alone.parts] == ["ababca", "AC"]
    scene = alone.parts[1].scenes[-1]
    assert alone.parts[1].sentence(scene, scene.last) == alone.parts[1].trace.say(Unit.CELL, scene.last)


def test_with_no_step_that_fits_all_steps_are_shown():
    part = read_lesson(FOLDER / "21-swaps.toml").parts[0]
    nothing = replace(part, plans=tuple(plan for plan in part.plans if plan.id == "swap"), own=True)
    assert nothing.scenes[0].id == "swap"
    without = replace(nothing, inputs={"a": "AAA", "b": "AAA"})
    assert [(scene.unit, scene.first, scene.last) for scene in without.scenes] == [(Unit.CELL, 0, 9)]


def test_typed_letters_reach_the_parts_that_have_the_same_and_no_others():
    rotations = read_lesson(FOLDER / "18-rotations.toml")
    assert [part.inputs["a"] for part in rotations.with_typed({"a": "mississippi"}).parts] == ["mississippi"] * 2
    other = rotations.with_typed({"a": "tokyo"}, part=rotations.parts[1])
    assert [part.inputs["a"] for part in other.parts] == ["tokyo"] * 2
    backward = read_lesson(FOLDER / "20-backward.toml").with_typed({"a": "mississippi", "b": "ssi"})
    assert [(part.inputs["a"], part.fixed) for part in backward.parts] == [
        ("mississippi", False), ("mississippi", False), ("banana", True),
    ]  # fmt: skip
