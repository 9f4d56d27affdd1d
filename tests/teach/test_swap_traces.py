"""Table H of the swaps: beside the oracle and the kernel's golden figure, with what each cell looks up."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import swap_edit
from tests.teach.test_tables import pairs
from wavediff.core.teach.questions import SWAP, Kind, mark
from wavediff.core.teach.scene import Mark, Sheet
from wavediff.core.teach.swap_trace import SwapTrace, swap_trace
from wavediff.core.teach.table import SwapTable, TableTooLarge
from wavediff.core.teach.unit import Unit

WORD = st.text("ABC", min_size=1, max_size=7)
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "kim_fig1.json").read_text())


def sheet(trace, unit, k, place):
    part = trace.scene(unit, k).parts[place]
    assert isinstance(part, Sheet)
    return part


def listed_paths(made):
    done, paths = [[made.shape]], set()
    while done:
        path = done.pop()
        i, j = path[-1]
        if i and j:
            before = [(one.row, one.col) for one in made.candidates(i, j) if one.wins]
        else:
            before = [(max(i - 1, 0), max(j - 1, 0))] if i or j else []
        done += [[*path, spot] for spot in before]
        if not before:
            paths.add(tuple(path))
    return paths


def test_tables_and_look_ups_are_those_of_the_definition():
    for a, b in pairs(200, 40):
        made = SwapTable(a, b)
        assert np.array_equal(made.values, swap_edit.table(a.encode(), b.encode()))
        for i, j in ((1, 1), (len(a), len(b)), (len(a) // 2 + 1, len(b) // 2 + 1)):
            assert made.look_up(i, j) == swap_edit.look_up(a.encode(), b.encode(), i, j)


def test_the_papers_figure():
    made = SwapTable(GOLDEN["x"], GOLDEN["y"])
    for row, values in enumerate(GOLDEN["h"]):
        assert made.values[row, : len(values)].tolist() == values
    cell = GOLDEN["cell"]
    assert made.look_up(cell["i"], cell["j"]) == (cell["p"], cell["q"])


@given(WORD, WORD)
def test_candidates_attain_the_table_and_paths_are_as_many_as_can_be_listed(a, b):
    made = SwapTable(a, b)
    for i, j in np.ndindex(made.shape):
        found = made.candidates(i + 1, j + 1)
        assert min(one.value for one in found) == made.values[i + 1, j + 1]
        arrows = sum(one.arrow for one in found if one.wins)
        assert made.arrows.bits[i + 1, j + 1] == arrows
    paths = listed_paths(made)
    assert made.arrows.n_paths == len(paths)
    assert {tuple(path) for path in made.arrows.paths()} == paths


def test_the_cell_that_only_a_swap_attains():
    trace = swap_trace({"a": "ababca", "b": "cbacab"})
    assert trace.say(Unit.CELL, 30) == (
        "b was last in row p = 4 (DX), c in column q = 4 (DY): the swap, H[3,3] + 0 + 1 + 1 = 3, is less than 4, 4, 4."
    )
    cited = trace.scene(Unit.CELL, 30).cited
    assert [tuple(one) for one in cited if one.wins] == [(3, 3, True)]
    terms = sheet(trace, Unit.CELL, 30, 2)
    assert [row[2] for row in terms.rows] == ["4", "4", "4", "3"]
    assert [line[2] for line in terms.marks] == [Mark.SKIPPED, Mark.SKIPPED, Mark.SKIPPED, Mark.WINNER]
    arrow = trace.ask(Unit.CELL, 30, Kind.ARROW)
    assert mark(arrow, {"swap"}).is_right
    assert not mark(arrow, {"diagonal"}).is_right


def test_what_a_cell_looks_up_is_beside_it():
    trace = swap_trace({"a": "ababca", "b": "cbacab"})
    looked = sheet(trace, Unit.CELL, 30, 1)
    assert looked.rows == (("a", "3"), ("b", "4"), ("c", "–"), ("q (DY)", "4"))
    assert [line[0] for line in looked.marks] == [Mark.PLAIN, Mark.CITED, Mark.PLAIN, Mark.CITED]


def test_threads_have_a_row_each_and_say_what_they_compute():
    trace = swap_trace({"a": "ababca", "b": "cbacab"})
    threads = sheet(trace, Unit.ANTIDIAGONAL, 3, 1)
    assert threads.heads == ("thread", "row", "DX a", "DX b", "DX c", "computes")
    assert threads.rows[2] == ("2", "3 a", "1", "2", "0", "H[3,1] = 3")
    assert [row[-1] for row in threads.rows[3:]] == ["", "", ""]
    busy = [sum(line[-1] is Mark.NEW for line in sheet(trace, Unit.ANTIDIAGONAL, k, 1).marks) for k in range(1, 12)]
    assert busy == trace.value_of("new antidiagonal")


def test_three_antidiagonals_are_lit():
    grid = swap_trace({"a": "ababca", "b": "cbacab"}).scene(Unit.ANTIDIAGONAL, 6).grid
    assert [Mark(grid.marks[1, j]) for j in (3, 4, 5, 6)] == [Mark.FAINT, Mark.ON, Mark.ON, Mark.NEW]


def test_long_sequences_show_the_threads_that_are_busy():
    trace = swap_trace({"a": "ACGT" * 30, "b": "AC" * 10})
    for k in (1, 40, 100, trace.steps(Unit.ANTIDIAGONAL)):
        threads = sheet(trace, Unit.ANTIDIAGONAL, k, 1)
        assert len(threads.rows) == 16
        assert any(row[-1] for row in threads.rows)


def test_a_swap_is_told_where_it_is_as_good_as_another_and_where_it_is_not():
    made = SwapTable("ababca", "cbacab")
    trace = SwapTrace(made)
    for k in range(1, 37):
        found, said = made.candidates(*trace.cell(k)), trace.say(Unit.CELL, k)
        assert ("swap" in said) == (
            len(found) == 4
            and (found[3].wins or not (made.match[tuple(x - 1 for x in trace.cell(k))] and found[0].wins))
        )
        assert found[-1].arrow != SWAP or len(found) == 4


def test_inputs_are_refused_with_what_is_possible():
    with pytest.raises(ValueError, match="'block' means nothing here"):
        swap_trace({"a": "A", "b": "C", "block": [1, 1]})
    with pytest.raises(TableTooLarge):
        swap_trace({"a": "A" * 513, "b": "C"})
    with pytest.raises(KeyError):
        swap_trace({"a": "A", "b": "C"}).value_of("p[2,1]")
