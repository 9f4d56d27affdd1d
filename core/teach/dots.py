"""From the sorted rotations of A#B to a dot plot: rows with equal k-mers are adjacent.

Sources: Gibbs and McIntyre (1970) for the dot plot; Manber and Myers (1993) for sorted suffixes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.errors import InputError
from wavediff.core.base.numbers import count, number
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.teach.counted_trace import OneUnitTrace, letters, of_inputs, whole
from wavediff.core.teach.questions import Asked, Kind, slip
from wavediff.core.teach.rotations import shown_rows, spots
from wavediff.core.teach.scene import NEVER, Grid, Mark, Scene, Sheet
from wavediff.core.teach.sorting import END, Transform
from wavediff.core.teach.unit import Unit

BETWEEN = "#"
MAX_LETTERS = 32  # of a sequence: each has a row or a column of the plot
MAX_K = 8
SHOWN_LETTERS = 6  # of a rotation behind its k-mer
SHOWN_ROWS = 12  # of the rotations: more leave the plot no room in a small window
SAID_DOTS = 3  # of a row
OF_A, OF_B, OF_MINUS = "A", "B", "B−"


class Place(NamedTuple):
    """Start of a rotation.

    Attributes:
        of: sequence of its first letter; empty for ``#`` and ``$``. at: position in this sequence, from 0.
    """

    of: str
    at: int


class Dot(NamedTuple):
    """K-mer of A that is also in B, or in its reverse complement; starts as in the files, 0-based."""

    a: int
    b: int
    minus: bool


class DotsTrace(OneUnitTrace):
    """Reads the sorted rotations; each row adds its dots with earlier rows of the same k-mer.

    Attributes:
        common: length of the common prefix of each row and the row above. dots: added by each row.
    """

    def __init__(self, a: str, b: str, k: int, strands: int) -> None:
        self.a, self.b, self.k = a, b, k
        turned = BETWEEN + reverse_complement(b.encode()).decode() if strands == 2 else ""
        self.rotated = Transform(f"{a}{BETWEEN}{b}{turned}")
        super().__init__({"a": a, "b": b, "k": k, "strands": strands}, Unit.ROW, len(self.rotated.order), Kind.VALUE)
        sizes = {OF_A: len(a), OF_B: len(b), OF_MINUS: len(b)}
        places = [Place(of if at < size else "", at) for of, size in sizes.items() for at in range(size + 1)]
        self.places = [places[at] for at in self.rotated.order]
        whole_rows = [self.rotated.rotation(row) for row in range(self.last_step)]
        self.kmers = ["" if {BETWEEN, END} & set(row[:k]) else row[:k] for row in whole_rows]
        self.common = [0, *(common_start(*two) for two in pairwise(whole_rows))]
        self.dots = [self._dots(row) for row in range(self.last_step)]
        self._rank = np.full((len(a), len(b)), NEVER, np.int32)
        self._marks = np.full((len(a), len(b)), Mark.ON, np.uint8)
        every = [(row, dot) for row, added in enumerate(self.dots, 1) for dot in added]
        for row, dot in reversed(every):  # the first stays where a k-mer is its own reverse complement
            self._rank[dot.a, dot.b], self._marks[dot.a, dot.b] = row, Mark.CITED if dot.minus else Mark.ON
        self._values = np.where(self._rank == NEVER, 0, self._rank)

    def _partners(self, row: int) -> list[int]:
        """Return the earlier rows that form a dot with ``row``: equal k-mers, one of them in A and one in B."""
        first, is_of_a = self.kmers.index(self.kmers[row]), self.places[row].of == OF_A
        return [at for at in range(first, row) if self.kmers[row] and (self.places[at].of == OF_A) != is_of_a]

    def _dots(self, row: int) -> list[Dot]:
        added = []
        for other in self._partners(row):
            of_a, of_b = sorted((self.places[row], self.places[other]))
            minus = of_b.of == OF_MINUS
            added.append(Dot(of_a.at, len(self.b) - self.k - of_b.at if minus else of_b.at, minus))
        return added

    def scene_at(self, k: int) -> Scene:
        marks = np.where(self._rank == k, np.uint8(Mark.NEW), self._marks)
        plot = Grid("", self._values, self._rank, tuple(self.a), tuple(self.b), marks)
        return Scene((self._sorted(k), plot))

    def _sorted(self, k: int) -> Sheet:
        rows, marks = [], []
        partners = self._partners(k - 1) if k else []
        for row in shown_rows(self.last_step, max(0, k - 1), SHOWN_ROWS):
            text = self.rotated.rotation(row)
            cells = self._named(row), text[: self.k], text[self.k : self.k + SHOWN_LETTERS] + "…"
            same = number(self.common[row]) if row < k else ""
            rows.append((number(row + 1), *cells, same))
            mark = Mark.NEW if row == k - 1 else Mark.CITED if row in partners else Mark.PLAIN
            plain = Mark.FAINT if row < k - 1 and mark is Mark.PLAIN else mark
            marks.append((plain,) * 5)
        heads = ("row", "begins at", count(self.k, "letter", "letters"), "", "as above")
        return Sheet(f"Sorted rotations of A{BETWEEN}B", heads, tuple(rows), tuple(marks), mono=True)

    def _named(self, row: int) -> str:
        of, at = self.places[row]
        return f"{of} {number(at + 1)}" if of else self.rotated.first[row]

    def say_at(self, k: int) -> str:
        if k == 0:
            return (
                f"A, {BETWEEN} and B are joined into one text, and its rotations are sorted. Rotations that begin with "
                f"the same {count(self.k, 'letter', 'letters')} are now neighbours."
            )
        row = k - 1
        kmer, (of, at) = self.kmers[row], self.places[row]
        if not kmer:
            first = "its first letter is" if self.k == 1 else f"one of its first {number(self.k)} letters is"
            return f"Row {number(k)}: {first} {BETWEEN} or {END}, so it has no k-mer."
        here = f"Row {number(k)}, {kmer} at letter {number(at + 1)} of {of}"
        if self.kmers.index(kmer) == row:
            return f"{here}: no row above begins with {kmer}. No dot yet."
        if not self.dots[row]:
            return f"{here}: rows above begin with {kmer} too, but none is from {'B' if of == OF_A else 'A'}. No dot."
        places = [
            f"A {number(dot.a + 1)}, B {number(dot.b + 1)}{' (other strand)' if dot.minus else ''}"
            for dot in self.dots[row][:SAID_DOTS]
        ]
        more = "…" if len(self.dots[row]) > SAID_DOTS else ""
        others = ", ".join(self._named(other) for other in self._partners(row)[:SAID_DOTS])
        n_dots = count(len(self.dots[row]), "dot", "dots")
        return f"{here}; rows above begin with it at {others}{more}. {n_dots}: {'; '.join(places)}{more or '.'}"

    def _value(self, name: str) -> Any:
        """Return ``dots``: [letter of A, of B, 1 or -1] from 1, in row order; ``n dots``; ``diagonals``: runs of dots;
        ``kmers``: those of A and B; ``k``; ``rows``; ``cells``; ``common``: length of the common prefix of each row
        with the row above."""
        every = [dot for added in self.dots for dot in added]
        before = {Dot(dot.a + 1, dot.b + (-1 if dot.minus else 1), dot.minus) for dot in every}
        return {
            "dots": [[dot.a + 1, dot.b + 1, -1 if dot.minus else 1] for dot in every],
            "n dots": len(every),
            "diagonals": len(set(every) - before),
            "kmers": sorted({self.kmers[row] for row, added in enumerate(self.dots) if added}),
            "k": self.k,
            "rows": self.last_step,
            "cells": len(self.a) * len(self.b),
            "common": self.common,
        }[name]

    def _moments(self) -> Mapping[str, Sequence[int]]:
        return {"dot": [k for k, added in enumerate(self.dots, 1) if added]}

    def _question(self, k: int) -> Asked:
        row, above = k - 1, self.scene_at(k - 1).parts[0]
        same = [at for at in range(row) if self.kmers[row] and self.kmers[at] == self.kmers[row]]
        cells = [cell for at in same for cell in spots(above, at + 1)]
        slips = [
            slip(k, "That is the number of the row."),
            slip(self.common[row], "Those are the letters that it shares with the row above, not dots."),
            slip(len(same), "So many rows above begin with it: only those of the other sequence make a dot.", *cells),
            slip(0, "A row above begins with the same letters, and is of the other sequence.", *cells),
            slip(self.places[row].at + 1, "That is the letter that it begins at."),
            slip(1, f"{count(len(same), 'row', 'rows')} above: each of the other sequence makes a dot.", *cells),
        ]
        return Asked(
            f"How many dots does row {number(k)} add with the rows above it?", [str(len(self.dots[row]))], slips
        )


def common_start(one: str, other: str) -> int:
    return [*map(str.__eq__, one, other), False].index(False)


def check_complements(text: str) -> None:
    """Raise InputError for a letter without complement."""
    if other := sorted(set(text) - set("ACGT")):
        raise InputError("b", f"{other[0]} has no complement", "both strands are of A, C, G and T")


@of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS), k=whole(1, MAX_K, 3), strands=whole(1, 2, 1))
def dots_trace(a: str, b: str, k: int, strands: int) -> DotsTrace:
    """Return the trace of the dots on one strand of B, or both.

    Raises:
        InputError: an end mark is among the letters, or a letter has no complement.
    """
    for name, text in (("a", a), ("b", b)):
        if BETWEEN in text:
            raise InputError(name, f"there is a {BETWEEN} at letter {text.index(BETWEEN) + 1}", f"{BETWEEN} ends A")
    if strands == 2:
        check_complements(a + b)
    return DotsTrace(a, b, k, strands)
