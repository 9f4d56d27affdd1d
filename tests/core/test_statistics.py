"""Figures of a result: counted as their definitions say, and missing where nothing says them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.jobs.alignment import LETTER, Alignment
from wavediff.core.jobs.edit_result import EditResult
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
