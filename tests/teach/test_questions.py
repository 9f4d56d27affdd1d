"""Questions: a wrong answer is told by its misconception, two tries are enough, fresh ones are asked of any letters."""

import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.teach.lesson import FOLDER, lesson_named, lessons, read_lesson
from wavediff.core.teach.player import Player
from wavediff.core.teach.questions import LEVELS, Kind, Question, ask, fresh_question, mark
from wavediff.core.teach.traces import new_trace
from wavediff.core.teach.unit import Unit

TEXTS = st.text("ab", min_size=2, max_size=5)


def lengths(a, b):
    """LCS lengths of all prefixes, by the definition: subsequences of A that B has too."""

    def is_in(some, text):
        letters = iter(text)
        return all(letter in letters for letter in some)

    def longest(one, other):
        sizes = (n for n in range(len(one), 0, -1) if any(is_in(some, other) for some in combinations(one, n)))
        return next(sizes, 0)

    return [[longest(a[:i], b[:j]) for j in range(len(b) + 1)] for i in range(len(a) + 1)]


@given(TEXTS, TEXTS, st.data())
def test_a_wrong_length_is_told_by_what_was_taken_for_it(a, b, data):
    i, j = data.draw(st.integers(1, len(a))), data.draw(st.integers(1, len(b)))
    table, trace = lengths(a, b), new_trace("lcs", {"a": a, "b": b})
    question = ask(trace, Unit.CELL, (i - 1) * len(b) + j, Kind.VALUE)
    right = table[i][j]
    assert question.accepts == {str(right)}
    diagonal, above, left = table[i - 1][j - 1], table[i - 1][j], table[i][j - 1]
    if a[i - 1] != b[j - 1] and diagonal + 1 != right:
        marked = mark(question, {str(diagonal + 1)})
        assert "at a match only" in marked.hint
        assert marked.cells == ((i - 1, j - 1),)
    if a[i - 1] == b[j - 1] and max(above, left) not in (right, diagonal):
        marked = mark(question, {str(max(above, left))})
        assert "largest neighbour" in marked.hint
        (cell,) = marked.cells
        assert table[cell[0]][cell[1]] == max(above, left)
    if a[i - 1] != b[j - 1] and min(above, left) not in (right, diagonal + 1):
        assert "smaller" in mark(question, {str(min(above, left))}).hint
    assert mark(question, {"99"}).hint == "99 is too large."


def test_a_swap_of_neighbours_only_is_told():
    question = ask(new_trace("swap", {"a": "CA", "b": "ABC"}), Unit.CELL, 6, Kind.VALUE)
    marked = mark(question, {"3"})  # what neighbours alone would cost
    assert "neighbours only" in marked.hint
    assert marked.cells == ((0, 0),)
    reads = ask(new_trace("swap", {"a": "CA", "b": "ABC"}), Unit.CELL, 6, Kind.READS)
    assert "neighbours only" in mark(reads, {"1,2", "1,3", "2,2"}).hint


def test_reversed_and_exchanged_bits_are_told():
    question = ask(new_trace("lcs", {"a": "abcde", "b": "baexd"}), Unit.COLUMN, 5, Kind.BITS)
    assert question.accepts == {"01101"}
    assert "reversed" in mark(question, {"10110"}).hint
    assert "exchanged" in mark(question, {"10010"}).hint
    assert mark(question, {"01110"}).hint == "That is V' of the column before."
    assert mark(question, {"01111"}).hint == "1 bit is wrong, counted from the left: 4."
    assert "5 bits" in mark(question, {"0110"}).hint


def test_every_choice_that_is_wrong_has_its_reason(every_lesson):
    for lesson in every_lesson:
        for part in lesson.parts:
            for unit in part.units:
                for kind in part.trace.kinds(unit):
                    for step in range(1, min(part.trace.steps(unit), 40) + 1):
                        if kind is Kind.PATH and step < part.trace.steps(unit):
                            continue
                        question = ask(part.trace, unit, step, kind)
                        wrong = {id_ for id_, _ in question.options} - question.accepts
                        assert wrong <= {one for each in question.slips for one in each.answer}
                        for each in question.slips:
                            marked = mark(question, set(each.answer))
                            assert not marked.is_right
                            assert marked.hint == each.text


def all_paths(arrows, at):
    """Every way along the arrows, as sets of cells."""
    if not arrows.bits[at]:
        return [{at}]
    return [{at} | rest for before in arrows.sources(at) for rest in all_paths(arrows, before)]


@given(TEXTS, TEXTS, st.sampled_from(["lcs", "edit", "swap", "affine"]))
def test_any_optimal_path_is_right_and_nothing_else_is(a, b, method):
    trace = new_trace(method, {"a": a, "b": b})
    question = ask(trace, Unit.CELL, trace.steps(Unit.CELL), Kind.PATH)
    assert question.shown == question.step
    paths = [path for end in question.path.ends for path in all_paths(question.path, end)]
    for path in paths:
        assert mark(question, {f"{i},{j}" for i, j in path}).is_right
        for cell in path:
            shorter = path - {cell}
            marked = mark(question, {f"{i},{j}" for i, j in shorter})
            assert marked.is_right == (shorter in paths)
            assert marked.is_right or marked.cells
    assert not mark(question, set()).is_right


def test_a_number_that_stands_for_something_else_in_the_reason_is_not_the_answer():
    """A lecturer was told "equal ones begin at 6" where the answer was one key."""
    question = Question(Kind.VALUE, Unit.CELL, 1, "?", frozenset({"1"}), False, "Pass 1: the equal ones begin at 6.")
    assert question.answer == "1. Pass 1: the equal ones begin at 6."
    assert replace(question, why="Two and less than that is 1.").answer == "Two and less than that is 1."


def test_what_is_asked_of_a_diagonal_is_not_in_sight():
    trace = new_trace("diagonals", {"a": "ACGTTGCATGCA", "b": "ACGTGCATTGCA"})
    units = set()
    for seed in range(40):
        question = fresh_question(trace, trace.units, seed)
        edits, diagonal = map(int, re.findall(r"[-−]?\d+", question.text.replace("−", "-").replace("no edits", "0")))
        sheet = trace.scene(question.unit, question.shown).parts[1]
        assert sheet.rows[edits][sheet.heads.index(f"{diagonal:+d}" if diagonal else "0")] == "", question
        units.add(question.unit)
    assert units == {Unit.EDIT, Unit.LETTER}


def test_a_word_where_a_number_is_wanted_is_no_try():
    player = Player(read_lesson(FOLDER / "01-lcs-table.toml"))
    player.step()
    first = player.question
    for typed in ("", "x", "nought", "7"):
        player.answer({typed})
        assert player.question is first
    player.answer({"8"})
    assert player.question is None


def test_two_wrong_answers_are_answered_and_another_cell_is_asked():
    player = Player(read_lesson(FOLDER / "01-lcs-table.toml"))
    player.step()
    first = player.question
    player.answer({"1"})
    assert player.question is first
    assert player.sentence.startswith("One is added at a match only, and a and b differ.")
    player.answer({"7"})
    assert player.question is None
    assert player.sentence == f"7 is too large. {first.why}"
    player.step()
    while player.question is None:
        player.step()
    assert player.question.kind is first.kind
    assert player.question.step > first.step


@pytest.fixture(scope="module")
def every_lesson():
    return lessons()


@pytest.mark.parametrize("seed", range(8))
def test_fresh_questions_come_from_their_seed_and_level(every_lesson, seed):
    for lesson in every_lesson:
        for part in lesson.parts:
            question = fresh_question(part.trace, part.units, seed)
            assert question == fresh_question(part.trace, part.units, seed)
            easy = fresh_question(part.trace, part.units, seed, level=1)
            assert easy is None or easy.kind in LEVELS[1]
            if question is not None:
                some = question.accepts if question.needs_all else set(sorted(question.accepts)[:1])
                assert mark(question, set(some)).is_right


def test_seeds_ask_of_many_steps(every_lesson):
    trace = every_lesson[0].parts[0].trace
    assert len({fresh_question(trace, [Unit.CELL], seed).step for seed in range(20)}) > 5


def test_a_question_on_demand_leads_back_to_where_one_was():
    player = Player(read_lesson(FOLDER / "08-edit-table.toml"))
    player.seek(10)
    assert player.ask_fresh(3)
    question = player.question
    assert (player.frame.unit, player.frame.step) == (question.unit, question.shown)
    player.tell()
    assert player.frame.step == question.step
    player.step()
    assert player.at == 11
    assert player.frame.scene is not None


@pytest.mark.parametrize("name", ["08-edit-table", "01-lcs-table", "04-lcs-64-times"])
def test_the_place_in_the_lesson_is_that_of_a_question_on_demand(name):
    player = Player(read_lesson(FOLDER / f"{name}.toml"))
    for seed in range(30):
        assert player.ask_fresh(seed)
        player.tell()
        frame, others = player.frame, Player(player.lesson)
        others.seek(player.shown_at)
        assert others.frame.part is frame.part
        there = {(each.part, each.unit, each.step) for each in every_frame(others)}
        if (frame.part, frame.unit, frame.step) in there:
            others.seek(player.shown_at)
            assert (others.frame.unit, others.frame.step) == (frame.unit, frame.step)
    player.step()
    assert player.shown_at == player.at == 1


def every_frame(player):
    for at in range(player.n_frames):
        player.seek(at)
        yield player.frame


def test_every_so_many_steps_ask():
    player = Player(read_lesson(FOLDER / "08-edit-table.toml"))
    player.every, asked = 4, []
    while not player.at_end:
        player.step()
        if player.question is not None:
            asked.append(player.question.step)
            player.tell()
    assert set(range(4, 42, 4)) <= set(asked)


@given(st.text("ab", min_size=4, max_size=8), st.text("ab", min_size=4, max_size=8))
def test_each_reason_to_compute_a_block_is_a_right_choice(a, b):
    trace = new_trace("monotone", {"a": a, "b": b})
    for k in range(1, trace.steps(Unit.BLOCK) + 1):
        question = ask(trace, Unit.BLOCK, k, Kind.CHOICE)
        for choice, _ in question.options:
            assert mark(question, {choice}).is_right == (choice in question.accepts)


def test_columns_too_long_to_be_typed_are_asked_for_their_operations():
    """The words of 64 rows: 64 cells, and 5 operations, a column."""
    part = lesson_named("lcs-64-times").parts[0]
    assert part.trace.kinds(Unit.COLUMN) == (Kind.VALUE,)
    asked = ask(part.trace, Unit.COLUMN, 3, Kind.VALUE)
    assert mark(asked, {"15"}).is_right
    assert mark(asked, {"192"}).hint == "Those are the cells: an operation computes 64 at once."
    assert mark(asked, {"3"}).hint == "That is one a column, and a column takes 5."
    assert asked.why == "3 columns of 5 operations each: 15."


def test_every_kind_of_question_has_one_level():
    kinds = [kind for some in LEVELS.values() for kind in some]
    assert sorted(kinds) == sorted(Kind)
