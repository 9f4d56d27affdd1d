"""What a paper measured, measured here: inputs of the kinds that its table names, and what is left out."""

import numpy as np
import pytest

from wavediff.core.run import measured
from wavediff.core.teach.lesson import lessons


def table(call, *rows, **of):
    return {"table": "T", "of": {"call": call, "letters": "ACGT", **of}, "rows": list(rows)}


def test_rows_of_all_calls_are_timed_and_those_without_lengths_are_not():
    told = []
    tables = [
        table("compare", {"what": "pair", "n": 60, "m": 50}, {"what": "figure only"}, options={"method": "lcs"}),
        table("batch", {"what": "pairs", "n": 8, "m": 9, "pairs": 5}, options={"method": "swap"}),
        table("search", {"what": "text", "n": 500}, patterns=["ACGT", "TTT"]),
        table("transform", {"what": "bwt", "n": 500}),
    ]
    found = measured.measure(tables, told.append)
    assert set(found["seconds"]) == {"T: pair", "T: pairs", "T: text", "T: bwt"}
    assert all(seconds > 0 for seconds in found["seconds"].values())
    assert len(told) == 4
    assert found["machine"]
    assert len(found["date"]) == 10


def test_what_would_take_too_long_is_left_out(monkeypatch):
    monkeypatch.setattr(measured, "MAX_SECONDS", 0.0)
    told = []
    rows = [{"what": "first", "n": 20, "m": 20}, {"what": "second", "n": 20, "m": 20}]
    found = measured.measure([table("compare", *rows)], told.append)
    assert set(found["seconds"]) == {"T: first"}
    assert told[1].startswith("T: second: some ")


@pytest.mark.parametrize(
    ("row", "right"),
    [
        ({"n": 90, "m": 90, "edits": 7}, lambda a, b: np.count_nonzero(a != b) == 7),
        (
            {"n": 20, "m": 80, "part": True},
            lambda a, b: all(one in rest for rest in [iter(b.tolist())] for one in a.tolist()),
        ),
        ({"n": 30, "m": 40, "letters": "AC", "others": "GT"}, lambda a, b: not np.intersect1d(a, b).size),
        ({"n": 30, "m": 40}, lambda a, b: set(np.unique(b).tolist()) == set(b"ACGT")),
    ],
)
def test_pairs_are_of_the_kind_that_a_row_says(monkeypatch, row, right):
    seen = []
    monkeypatch.setattr(measured, "compare", lambda a, b, **_: seen.append((a, b)))
    measured.measure([table("compare", {"what": "one", **row})])
    assert {(len(a), len(b)) for a, b in seen} == {(row["n"], row["m"])}
    assert all(right(a, b) for a, b in seen)


def shrunk(row):
    """A row with the same proportions, of 300 letters at most."""
    if "n" not in row:
        return row
    most = max(row["n"], row.get("m", 0))
    small = {side: max(64, row[side] * 300 // most) for side in ("n", "m") if side in row}
    return row | small | ({"edits": min(9, row["edits"])} if "edits" in row else {})


def test_every_row_of_the_lessons_can_be_measured():
    parts = [part for lesson in lessons() for part in lesson.parts if part.method == "results"]
    tables = [{**part.inputs, "rows": [shrunk(row) for row in part.inputs["rows"]]} for part in parts]
    found = measured.measure(tables)["seconds"]
    assert set(found) == {f"{one['table']}: {row['what']}" for one in tables for row in one["rows"]}
