"""Hunks of a comparison by lines as a table and as JSON data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.export import words
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.letter_fields import name_field
from wavediff.core.jobs.line_result import KIND_NAMES
from wavediff.core.jobs.line_view import LineView, WordView
from wavediff.core.sequences.sequence import Sequence

HEADER = (
    "hunk", "kind", "a_start", "a_end", "b_start", "b_end", "lines_added", "lines_removed", "lines_changed",
    "lines_moved", "title",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class ListedHunks:
    """Hunks of two texts in display order.

    Attributes:
        order: number (from 0) of each listed hunk. total: hunks of the counted kinds.
    """

    a: Sequence
    b: Sequence
    index: LineView
    order: Counts
    total: int

    def __len__(self) -> int:
        return int(self.order.size)


def all_hunks(view: LineView) -> ListedHunks:
    return ListedHunks(*view.texts, view, np.arange(view.n_hunks), view.n_hunks)


def tsv(comparison: Comparison) -> Iterator[bytes]:
    """Yield a header and one line per place of each hunk; a moved block has two lines with the same number.

    Line ranges are 1-based and closed; an empty range starts at the next line and ends at the preceding one. The counts
    are those of the hunk.
    """
    yield from listed_tsv(all_hunks(LineView(comparison.result, comparison.a, comparison.b)))


def listed_tsv(rows: ListedHunks) -> Iterator[bytes]:
    """Yield a header and the lines of each hunk, or change of words, in display order (see ``tsv``)."""
    if isinstance(rows.index, WordView):
        yield from words.listed_tsv(rows.index, rows.order)
        return
    yield ("\t".join(HEADER) + "\n").encode()
    view = rows.index
    for number in (rows.order + 1).tolist():
        hunk, title = view.hunk(number), name_field(view.title(number))
        counts = (hunk.added, hunk.removed, hunk.changed, hunk.moved)
        for place in hunk.places:
            (a, a_end), (b, b_end) = view.lines_of(place)
            row = (number, KIND_NAMES[hunk.kind], a + 1, a_end, b + 1, b_end, *counts, title)
            yield ("\t".join(map(str, row)) + "\n").encode()


def listed(comparison: Comparison) -> list[dict[str, Any]]:
    """Return each hunk as a dictionary; lines 0-based, half-open."""
    view = LineView(comparison.result, comparison.a, comparison.b)
    hunks = []
    for number in range(1, view.n_hunks + 1):
        hunk = view.hunk(number)
        places = [dict(zip(("a", "b"), view.lines_of(place), strict=True)) for place in hunk.places]
        counts = {"added": hunk.added, "removed": hunk.removed, "changed": hunk.changed, "moved": hunk.moved}
        hunks.append({"kind": KIND_NAMES[hunk.kind], "places": places, **counts, "title": view.title(number)})
    return hunks
