"""Contigs as rows of the list of differences: positions, or why they are not placed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from wavediff.app.compare.difference_list import DifferenceList, ListedParts, Listing
from wavediff.app.ui.number_text import as_wide_as, grouped, plain_tip
from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, identity, number
from wavediff.core.export.contigs import ContigsAnswer, remarks, tsv_lines
from wavediff.core.export.registry import CONTIGS
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.contigs import NextKind, Placement
from wavediff.core.reading.load import Load

NUMBER, NAME, LENGTH, STRAND, PLACE, EDITS, IDENTITY, NEXT, REMARKS = range(9)
SHOWN_CHARACTERS, FITTED_CHARACTERS = 400, 24  # of a name; a header may have a million
NOT_PLACED = "not placed"
FIELDS = {
    NUMBER: "number", NAME: "name", LENGTH: "letters", STRAND: "minus", EDITS: "differences",
    IDENTITY: "identity", REMARKS: "elsewhere",
}  # fmt: skip
OF_ALL = NUMBER, NAME, LENGTH  # columns that contigs without a place have too
FACTORS = {NextKind.CONTAINED: -(1 << 62), NextKind.OVERLAP: -1}  # by which relations sort


@dataclass(frozen=True, eq=False)
class ListedContigs(ListedParts):
    """Placed contigs, numbered along A, then the others in file order."""

    index: ContigsAnswer

    @property
    def b(self) -> Load:
        return self.index.contigs

    @cached_property
    def rows(self) -> list[Placement]:
        return [*self.index.result.placed, *self.index.result.unplaced]


class ContigList(DifferenceList):
    """List with one row per contig; initially the placed ones along A."""

    columns = ("#", "Contig", "Length", "Strand", "A from–to", "Edits", "Identical", "To the next", "Remarks")
    tips: ClassVar = {
        NUMBER: "Number in the file of the assembly",
        EDITS: "Substitutions, insertions and deletions inside the aligned blocks of its place",
        NEXT: "Gap or overlap before the next contig along A that is not inside another one",
        REMARKS: "Rearranged blocks, parts or copies elsewhere in A, equal contigs; or why the contig is not placed",
    }
    left = frozenset({NAME, NEXT, REMARKS})
    greatest_first = frozenset({LENGTH, EDITS, REMARKS})
    at_top: ClassVar[frozenset[int]] = frozenset()
    signs, stretched, usual = 0, REMARKS, Listing(PLACE)
    words = "contig", "contigs"
    tip = "Hide contigs with fewer letters"
    formats = CONTIGS
    save_text = "Save placement…"
    save_tip = "Save the places of the contigs as PAF, AGP, TSV or JSON, or the contigs in order"

    def read(self, listed: ListedContigs, numbers: Counts) -> list[tuple[Placement, str]]:
        next_to = listed.index.result.next_to
        texts = [next_to[k].text if k < len(next_to) else NOT_PLACED for k in numbers.tolist()]
        return [(listed.rows[k], text) for k, text in zip(numbers.tolist(), texts, strict=True)]

    def texts(self, listed: ListedContigs, rows: Any, k: int, _room: int = 0) -> tuple[str, ...]:
        one, after = rows[k]
        which = grouped(one.number), printable(one.name, SHOWN_CHARACTERS), grouped(one.letters)
        if not one.placed:
            return *which, "", "", "", "", after, str(one.reason)
        place, edits = place_text(one, listed.index.result.n), grouped(one.differences)
        return *which, "−" if one.minus else "+", place, edits, identity(one.identity), after, remarks(one)

    def tip_of(self, column: int, *place: Any) -> str | None:
        return plain_tip(self.texts(*place)[column]) if column in self.left else None

    def sentence(self, listed: ListedContigs, rows: Any, k: int) -> str:
        return sentence(rows[k][0], listed.index.result.n)

    def order(
        self, listed: ListedContigs, column: int, descending: bool, least: int, _cancel: CancelToken | None
    ) -> Counts:
        rows, next_to = listed.rows, listed.index.result.next_to
        at = np.arange(len(rows))
        key: npt.NDArray[Any] = np.minimum(at, len(next_to))
        if column == NEXT:
            key = np.zeros(len(rows), np.int64)
            key[: len(next_to)] = [max(-(1 << 62), FACTORS.get(one.kind, 1) * one.letters) for one in next_to]
        elif column == NAME:
            key = np.unique([one.name.casefold() for one in rows], return_inverse=True)[1]
        elif column in FIELDS:
            key = np.array([getattr(one, FIELDS[column]) for one in rows]) * 1
        last = (at >= len(next_to)) & (column not in OF_ALL)
        order: Counts = np.lexsort((-key if descending else key, last))
        return order if least <= 1 else np.array([k for k in order.tolist() if rows[k].letters >= least], np.int64)

    def shown(self, listed: ListedContigs) -> str:
        result = listed.index.result
        said = self.some_of(listed, len(listed.rows)) + " so far" * self.grows(listed)
        return said + f" · {number(len(result.unplaced))} not placed" * bool(result.unplaced)

    def grows(self, listed: ListedContigs) -> bool:
        return listed.index.result.waiting > 0

    def none(self, _listed: ListedContigs) -> str:
        return ""

    def longest(self, listed: ListedContigs) -> int:
        return max((one.letters for one in listed.rows), default=1)

    def widest(self, listed: ListedContigs) -> dict[int, list[str]]:
        result, rows = listed.index.result, listed.rows
        end, most = number(as_wide_as(result.n)), max((one.differences for one in result.placed), default=0)
        return {
            NUMBER: [number(as_wide_as(len(rows)))],
            NAME: [max((printable(one.name, FITTED_CHARACTERS) for one in rows), key=len, default="")],
            LENGTH: [number(as_wide_as(self.longest(listed)))],
            STRAND: [],
            PLACE: [f"{end}–{end}"],
            EDITS: [number(as_wide_as(most))],
            IDENTITY: [identity(0.888)],
            NEXT: [max((one.text for one in result.next_to), key=len, default=""), NOT_PLACED],
        }

    def names(self, listed: ListedContigs) -> tuple[str, str]:
        return listed.a.name, Path(listed.b.source).stem

    def tsv(self, listed: ListedContigs) -> bytes:
        header, *lines = tsv_lines(listed.index)
        return header + b"".join(lines[k] for k in listed.order.tolist())


def place_text(one: Placement, n: int) -> str:
    """Return first and last letter on A (length ``n``), 1-based; across the origin the last is smaller."""
    return f"{number(one.a[0].at + 1)}–{number((one.a[-1].at - 1) % n + 1)}"


def sentence(one: Placement, n: int) -> str:
    """Return e.g. ``contig 6 (ctg6): 2,524 letters on −, A 14,133–16,656, 4 edits``."""
    named = f"contig {number(one.number)} ({printable(one.name, FITTED_CHARACTERS)})"
    letters = count(one.letters, "letter", "letters")
    if not one.placed:
        return f"{named}: {letters}, not placed: {one.reason}"
    strand, edits = "−" if one.minus else "+", count(one.differences, "edit", "edits")
    facts = f"{named}: {letters} on {strand}, A {place_text(one, n)}, {edits}"
    return "; ".join(filter(None, (facts, remarks(one))))
