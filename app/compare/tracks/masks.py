"""Soft masks: letters in lower case among others, in sequences whose case is no letter."""

from __future__ import annotations

import numpy as np

from wavediff.app.compare.tracks.track import Track
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import SpanKind, Spans

PIECE_LETTERS = 1 << 20  # looked at at once
LOWER = slice(ord("a"), ord("z") + 1)


def masks(sequence: Sequence, cancel: CancelToken) -> Spans | None:
    """Return the stretches in lower case; None where no letter is, or all are."""
    read, edges, before = sequence.original, [], False
    if not read.alphabet.folds_case or not 0 < read.counts[LOWER].sum() < len(read):
        return None
    for at in range(0, len(read), PIECE_LETTERS):
        cancel.raise_if_cancelled()
        piece = read.letters[at : at + PIECE_LETTERS]
        lower = np.append(before, (piece >= LOWER.start) & (piece < LOWER.stop))
        edges.append(at + np.flatnonzero(lower[1:] != lower[:-1]))
        before = bool(lower[-1])
    found = np.concatenate([*edges, np.full(int(before), len(read))]).astype(np.int64)
    return Spans(kind=SpanKind.MASK, n_letters=len(read), starts=found[::2], ends=found[1::2])


MASKS = Track("masked stretch", "masked stretches", lambda theme: theme.dim, masks)
