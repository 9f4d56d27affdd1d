"""Three tables of affine gaps: against one table with gaps of every length, and what is asked of them."""

from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.teach.questions import Kind, ask, mark
from wavediff.core.teach.traces import new_trace
from wavediff.core.teach.unit import Unit

TEXTS = st.text("ACG", min_size=1, max_size=7)
COSTS = st.integers(0, 5)


def least_cost(a, b, mismatch, opening, extension):
    """Waterman, Smith and Beyer 1976: one table, and a gap of every length from each cell."""
    table = {}
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            terms = [0] if i == j == 0 else []
            if i and j:
                terms.append(table[i - 1, j - 1] + mismatch * (a[i - 1] != b[j - 1]))
            terms += [table[i - k, j] + opening + (k - 1) * extension for k in range(1, i + 1)]
            terms += [table[i, j - k] + opening + (k - 1) * extension for k in range(1, j + 1)]
            table[i, j] = min(terms)
    return table


@given(TEXTS, TEXTS, COSTS, COSTS, COSTS)
def test_the_least_of_three_tables_is_that_of_one_with_gaps_of_every_length(a, b, mismatch, opening, more):
    costs = {"mismatch": mismatch, "opening": opening + more, "extension": opening}
    trace, table = new_trace("affine", {"a": a, "b": b, **costs}), least_cost(a, b, *costs.values())
    assert trace.value_of("answer") == table[len(a), len(b)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            assert min(trace.value_of(f"{name}[{i},{j}]") for name in "MXY") == table[i, j]


@given(TEXTS, TEXTS)
def test_every_alignment_that_is_told_has_the_least_cost(a, b):
    trace = new_trace("affine", {"a": a, "b": b})
    for one, other in trace.value_of("alignments"):
        assert (one.replace("-", ""), other.replace("-", "")) == (a, b)
        runs = [x == "-" for x in one], [y == "-" for y in other]
        cost = sum(3 if not (k and run[k - 1]) else 1 for run in runs for k, gap in enumerate(run) if gap)
        cost += sum(2 for x, y in zip(one, other, strict=True) if "-" not in x + y and x != y)
        assert cost == trace.value_of("answer")


def test_common_wrong_answers_are_told_apart():
    trace = new_trace("affine", {"a": "ACGTC", "b": "AGC"})
    opens, goes_on = ask(trace, Unit.CELL, 14, Kind.VALUE), ask(trace, Unit.CELL, 29, Kind.VALUE)
    assert (opens.text, opens.accepts) == ("What is written in X(2, 2)?", {"6"})
    assert "first letter of a gap costs 3" in mark(opens, {"4"}).hint
    assert (goes_on.text, goes_on.accepts) == ("What is written in X(4, 1)?", {"5"})
    assert "goes on: 1, not 3" in mark(goes_on, {"7"}).hint
    reads = ask(trace, Unit.CELL, 29, Kind.READS)
    assert reads.accepts == {"3,1", "3,5", "3,9"}
    assert "Its own table is not enough" in mark(reads, {"3,5"}).hint
    source = ask(trace, Unit.CELL, 43, Kind.CHOICE)
    assert source.text == "From which table does M(5, 3) come?"
    assert source.accepts == {"M", "X"}
    assert "From Y it would be 8" in mark(source, {"Y"}).hint


def test_each_table_is_a_choice_where_an_alignment_ends_in_one_only():
    source = ask(new_trace("affine", {"a": "ACGTC", "b": "AGC"}), Unit.CELL, 28, Kind.CHOICE)
    assert source.text == "From which table does M(4, 1) come?"
    assert [one for one, _ in source.options] == ["M", "X", "Y"]
    assert source.accepts == {"X"}
    assert mark(source, {"M"}).hint == "No alignment ends in M there."


def test_a_path_may_begin_in_each_table_of_least_cost():
    trace = new_trace("affine", {"a": "A", "b": "C", "mismatch": 6})
    question = ask(trace, Unit.CELL, 3, Kind.PATH)
    for path in ({"1,1", "0,0"}, {"1,3", "0,5", "0,0"}, {"1,5", "1,2", "0,0"}):  # M; X after Y; Y after X
        assert mark(question, path).is_right
    assert mark(question, {"1,3", "0,5"}).cells
    assert "M(1, 1) or X(1, 1) or Y(1, 1)" in mark(question, set()).hint
