"""Tracks without bars: hits, soft-masked letters, runs of N, low quality."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from wavediff.app.compare.tracks.track import Track
from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import SpanKind, Spans

PIECE_LETTERS = 1 << 20  # looked at at once
LOWER = slice(ord("a"), ord("z") + 1)
N = [ord("N"), ord("n")]


def masks(sequence: Sequence, cancel: CancelToken) -> Spans | None:
    """Return the lower-case ranges; None if no letter is lower case, or all are."""
    read = sequence.original
    if not read.alphabet.folds_case or not 0 < read.counts[LOWER].sum() < len(read):
        return None
    return stretches(read, lambda letters: (letters >= LOWER.start) & (letters < LOWER.stop), cancel)


def unknown(sequence: Sequence, cancel: CancelToken) -> Spans | None:
    """Return the runs of N, or None."""
    read = sequence.original
    if not read.alphabet.is_nucleotide or not read.counts[N].any():
        return None
    return stretches(read, lambda letters: np.isin(letters, N), cancel)


def stretches(read: Sequence, marks: Callable[[Letters], npt.NDArray[np.bool_]], cancel: CancelToken) -> Spans:
    edges, before = [], False
    for at in range(0, len(read), PIECE_LETTERS):
        cancel.raise_if_cancelled()
        those = np.append(before, marks(read.letters[at : at + PIECE_LETTERS]))
        edges.append(at + np.flatnonzero(those[1:] != those[:-1]))
        before = bool(those[-1])
    places = np.concatenate([*edges, np.full(int(before), len(read))]).astype(np.int64)
    return Spans(kind=SpanKind.MASK, n_letters=len(read), starts=places[::2], ends=places[1::2])


MASKS = Track("masked stretch", "masked stretches", lambda theme: theme.dim, masks)
UNKNOWN = Track("stretch of N", "stretches of N", lambda theme: theme.control, unknown)
HITS = Track("hit of the search", "hits of the search", lambda theme: theme.text)
QUALITIES = Track(
    "stretch of low quality", "stretches of low quality", lambda theme: theme.dim,
    lambda sequence, _: next((one for one in sequence.original.spans if one.kind is SpanKind.QUALITY), None),
)  # fmt: skip
