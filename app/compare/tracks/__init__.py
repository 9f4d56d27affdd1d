"""Tracks of the zoom strip: the table of them, each in a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wavediff.app.compare.tracks.bars import Bars, bars_of
from wavediff.app.compare.tracks.features import FEATURES
from wavediff.app.compare.tracks.hits import HITS
from wavediff.app.compare.tracks.masks import MASKS
from wavediff.app.compare.tracks.qualities import QUALITIES
from wavediff.app.compare.tracks.track import BySide, Track, in_columns
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence

TRACKS = (HITS, FEATURES, MASKS, QUALITIES)  # from above, below the differences


@dataclass(frozen=True, slots=True)
class Tracks:
    """Tracks of two sequences.

    Attributes:
        lanes: spans of each track that has any, at columns. bars: of features.
    """

    lanes: Mapping[Track, BySide] = field(default_factory=dict)
    bars: Mapping[Side, Bars] = field(default_factory=dict)


def find_tracks(index: AlignmentIndex, a: Sequence, b: Sequence, hits: BySide, cancel: CancelToken) -> Tracks:
    """Return the tracks of an alignment; on any thread.

    Args:
        hits: of the search, which no sequence knows.
    """
    lanes, bars = {}, dict[Side, Bars]()
    for track in TRACKS:
        aligned = {}
        for side, sequence in zip(Side, (a, b), strict=True):
            spans = hits.get(side) if track.spans is None else track.spans(sequence, cancel)
            if spans is not None and len(spans) and spans.n_letters == len(sequence):
                aligned[side] = spans.oriented(sequence.orientation)
            cancel.raise_if_cancelled()
        if aligned:
            lanes[track] = {side: in_columns(index, side, spans) for side, spans in aligned.items()}
            if track.is_bars:
                bars = bars_of(index, {Side.A: a, Side.B: b}, aligned, cancel)
    return Tracks(lanes, bars)
