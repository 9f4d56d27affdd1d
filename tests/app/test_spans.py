"""Spans of a sequence: what they cover, on either strand and across the seam of a circle."""

from dataclasses import replace

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.reading.test_flat_files import genbank
from wavediff.app.compare.tracks.features import FEATURES
from wavediff.app.compare.tracks.masks import masks
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.reading import parse
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.spans import SpanKind, Spans

N = 30
EDGES = st.tuples(st.integers(0, N - 1), st.integers(1, 8)).map(lambda one: (one[0], min(N, sum(one))))
ORIENTATIONS = st.builds(Orientation, st.sampled_from(Strand)) | st.builds(
    Orientation, st.sampled_from(Strand), st.just(True), st.integers(0, N - 1)
)


def spans(edges):
    starts, ends = np.array(edges, np.int64).reshape(-1, 2).T
    names = tuple(map(str, range(len(edges))))
    return Spans(
        kind=SpanKind.FEATURE, n_letters=N, starts=starts, ends=ends, strands=np.ones(len(edges), np.int8), names=names
    )


@given(st.lists(EDGES, max_size=9), ORIENTATIONS, st.integers(0, N), st.integers(0, N))
def test_letters_in_spans_are_counted_as_compared(edges, orientation, one, other):
    low, high = sorted((one, other))
    depth = np.zeros(N, np.int64)
    for start, end in edges:
        depth[start:end] += 1
    found = spans(edges).oriented(orientation)
    places = [orientation.place(k, N) for k in range(low, high)]
    assert found.covered(np.array([low]), np.array([high])).tolist() == [depth[places].sum()]
    touched = {found.names[k] for k in found.owned(found.touching(low, high))}
    assert touched == {str(k) for k, (start, end) in enumerate(edges) if any(start <= at < end for at in places)}
    assert set(found.strands.tolist()) <= {-1 if orientation.strand is Strand.MINUS else 1}


@given(st.lists(EDGES, max_size=9), ORIENTATIONS, st.sampled_from((1, -1)))
def test_letters_of_features_are_read_in_the_same_order_as_compared(edges, orientation, strand):
    read = spans(edges)
    read.strands[:] = strand

    def order(some, place):
        found = {}
        columns = some.starts, some.ends, some.owned(np.arange(len(some))), some.strands
        for start, end, owner, way in zip(*columns, strict=True):
            found.setdefault(int(owner), []).extend(place(k) for k in range(start, end)[:: int(way)])
        return found

    turned = read.oriented(orientation)
    assert replace(read, before=read.offsets).oriented(orientation).offsets.tolist() == turned.offsets.tolist()
    assert order(turned, lambda at: orientation.place(at, N)) == order(read, lambda at: at)


@given(st.text("ACgt", min_size=1, max_size=40))
def test_masks_are_the_letters_in_lower_case(letters):
    sequence = parse(f">x\n{letters}\n").sequence(0)
    found = masks(sequence, CancelToken())
    lower = [k for k, letter in enumerate(letters) if letter.islower()]
    if found is None:
        assert len(lower) in (0, len(letters))
    else:
        assert [k for low, high in zip(found.starts, found.ends, strict=True) for k in range(low, high)] == lower
        assert (found.starts[1:] > found.ends[:-1]).all()


@given(st.lists(EDGES, max_size=9), st.integers(0, N), st.integers(0, N))
@example([(0, 2)], 1, 1)
def test_a_range_has_the_letters_of_its_features(edges, one, other):
    low, high = sorted((one, other))
    found = spans(edges).within(low, high)
    wanted = {str(k): (max(a, low) - low, min(b, high) - low) for k, (a, b) in enumerate(edges) if a < high and b > low}
    wanted = {name: part for name, part in wanted.items() if part[0] < part[1]}
    assert {found.feature(k).name: found.feature(k).parts for k in range(len(found.names))} == {
        name: (part,) for name, part in wanted.items()
    }
    assert found.n_letters == high - low


def test_the_lane_of_features_leaves_out_what_is_the_whole_sequence():
    sequence = parse(genbank()).sequence(0)
    found = FEATURES.spans(sequence, CancelToken())
    assert {found.names[k] for k in found.owners} == {"abc", "xyz", "mRNA", "CDS", "misc_feature"}
    assert found.covered(np.array([30]), np.array([39])).tolist() == [0]
