"""Identity of two sequences by each definition in use: always say which. All are in 0..1, 1 for nothing at all."""

from __future__ import annotations

import numpy as np

from core.methods.base import of_distance, of_lengths
from core.results.alignment import Alignment, Op

# Key of each identity -> its name and its definition, in the order in which they are shown.
DEFINITIONS: dict[str, tuple[str, str]] = {
    "matches_over_columns": ("Identity over columns", "matches / columns of the alignment, gaps included (BLAST)"),
    "gap_compressed": ("Gap-compressed identity", "matches / (matches + X + gap opens): a gap counts once"),
    "one_minus_distance_over_longer": ("Identity by distance", "1 − edit distance / length of the longer sequence"),
    "two_matches_over_lengths": (
        "Identity by matches",
        "2 × matches / (length of A + length of B); with the LCS: 2 × LCS / (n + m)",
    ),
}


def identities(alignment: Alignment, distance: int | None = None) -> dict[str, float]:
    """Return identity by each definition that is known, in the order and by the keys of ``DEFINITIONS``.

    Args:
        alignment: gives all but one.
        distance: the edit distance (or an upper bound, which makes a lower bound of the identity); an alignment
            that was made for something else, such as an LCS, does not say what it is.
    """
    matches = alignment.count(Op.EQUAL)
    n_gaps = int(np.isin(alignment.ops, (Op.INSERTION, Op.DELETION)).sum())
    found = {
        "matches_over_columns": _ratio(matches, alignment.n_columns),
        "gap_compressed": _ratio(matches, matches + alignment.count(Op.MISMATCH) + n_gaps),
        "two_matches_over_lengths": of_lengths(matches, alignment.n_a, alignment.n_b),
    }
    if distance is not None:
        found["one_minus_distance_over_longer"] = of_distance(distance, alignment.n_a, alignment.n_b)
    return {key: found[key] for key in DEFINITIONS if key in found}


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
