"""Sentences about optimal paths: which one is seen, and the three numbers that are taken for one another."""

from __future__ import annotations

from wavediff.core.base.numbers import number
from wavediff.core.teach.optimal_paths import Arrows
from wavediff.core.teach.scene import Trace

MAX_COUNTED_CELLS = 1 << 14  # of a table whose paths are counted at once, in some 20 ms


def path_sentence(trace: Trace, arrows: Arrows, path: int) -> str:
    """Return what is said of the optimal path number ``path``, from 1.

    Of an LCS also how many alignments there are that differ in the letters they match, and how many subsequences.
    """
    if arrows.bits.size > MAX_COUNTED_CELLS:
        return f"Optimal path {number(path)}."
    text = f"Optimal path {number(path)} of {number(arrows.n_paths)}."
    try:
        matchings, subsequences = trace.found("matchings"), len(trace.found("subsequences"))
    except KeyError:
        return text
    return (
        f"{text} Alignments that match other letters: {number(matchings)}. Subsequences that differ: "
        f"{number(subsequences)}."
    )
