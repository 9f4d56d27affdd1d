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
    counts: WordCounts
    unlike: Spans


def find_changes(a: Tokens, b: Tokens, mates: tuple[Counts, Counts], *, ignore_space: bool) -> Changes:
    """Return the changes.

    Args:
        mates: int64: the tokens of A and of B that are equal words or signs, in order.
    """
    gaps, spaces = _gaps(a, b, *mates)
    is_change = (gaps[:, 0] < gaps[:, 1]) | (gaps[:, 2] < gaps[:, 3])
    gaps = gaps[is_change]
    sides = ((a, gaps[:, :2]), (b, gaps[:, 2:]))
    words_a, words_b = (_within(one.word, span) for one, span in sides)
    signs = sum(_within(~one.space, span) for one, span in sides)
    kinds = np.full(len(gaps), WordKind.CHANGED, np.uint8)
    kinds[words_a == 0] = WordKind.ADDED
    kinds[words_b == 0] = WordKind.REMOVED
    kinds[(words_a == 0) & (words_b == 0)] = WordKind.SIGNS
    kinds[signs == 0] = WordKind.SPACE
    counts = WordCounts(
        a=int(a.word.sum()), b=int(b.word.sum()), equal=int(a.word[mates[0]].sum()),
        changed=int(np.minimum(words_a, words_b).sum()),
        added=int(np.maximum(words_b - words_a, 0).sum()), removed=int(np.maximum(words_a - words_b, 0).sum()),
    )  # fmt: skip
    changes = np.concatenate((gaps, spaces))
    kinds = np.concatenate((kinds, np.full(len(spaces), WordKind.SPACE, np.uint8)))
    differ = a.read[mates[0]] != b.read[mates[1]]
    ignored = np.stack((mates[0], mates[0] + 1, mates[1], mates[1] + 1), axis=1)[differ]
    letters, unlike = (_in_letters(each, a, b) for each in (changes, np.concatenate((changes, ignored))))
    order = np.lexsort((letters[:, 2], letters[:, 0]))
    letters, kinds = letters[order], kinds[order]
    kept = kinds != (WordKind.SPACE if ignore_space else 0)
    return Changes(letters[kept], kinds[kept], counts, unlike[np.lexsort((unlike[:, 2], unlike[:, 0]))])


def _gaps(a: Tokens, b: Tokens, at_a: Counts, at_b: Counts) -> tuple[Spans, Spans]:
    """Return the tokens between equal ones without white space at both ends that both have, and that which differs."""
    a0, b0 = np.append(0, at_a + 1), np.append(0, at_b + 1)
    a1, b1 = np.append(at_a, a.numbers.size), np.append(at_b, b.numbers.size)
    some = (a0 < a1) | (b0 < b1)
    a0, a1, b0, b1 = a0[some], a1[some], b0[some], b1[some]
    both = (a0 < a1) & (b0 < b1)
    first, first_same = _both_spaces(a, b, a0, b0, both)
    last, last_same = _both_spaces(a, b, a1 - 1, b1 - 1, both)
    one = (a1 - a0 == 1) | (b1 - b0 == 1)  # has room for white space at one end only
    first &= first_same | ~(one & last & last_same)
    last &= ~(one & first)
    spaces = [
        np.stack((i, i + 1, j, j + 1), axis=1)[differ]
        for i, j, differ in (
            (a0, b0, first & ~first_same),
            (a1 - 1, b1 - 1, last & ~last_same),
        )
    ]
    return np.stack((a0 + first, a1 - last, b0 + first, b1 - last), axis=1), np.concatenate(spaces)


def _both_spaces(a: Tokens, b: Tokens, at_a: Counts, at_b: Counts, there: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return whether tokens of both are white space, and the same."""
    found, same = there.copy(), there.copy()
    i, j = at_a[there], at_b[there]
    found[there] = a.space[i] & b.space[j]
    same[there] = a.read[i] == b.read[j]
    return found, same


def _within(flags: npt.NDArray[np.bool_], spans: Counts) -> Counts:
    """Return how many flags are set in each span."""
    before = np.append(0, np.cumsum(flags))
    return np.asarray(before[spans[:, 1]] - before[spans[:, 0]])


def _in_letters(spans: Spans, a: Tokens, b: Tokens) -> Spans:
    return np.concatenate((a.starts[spans[:, :2]], b.starts[spans[:, 2:]]), axis=1)
