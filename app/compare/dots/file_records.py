"""All records of two files in one dot plot: conversion of positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wavediff.app.compare.dots.letter_range import LetterRange
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.pair import Side
from wavediff.core.base.errors import printable
from wavediff.core.sequences.letter_text import letter_name
from wavediff.core.sequences.sequence import Sequence

if TYPE_CHECKING:
    from wavediff.core.reading import Load

Letters = tuple[Sequence, Sequence]


class FileRecords(NamedTuple):
    """File of A or of B, and the 0-based index of the record that is compared."""

    load: Load
    current: int


class RecordRange(NamedTuple):
    """Range of a record, 0-based, half-open; ``record``: 0-based index."""

    record: int
    start: int
    end: int


def place_text(side: Side, one: Sequence, at: int) -> str:
    """Return e.g. ``A chr1 1,204 G``; without the record's name if ``one`` is a single record."""
    if one.records is None:
        name, place = "", one.place(at)
    else:
        record = one.records.at(at)
        name, place = f" {printable(one.records.name(record))}", at - int(one.records.starts[record])
        if at >= one.records.ends[record]:
            return f"{side} –"
    return f"{side}{name} {grouped(place + 1)} {letter_name(int(one.letters[at]), one.characters)}"


def record_box(at: Iterable[int], letters: Letters) -> LetterRange:
    """Return the range of the records of A and B that contain two letters."""
    ends = list[int]()
    for one, letter in zip(letters, at, strict=True):
        assert one.records is not None
        ends += [int(each[one.records.at(letter)]) for each in (one.records.starts, one.records.ends)]
    return LetterRange(*ends)


def in_records(chosen: LetterRange, letters: Letters) -> tuple[RecordRange, RecordRange]:
    """Return the record of A and that of B with the largest part of a range, each with this part."""

    def most(one: Sequence, low: int, high: int) -> RecordRange:
        assert one.records is not None
        starts, ends = one.records.starts, one.records.ends
        best = int((np.minimum(ends, high) - np.maximum(starts, low)).argmax())
        start, end = int(starts[best]), int(ends[best])
        first = min(max(low, start), max(end - 1, start))
        return RecordRange(best, first - start, min(max(high, first + 1), end) - start)

    return most(letters[0], *chosen[:2]), most(letters[1], *chosen[2:])


def across(ranges: tuple[RecordRange, RecordRange], letters: Letters) -> LetterRange:
    """Convert ranges in a record of A and of B to a range in the letters of all records."""
    ends = list[int]()
    for one, (record, start, end) in zip(letters, ranges, strict=True):
        assert one.records is not None
        ends += [int(one.records.starts[record]) + at for at in (start, end)]
    return LetterRange(*ends)
