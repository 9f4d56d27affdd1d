"""Figures of a result, counted as their definitions say: of an alignment, a line a kernel, as a locale has them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.base.numbers import count, identity, localized, number, percent, plain_number, use_separators
from wavediff.core.jobs.alignment import LETTER, Alignment
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.jobs.events import Compiled, EventTotals, StepDone
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.methods import EDIT, LCS
from wavediff.core.methods.statistics import DEFINITIONS, Statistics, measures

operations = st.lists(st.tuples(st.sampled_from(LETTER), st.integers(1, 9)), max_size=12)


def alignment(ops):
    """Make an alignment from one operation a column, e.g. ``==XID``."""
    codes = np.array([LETTER.index(op) for op in ops], np.uint8)
    starts = np.flatnonzero(np.diff(codes, prepend=255))
    return Alignment(codes[starts], np.diff(starts, append=codes.size))


def edit(distance, found, *, exact=True):
    return EditResult(
        job_id=1, distance=distance, exact=exact, alignment=found, strategy="full", reason="", n_cells=1, cells=1,
        skips=(), bands=(), device="cpu", kernel_seconds=0.0, wall_seconds=0.0,
    )  # fmt: skip


def lcs(length, found):
    return LcsResult(
        job_id=1, length=length, alignment=found, strategy="full", reason="", n_cells=1, cells=1,
        device="cpu", kernel_seconds=0.0, wall_seconds=0.0,
    )  # fmt: skip


@given(operations)
def test_counts_are_those_of_the_columns(runs):
    ops = "".join(op * n for op, n in runs)
    got = Statistics.of(alignment(ops))
    assert (got.matches, got.mismatches, got.insertions, got.deletions) == tuple(map(ops.count, "=XID"))
    assert (got.columns, got.edits) == (len(ops), len(ops) - ops.count("="))
    assert (got.n_a, got.n_b) == (len(ops) - ops.count("I"), len(ops) - ops.count("D"))
    opens = sum(op in "ID" and op != before for before, op in zip(" " + ops, ops, strict=False))
    assert got.gap_opens == opens
    longest = max(map(len, ops.translate(str.maketrans("XID", "   ")).split()), default=0)
    assert got.longest_match == longest


def test_every_identity_by_its_definition():
    found = alignment("====XDDDI")
    shares = {one.key: one.value for one in measures(EDIT, edit(5, found), 8, 6) if one.key in DEFINITIONS}
    assert list(shares) == list(DEFINITIONS)
    assert shares == {
        "matches_over_columns": pytest.approx(4 / 9),
        "gap_compressed": pytest.approx(4 / 7),
        "one_minus_distance_over_longer": pytest.approx(3 / 8),
        "two_matches_over_lengths": pytest.approx(8 / 14),
    }


def test_an_lcs_does_not_say_an_edit_distance():
    got = {one.key: one.value for one in measures(LCS, lcs(4, alignment("====DDDI")), 7, 5)}
    assert got["lcs"] == got["matches"] == 4
    assert got["one_minus_distance_over_longer"] is None
    assert got["two_matches_over_lengths"] == pytest.approx(8 / 12)


def test_without_an_alignment_only_what_the_answer_alone_says():
    by_edit = {one.key: one.value for one in measures(EDIT, edit(3, None), 10, 4) if one.value is not None}
    assert by_edit == {"distance": 3, "one_minus_distance_over_longer": pytest.approx(0.7)}
    by_lcs = {one.key: one.value for one in measures(LCS, lcs(3, None), 8, 4) if one.value is not None}
    assert by_lcs == {"lcs": 3, "two_matches_over_lengths": pytest.approx(0.5)}


def test_an_upper_bound_is_called_one():
    lines = {one.key: one for one in measures(EDIT, edit(7, None, exact=False), 9, 9)}
    bound, share = lines["distance"], lines["one_minus_distance_over_longer"]
    assert "at most" in bound.name
    assert "upper bound" in bound.definition
    assert "at least" in share.name
    assert "lower bound" in share.definition


def test_nothing_is_alike_and_divides_nothing():
    shares = [one.value for one in measures(EDIT, edit(0, alignment("")), 0, 0) if one.key in DEFINITIONS]
    assert shares == [1.0] * 4


def test_every_figure_has_a_name_a_definition_and_a_key_of_its_own():
    lines = measures(EDIT, edit(5, alignment("====XDDDI")), 8, 6)
    assert all(one.name and one.definition for one in lines)
    assert len({one.key for one in lines}) == len(lines)


def test_what_ran_comes_in_that_order_and_what_was_only_compiled_last():
    watch = EventTotals("cpu")
    for event in (
        Compiled(1, "check", 2.0),
        Compiled(1, "probe", 1.0),
        StepDone(1, "blocks", 3, 100, 0.5),
        StepDone(1, "check", 1, 0, 0.25),
        StepDone(1, "blocks", 1, 20, 0.5),
    ):
        watch.add(event)
    lines = watch.timings(1)
    assert [line.kernel for line in lines] == ["blocks", "check", "probe"]
    assert [(line.calls, line.cells, line.seconds, line.compile_seconds) for line in lines] == [
        (4, 120, 1.0, 0.0),
        (1, 0, 0.25, 2.0),
        (0, 0, 0.0, 1.0),
    ]
    assert watch.total("blocks") == (120, 1.0)
    assert watch.total("walk") == (0, 0.0)


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    use_separators()


def test_numbers_follow_the_locale():
    use_separators(".", ",")
    assert (number(1234.5, 1), number(-1234567)) == ("1.234,5", "-1.234.567")
    assert number(10**18 + 1) == "1.000.000.000.000.000.001", "no digit of a large whole number is rounded"
    assert (count(1, "gap", "gaps"), count(5386, "gap", "gaps")) == ("1 gap", "5.386 gaps")
    assert (identity(0.806), identity(1), percent(0.9995), percent(12.34)) == ("80,6 %", "100 %", "> 99,9 %", "1.234 %")
    assert localized("80.6") == "80,6"
    assert plain_number("1.234,5") == "1234.5"


def test_a_group_may_be_a_space():
    use_separators("\u202f", ",")
    assert number(12345) == "12\u202f345"
    assert plain_number("12\u202f345,5") == "12345.5"
