"""How alike two sequences are, by each definition in use: always say which."""

from __future__ import annotations

import numpy as np

from core.results.alignment import Alignment, Op


def identities(alignment: Alignment) -> dict[str, float]:
    """Return identity by each definition that an alignment has, in 0..1; 1 for two sequences of nothing.

    ``matches_over_columns`` is BLAST's; ``gap_compressed`` counts a gap once, whatever its length;
    ``two_matches_over_lengths`` is twice the matches over the sum of both lengths.
    """
    matches = alignment.count(Op.EQUAL)
    n_gaps = int(np.isin(alignment.ops, (Op.INSERTION, Op.DELETION)).sum())
    return {
        "matches_over_columns": _ratio(matches, alignment.n_columns),
        "gap_compressed": _ratio(matches, matches + alignment.count(Op.MISMATCH) + n_gaps),
        "two_matches_over_lengths": of_lengths(matches, alignment.n_a, alignment.n_b),
    }


def of_lengths(matches: int, n_a: int, n_b: int) -> float:
    """Return the one identity that needs no alignment, in 0..1."""
    return _ratio(2 * matches, n_a + n_b)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
