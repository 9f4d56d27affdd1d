"""Rules beside the tables: each shipped one belongs to a method and unit, and the case that applies is lit."""

import tomllib
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.teach.lesson import lessons
from wavediff.core.teach.listing import FILE, Listed
from wavediff.core.teach.scene import Mark, Sheet
from wavediff.core.teach.traces import TRACES, new_trace
from wavediff.core.teach.unit import Unit

LISTINGS = tomllib.loads(FILE.read_text("utf-8"))
TEXTS = st.text("ab", min_size=1, max_size=5)


def lit(trace, method, unit, k):
    sheet = Listed(trace, method).scene(unit, k).parts[-1]
    assert isinstance(sheet, Sheet)
    return [row[0].rstrip() for row, marks in zip(sheet.rows, sheet.marks, strict=True) if marks[0] is Mark.ON]


def test_every_line_is_of_a_method_a_unit_and_moments_that_there_are():
    for method, units in LISTINGS.items():
        assert method in TRACES
        traces = [part.trace for lesson in lessons() for part in lesson.parts if part.method == method]
        for unit, one in units.items():
            trace = next(trace for trace in traces if unit in trace.units)
            for names, text in one["lines"]:
                assert len(text) <= 50
                named = {names} if isinstance(names, str) else set(names)
                assert named <= {"", "start", "step", *trace.moments(Unit(unit))}, (method, unit, named)


@given(TEXTS, TEXTS)
def test_the_case_of_a_length_is_lit(a, b):
    trace = new_trace("lcs", {"a": a, "b": b})
    assert lit(trace, "lcs", Unit.CELL, 0) == ["L[i,0] = L[0,j] = 0"]
    for k, (x, y) in enumerate(product(a, b), 1):
        expected = "A[i] = B[j]: L[i-1,j-1] + 1" if x == y else "else: max(L[i-1,j], L[i,j-1])"
        assert lit(trace, "lcs", Unit.CELL, k) == [expected]


@given(TEXTS, TEXTS)
def test_the_terms_that_give_a_distance_are_lit(a, b):
    table = [[i + j if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    trace = new_trace("edit", {"a": a, "b": b})
    for k, (i, j) in enumerate(product(range(1, len(a) + 1), range(1, len(b) + 1)), 1):
        equal = a[i - 1] == b[j - 1]
        terms = {"D[i-1,j] + 1": table[i - 1][j] + 1, "D[i,j-1] + 1": table[i][j - 1] + 1}
        diagonal = "D[i-1,j-1], if A[i] = B[j]" if equal else "D[i-1,j-1] + 1, else"
        terms[diagonal] = table[i - 1][j - 1] + (not equal)
        table[i][j] = min(terms.values())
        assert set(lit(trace, "edit", Unit.CELL, k)) == {text for text, of in terms.items() if of == table[i][j]}


def test_operations_are_lit_one_after_the_other():
    trace = new_trace("lcs", {"a": "abcde", "b": "baexd"})
    found = [lit(trace, "lcs", Unit.OPERATION, k) for k in range(1, 13)]
    assert found[:6] == found[6:]
    assert [one for (one,) in found[:6]] == [text for _, text in LISTINGS["lcs"]["operation"]["lines"]]
