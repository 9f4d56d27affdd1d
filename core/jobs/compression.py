"""Compression by the transform: what each step of it makes of the text, beside two programs that everybody has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, freeze_fields
from wavediff.core.jobs import Job, KernelModules
from wavediff.core.jobs.results import Result

N_SYMBOLS = 257  # two digits of the length of a run of zeros, and the ranks 1 to 255


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CompressionJob(Job):
    """Figures of ``text`` and of its transform's last column ``last`` (both uint8, shape (n,), ``$`` left out)."""

    modules = KernelModules("wavediff.core.kernels.bwt.compression")

    text: Letters
    last: Letters

    def __post_init__(self) -> None:
        Job.__post_init__(self)
        if self.text.size != self.last.size:
            raise ValueError(f"a text of {self.text.size:,} letters has no last column of {self.last.size:,}")

    @property
    def n_letters(self) -> int:
        return int(self.text.size)


class Step(NamedTuple):
    """A way of writing a text; ``bits``: that all of it takes. ``id``: of scripts."""

    id: str
    name: str
    bits: float
    definition: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CompressionResult(Result):
    """Answer to a ``CompressionJob``.

    Attributes:
        letters: int64, shape (256,): how often each letter occurs, in the text as in the last column.
        ranks: int64, shape (256,): how often each rank of move-to-front occurs in the last column (Bentley, Sleator,
            Tarjan and Wei 1986), 0 being the letter before; the list begins with the letters that occur, in order.
        symbols: int64, shape (257,): symbols that are left once runs of rank 0 are written as their lengths, in the
            digits 1 and 2 to base 2, lowest first (both counted at the beginning), and other ranks as they are.
        zlib_bytes, bzip2_bytes: length of the text as these two write it at their strongest.
    """

    letters: Counts
    ranks: Counts
    symbols: Counts
    zlib_bytes: int
    bzip2_bytes: int

    def __post_init__(self) -> None:
        freeze_fields(self)

    @property
    def length(self) -> int:
        return int(self.letters.sum())

    @property
    def n_symbols(self) -> int:
        """Symbols that are left after the runs of zeros are written as lengths."""
        return int(self.symbols.sum())

    @property
    def letter_bits(self) -> float:
        """Bits of all letters by their frequencies alone, the transform left out: n times the entropy."""
        return total_bits(self.letters)

    @property
    def rank_bits(self) -> float:
        return total_bits(self.ranks)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The text as it is, after each step, and by the two programs; names and definitions are in English."""
        as_is = "Eight bits a letter"
        frequencies = "Entropy of the letters by their frequencies; the transform changes nothing in it"
        ranks = "Entropy of the ranks: 0 for the letter before, 1 for the one seen last but one, and so on"
        runs = "Entropy of what is left when runs of rank 0 are written as their lengths, as bzip2 does"
        zlib = "The text by zlib at its strongest: letters and repeats of the last 32,768, no transform"
        bzip2 = "The text by bzip2 at its strongest: a transform of each 900,000 letters, then Huffman codes"
        return (
            Step("text", "Letters as they are", 8.0 * self.length, as_is),
            Step("letters", "Letters by frequency", self.letter_bits, frequencies),
            Step("ranks", "Last column, move-to-front", self.rank_bits, ranks),
            Step("runs", "Last column, runs too", total_bits(self.symbols), runs),
            Step("zlib", "zlib", 8.0 * self.zlib_bytes, zlib),
            Step("bzip2", "bzip2", 8.0 * self.bzip2_bytes, bzip2),
        )


def total_bits(counts: Counts) -> float:
    """Return the bits that so many symbols of each kind need at least: their number times Shannon's entropy (1948).

    >>> total_bits(np.array([4, 4]))
    8.0
    """
    there = counts[counts > 0].astype(np.float64)
    return float((there * np.log2(there.sum() / there)).sum()) if there.size > 1 else 0.0
