"""Rewrapped paragraphs: lines whose words occur in the other text with other line breaks."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.kernels.lines.matching import Moved, gaps, heaviest_chain, lines_of
from wavediff.core.kernels.lines.text_lines import Keys, TextLines
from wavediff.core.kernels.lines.words import MAX_WORD_PAIRS, Places, equal_at_start, equal_words

LEAST_WORDS = 3  # in the same order that count as the same text, unless they are whole lines


class Wrapped(NamedTuple):
    """Lines of A and B that differ only in line breaks, bool, shape (lines,)."""

    a: np.ndarray
    b: np.ndarray


def no_breaks(a: TextLines, b: TextLines) -> Wrapped:
    return Wrapped(np.zeros(len(a), bool), np.zeros(len(b), bool))


def with_breaks(mate: Counts, moved: list[Moved], a: TextLines, b: TextLines, keys: Keys) -> tuple[Counts, Wrapped]:
    """In each gap, pair lines that share words; return the pairs, and the lines that differ in line breaks only.

    Lines that ``moved`` are not paired.
    """
    mate, wrapped = mate.copy(), no_breaks(a, b)
    gone, came = lines_of(moved)
    for gap in list(gaps(mate, len(b))):
        ours = [(word, i) for i in range(gap.a0, gap.a1) if i not in gone for word in keys.words(a.line(i))]
        theirs = [(word, j) for j in range(gap.b0, gap.b1) if j not in came for word in keys.words(b.line(j))]
        if not ours or not theirs:
            continue
        shared = _shared(ours, theirs)
        at_a, at_b = Counter(ours[p][1] for p, _ in shared), Counter(theirs[q][1] for _, q in shared)
        for same, words, at in ((wrapped.a, ours, at_a), (wrapped.b, theirs, at_b)):
            for line, n in Counter(line for _, line in words).items():
                same[line] = at[line] == n
        weights = Counter((ours[p][1] - gap.a0, theirs[q][1] - gap.b0) for p, q in shared)
        pairs = sorted(((i, j, float(n)) for (i, j), n in weights.items()), key=lambda pair: (pair[0], -pair[1]))
        for i, j in heaviest_chain(pairs, gap.b1 - gap.b0):
            mate[gap.a0 + i] = gap.b0 + j
    return mate, wrapped


def _shared(ours: list[tuple[str, int]], theirs: list[tuple[str, int]]) -> Places:
    """Return the words of a longest common subsequence, in runs of ``LEAST_WORDS`` or whole lines."""
    one, other = ([word for word, _ in words] for words in (ours, theirs))
    head = equal_at_start(one, other)
    tail = equal_at_start(one[head:][::-1], other[head:][::-1])
    inside, others = one[head : len(one) - tail], other[head : len(other) - tail]
    pairs = equal_words(inside, others) if len(inside) * len(others) <= MAX_WORD_PAIRS else []
    places = [(k, k) for k in range(head)] + [(head + p, head + q) for p, q in pairs]
    places += [(len(one) - k, len(other) - k) for k in range(tail, 0, -1)]
    kept: Places = []
    for _, group in groupby(enumerate(places), lambda each: (each[1][0] - each[0], each[1][1] - each[0])):
        run = [pair for _, pair in group]
        (p, q), (p_last, q_last) = run[0], run[-1]
        if len(run) >= LEAST_WORDS or (_is_whole(ours, p, p_last) and _is_whole(theirs, q, q_last)):
            kept += run
    return kept


def _is_whole(words: list[tuple[str, int]], first: int, last: int) -> bool:
    begins = first == 0 or words[first - 1][1] != words[first][1]
    return begins and (last + 1 == len(words) or words[last + 1][1] != words[last][1])
