"""Lines of a PAF: what lies between long gaps, each with its own places and figures."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.helpers import alignment, columns_of, comparison, sequence
from wavediff.core.export.paf import paf, parts
from wavediff.core.export.segments import Segment
from wavediff.core.jobs.alignment import LETTER, Swaps

runs = st.lists(st.tuples(st.sampled_from(LETTER), st.integers(1, 12)), max_size=14)
operations = runs.map(lambda found: "".join(op * n for op, n in found))


def expected(ops, split):
    """Return (letters of A before, of B before, columns) of each line, by regular expressions."""
    gaps = list(re.finditer("[ID]+", ops)) if split and re.search("[=X]", ops) else []
    runs = [[len(run) for run in re.findall("I+|D+", gap[0])] for gap in gaps]
    cut = [gap.span() for gap, lengths in zip(gaps, runs, strict=True) if max(lengths) >= split]
    edges = [0, *(place for span in cut for place in span), len(ops)]
    found = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        before = ops[:start]
        found.append((len(before) - before.count("I"), len(before) - before.count("D"), ops[start:end]))
    return [one for one in found if one[2] or not cut]


@given(operations, st.integers(0, 9))
def test_parts_are_what_lies_between_long_gaps(ops, split):
    whole = Segment(alignment(ops), 0, 0, None)
    found = [(one.a0, one.b0, columns_of(one.alignment.cigar())) for one in parts(whole, split)]
    assert found == expected(ops, split)


@given(operations)
def test_each_line_has_the_places_and_figures_of_its_part(ops):
    a, b = (sequence(b"A" * sum(op != gap for op in ops), name) for gap, name in (("I", "ref"), ("D", "query")))
    found = comparison(a, b, alignment(ops))
    lines = b"".join(paf(replace(found, split_gap=5))).decode()
    for line, (a0, b0, part) in zip(lines.splitlines(), expected(ops, 5), strict=True):
        fields = line.split("\t")
        places = [str(b0), str(b0 + len(part) - part.count("D"))], [str(a0), str(a0 + len(part) - part.count("I"))]
        assert (fields[2:4], fields[7:9]) == places
        assert fields[1::5][:2] == [str(len(b)), str(len(a))]
        assert fields[9:11] == [str(part.count("=")), str(len(part))]
        assert fields[12] == f"NM:i:{len(part) - part.count('=')}"
        assert columns_of(fields[-1].removeprefix("cg:Z:").removesuffix("*")) == part


@pytest.mark.parametrize(
    ("split", "lines"), [(0, ["2=6D3=2X6D1X4=5I"]), (6, ["2=", "3=2X6D1X4=5I"]), (5, ["2=", "3=2X6D1X4="])]
)
def test_a_gap_inside_a_swap_ends_no_line(split, lines):
    ops = "==" + "D" * 6 + "===" + "XX" + "D" * 6 + "X" + "====" + "I" * 5
    swaps = Swaps(*(np.array([place]) for place in (12, 19, 6, 7)))
    found = list(parts(Segment(alignment(ops), 0, 0, swaps), split))
    assert [one.alignment.cigar() for one in found] == lines
    inside = [one.swaps for one in found]
    assert [len(one) for one in inside if one is not None] == [0, 1][-len(lines) :]
