"""Compression by the transform: the size after each step, compared with two common programs."""

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
    """One encoding of a text; ``bits``: size of the whole text in it; ``id``: its name in scripts."""

    id: str
    name: str
    bits: float
    definition: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CompressionResult(Result):
    """Answer to a ``CompressionJob``.

    Attributes:
        letters: int64, shape (256,): count of each letter.
        ranks: int64, shape (256,): count of each move-to-front rank in the last column (Bentley, Sleator, Tarjan and
            Wei 1986); rank 0: the preceding letter again. The list starts as the letters that occur, in order.
        symbols: int64, shape (257,): count of each symbol after run lengths are encoded: a run of rank 0 becomes its
            length in base 2 with digits 1 and 2 (symbols 0 and 1), lowest digit first; other ranks stay.
        zlib_bytes, bzip2_bytes: size of the text compressed by these programs at their highest level.
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
        """Number of symbols after runs of rank 0 are written as lengths."""
        return int(self.symbols.sum())

    @property
    def letter_bits(self) -> float:
        """Minimum bits of the letters by their frequencies, without the transform: n times the entropy."""
        return total_bits(self.letters)

    @property
    def rank_bits(self) -> float:
        return total_bits(self.ranks)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The text as it is, after each step, and compressed by the two programs; names and definitions in English."""
        as_is = "Eight bits a letter"
        frequencies = "Entropy of the letter frequencies, which the transform does not change"
        ranks = "Entropy of the move-to-front ranks: 0 if the letter is the same as before, 1 for the next recent, ..."
        runs = "Entropy of these ranks with run-length coding of rank 0, as in bzip2"
        zlib = "The text by zlib at its highest level: letters and repeats of the last 32,768, no transform"
        bzip2 = "The text by bzip2 at its highest level: a transform of blocks of 900,000 letters, then Huffman codes"
        return (
            Step("text", "Letters as they are", 8.0 * self.length, as_is),
            Step("letters", "Letters by frequency", self.letter_bits, frequencies),
            Step("ranks", "Last column, move-to-front", self.rank_bits, ranks),
            Step("runs", "Move-to-front and runs", total_bits(self.symbols), runs),
            Step("zlib", "zlib", 8.0 * self.zlib_bytes, zlib),
            Step("bzip2", "bzip2", 8.0 * self.bzip2_bytes, bzip2),
        )


def total_bits(counts: Counts) -> float:
    """Return the minimum bits of symbols with these counts: their number times Shannon's entropy (1948).

    >>> total_bits(np.array([4, 4]))
    8.0
    """
    there = counts[counts > 0].astype(np.float64)
    return float((there * np.log2(there.sum() / there)).sum()) if there.size > 1 else 0.0
