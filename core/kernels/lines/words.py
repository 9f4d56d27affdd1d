"""Equal parts of two lines, by words; and how alike two lines are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import groupby, takewhile

from wavediff.core.jobs.alignment import Op
from wavediff.core.kernels.uncompiled.bit_vectors import least_cost, least_cost_steps, walk

WORD = re.compile(r"\w+|\s+|.", re.DOTALL)
LEAST_SHARED = 4  # letters of a word whose ends are compared
MAX_LETTERS = 1 << 12  # of a line that is compared by letters
MAX_WORD_PAIRS = 1 << 26  # of two lines: in more only the words at both ends are equal
Runs = list[tuple[int, int]]  # an operation and letters
Places = list[tuple[int, int]]


def equal_words(a: Sequence[Hashable], b: Sequence[Hashable]) -> Places:
    """Return the places of a longest common subsequence.

    >>> equal_words("abcd", "xbyd")
    [(1, 1), (3, 3)]
    """
    found, i, j = [], len(a), len(b)
    for op, n in walk(a, b, least_cost_steps(a, b, paired=True), paired=True):
        if op == Op.EQUAL:
            found += [(i - k, j - k) for k in range(1, n + 1)]
        i -= n if op != Op.INSERTION else 0
        j -= n if op != Op.DELETION else 0
    return found[::-1]


def likeness(a: str, b: str, least: float) -> float:
    """Return twice the letters that two lines share in order / the letters of both; 0 unless above ``least``."""
    both = len(a) + len(b)
    enough = least * both / 2
    if not a or min(len(a), len(b)) <= enough or (Counter(a) & Counter(b)).total() <= enough:
        return 0.0
    if max(len(a), len(b)) > MAX_LETTERS:
        words = Counter(WORD.findall(a)) & Counter(WORD.findall(b))
        shared = sum(len(word) * n for word, n in words.items())
    else:
        shared = (both - least_cost(a, b, paired=True)) // 2
    return 2 * shared / both if shared > enough else 0.0


def changed(a: str, b: str) -> Runs:
    """Return how line ``a`` becomes ``b``: equal words, and deletions before insertions between them.

    The ends of two words are equal where they are half of the shorter one, of ``LEAST_SHARED`` letters or more. A
    blank between two words that changed has changed too.

    >>> changed("the cat sat", "the dog sat")
    [(0, 4), (3, 3), (2, 3), (0, 4)]
    """
    one, other = WORD.findall(a), WORD.findall(b)
    head = _equal_at_start(one, other)
    tail = _equal_at_start(one[head:][::-1], other[head:][::-1])
    inside, others = one[head : len(one) - tail], other[head : len(other) - tail]
    pairs = equal_words(inside, others) if len(inside) * len(others) <= MAX_WORD_PAIRS else []
    runs: Runs = [(Op.EQUAL, _letters(one[:head]))]
    i = j = 0
    for p, q in [*_words_only(inside, pairs, len(others)), (len(inside), len(others))]:
        runs += _replaced("".join(inside[i:p]), "".join(others[j:q]))
        runs.append((Op.EQUAL, len(inside[p]) if p < len(inside) else 0))
        i, j = p + 1, q + 1
    return joined([*runs, (Op.EQUAL, _letters(one[len(one) - tail :]))])


def joined(runs: Runs) -> Runs:
    """Return ``runs`` without empty ones, neighbours of a kind together."""
    kept = (run for run in runs if run[1])
    return [(op, sum(n for _, n in group)) for op, group in groupby(kept, lambda run: run[0])]


def _equal_at_start(a: Sequence[str], b: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _letters(words: Sequence[str]) -> int:
    return sum(map(len, words))


def _words_only(words: Sequence[str], pairs: Places, n_b: int) -> Places:
    """Return ``pairs`` without blanks that have a change on both sides."""
    ends = [(-1, -1), *pairs, (len(words), n_b)]
    return [
        pair
        for before, pair, after in zip(ends, pairs, ends[2:], strict=False)
        if not (
            words[pair[0]].isspace()
            and (pair[0] - before[0], pair[1] - before[1]) != (1, 1)
            and (after[0] - pair[0], after[1] - pair[1]) != (1, 1)
        )
    ]


def _replaced(a: str, b: str) -> Runs:
    shorter = min(len(a), len(b))
    head = _equal_at_start(a, b)
    tail = min(_equal_at_start(a[::-1], b[::-1]), shorter - head)
    if shorter < LEAST_SHARED or 2 * (head + tail) < shorter:
        head = tail = 0
    return [
        (Op.EQUAL, head),
        (Op.DELETION, len(a) - head - tail),
        (Op.INSERTION, len(b) - head - tail),
        (Op.EQUAL, tail),
    ]
