"""The hunks of a comparison by lines as a table and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wavediff.core.export.comparison import Comparison
from wavediff.core.export.letter_fields import name_field
from wavediff.core.jobs.line_result import LineKind
from wavediff.core.jobs.line_view import LineView

HEADER = (
    "hunk", "kind", "a_start", "a_end", "b_start", "b_end", "lines_added", "lines_removed", "lines_changed",
    "lines_moved", "title",
)  # fmt: skip
KINDS = {
    LineKind.CHANGED: "changed",
    LineKind.ADDED: "added",
    LineKind.REMOVED: "removed",
    LineKind.MOVED_FROM: "moved",
}


def tsv(found: Comparison) -> Iterator[bytes]:
    """Yield the header and a line for each place of each hunk: a block that moved has two, with one number.

    Lines are counted from 1, closed. Where a text has none, the start is the next line and the end the one before.
    The counts are those of the hunk.
    """
    yield ("\t".join(HEADER) + "\n").encode()
    view = LineView(found.result, found.a, found.b)
    for number in range(1, view.n_hunks + 1):
        hunk, title = view.hunk(number), name_field(view.title(number))
        counts = (hunk.added, hunk.removed, hunk.changed, hunk.moved)
        for place in hunk.places:
            (a, a_end), (b, b_end) = view.lines_of(place)
            row = (number, KINDS[hunk.kind], a + 1, a_end, b + 1, b_end, *counts, title)
            yield ("\t".join(map(str, row)) + "\n").encode()


def listed(found: Comparison) -> list[dict[str, Any]]:
    """Return each hunk as data; lines are counted from 0, half open."""
    view = LineView(found.result, found.a, found.b)
    hunks = []
    for number in range(1, view.n_hunks + 1):
        hunk = view.hunk(number)
        places = [dict(zip(("a", "b"), view.lines_of(place), strict=True)) for place in hunk.places]
        counts = {"added": hunk.added, "removed": hunk.removed, "changed": hunk.changed, "moved": hunk.moved}
        hunks.append({"kind": KINDS[hunk.kind], "places": places, **counts, "title": view.title(number)})
    return hunks
