"""Restriction enzymes by name, from Biopython's copy of REBASE."""

from __future__ import annotations

import re

from wavediff.core.sequences.pattern_list import Pattern

_NAME = re.compile(r"[A-Z](?=.*[a-z])\w*[IVX](_\w+)?")  # what a name looks like, and no pattern in capitals


def enzyme_of(name: str) -> Pattern | None:
    """Return the site of an enzyme, or None; search both strands for it."""
    if not _NAME.fullmatch(name):
        return None
    from Bio.Restriction import AllEnzymes  # takes half a second

    try:
        enzyme = AllEnzymes.get(name)
    except ValueError:
        return None
    return Pattern(enzyme.site.encode(), name, cuts=() if enzyme.fst5 is None else (enzyme.fst5, -enzyme.fst3))
