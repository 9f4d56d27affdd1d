"""Rules for choosing among optimal alignments, without compiled code."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.results import TieBreak
from wavediff.core.methods.base import SHORT_LETTERS

LONG_EQUAL = 48  # letters of an equal run that ends a window
GAP_ENDS = 256  # letters at each end of a long gap that are separate rows (columns)
LONG_GAP = 2 * GAP_ENDS + 1  # rows (columns) of a longer one
FLANK = 12  # letters of such a run that belong to the windows on its sides
SURELY_ALIKE = 0.25  # edits a letter; even of two letters only, shuffled ones have more
MARGIN = 0.98  # of the edits of shuffled letters, as the formula is one for long sequences


class Settled(NamedTuple):
    """A path, and how its ties were resolved."""

    alignment: Alignment
    ties: TieBreak


def is_short(a: Letters, b: Letters) -> bool:
    """Return whether the pair is so short that all windows are solved exactly, regardless of cost."""
    return max(a.size, b.size) <= SHORT_LETTERS


def in_one_piece(a: Letters, b: Letters) -> Alignment | None:
    """Return the alignment of a contiguous occurrence: gaps only at both ends; None if there is none.

    Ties: the first place.
    """
    short, long, gap = (b, a, Op.DELETION) if b.size < a.size else (a, b, Op.INSERTION)
    letters, wanted = long.tobytes(), short.tobytes()
    place = letters.find(wanted)
    while place > 0 and place % long.itemsize:  # inside of a letter
        place = letters.find(wanted, place + 1)
    if place < 0:
        return None
    place //= long.itemsize
    runs = [(gap, place), (Op.EQUAL, int(short.size)), (gap, int(long.size - short.size) - place)]
    ops, lengths = zip(*((op, n) for op, n in runs if n), strict=True)
    return Alignment(np.array(ops, np.uint8), np.array(lengths, np.int64))


def is_like_shuffled(n: int, m: int, cost: int, same: int, *, paired: bool) -> bool:
    """Return whether ``cost`` is close to the cost of shuffled letters with the same composition.

    ``same``: equal pairs among the n times m pairs of letters.

    Of k equally frequent letters, long random sequences have an LCS of about 2 / (1 + sqrt k) of their length (Kiwi,
    Loebl, Matousek 2005 for many letters) and an edit distance of about 1 - 1 / sqrt k.
    """
    if not same:
        return True
    chance = sqrt(same / n / m)  # 1 / sqrt k
    share = 2 - 4 / (1 + 1 / chance) if paired else 1 - chance
    return cost - abs(n - m) >= MARGIN * share * min(n, m)
