"""The first and the last of what a text or a place is for."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.app.alignments import from_cigar
from wavediff.app.bwt.indexed_text import IndexedText, Source
from wavediff.app.compare.strip_words import describe_columns
from wavediff.app.race.race_lane_view import RaceLane
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.alignment_index import index_alignment


@pytest.mark.parametrize(
    ("first", "end", "overhang"),
    [
        (0, 2, True),
        (1, 2, True),
        (1, 3, False),
        (2, 3, False),
        (5, 6, False),
        (5, 7, False),
        (6, 7, True),
        (6, 8, True),
    ],
)
def test_columns_beside_what_is_aligned_are_overhang(first, end, overhang):
    runs = from_cigar((2, "D"), (2, "="), (1, "X"), (1, "="), (2, "D"))
    index = index_alignment(Alignment(runs.ops, runs.lengths, head_runs=1, tail_runs=1))
    assert ("Overhang, no edit" in describe_columns(index, first, end, {})) is overhang


def test_letters_of_a_joined_text_are_those_of_a_then_those_of_b():
    letters = np.frombuffer(b"banana#ananas", np.uint8)
    text = IndexedText(Source.BOTH, "both", letters, ord("#"), 7, index=None, small=None)
    expected = [*((k, None) for k in range(6)), (None, None), *((None, k) for k in range(6)), (None, None)]
    assert [text.place(position) for position in range(14)] == expected


@pytest.mark.parametrize(("seconds", "told"), [((0.5,), False), ((0.5, 0.25), True)])
def test_a_lane_tells_of_rounds_where_there_are_some(qtbot, seconds, told):
    lane = RaceLane()
    lane.result = SimpleNamespace(answer=1, reason="why", seconds=seconds, stages=dict, compile_seconds=0.0)
    assert ("rounds: " in lane.tip) is told
