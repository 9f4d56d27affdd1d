"""Tracks of the zoom strip: the table of them, each in a file of its own."""

from __future__ import annotations

from wavediff.app.compare.tracks.features import FEATURES
from wavediff.app.compare.tracks.hits import HITS
from wavediff.app.compare.tracks.masks import MASKS
from wavediff.app.compare.tracks.qualities import QUALITIES
from wavediff.app.compare.tracks.track import BySide, Track, as_aligned
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence

TRACKS = (HITS, FEATURES, MASKS, QUALITIES)  # from above, below the differences


def track_spans(
    index: AlignmentIndex, a: Sequence, b: Sequence, hits: BySide, cancel: CancelToken
) -> dict[Track, BySide]:
    """Return the spans of each track that has any, at letters as aligned; on any thread.

    Args:
        hits: of the search, which no sequence knows.
    """
    found = {}
    for track in TRACKS:
        spans = hits
        if track.spans is not None:
            both = {side: track.spans(each, cancel) for side, each in zip(Side, (a, b), strict=True)}
            spans = {side: one for side, one in both.items() if one is not None}
        cancel.raise_if_cancelled()
        if aligned := as_aligned(index, spans, b.orientation):
            found[track] = aligned
    return found
