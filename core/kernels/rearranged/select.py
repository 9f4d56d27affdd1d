"""Choice of the chains that become blocks: the best first, each unless better ones cover half of it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.exact_matches import ExactMatches
from wavediff.core.kernels.pairwise.edit import run as edit
from wavediff.core.kernels.rearranged.chain import MAX_SHIFT, Chain, chains_of
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EditJob

MIN_SCORE = 40  # letters of a block, about
CHANCE_LETTERS = 8  # letters beyond the longest match that unrelated letters have by chance
MAX_COVERED = 0.5  # of a chain, by better ones
MAX_BETWEEN = 1 << 18  # letters between two chains that are compared
MAX_EDIT_SHARE = 0.35  # of the letters between; unrelated ones have half
MAX_UNKNOWN = 0.5  # of the letters between; they are no other event then
MIN_ALONE = 50  # letters of a structural variant; fewer in one sequence alone are a difference inside a block
Covered = npt.NDArray[np.bool_]


class Pair(NamedTuple):
    """Letters as they are compared: A, B, and the other strand of B."""

    a: Letters
    plus: Letters
    minus: Letters

    def strand(self, minus: bool) -> Letters:
        return self.minus if minus else self.plus


@dataclass(slots=True, eq=False)
class Part:
    """A chain that becomes a block.

    Attributes:
        box: first and last border in A, then on the strand of B; of the chain at first.
        ranges: least and greatest border that fits as well, in the order of ``box``.
        copy_of: axis (0: A, 1: B) on which another block has the same letters; -1: none has.
    """

    chain: Chain
    box: list[int]
    ranges: list[tuple[int, int]]
    copy_of: int = -1

    @classmethod
    def of(cls, chain: Chain) -> Part:
        return cls(chain, list(chain.box), [(at, at) for at in chain.box])

    def on(self, axis: int, m: int) -> tuple[int, int]:
        """Return first and last border in A (axis 0), or in the file of B, of ``m`` letters."""
        first, last = self.box[2 * axis : 2 * axis + 2]
        return (m - last, m - first) if self.turned(axis) else (first, last)

    def turned(self, axis: int) -> bool:
        """Return whether its first border on the strand is the last one in the file."""
        return axis == 1 and self.chain.minus

    def outwards(self, axis: int, right: bool, most: int, pair: Pair) -> Letters:
        """Return up to so many letters beside a border of ``box``, the next one first."""
        letters, at = (pair.strand(self.chain.minus) if axis else pair.a), self.box[2 * axis + right]
        return letters[at : at + most] if right else letters[max(0, at - most) : at][::-1]

    def grow(self, axis: int, right: bool, letters: int) -> None:
        """Move a border of ``box`` outwards; ``right``: the last one."""
        at = 2 * axis + right
        self.box[at] += letters if right else -letters
        self.ranges[at] = (min(self.ranges[at][0], self.box[at]), max(self.ranges[at][1], self.box[at]))


def least_score(n: int, m: int) -> float:
    """Return the score below which a chain may be chance."""
    return max(MIN_SCORE, log(max(2.0 * n * m, 4), 4) + CHANCE_LETTERS)


def selected(found: ExactMatches, pair: Pair, job_id: int) -> Generator[Event, None, list[Part]]:
    """Return the parts in the order of A; each has most of its letters of A, and of B, for itself."""
    n, m = found.n, found.m
    least, parts = least_score(n, m), list[Part]()
    of_a, of_b = np.zeros(n, np.bool_), np.zeros(m, np.bool_)

    def add(some: list[Chain]) -> Generator[Event, None, None]:
        pieces = list[Chain]()
        for chain in some:
            pieces += yield from _cut_at_unlike_letters(chain, pair, job_id)
        for piece in sorted(pieces, key=lambda piece: -piece.matched):
            part = Part.of(piece)
            here, there = of_a[slice(*part.box[:2])], of_b[slice(*part.on(1, m))]
            alone = len(stretches(here, 1)) == len(stretches(there, 1)) == 1  # else a better one lies inside
            if alone and piece.matched >= least and max(here.mean(), there.mean()) <= MAX_COVERED:
                here[:] = there[:] = True
                parts.append(part)

    yield from add(chains_inside(found, 0, 0, n, least))
    for axis, covered in enumerate((of_a, of_b)):  # a chain may be left out for a part of it that another one has
        left = stretches(covered, int(least))
        yield from add([chain for lo, hi in left for chain in chains_inside(found, axis, lo, hi, least)])
    return (yield from joined(sorted(parts, key=lambda part: part.box[0]), pair, job_id))


def stretches(covered: Covered, least: int) -> list[tuple[int, int]]:
    """Return the stretches of at least ``least`` letters outside all blocks."""
    edges = np.flatnonzero(np.diff(covered, prepend=True, append=True))
    return [(lo, hi) for lo, hi in edges.reshape(-1, 2).tolist() if hi - lo >= least]


def chains_inside(found: ExactMatches, axis: int, lo: int, hi: int, least: float) -> list[Chain]:
    """Return the chains of the matches inside letters ``lo`` to ``hi`` of A (axis 0) or B (axis 1), the best first."""
    out, starts = list[Chain](), (found.a_starts, found.b_starts)[axis]
    ends = starts + found.lengths
    for minus in (False, True):
        some = np.flatnonzero((starts < hi) & (ends > lo) & (found.minus == minus))
        first, last = np.maximum(lo - starts[some], 0), np.maximum(ends[some] - hi, 0)
        lengths = found.lengths[some] - first - last
        # On the minus strand the letters that are cut at the start of one are those at the end of the other.
        a = found.a_starts[some] + (last if minus and axis == 1 else first)
        b = found.b_starts[some] + (last if minus and axis == 0 else first)
        out += chains_of(a, found.m - b - lengths if minus else b, lengths, found.k, least, minus=minus)
    return sorted(out, key=lambda chain: -chain.matched)


def _cut_at_unlike_letters(chain: Chain, pair: Pair, job_id: int) -> Generator[Event, None, list[Chain]]:
    """Return ``chain`` cut where the letters between two matches are unlike: another event lies there."""
    a_ends, b_ends = chain.a + chain.lengths, chain.b + chain.lengths
    apart = np.minimum(chain.a[1:] - a_ends[:-1], chain.b[1:] - b_ends[:-1])
    cuts = [0]
    for at in (np.flatnonzero(apart >= MIN_ALONE) + 1).tolist():
        box = int(a_ends[at - 1]), int(chain.a[at]), int(b_ends[at - 1]), int(chain.b[at])
        if not (yield from _alike(pair, chain.minus, box, job_id)):
            cuts.append(at)
    cuts.append(chain.a.size)
    return [Chain(chain.minus, *(rows[lo:hi] for rows in chain[1:])) for lo, hi in pairwise(cuts)]


def _alike(pair: Pair, minus: bool, box: tuple[int, int, int, int], job_id: int) -> Generator[Event, None, bool]:
    """Return whether letters between two chains are more alike than unrelated ones, or unknown."""
    a, b = pair.a[box[0] : box[1]], pair.strand(minus)[box[2] : box[3]]
    if any((letters == ord("N")).mean() > MAX_UNKNOWN for letters in (a, b) if letters.size):
        return True
    found = yield from edit.run(EditJob(a=a, b=b, id=job_id, path=TracebackMethod.NONE))
    return found.distance <= MAX_EDIT_SHARE * max(a.size, b.size)


def joined(parts: list[Part], pair: Pair, job_id: int) -> Generator[Event, None, list[Part]]:
    """Return ``parts`` (in the order of A) with neighbours in A and in B as one where they are near one diagonal.

    The letters between must be fewer than those of both, and few or alike: they are a difference inside the block.
    """
    m = int(pair.plus.size)
    rank = {id(part): at for at, part in enumerate(sorted(parts, key=lambda part: part.on(1, m)))}
    out, last = list[Part](), -1
    for part in parts:
        before, step = (out[-1] if out else None), rank[id(part)] - last
        last += step
        if before is not None and before.chain.minus == part.chain.minus and step == (-1 if part.chain.minus else 1):
            a0, a1, b0, b1 = before.box[1], part.box[0], before.box[3], part.box[2]
            shorter = min(before.box[1] - before.box[0], part.box[1] - part.box[0], MAX_BETWEEN)
            near = 0 <= a1 - a0 <= shorter and 0 <= b1 - b0 <= shorter and abs(a1 - a0 - b1 + b0) <= MAX_SHIFT
            few = max(a1 - a0, b1 - b0) < MIN_ALONE
            if near and (few or (yield from _alike(pair, part.chain.minus, (a0, a1, b0, b1), job_id))):
                rows = (np.concatenate(rows) for rows in zip(before.chain[1:], part.chain[1:], strict=True))
                out[-1] = Part.of(Chain(part.chain.minus, *rows))
                continue
        out.append(part)
    return out
