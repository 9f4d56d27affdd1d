"""Sheets that grow by a line a step, and results of papers beside those of a machine."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.teach.lesson import lessons
from wavediff.core.teach.questions import Kind, ask, mark
from wavediff.core.teach.traces import InputsRefused, new_trace
from wavediff.core.teach.unit import Unit

TABLE = {"table": "Table 9", "machines": ["old", "new"], "unit": "ms", "of": {"call": "compare"}}
ROWS = [{"what": "small", "figures": [12.5, "3 ×"], "n": 10, "m": 10}, {"what": "large", "figures": [1500.0, "–"]}]
MEASURED = {"machine": "a machine", "date": "2026-11-29", "seconds": {"Table 9: small": 0.0012345}}


def test_figures_stand_beside_what_a_machine_measured(tmp_path):
    alone = new_trace("results", {**TABLE, "rows": ROWS})
    assert alone.scene(Unit.ROW, 2).parts[0].rows == (("small", "12.5", "3 ×", "–"), ("large", "1,500.0", "–", "–"))
    assert alone.say(Unit.ROW, 1) == "small: 12.5 ms (old), 3 × (new); not measured here."
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(MEASURED))
    both = new_trace("results", {**TABLE, "rows": ROWS, "measured": str(path)})
    sheet = both.scene(Unit.ROW, 2).parts[0]
    assert (sheet.title, sheet.heads) == ("Table 9, ms", ("", "old", "new", "this machine"))
    assert both.scene(Unit.ROW, 0).parts[1].rows == (("a machine, 2026-11-29",),)
    assert "a machine, 2026-11-29" in both.say(Unit.ROW, 0)
    assert [row[-1] for row in sheet.rows] == ["1.23", "–"]
    assert both.say(Unit.ROW, 1).endswith("; 1.23 ms here.")
    assert both.inputs == {"measured": str(path)}
    assert (both.value_of("measured"), alone.value_of("measured")) == (1, 0)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"seconds": {"a": "b"}, "machine": 1, "date": 2}', '{"seconds": []}']
)
def test_a_file_that_holds_no_results_is_refused(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(InputsRefused, match="'lesson NAME --measure FILE' wrote is wanted"):
        new_trace("results", {**TABLE, "rows": ROWS, "measured": str(path)})


def test_more_lines_than_can_be_seen_are_refused():
    with pytest.raises(InputsRefused, match="125 lines cannot be seen at once; up to 40 can"):
        new_trace("pair blocks", {"pairs": 1000})


def test_every_row_of_every_table_has_as_many_figures_as_machines_and_a_name_of_its_own():
    tables = [part for lesson in lessons() for part in lesson.parts if part.method == "results"]
    assert len(tables) >= 6
    names = [f"{part.inputs['table']}: {row['what']}" for part in tables for row in part.inputs["rows"]]
    assert len(set(names)) == len(names)
    for part in tables:
        assert {len(row["figures"]) for row in part.inputs["rows"]} == {len(part.inputs["machines"])}
        assert {"call", "letters"} <= set(part.inputs["of"])


@given(st.text("ab", min_size=1, max_size=6), st.text("abc", min_size=1, max_size=9))
def test_a_subsequence_is_found_letter_by_letter(a, b):
    trace, rest = new_trace("subsequence", {"a": a, "b": b}), iter(b)
    assert trace.value_of("is found") == all(letter in rest for letter in a)
    taken = trace.moments(Unit.ROW).get("taken", ())
    assert "".join(b[k - 1] for k in taken) == a[: len(taken)]
    question = ask(trace, Unit.ROW, len(b), Kind.VALUE)
    assert mark(question, {str(len(taken))}).is_right


@given(
    st.text("AC", min_size=1, max_size=20),
    st.lists(st.text("AC", min_size=1, max_size=4), min_size=1, max_size=5),
    st.integers(1, 6),
)
def test_pieces_report_each_hit_once(text, patterns, threads):
    patterns = list(dict.fromkeys(patterns))
    trace = new_trace("pieces", {"a": text, "b": " ".join(patterns), "threads": threads})
    ends = sum(text[:end].endswith(one) for end in range(1, len(text) + 1) for one in patterns)
    rows = trace.scene(Unit.ROW, trace.steps(Unit.ROW)).parts[0].rows
    told = [one for row in rows for one in row[3].split(", ") if one != "–"]
    assert len(told) == trace.value_of("hits") == ends
    assert trace.value_of("read") == sum(len(row[2]) for row in rows)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 8))
def test_antidiagonals_side_by_side_are_reached_in_fewer_segments(rows, cols, segment):
    trace = new_trace("memory", {"rows": rows, "cols": cols, "segment": segment})
    lines = trace.scene(Unit.ROW, rows + cols - 1).parts[0].rows
    for column in (1, 3):  # every cell is written once
        assert sorted(int(place) for line in lines for place in line[column].split()) == list(range(rows * cols))
    assert trace.value_of("by antidiagonals") <= trace.value_of("by rows") + rows + cols


@given(
    st.text("ab", min_size=1, max_size=7), st.text("ab", min_size=1, max_size=7), st.integers(1, 4), st.integers(1, 4)
)
def test_borders_that_blocks_return_are_those_that_their_neighbours_take(a, b, h, w):
    trace = new_trace("block borders", {"a": a, "b": b, "block": [h, w]})
    n_rows, n_cols = -(-len(a) // h), -(-len(b) // w)
    blocks = sorted(((row, col) for row in range(n_rows) for col in range(n_cols)), key=lambda one: (sum(one), one[0]))
    borders = {place: trace.value_of(f"borders {k}") for k, place in enumerate(blocks, 1)}
    for (row, col), words in borders.items():
        for names, other in ((("VP", "VN"), (row, col + 1)), (("gHP", "gHN"), (row + 1, col))):
            for name in names:
                assert borders.get(other, {name: [words[name][1]]})[name][0] == words[name][1]
    last = [borders[row, n_cols - 1] for row in range(n_rows)]
    steps = sum(words["VP"][1].count("1") - words["VN"][1].count("1") for words in last)
    assert len(b) + steps == trace.value_of("answer")


def test_a_table_of_shares_has_its_unit_above_the_times_of_this_machine():
    for lesson in lessons():
        for part in lesson.parts:
            if part.method == "results":
                sheet, unit = part.trace.scene(Unit.ROW, 0).parts[0], part.inputs.get("unit", "s")
                numbers = [one for row in part.inputs["rows"] for one in row["figures"] if not isinstance(one, str)]
                assert sheet.title.endswith(f", {unit}") == bool(numbers)
                assert sheet.heads[-1] == ("this machine" if numbers else f"this machine, {unit}")
                said = [part.trace.say(Unit.ROW, k) for k in range(1, part.trace.steps(Unit.ROW) + 1)]
                assert not any("– (" in text for text in said)
