"""Changes between two texts whose equal words are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.word_result import WordCounts, WordKind
from wavediff.core.kernels.words.tokens import Tokens

Spans = Counts  # int64, shape (k, 4): from and to which token, or letter, of A and of B


class Changes(NamedTuple):
    """Fields of these names of a ``WordResult``; ``unlike``: changes and what is ignored, in letters, in order."""

    changes: Spans
    kinds: npt.NDArray[np.uint8]
    words: Counts
    counts: WordCounts
    unlike: Spans


def find_changes(a: Tokens, b: Tokens, mates: tuple[Counts, Counts], *, ignore_space: bool) -> Changes:
    """Return the changes.

    Args:
        mates: int64: the tokens of A and of B that are equal words or signs, in order.
    """
    spans = _gaps(a, b, *mates)
    words_a, words_b = _within(a.word, spans[:, :2]), _within(b.word, spans[:, 2:])
    kinds = np.full(len(spans), WordKind.CHANGED, np.uint8)
    kinds[words_a == 0] = WordKind.ADDED
    kinds[words_b == 0] = WordKind.REMOVED
    kinds[(words_a == 0) & (words_b == 0)] = WordKind.SIGNS
    kinds[_within(~a.space, spans[:, :2]) + _within(~b.space, spans[:, 2:]) == 0] = WordKind.SPACE
    changed = np.minimum(words_a, words_b)
    words = np.stack((changed, words_b - changed, words_a - changed), axis=1)
    counts = WordCounts(int(a.word.sum()), int(b.word.sum()), int(a.word[mates[0]].sum()))
    differ = a.read[mates[0]] != b.read[mates[1]]
    ignored = np.stack((mates[0], mates[0] + 1, mates[1], mates[1] + 1), axis=1)[differ]
    unlike = _in_letters(_sorted(np.concatenate((spans, ignored))), a, b)
    kept = kinds != (WordKind.SPACE if ignore_space else 0)
    return Changes(_in_letters(spans[kept], a, b), kinds[kept], words[kept], counts, unlike)


def _gaps(a: Tokens, b: Tokens, at_a: Counts, at_b: Counts) -> Spans:
    """Return what is not equal, in order: tokens between equal words but for the white space that both have at an end,
    and such white space where it differs."""
    a0, b0 = np.append(0, at_a + 1), np.append(0, at_b + 1)
    a1, b1 = np.append(at_a, a.numbers.size), np.append(at_b, b.numbers.size)
    unlike = (a0 < a1) | (b0 < b1)
    single = np.flatnonzero((a1 - a0 == 1) & (b1 - b0 == 1))
    unlike[single] = a.read[a0[single]] != b.read[b0[single]]
    a0, a1, b0, b1 = (each[unlike] for each in (a0, a1, b0, b1))
    both = (a0 < a1) & (b0 < b1)
    first, last, first_same, last_same = (both.copy() for _ in range(4))
    for i, j, spaces, same in ((a0, b0, first, first_same), (a1 - 1, b1 - 1, last, last_same)):
        spaces[both] = a.space[i[both]] & b.space[j[both]]
        same[both] = a.read[i[both]] == b.read[j[both]]
    one = (a1 - a0 == 1) | (b1 - b0 == 1)  # has room for white space at one end only
    first &= first_same | ~(one & last & last_same)
    last &= ~(one & first)
    rest = np.stack((a0 + first, a1 - last, b0 + first, b1 - last), axis=1)
    begin, end = (np.stack((i, i + 1, j, j + 1), axis=1) for i, j in ((a0, b0), (a1 - 1, b1 - 1)))
    some = (rest[:, 0] < rest[:, 1]) | (rest[:, 2] < rest[:, 3])
    return _sorted(np.concatenate((begin[first & ~first_same], rest[some], end[last & ~last_same])))


def _sorted(spans: Spans) -> Spans:
    return spans[np.lexsort((spans[:, 2], spans[:, 0]))]


def _within(flags: npt.NDArray[np.bool_], spans: Counts) -> Counts:
    """Return how many flags are set in each span."""
    before = np.append(0, np.cumsum(flags))
    return np.asarray(before[spans[:, 1]] - before[spans[:, 0]])


def _in_letters(spans: Spans, a: Tokens, b: Tokens) -> Spans:
    return np.concatenate((a.starts[spans[:, :2]], b.starts[spans[:, 2:]]), axis=1)
