"""Matrix rows as Python integers, one bit per column: costs, and optimal steps.

Sources: Myers 1999 and Hyyrö 2003 for the edit distance, Allison and Dix 1986 and Hyyrö 2004 for the LCS.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from wavediff.core.jobs.alignment import Op

EQUAL, MISMATCH, INSERTION, DELETION = map(int, (Op.EQUAL, Op.MISMATCH, Op.INSERTION, Op.DELETION))
Run = tuple[int, int]  # operation, columns


class Steps(NamedTuple):
    """Last steps of optimal alignments of the first i letters of A and j of B: row i, bit j.

    Attributes:
        cost: of the whole alignment.
    """

    cost: int
    delete: list[int]
    insert: list[int]
    pair: list[int]


def append_run(runs: list[Run], op: int, n: int) -> None:
    """Append ``n`` columns, merged with the last run if of the same kind."""
    if runs and runs[-1][0] == op:
        runs[-1] = op, runs[-1][1] + n
    elif n:
        runs.append((op, n))


def least_cost_steps(a: Sequence[Hashable], b: Sequence[Hashable], *, paired: bool) -> Steps:
    """Return the optimal steps of the edit distance; ``paired``: substitutions cost 2 (LCS)."""
    every = (2 << len(b)) - 1  # column 0 is before all letters
    match = _places(b, 1)
    rise, fall = every ^ 1, 1  # where a column costs one more, or less, than the one before it
    delete, insert, pair = [0], [rise], [0]
    for letter in a:
        equal = match.get(letter, 0)
        if paired:
            met = rise & equal
            total = rise + met
            up = every ^ (rise & (equal | (total ^ rise ^ met)))
            pair.append(equal | (rise & up))
            rise = (total | (rise & ~equal)) & every
        else:
            total = (equal & rise) + rise
            level = (total ^ rise) | equal  # but for ``fall``: as much as what a pair of letters leads to
            up = fall | (every & ~(total | rise | equal))
            down = (rise & level) << 1 & every
            pair.append(equal | (every & ~(level | fall)))
            met, above = equal | fall, (up << 1 | 1) & every
            rise, fall = down | (every & ~(met | above)), above & met
        delete.append(up)
        insert.append(rise)
    rising = rise.bit_count()
    cost = len(a) + (2 * rising - len(b) if paired else rising - (fall.bit_count() - 1))
    return Steps(cost, delete, insert, pair)


def least_cost(a: Sequence[Hashable], b: Sequence[Hashable], *, paired: bool) -> int:
    """Return the cost by other formulas than ``least_cost_steps``, column by column."""
    every, match = (1 << len(a)) - 1, _places(a, 0)
    up, down, cost = every, 0, len(a)
    if paired:
        for letter in b:
            met = up & match.get(letter, 0)
            up = ((up + met) | (up - met)) & every
        return len(b) - len(a) + 2 * up.bit_count()
    last = len(a) - 1
    for letter in b:
        equal = match.get(letter, 0) | down
        level = (((equal & up) + up) ^ up) | equal
        right, left = down | (every & ~(level | up)), level & up
        if last >= 0:
            cost += (right >> last & 1) - (left >> last & 1)
        right, left = right << 1 | 1, left << 1
        up, down = (left | ~(level | right)) & every, right & level & every
    return cost if last >= 0 else len(b)


def _places(letters: Sequence[Hashable], first: int) -> dict[Hashable, int]:
    """Return the bit mask of each letter's positions; the first letter is bit ``first``."""
    places: dict[Hashable, int] = {}
    bit = 1 << first
    for letter in letters:
        places[letter] = places.get(letter, 0) | bit
        bit <<= 1
    return places


def walk(a: Sequence[Hashable], b: Sequence[Hashable], steps: Steps, *, paired: bool) -> list[Run]:
    """Return the runs of an optimal alignment, last column first, until a sequence is exhausted.

    Equal letters first, then a substitution (of an LCS none), then a deletion, then an insertion.
    """
    runs: list[Run] = []
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            n = i
            while i and j and a[i - 1] == b[j - 1]:
                i, j = i - 1, j - 1
            append_run(runs, EQUAL, n - i)
        elif not paired and steps.pair[i] >> j & 1:
            i, j = i - 1, j - 1
            append_run(runs, MISMATCH, 1)
        elif steps.delete[i] >> j & 1:
            i -= 1
            append_run(runs, DELETION, 1)
        else:
            j -= 1
            append_run(runs, INSERTION, 1)
    return runs
