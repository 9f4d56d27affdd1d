"""Parts of a pair: chains with the borders of their future blocks, and uncovered ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.rearranged import Border
from wavediff.core.kernels.rearranged.chain import Chain

MAX_BETWEEN = 1 << 18  # letters between two chains that are compared
MAX_EDIT_SHARE = 0.35  # of the letters between; unrelated ones have half
MAX_UNKNOWN = 0.5  # of the letters between; they are no other event then
MIN_ALONE = 50  # letters of a structural variant; fewer in one sequence alone are a difference inside a block
Covered = npt.NDArray[np.bool_]


class Pair(NamedTuple):
    """Compared letters: A, B, and the reverse complement of B."""

    a: Letters
    plus: Letters
    minus: Letters

    @property
    def bases(self) -> tuple[int, int]:
        """Number of letters A, C, G or T in A, and in B."""
        a, b = (sum(map(letters.tobytes().count, b"ACGT")) for letters in (self.a, self.plus))
        return a, b

    def strand(self, minus: bool) -> Letters:
        return self.minus if minus else self.plus

    def inside(self, box: Sequence[int], minus: bool) -> tuple[Letters, Letters]:
        """Return the letters of A and of the strand of B inside borders, see ``Part.box``."""
        return self.a[box[0] : box[1]], self.strand(minus)[box[2] : box[3]]


@dataclass(slots=True, eq=False)
class Part:
    """Chain that becomes a block.

    Attributes:
        box: first and last border in A, then on the strand of B; initially of the chain.
        ranges: least and greatest equally good border, in the order of ``box``.
        copy_of: axis (0: A, 1: B) where another block has the same letters; -1: none.
    """

    chain: Chain
    box: list[int]
    ranges: list[tuple[int, int]]
    copy_of: int = -1

    @classmethod
    def of(cls, chain: Chain) -> Part:
        return cls(chain, list(chain.box), [(at, at) for at in chain.box])

    def on(self, axis: int, m: int) -> tuple[int, int]:
        """Return first and last border in A (axis 0) or in the file of B, which has ``m`` letters."""
        first, last = self.box[2 * axis : 2 * axis + 2]
        return (m - last, m - first) if self.turned(axis) else (first, last)

    def borders(self, m: int) -> tuple[tuple[Border, Border], tuple[Border, Border]]:
        """Return the borders in A and in the file of B, which has ``m`` letters."""
        a0, a1, b0, b1 = (Border(at, *some) for at, some in zip(self.box, self.ranges, strict=True))
        if self.chain.minus:
            b0, b1 = (Border(m - at, m - high, m - low) for at, low, high in (b1, b0))
        return (a0, a1), (b0, b1)

    def turned(self, axis: int) -> bool:
        """Return whether the part's borders are in reverse order in the file."""
        return axis == 1 and self.chain.minus

    def outwards(self, axis: int, right: bool, most: int, pair: Pair) -> Letters:
        """Return up to ``most`` letters outwards from a border of ``box``, nearest first."""
        letters, at = (pair.strand(self.chain.minus) if axis else pair.a), self.box[2 * axis + right]
        return letters[at : at + most] if right else letters[max(0, at - most) : at][::-1]

    @property
    def letters(self) -> int:
        """Number of letters of the part in A or in B, whichever is smaller; <= 0 if cut off completely."""
        return min(self.box[1] - self.box[0], self.box[3] - self.box[2])

    def grow(self, axis: int, right: bool, letters: int) -> None:
        """Move a border of ``box`` outwards; ``right``: the last one."""
        at = 2 * axis + right
        self.box[at] += letters if right else -letters
        self.ranges[at] = (min(self.ranges[at][0], self.box[at]), max(self.ranges[at][1], self.box[at]))


def tiles(parts: Sequence[Part], axis: int, m: int) -> list[Part]:
    """Return the parts that are no copy on ``axis`` (A: 0, B: 1), in order; these do not overlap there."""
    return sorted((part for part in parts if part.copy_of != axis), key=lambda part: part.on(axis, m))


def stretches(covered: Covered, least: int) -> list[tuple[int, int]]:
    """Return the ranges of at least ``least`` letters outside all blocks."""
    edges = np.flatnonzero(np.diff(covered, prepend=True, append=True))
    return [(lo, hi) for lo, hi in edges.reshape(-1, 2).tolist() if hi - lo >= least]


def mostly_unknown(a: Letters, b: Letters) -> bool:
    return any((letters == ord("N")).mean() > MAX_UNKNOWN for letters in (a, b) if letters.size)
