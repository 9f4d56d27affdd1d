"""Every trace: a scene depends on its step alone, a change of unit shows no more, questions have answers."""

from dataclasses import fields, is_dataclass
from functools import cache

import numpy as np
import pytest

from wavediff.core.teach.lesson import lessons
from wavediff.core.teach.questions import CLICKED, mark
from wavediff.core.teach.scene import Bits, Grid, Sheet


@cache
def parts():
    return {f"{lesson.id}-{k}": part for lesson in lessons() for k, part in enumerate(lesson.parts, 1)}


def plain(value):
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, (list, tuple)):
        return tuple(map(plain, value))
    if is_dataclass(value):
        return tuple(plain(getattr(value, one.name)) for one in fields(value) if one.name != "arrows")
    return value


@pytest.mark.parametrize("name", parts())
def test_a_scene_is_the_same_however_it_is_reached(name):
    trace, rng = parts()[name].trace, np.random.default_rng(len(name))
    for unit in parts()[name].units:
        steps = trace.steps(unit)
        wanted = sorted(rng.choice(steps + 1, min(steps + 1, 12), replace=False).tolist())
        stepped = {k: plain(trace.scene(unit, k)) for k in wanted}
        for k in rng.permutation(wanted).tolist():
            assert plain(trace.scene(unit, k)) == stepped[k]
        kinds = {tuple(type(part) for part in trace.scene(unit, k).parts) for k in wanted}
        assert len(kinds) == 1, "parts come and go while it is stepped"


@pytest.mark.parametrize("name", parts())
def test_a_change_of_unit_shows_no_more(name):
    trace = parts()[name].trace
    for one in trace.units:
        for other in trace.units:
            for k in {0, 1, trace.steps(one) // 2, trace.steps(one)}:
                there = trace.same(one, k, other)
                assert 0 <= there <= trace.steps(other)
                now, then = trace.scene(one, k).grid, trace.scene(other, there).grid
                if now is not None and then is not None:
                    assert not ((then.rank <= there) & (now.rank > k)).any()
                else:
                    assert trace.same(other, there, one) <= k


@pytest.mark.parametrize("name", parts())
def test_lines_are_as_long_as_their_heads_and_marks(name):
    trace = parts()[name].trace
    for unit in parts()[name].units:
        for k in {0, 1, trace.steps(unit) // 2, trace.steps(unit)}:
            for part in trace.scene(unit, k).parts:
                if isinstance(part, Sheet):
                    assert {len(row) for row in part.rows} <= {len(part.heads)}
                    assert not part.marks or [len(one) for one in part.marks] == [len(row) for row in part.rows]
                    assert all(0 < rule < len(part.rows) for rule in part.rules)
                elif isinstance(part, Bits):
                    assert len({len(word) for _, word in part.rows}) == 1
                    assert not part.marks or [len(one) for one in part.marks] == [len(word) for _, word in part.rows]
                    assert not part.heads or len(part.heads) == len(part.rows[0][1])
                elif isinstance(part, Grid):
                    assert part.values.shape == part.rank.shape


@pytest.mark.parametrize("name", parts())
def test_questions_are_answered_by_what_they_accept(name):
    trace = parts()[name].trace
    for unit in parts()[name].units:
        for kind in trace.kinds(unit):
            for k in {1, (trace.steps(unit) + 1) // 2, trace.steps(unit)}:
                question = trace.ask(unit, k, kind)
                given = set(question.accepts) if question.needs_all else set(sorted(question.accepts)[:1])
                assert question.text.endswith((".", "?"))
                assert mark(question, given).is_right
                if question.kind not in CLICKED:  # of what is chosen or typed one can be given
                    assert all(mark(question, {one}).is_right for one in question.accepts)
                assert not mark(question, {"no such answer"}).is_right
