"""Stretches of N, the unknown nucleotide."""

from __future__ import annotations

from wavediff.app.compare.tracks.masks import stretches
from wavediff.app.compare.tracks.track import Track
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import Spans

LETTERS = (ord("N"), ord("n"))


def unknown(sequence: Sequence, cancel: CancelToken) -> Spans | None:
    """Return the stretches of N; None where there is none."""
    read = sequence.original
    if not read.alphabet.is_nucleotide or not read.counts[list(LETTERS)].any():
        return None
    return stretches(read, lambda letters: (letters == LETTERS[0]) | (letters == LETTERS[1]), cancel)


UNKNOWN = Track("stretch of N", "stretches of N", lambda theme: theme.control, unknown)
