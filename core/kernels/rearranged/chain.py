"""Chains of exact matches on one strand, with minimap2's dynamic programme and gap cost.

Li (2018), Minimap2: pairwise alignment for nucleotide sequences, Bioinformatics 34(18), sections 2.1.1 and 2.1.2.
Chains here stay near their diagonal: a longer gap starts another chain, and the exact border is found later.
"""

from __future__ import annotations

from math import log2
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.decorators import jit

MAX_SHIFT = 49  # diagonals between neighbours: a longer gap is no difference inside a block
MAX_GAP = 200  # letters between neighbours, of A and of B
LOOKBACK = 128  # matches before one, in the order of A
MAX_LOOKED_AT = 1 << 22  # pairs of matches of a chain for a copy: each of an array has matches with all others
GAP_SHARE = 0.01  # of k, for each diagonal


class Chain(NamedTuple):
    """Matches that ascend in A and on one strand of B.

    Attributes:
        a, b, lengths: int64, shape (matches,): starts in A and on the strand, and letters. Matches may overlap.
        unique: int64, shape (matches,): k-mers that occur once in A and once in B.
    """

    minus: bool
    a: Counts
    b: Counts
    lengths: Counts
    unique: Counts

    @property
    def box(self) -> tuple[int, int, int, int]:
        """First and last border in A, then on the strand of B."""
        a, b, last = self.a, self.b, int(self.lengths[-1])
        return int(a[0]), int(a[-1]) + last, int(b[0]), int(b[-1]) + last

    def moved(self, letters: int) -> Chain:
        """Return the chain shifted by ``letters`` in A."""
        return self._replace(a=self.a + letters)

    @property
    def matched(self) -> int:
        """Number of matching letters; overlaps count once."""
        steps = np.minimum(np.diff(self.a + self.lengths), np.diff(self.b + self.lengths))
        return int(self.lengths[0] + np.minimum(self.lengths[1:], steps).sum())


def chains_of(
    a: Counts, b: Counts, lengths: Counts, unique: Counts, k: int, least: float, *, minus: bool, is_copy: bool = False
) -> list[Chain]:
    """Return the chains of one strand, unsorted."""
    order = np.lexsort((b, a))
    a, b, lengths, unique = a[order], b[order], lengths[order], unique[order]
    scores, before = np.empty(a.size), np.empty(a.size, np.int64)
    lookback = max(LOOKBACK, MAX_LOOKED_AT // max(a.size, 1) if is_copy else 0)
    score_chains(a, b, lengths, GAP_SHARE * k, lookback, scores, before)
    members, ends = np.empty(a.size, np.int64), np.empty(a.size, np.int64)
    n = collect_chains(np.argsort(-scores, kind="stable"), scores, before, least, members, ends)
    out, start = list[Chain](), 0
    for end in ends[:n].tolist():
        some = members[start:end][::-1]
        out.append(Chain(minus, a[some], b[some], lengths[some], unique[some]))
        start = end
    return out


@jit
def score_chains(
    a: Counts, b: Counts, lengths: Counts, each: float, lookback: int, scores: Any, before: Counts
) -> None:
    """Write the best score of a chain ending at each match, and its predecessor (-1: none).

    Args:
        a, b: sorted by ``a``. each: cost per diagonal of distance. lookback: preceding matches to examine.
    """
    for i in range(a.size):
        best, last = float(lengths[i]), -1
        for j in range(i - 1, max(-1, i - 1 - lookback), -1):
            of_a, of_b = a[i] + lengths[i] - a[j] - lengths[j], b[i] + lengths[i] - b[j] - lengths[j]
            apart = abs(of_a - of_b)
            if min(of_a, of_b) <= 0 or b[j] >= b[i] or apart > MAX_SHIFT or min(of_a, of_b) - lengths[i] > MAX_GAP:
                continue
            cost = each * apart + 0.5 * log2(apart) if apart else 0.0
            score = scores[j] + min(lengths[i], of_a, of_b) - cost
            if score > best:
                best, last = score, j
        scores[i], before[i] = best, last


@jit
def collect_chains(order: Counts, scores: Any, before: Counts, least: float, members: Counts, ends: Counts) -> int:
    """Write each chain's matches (last first) to ``members`` and its end there to ``ends``; return their number.

    A match belongs to its best chain; the remaining matches of another chain must score at least ``least``.
    """
    used, n, at = np.zeros(before.size, np.bool_), 0, 0
    for last in order:
        if scores[last] < least:
            break
        if used[last]:
            continue
        first, i = at, last
        while i >= 0 and not used[i]:
            used[i] = True
            members[at] = i
            at += 1
            i = before[i]
        if scores[last] - (scores[i] if i >= 0 else 0.0) < least:
            at = first
            continue
        ends[n] = at
        n += 1
    return n
