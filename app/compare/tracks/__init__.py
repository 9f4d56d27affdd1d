"""Tracks of the zoom strip: the table of them, each in a file of its own."""

from __future__ import annotations

from wavediff.app.compare.tracks.features import FEATURES
from wavediff.app.compare.tracks.hits import HITS
from wavediff.app.compare.tracks.masks import MASKS
from wavediff.app.compare.tracks.track import BySide, Track
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence

TRACKS = (HITS, FEATURES, MASKS)  # from above, below the differences


def track_spans(a: Sequence, b: Sequence, cancel: CancelToken) -> dict[Track, BySide]:
    """Return the spans of both sequences for each track that finds them in a sequence; on any thread."""
    found: dict[Track, BySide] = {}
    for track in TRACKS:
        if track.spans is not None:
            both = {side: track.spans(each, cancel) for side, each in zip(Side, (a, b), strict=True)}
            found[track] = {side: spans for side, spans in both.items() if spans is not None}
    return found
