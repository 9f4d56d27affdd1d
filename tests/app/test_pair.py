"""A and B stay as in their files, whatever is done to the pair."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.helpers import sequence
from wavediff.app.ui.pair import Pair, Side, named
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand

FILES = {"dna": sequence(b"ACGTTG", "dna"), "other": sequence(b"GATTACA", "other"), "rna": sequence(b"ACGUU", "rna")}
SIDES, NAMES = st.sampled_from(list(Side)), st.sampled_from(list(FILES))
ORIENTATIONS = st.sampled_from([FORWARD, Orientation(Strand.MINUS), Orientation(Strand.MINUS, circular=True, shift=2)])
STEPS = st.one_of(
    st.tuples(st.just("replace"), SIDES, NAMES),
    st.tuples(st.just("orient"), ORIENTATIONS),
    st.tuples(st.just("swap"), ORIENTATIONS),
    st.tuples(st.just("choose_uracil"), st.sampled_from(list(UracilRule))),
)


@given(st.lists(STEPS, max_size=8))
def test_another_sequence_beside_one_leaves_it_as_in_its_file(steps):
    pair, there = Pair(), dict(zip(Side, ("dna", "other"), strict=True))
    pair.replace({side: FILES[name] for side, name in there.items()})
    for name, *arguments in steps:
        if name == "replace":
            side, file = arguments
            there[side] = file
            pair.replace({side: FILES[file]})
            assert pair.orientation == FORWARD
        else:
            getattr(pair, name)(*arguments)
        if name == "swap":
            there = {side.other: file for side, file in there.items()}
        for side, file in there.items():
            one = pair[side]
            assert one.name == file
            np.testing.assert_array_equal(one.original.letters, FILES[file].letters)
        assert pair[Side.A].orientation == FORWARD
        assert pair[Side.B].orientation == (arguments[-1] if name in ("orient", "swap") else pair.orientation)


@pytest.mark.parametrize(
    ("sources", "names"),
    [
        (("/x/old/hbb.fa", "/x/new/hbb.fa"), ["old/hbb.fa", "new/hbb.fa"]),
        (("/x/human.fa", "/x/chimp.fa"), ["human.fa", "chimp.fa"]),
        (("/x/both.fa", "/x/both.fa"), ["HBB", "HBB"]),
        (("", ""), ["HBB", "HBB"]),
    ],
)
def test_records_of_one_name_are_named_by_their_files(sources, names):
    one, other = (replace(sequence(b"ACGT", "HBB"), source=source) for source in sources)
    assert named((one, other)) == names
    assert named((one, sequence(b"ACGT", "HBD"))) == ["HBB", "HBD"]
