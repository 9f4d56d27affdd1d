"""Proteins of A and of B by an alignment, letter by letter with Biopython, and changes of proteins applied to one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from Bio.Data.CodonTable import unambiguous_dna_by_id
from Bio.Seq import Seq

Columns = Sequence[tuple[str, str]]  # letters of A and of B, "-" in a gap


class Coding(NamedTuple):
    """A coding sequence of A: parts 0-based and half open, in the order in which they are joined."""

    name: str
    parts: tuple[tuple[int, int], ...]
    strand: int
    table: int = 1
    codon_start: int = 1
    is_open: bool = False  # the first letters are missing


def places(coding: Coding) -> list[int]:
    """Return the letters of A in the order in which they are translated, from the first whole codon on."""
    found = []
    for start, end in coding.parts:
        found += range(start, end) if coding.strand > 0 else range(end - 1, start - 1, -1)
    return found[coding.codon_start - 1 :]


def coding_letters(columns: Columns, coding: Coding) -> tuple[str, str]:
    """Return what is translated of A and of B; inserted letters where they are between two neighbours in A."""
    at_a = [k for k, (one, _) in enumerate(columns) if one != "-"]
    ours, theirs, before = [], [], None
    for place in places(coding):
        column = at_a[place]
        if before is not None and abs(place - before) == 1:
            low, high = sorted((at_a[before], column))
            inserted = "".join(columns[k][1] for k in range(low + 1, high) if columns[k][0] == "-")
            theirs.append(inserted if coding.strand > 0 else str(Seq(inserted).reverse_complement()))
        for letters, letter in ((ours, columns[column][0]), (theirs, columns[column][1])):
            if letter != "-":
                letters.append(letter if coding.strand > 0 else str(Seq(letter).complement()))
        before = place
    return "".join(ours), "".join(theirs)


def proteins(columns: Columns, coding: Coding) -> tuple[str, str]:
    """Return the proteins of A and of B; a start codon of A is M, one of B in its place too, another one ``?``.

    One whose first letters are missing, or that begins within a codon, has no start codon.
    """
    letters = coding_letters(columns, coding)
    found = [str(Seq(one[: len(one) - len(one) % 3]).translate(coding.table)) for one in letters]
    starts = unambiguous_dna_by_id[coding.table].start_codons
    if coding.codon_start == 1 and not coding.is_open and letters[0][:3] in starts:
        found[0] = "M" + found[0][1:]
        if found[1]:
            found[1] = ("M" if letters[1][:3] in starts else "?") + found[1][1:]
    return found[0], found[1]


def changed(protein: str, effects: Iterable[str], other: str) -> tuple[str, bool]:
    """Return a protein with its changes made, and whether it is known to the end only up to a shift of its frame.

    Args:
        effects: without the name. other: the protein that is expected, for what an effect has the number of alone.
    """
    pieces, at = [], 0
    for effect in effects:
        if effect == "M1?":
            assert other[:1] == "?", "the start codon is not lost"
            return "".join(pieces), True
        if effect == "del":
            assert not other
            return "", False
        if match := re.fullmatch(r"(\d+)ins(.*)", effect):
            first = last = int(match[1])
            letters = match[2]
        elif match := re.fullmatch(r"(\d+)(?:-(\d+))?del(?:ins(.*))?", effect):
            first, last = int(match[1]) - 1, int(match[2] or match[1])
            letters = match[3] or ""
        else:
            match = re.fullmatch(r"([A-Z*])(\d+)(fs|[A-Z*=])", effect)
            assert match, effect
            first, last = int(match[2]) - 1, int(match[2])
            assert protein[first] == match[1], effect
            letters = match[1] if match[3] == "=" else match[3]
        assert first >= at, f"{effect} is before the one before"
        pieces.append(protein[at:first])
        done = "".join(pieces)
        if letters == "fs":
            assert other[len(done) : len(done) + 1] not in (protein[first], "*"), "the frame is shifted before"
            return done, True
        if number := re.fullmatch(r"\((\d+)\)", letters):
            letters = other[len(done) : len(done) + int(number[1])]
        pieces.append(letters)
        at = last
        if "*" in letters:
            break
    return "".join(pieces) + ("" if "*" in "".join(pieces) else protein[at:]), False
