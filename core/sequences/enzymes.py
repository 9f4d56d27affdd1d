"""Restriction enzymes by name, from Biopython's copy of REBASE."""

from __future__ import annotations

import re
from dataclasses import replace

from wavediff.core.sequences.pattern_list import BETWEEN, Pattern

_NAME = re.compile(r"[A-Z](?=.*[a-z])\w*[IVX](_\w+)?")  # what a name looks like, and no pattern in capitals


def enzyme_of(name: str) -> Pattern | None:
    """Return the recognition site of an enzyme as a pattern, or None. Both strands must be searched for it."""
    if not _NAME.fullmatch(name):
        return None
    from Bio.Restriction import AllEnzymes  # takes half a second

    try:
        enzyme = AllEnzymes.get(name)
    except ValueError:
        return None
    return Pattern(enzyme.site.encode(), name, cuts=() if enzyme.fst5 is None else (enzyme.fst5, -enzyme.fst3))


def of_nucleotides(pattern: Pattern) -> Pattern:
    """Return the pattern to search in nucleotides: the site of an enzyme, a pair of primers, or ``pattern`` itself."""
    return enzyme_of(pattern.text) or replace(pattern, is_pair=pattern.is_pair or BETWEEN in pattern.letters)
