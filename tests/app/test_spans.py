"""Spans of a sequence: what they cover, on either strand and across the seam of a circle."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

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
