"""Features that a file names."""

from __future__ import annotations

from wavediff.app.compare.tracks.track import Track
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import SpanKind, Spans


def _features(sequence: Sequence, _cancel: CancelToken) -> Spans | None:
    return next((spans for spans in sequence.original.spans if spans.kind is SpanKind.FEATURE), None)


FEATURES = Track("feature", "features", lambda theme: theme.accent, _features)
