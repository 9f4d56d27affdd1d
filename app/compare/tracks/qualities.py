"""Letters of low quality in FASTQ, named by their Phred values."""

from __future__ import annotations

from wavediff.app.compare.tracks.track import Track
from wavediff.core.sequences.spans import SpanKind

QUALITIES = Track(
    "stretch of low quality", "stretches of low quality", lambda theme: theme.dim,
    lambda sequence, _: next((one for one in sequence.original.spans if one.kind is SpanKind.QUALITY), None),
)  # fmt: skip
