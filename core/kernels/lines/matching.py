"""Pairing of lines of two texts: equal, moved, slightly changed.

Equal lines come from an LCS of the lines that are not blank. This module adds blank lines between them, shifts runs of
unpaired lines to readable positions, and finds moved blocks.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from operator import itemgetter
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.lines.text_lines import LineNumbers, TextLines
from wavediff.core.kernels.lines.words import likeness, likeness_of_ends

LEAST_MOVED = 3  # lines with letters of a block that is said to have moved
MAX_PLACES = 8  # of a line, from which a moved block is searched for
ALIKE = 0.5  # likeness above which a line is the same one, changed
MAX_PAIRS = 1 << 12  # of lines of one hunk whose likeness is computed
NEAR, MANY_LINES = 8, 1 << 16  # of a larger hunk: lines aside that are looked at, up to so many lines
MAX_SHIFT = 1 << 10  # lines over which a run is shifted
GAPS_A_STEP = 1 << 8  # between two reports
ALONE = -1  # mate of a line that the other text does not have


class Gap(NamedTuple):
    """Unpaired lines ``[a0, a1)`` and ``[b0, b1)`` between paired ones; not both empty."""

    a0: int
    a1: int
    b0: int
    b1: int


class Moved(NamedTuple):
    """Block of equal lines at ``a`` and ``b``."""

    a: int
    b: int
    n_lines: int


_Chain = tuple[int, int, Any]  # its pairs, the runs between them times -1, and its last pair with the chain before it


def lines_of(moved: list[Moved]) -> tuple[set[int], set[int]]:
    """Return the line numbers of all moved blocks in A, and in B."""
    lines = [(block.a + k, block.b + k) for block in moved for k in range(block.n_lines)]
    return {i for i, _ in lines}, {j for _, j in lines}


def gaps(mate: Counts, m: int) -> Iterator[Gap]:
    """Yield the gaps between paired lines, in order.

    Args:
        mate: int64, shape (n,): the equal line of B for each line of A, ascending; ALONE for none.
        m: lines of B.
    """
    at_a = np.flatnonzero(mate >= 0)
    at_b = mate[at_a]
    before_a, before_b = np.append(0, at_a + 1), np.append(0, at_b + 1)
    after_a, after_b = np.append(at_a, mate.size), np.append(at_b, m)
    for k in np.flatnonzero((before_a < after_a) | (before_b < after_b)).tolist():
        yield Gap(int(before_a[k]), int(after_a[k]), int(before_b[k]), int(after_b[k]))


def with_blank_lines(mate: Counts, numbers: LineNumbers, moved: list[Moved]) -> Counts:
    """Pair as many blank lines as possible between other pairs.

    Pairs are chosen with the fewest runs of other lines between them. Next to a block that ``moved`` they are chosen
    from the start, since such a block ends with its blank lines.
    """
    mate = mate.copy()
    gone, came = lines_of(moved)
    for gap in list(gaps(mate, numbers.b.size)):
        ours, theirs = range(gap.a0, gap.a1), range(gap.b0, gap.b1)
        beside_moved = not (gone.isdisjoint(ours) and came.isdisjoint(theirs))
        pairs = _first_blank_pairs(ours, theirs, numbers) if beside_moved else _blank_pairs(gap, numbers)
        for i, j in pairs:
            mate[i] = j
    return mate


def _blank_pairs(gap: Gap, numbers: LineNumbers) -> list[tuple[int, int]]:
    """Pair blank lines of a gap with the fewest separate runs of other lines.

    Equal lines at both ends of the gap are blank, as the LCS has the others; they are always paired.
    """
    a, b, blank = numbers.a, numbers.b, numbers.blank
    (a0, a1, b0, b1), ends = gap, []
    while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
        ends.append((a0, b0))
        a0, b0 = a0 + 1, b0 + 1
    while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
        a1, b1 = a1 - 1, b1 - 1
        ends.append((a1, b1))
    ours = [i for i in range(a0, a1) if blank[a[i]]]
    theirs = [j for j in range(b0, b1) if blank[b[j]]]
    is_large = len(ours) * len(theirs) > MAX_PAIRS
    return ends + (_first_blank_pairs if is_large else _fewest_runs)(ours, theirs, numbers)


def _fewest_runs(ours: list[int], theirs: list[int], numbers: LineNumbers) -> list[tuple[int, int]]:
    """Return a longest chain of equal lines with the fewest runs between its pairs."""
    a, b, rank = numbers.a, numbers.b, itemgetter(0, 1)
    best: list[_Chain] = [(0, 0, None)] * (len(theirs) + 1)  # by the lines of B that it may have
    chains: dict[tuple[int, int], _Chain] = {}  # by the last pair
    for i in ours:
        row = best[:1]
        for k, j in enumerate(theirs):
            offers = [best[k + 1], row[k]]
            if a[i] == b[j]:
                n, more, _ = best[k]
                on = [(n + 1, more - 1, ((i, j), best[k]))]
                if (i - 1, j - 1) in chains:
                    n, more, _ = before = chains[i - 1, j - 1]
                    on.append((n + 1, more, ((i, j), before)))
                chains[i, j] = max(on, key=rank)
                offers.append(chains[i, j])
            row.append(max(offers, key=rank))
        best = row
    pairs, link = [], best[-1][2]
    while link:
        pairs.append(link[0])
        link = link[1][2]
    return pairs


def _first_blank_pairs(ours: Iterable[int], theirs: Iterable[int], numbers: LineNumbers) -> list[tuple[int, int]]:
    a, b, blank = numbers.a, numbers.b, numbers.blank
    free = [j for j in theirs if blank[b[j]]]
    pairs, k = [], 0
    for i in ours if free else ():
        if blank[a[i]]:
            q = next((q for q in range(k, min(len(free), k + MAX_PLACES)) if b[free[q]] == a[i]), None)
            if q is not None:
                pairs.append((i, free[q]))
                k = q + 1
    return pairs


def shifted(mate: Counts, moved: list[Moved], numbers: LineNumbers, a: TextLines, b: TextLines) -> Counts:
    """Shift runs of unpaired lines to the most readable position.

    A run can be shifted over equal lines at its ends. The chosen position starts with a non-blank line, ends with blank
    lines, and has the least indented first and following line. Next to a changed line only moved blocks are shifted.

    Args:
        mate: paired line of B for each line of A, equal or changed.
    """
    mate = mate.copy()
    back = np.full(len(b), ALONE, np.int64)
    at = np.flatnonzero(mate >= 0)
    back[mate[at]] = at
    gone, came = lines_of(moved)
    for gap in list(gaps(mate, len(b))):
        ours, theirs = range(gap.a0, gap.a1), range(gap.b0, gap.b1)
        if _beside_a_change(gap, numbers) and gone.isdisjoint(ours) and came.isdisjoint(theirs):
            continue
        if gap.a0 == gap.a1:
            _shift(gap.b0, gap.b1, numbers.b, b, back, mate)
        elif gap.b0 == gap.b1:
            _shift(gap.a0, gap.a1, numbers.a, a, mate, back)
    return mate


def _beside_a_change(gap: Gap, numbers: LineNumbers) -> bool:
    a, b = numbers.a, numbers.b
    begins = gap.a0 > 0 and a[gap.a0 - 1] != b[gap.b0 - 1]
    return bool(begins or (gap.a1 < a.size and gap.b1 < b.size and a[gap.a1] != b[gap.b1]))


def _shift(first: int, end: int, numbers: np.ndarray, lines: TextLines, mate: Counts, back: Counts) -> None:
    """Shift the unpaired run ``[first, end)`` to its most readable position."""
    up = down = 0
    while up < min(first, MAX_SHIFT) and mate[first - up - 1] >= 0 and numbers[first - up - 1] == numbers[end - up - 1]:
        up += 1
    room = min(len(lines) - end, MAX_SHIFT)
    while down < room and mate[end + down] >= 0 and numbers[end + down] == numbers[first + down]:
        down += 1
    best = min(range(-up, down + 1), key=lambda by: (_cost(lines, first + by, end + by), -by))
    for _ in range(-best):
        first, end = first - 1, end - 1
        mate[end], mate[first] = mate[first], ALONE
        back[mate[end]] = end
    for _ in range(best):
        mate[first], mate[end] = mate[end], ALONE
        back[mate[first]] = first
        first, end = first + 1, end + 1


def _cost(lines: TextLines, first: int, end: int) -> tuple[int, int]:
    """Return the penalty of a run ``[first, end)``: blank lines on the wrong side, and indentation."""
    blank_first, blank_last = _indent(lines, first) is None, _indent(lines, end - 1) is None
    after_blank = first == 0 or _indent(lines, first - 1) is None
    indents = [_indent(lines, k) for k in (first, end)]
    at_end = end == len(lines)
    wrong = 2 * blank_first + (not blank_last and not at_end and not after_blank)
    return wrong, sum(indent for indent in indents if indent is not None)


def _indent(lines: TextLines, k: int) -> int | None:
    """Return the indentation of a line, 0 at the end; None if blank."""
    if k >= len(lines):
        return 0
    line = lines.line(k).expandtabs(8)
    stripped = line.lstrip()
    return len(line) - len(stripped) if stripped else None


def moved_blocks(mate: Counts, numbers: LineNumbers, wrapped: tuple[np.ndarray, np.ndarray]) -> list[Moved]:
    """Return the blocks of unpaired lines of A found elsewhere in B, with at least ``LEAST_MOVED`` lines.

    Args:
        wrapped: rewrapped lines of A and of B.
    """
    of_b = np.ones(numbers.b.size, bool)
    of_b[mate[mate >= 0]] = False
    # What is not free, or outside the text, has a number that the other text has not.
    a = np.pad(np.where((mate < 0) & ~wrapped[0], numbers.a.astype(np.int64), -1), 1, constant_values=-1)
    b = np.pad(np.where(of_b & ~wrapped[1], numbers.b.astype(np.int64), -2), 1, constant_values=-2)
    blocks: set[Moved] = set()
    covered: dict[int, int] = {}  # by diagonal: the end of the last block
    for i, j in zip(*(each.tolist() for each in _starts(a, b, numbers.blank)), strict=True):
        if covered.get(j - i, -1) > i:
            continue
        block = _extended(i, j, a, b)
        covered[j - i] = block.a + block.n_lines + 1
        if (~numbers.blank[numbers.a[block.a : block.a + block.n_lines]]).sum() >= LEAST_MOVED:
            blocks.add(block)
    kept = []
    for block in sorted(blocks, key=lambda block: (-block.n_lines, block)):
        ours, theirs = (each[at + 1 : at + 1 + block.n_lines] for each, at in ((a, block.a), (b, block.b)))
        if min(ours.min(), theirs.min()) >= 0:
            kept.append(block)
            ours[:], theirs[:] = -1, -2
    return sorted(kept)


def _starts(a: Counts, b: Counts, blank: np.ndarray) -> tuple[Counts, Counts]:
    """Return the places of equal lines with an equal neighbour; lines may have up to ``MAX_PLACES`` copies in B.

    Args:
        a, b: int64, line numbers; negative at each end and for lines that are not free.
    """
    ours, theirs = (free[~blank[each[free]]] for each in (a, b) for free in [np.flatnonzero(each >= 0)])
    order = theirs[np.argsort(b[theirs], kind="stable")]
    first, end = (np.searchsorted(b[order], a[ours], side) for side in ("left", "right"))
    copies = np.where(end - first > MAX_PLACES, 0, end - first)
    i = np.repeat(ours, copies)
    j = order[np.repeat(first - np.cumsum(copies) + copies, copies) + np.arange(i.size)]
    adjacent = (a[i - 1] == b[j - 1]) | (a[i + 1] == b[j + 1])
    return i[adjacent], j[adjacent]


def _extended(i: int, j: int, a: Counts, b: Counts) -> Moved:
    before, after = 0, 1
    while a[i - before - 1] == b[j - before - 1]:
        before += 1
    while a[i + after] == b[j + after]:
        after += 1
    return Moved(i - before - 1, j - before - 1, before + after)


def with_changed_lines(
    step: Step, mate: Counts, done: tuple[set[int], set[int]], a: TextLines, b: TextLines
) -> Generator[Event, None, Counts]:
    """In each gap, pair lines that have more than half of their letters in common.

    Args:
        done: unpaired lines of A and of B that stay unpaired.
    """
    gone, came = done
    mates, since = mate.copy(), perf_counter()
    for k, gap in enumerate(gaps(mate, len(b))):
        ours = [i for i in range(gap.a0, gap.a1) if i not in gone]
        theirs = [j for j in range(gap.b0, gap.b1) if j not in came]
        for i, j in (yield from changed_lines(step, ours, theirs, a, b)):
            mates[i] = j
        if k % GAPS_A_STEP == 0:
            yield step.done("hunks", since)
            since = perf_counter()
    yield step.done("hunks", since)
    return mates


def changed_lines(
    step: Step, ours: list[int], theirs: list[int], a: TextLines, b: TextLines
) -> Generator[Event, None, list[tuple[int, int]]]:
    """Pair lines of one hunk in order, with the most shared letters; a pair shares more than half of its letters.

    With more than ``MAX_PAIRS`` pairs of lines, only those near the same place in the hunk are compared; with more than
    ``MANY_LINES`` lines, only the letters at both ends.
    """
    since = perf_counter()
    n, m = len(ours), len(theirs)
    if not n or not m:
        return []
    one, other = [a.line(i).strip() for i in ours], [b.line(j).strip() for j in theirs]
    longer = max(n, m)
    reach = longer if n * m <= MAX_PAIRS else max(NEAR if longer <= MANY_LINES else 0, MAX_PAIRS // longer)
    alike = likeness if longer <= MANY_LINES else likeness_of_ends
    pairs = []
    for i in range(n):
        if i % GAPS_A_STEP == GAPS_A_STEP - 1:
            yield step.done("hunks", since)
            since = perf_counter()
        middle = i * m // n
        for j in range(min(m, middle + reach + 1) - 1, max(0, middle - reach) - 1, -1):
            weight = alike(one[i], other[j], ALIKE)
            if weight:
                pairs.append((i, j, weight))
    return [(ours[i], theirs[j]) for i, j in heaviest_chain(pairs, m)]


def heaviest_chain(pairs: list[tuple[int, int, float]], m: int) -> list[tuple[int, int]]:
    """Return the heaviest chain ascending in both coordinates, by a Fenwick tree.

    Args:
        pairs: two places and a weight; sorted by the first place, then by the second descending.
    """
    tree, before = [(0.0, ALONE)] * (m + 1), []
    for k, (_, j, weight) in enumerate(pairs):
        best, q = (0.0, ALONE), j
        while q:
            best, q = max(best, tree[q]), q & (q - 1)
        before.append(best[1])
        q, here = j + 1, (best[0] + weight, k)
        while q <= m:
            tree[q], q = max(tree[q], here), q + (q & -q)
    k, chain = max(tree)[1], []
    while k != ALONE:
        chain.append(pairs[k][:2])
        k = before[k]
    return chain[::-1]
