"""Tracks of the zoom strip, and the table of all kinds of tracks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from wavediff.app.compare.tracks.bars import Bars, bars_of
from wavediff.app.compare.tracks.codons import Coding, coding
from wavediff.app.compare.tracks.features import FEATURES
from wavediff.app.compare.tracks.masks import HITS, MASKS, QUALITIES, UNKNOWN
from wavediff.app.compare.tracks.track import BySide, Track, in_columns
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence

TRACKS = (HITS, FEATURES, MASKS, UNKNOWN, QUALITIES)  # from above, below the differences


@dataclass(frozen=True, slots=True)
class Tracks:
    """Tracks of two sequences, and their features for drawing.

    Attributes:
        lanes: spans of each non-empty track, in columns.
        bars: features as bars. coding: those that code for amino acids.
        kinds: number of spans of each kind, including hidden ones.
    """

    lanes: Mapping[Track, BySide] = field(default_factory=dict)
    bars: Mapping[Side, Bars] = field(default_factory=dict)
    coding: Mapping[Side, Coding] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)


def find_tracks(
    index: AlignmentIndex, a: Sequence, b: Sequence, hits: BySide, hidden: frozenset[str], cancel: CancelToken
) -> Tracks:
    """Return the tracks of an alignment; thread-safe.

    Args:
        hits: hits of the search. hidden: kinds of tracks to leave out, named as in ``Tracks.kinds``.
    """
    lanes, kinds = {}, Counter[str]()
    bars: dict[Side, Bars] = {}
    for track in TRACKS:
        aligned = {}
        for side, sequence in zip(Side, (a, b), strict=True):
            spans = hits.get(side) if track.spans is None else track.spans(sequence, cancel)
            if spans is None or spans.n_letters != len(sequence):
                continue
            names = [spans.types[k] for k in spans.owned(np.arange(len(spans))).tolist()] if spans.types else []
            kinds.update(names or {track.nouns: len(spans)})
            if hidden:
                kept = [name not in hidden for name in names] or [track.nouns not in hidden] * len(spans)
                spans = spans.taken(np.flatnonzero(kept))
            if len(spans):
                aligned[side] = spans.oriented(sequence.orientation)
            cancel.raise_if_cancelled()
        if aligned:
            lanes[track] = {side: in_columns(index, side, spans) for side, spans in aligned.items()}
            if track.is_bars:
                bars = bars_of(index, {Side.A: a, Side.B: b}, aligned, cancel)
    codes = {side: coding(one) for side, one in bars.items()}
    return Tracks(lanes, bars, {side: one for side, one in codes.items() if one is not None}, kinds)
