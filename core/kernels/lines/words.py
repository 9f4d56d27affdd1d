"""Word alignment of two lines, and their similarity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import groupby

from wavediff.core.jobs.alignment import Op
from wavediff.core.kernels.lines.text_lines import Keys
from wavediff.core.kernels.uncompiled.bit_vectors import least_cost, least_cost_steps, walk
from wavediff.core.sequences.words import WORD

LEAST_SHARED = 4  # letters of a word whose ends are compared
MAX_LETTERS = 1 << 12  # of a line that is compared by letters
MAX_WORD_PAIRS = 1 << 26  # of two lines: in more only the words at both ends are equal
MAX_WORDS_LETTERS = 1 << 20  # of a line that has words; of a longer one only the letters at both ends are equal
UNMARKED = 4  # added to an operation: letters that differ and are not marked
ANY_OP = 3  # the bits of an operation
Runs = list[tuple[int, int]]  # an operation and letters
Places = list[tuple[int, int]]


def equal_words(a: Sequence[Hashable], b: Sequence[Hashable]) -> Places:
    """Return the positions of a longest common subsequence of ``a`` and ``b``.

    >>> equal_words("abcd", "xbyd")
    [(1, 1), (3, 3)]
    """
    places, i, j = [], len(a), len(b)
    for op, n in walk(a, b, least_cost_steps(a, b, paired=True), paired=True):
        if op == Op.EQUAL:
            places += [(i - k, j - k) for k in range(1, n + 1)]
        i -= n if op != Op.INSERTION else 0
        j -= n if op != Op.DELETION else 0
    return places[::-1]


def likeness(a: str, b: str, least: float) -> float:
    """Return the common letters in order times 2 / all letters; for long lines an estimate; 0 if at most ``least``."""
    both = len(a) + len(b)
    enough = least * both / 2
    if not a or min(len(a), len(b)) <= enough:
        return 0.0
    if both <= 2 * MAX_LETTERS and (Counter(a) & Counter(b)).total() <= enough:
        return 0.0
    if max(len(a), len(b)) > MAX_WORDS_LETTERS:
        return likeness_of_ends(a, b, least)
    if max(len(a), len(b)) > MAX_LETTERS:
        words = Counter(WORD.findall(a)) & Counter(WORD.findall(b))
        shared = max(sum(len(word) * n for word, n in words.items()), sum(_equal_ends(a, b)))
    else:
        shared = (both - least_cost(a, b, paired=True)) // 2
    return 2 * shared / both if shared > enough else 0.0


def likeness_of_ends(a: str, b: str, least: float) -> float:
    """Return the similarity of two lines by common prefix and suffix only; 0 unless above ``least``."""
    share = 2 * sum(_equal_ends(a, b)) / max(1, len(a) + len(b))
    return share if share > least else 0.0


def changed(a: str, b: str, keys: Keys = Keys()) -> Runs:  # noqa: B008 (nothing changes it)
    """Return the edit runs from line ``a`` to ``b``: equal words, and deletions before insertions.

    Two words keep their common prefix and suffix if the shorter has ``LEAST_SHARED`` letters or more and shares half of
    them. A blank between two changed words is changed too. Ignored differences are ``UNMARKED``.

    >>> [(op.name, n) for op, n in changed("the cat sat", "the dog sat")]
    [('EQUAL', 4), ('DELETION', 3), ('INSERTION', 3), ('EQUAL', 4)]
    """
    if max(len(a), len(b)) > MAX_WORDS_LETTERS:
        return joined(_between_ends(a, b, *_equal_ends(a, b), keys))
    (one, ours), (other, theirs) = keys.tokens(a), keys.tokens(b)
    head = equal_at_start(ours, theirs)
    tail = equal_at_start(ours[head:][::-1], theirs[head:][::-1])
    inside, others = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    pairs = equal_words(inside, others) if len(inside) * len(others) <= MAX_WORD_PAIRS else []
    pairs = [(head + p, head + q) for p, q in _words_only(inside, pairs, len(others))]
    ends = [(len(one) - k, len(other) - k) for k in range(tail, 0, -1)]
    runs: Runs = []
    i = j = 0
    for p, q in [*((k, k) for k in range(head)), *pairs, *ends, (len(one), len(other))]:
        if i < p or j < q:
            runs += _replaced("".join(one[i:p]), "".join(other[j:q]), keys)
        if p < len(one):
            same = one[p] == other[q]
            runs += (
                [(Op.EQUAL, len(one[p]))]
                if same
                else unmarked([(Op.DELETION, len(one[p])), (Op.INSERTION, len(other[q]))])
            )
        i, j = p + 1, q + 1
    return joined(runs)


def unmarked(runs: Iterable[tuple[int, int]]) -> Runs:
    return [(op if op == Op.EQUAL else op | UNMARKED, n) for op, n in runs]


def joined(runs: Runs) -> Runs:
    """Merge adjacent equal operations, and drop empty ones."""
    kept = (run for run in runs if run[1])
    return [(op, sum(n for _, n in group)) for op, group in groupby(kept, lambda run: run[0])]


def equal_at_start(a: Sequence[str], b: Sequence[str]) -> int:
    for k, (one, other) in enumerate(zip(a, b, strict=False)):
        if one != other:
            return k
    return min(len(a), len(b))


def _words_only(words: Sequence[str], pairs: Places, n_b: int) -> Places:
    """Remove from ``pairs`` blanks between two changed words."""
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


def _replaced(a: str, b: str, keys: Keys) -> Runs:
    shorter = min(len(a), len(b))
    head, tail = _equal_ends(a, b)
    if shorter < LEAST_SHARED or 2 * (head + tail) < shorter:
        head = tail = 0
    return _between_ends(a, b, head, tail, keys)


def _between_ends(a: str, b: str, head: int, tail: int, keys: Keys) -> Runs:
    runs: Runs = [(Op.EQUAL, head)]
    for op, text in ((Op.DELETION, a[head : len(a) - tail]), (Op.INSERTION, b[head : len(b) - tail])):
        start = 0 if keys.has_spaces else len(text) - len(text.lstrip())
        end = len(text) if keys.has_spaces else max(start, len(text.rstrip()))
        runs += [(op | UNMARKED, start), (op, end - start), (op | UNMARKED, len(text) - end)]
    return [*runs, (Op.EQUAL, tail)]


def _equal_ends(a: str, b: str) -> tuple[int, int]:
    """Return the length of the common prefix, and of the common suffix of the remaining letters."""
    shorter = min(len(a), len(b))
    head = _most(shorter, lambda k, n: a[k : k + n] == b[k : k + n])
    n_a, n_b = len(a), len(b)
    tail = _most(shorter - head, lambda k, n: a[n_a - k - n : n_a - k] == b[n_b - k - n : n_b - k])
    return head, tail


def _most(limit: int, same: Callable[[int, int], bool]) -> int:
    """Return the length of the common part, by doubling and bisection."""
    same_until, step, grows = 0, 1, True
    while step:
        fits = same_until + step <= limit and same(same_until, step)
        grows = grows and fits
        same_until += step * fits
        step = step * 2 if grows else step // 2
    return same_until
