"""Orientation of the query: strand, and start of a circle.

Kernels get letters in the compared order, and their results count in that order. This module converts such positions to
file positions, for users and outputs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, overload

from wavediff.core.base.numbers import number

if TYPE_CHECKING:
    from wavediff.core.base.arrays import Counts

COMPLEMENT = bytes.maketrans(b"ACGTURYSWKMBDHVNacgturyswkmbdhvn", b"TGCAAYRSWMKVHDBNtgcaayrswmkvhdbn")
_TO_RNA = bytes.maketrans(b"Tt", b"Uu")


def reverse_complement(letters: bytes, *, rna: bool = False) -> bytes:
    """Return the reverse complement, including IUPAC codes; case and other letters do not change.

    Args:
        rna: ``A`` becomes ``U`` instead of ``T``.

    >>> reverse_complement(b"ACCRn")
    b'nYGGT'
    """
    other = letters.translate(COMPLEMENT)[::-1]
    return other.translate(_TO_RNA) if rna else other


class Strand(StrEnum):
    """Strand of DNA or RNA."""

    PLUS = "plus"  # as in the file
    MINUS = "minus"  # the reverse complement of that

    @property
    def other(self) -> Strand:
        return Strand.PLUS if self is Strand.MINUS else Strand.MINUS

    @property
    def sign(self) -> str:
        """Symbol in PAF."""
        return "-" if self is Strand.MINUS else "+"


class Topology(StrEnum):
    """Shape of a molecule."""

    AUTO = "auto"  # as its file says
    LINEAR = "linear"
    CIRCULAR = "circular"


@dataclass(frozen=True, slots=True)
class Orientation:
    """Strand and rotation under which a sequence of n letters is compared.

    Attributes:
        strand: the compared one.
        circular: the sequence is circular.
        shift: letters of a circle moved from the start to the end, in reading direction; 0 <= shift.
    """

    strand: Strand = Strand.PLUS
    circular: bool = False
    shift: int = 0

    @property
    def turned(self) -> bool:
        """Return whether the sequence is a circle that is rotated, so it starts at another letter than in the file."""
        return self.circular and self.shift != 0

    def read(self, letters: bytes, *, rna: bool = False) -> bytes:
        """Convert ``letters`` from file order to the order and strand of the comparison."""
        if self.strand is Strand.MINUS:
            letters = reverse_complement(letters, rna=rna)
        return letters[self.shift :] + letters[: self.shift] if self.turned else letters

    @overload
    def place(self, index: int, n: int) -> int: ...
    @overload
    def place(self, index: Counts, n: int) -> Counts: ...
    def place(self, index: int | Counts, n: int) -> int | Counts:
        """Return the file position of the letter at compared ``index``; both count from 0.

        On a line, -1 and n are the positions before and after it; on a rotated circle they are letters.

        >>> Orientation(Strand.MINUS).place(0, 10), Orientation(circular=True, shift=7).place(3, 10)
        (9, 0)
        """
        at = index + self.shift if self.strand is Strand.PLUS else n - 1 - self.shift - index
        return at % n if self.turned and n else at

    @overload
    def index(self, place: int, n: int) -> int: ...
    @overload
    def index(self, place: Counts, n: int) -> Counts: ...
    def index(self, place: int | Counts, n: int) -> int | Counts:
        """Return the compared index of the letter at file position ``place``; the inverse of method ``place``."""
        at = place - self.shift if self.strand is Strand.PLUS else n - 1 - self.shift - place
        return at % n if self.turned and n else at

    def stretch(self, start: int, end: int, n: int) -> tuple[int, int]:
        """Convert a range as compared to file coordinates, 0-based and half-open, on any strand.

        Across the end of a circular file the end is at or before the start; an empty range is between two letters.

        >>> Orientation(Strand.MINUS).stretch(2, 5, 10), Orientation(circular=True, shift=8).stretch(0, 5, 10)
        ((5, 8), (8, 3))
        >>> Orientation(Strand.MINUS).stretch(2, 2, 10)
        (8, 8)
        """
        if start == end:
            at = self.place(start, n) + (self.strand is Strand.MINUS)
            return at, at
        first, last = self.place(start, n), self.place(end - 1, n)
        return (first, last + 1) if self.strand is Strand.PLUS else (last, first + 1)

    def swapped(self, partner: int, n: int) -> Orientation:
        """Return the orientation of the other sequence (``n`` letters) if that is oriented instead.

        Args:
            partner: for a circle, the letter of the other sequence at the first letter of this sequence's file.
        """
        if not self.turned:
            return self
        shift = partner if self.strand is Strand.PLUS else n - 1 - partner
        return replace(self, shift=shift % n if n else 0)

    def text(self, n: int, *, short: bool = False) -> str:
        """Describe the orientation, e.g. ``reverse complement, from 3,689``; empty if as in the file."""
        minus = "rev. comp." if short else "reverse complement"
        strand = minus if self.strand is Strand.MINUS else ""
        origin = f"from {number(self.place(0, n) + 1)}" if self.turned else ""
        return ", ".join(filter(None, (strand, origin)))


FORWARD = Orientation()
