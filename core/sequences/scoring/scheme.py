"""Scoring scheme: substitution matrix and gap costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wavediff.core.sequences.scoring.builtin import MATCH_NAME, built_in
from wavediff.core.sequences.scoring.matrix import Scores, SubstitutionMatrix

SCALES = (1, 2, 4, 5, 10, 20, 25, 50, 100)  # for costs of two decimals at most
BYTE, SHORT = 127, 32767  # the largest difference that 8 and 16 bits hold


@dataclass(frozen=True)
class ScoringScheme:
    """Scores of the columns of an alignment.

    A gap of k letters costs ``gap_open + (k - 1) * gap_extend``: opening it includes its first letter.

    Attributes:
        gap_open, gap_extend: 0 <= gap_extend <= gap_open; two decimals at most.
    """

    matrix: SubstitutionMatrix
    gap_open: float
    gap_extend: float

    def __post_init__(self) -> None:
        if not 0 <= self.gap_extend <= self.gap_open:
            raise ValueError(
                f"a gap costs at least as much to open as to extend, and neither less than 0; got {self.gap_open:g} "
                f"and {self.gap_extend:g}"
            )
        if self.open != round(self.gap_open * self.scale, 6) or self.extend != round(self.gap_extend * self.scale, 6):
            raise ValueError(f"gap costs have two decimals at most, got {self.gap_open} and {self.gap_extend}")
        if self.reach > SHORT:
            raise ValueError(
                f"scores up to {int(self.matrix.scores.max()):,} and gaps that cost {self.gap_open:g} and "
                f"{self.gap_extend:g} are too large: twice the opening, the extension and the largest score add up to "
                f"{self.reach / self.scale:,.0f}, {SHORT / self.scale:,.0f} is the most"
            )

    @cached_property
    def scale(self) -> int:
        """Smallest factor that makes all costs integers, as kernels need."""
        costs = self.gap_open, self.gap_extend
        return next((k for k in SCALES if all(abs(c * k - round(c * k)) < 1e-6 for c in costs)), SCALES[-1])

    @cached_property
    def open(self) -> int:
        """Cost of the first letter of a gap times ``scale``."""
        return round(self.gap_open * self.scale)

    @cached_property
    def extend(self) -> int:
        """Cost of each further letter of a gap times ``scale``."""
        return round(self.gap_extend * self.scale)

    @cached_property
    def scores(self) -> Scores:
        """Matrix scores times ``scale``, int16; scores always worse than two gaps are clipped."""
        scaled = self.matrix.scores.astype(np.int64) * self.scale
        return np.maximum(scaled, -2 * self.open - 1).astype(np.int16)

    @cached_property
    def reach(self) -> int:
        """Maximum absolute difference in the recurrence, times ``scale``."""
        return 2 * self.open + self.extend + 1 + max(int(self.matrix.scores.max()), 0) * self.scale

    @cached_property
    def fits_bytes(self) -> bool:
        """Return whether differences fit in 8 bits."""
        return self.reach <= BYTE

    @property
    def text(self) -> str:
        """Description of the scheme: ``BLOSUM62, gaps 11 + 1``."""
        name, first, more = self.matrix.name, self.gap_open, self.gap_extend
        return f"{name}, gaps {first:g} + {more:g}"


def default_gaps(matrix: SubstitutionMatrix) -> tuple[float, float]:
    """Return the default gap costs for ``matrix``: open, extend."""
    if matrix.name == MATCH_NAME:
        return 2, 1
    return (11, 1) if matrix.is_amino_acid else (10, 0.5)


def default_scheme(*, proteins: bool) -> ScoringScheme:
    """Return the default scheme for proteins or nucleotides."""
    matrix = built_in("BLOSUM62" if proteins else "DNAfull")
    return ScoringScheme(matrix, *default_gaps(matrix))
