"""Changes of a comparison by words as a table and as JSON data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.letter_fields import letters_field
from wavediff.core.jobs.line_view import WordView
from wavediff.core.jobs.word_result import WordKind, WordResult
from wavediff.core.sequences.sequence import Sequence

HEADER = (
    "change", "kind", "a_start", "a_end", "b_start", "b_end", "a_line", "b_line", "a_text", "b_text",
)  # fmt: skip

Change = tuple[str, tuple[int, int], tuple[int, int], tuple[int, int]]
EACH = slice(None)


def tsv(comparison: Comparison) -> Iterator[bytes]:
    """Yield a header and one line per change, in order; white space has the kind ``space``.

    Positions are 1-based. Letter ranges are closed; an empty one starts at the next letter and ends at the preceding
    one. Letters are written as in the table of differences.
    """
    return _table(comparison.result, (comparison.a, comparison.b), EACH, count(1))


def listed_tsv(view: WordView, order: Counts) -> Iterator[bytes]:
    """Yield a header and one line per change of ``view``; ``order``: 0-based numbers."""
    return _table(view.result, view.texts, view.chosen[order], (order + 1).tolist())


def _table(
    result: WordResult, texts: tuple[Sequence, Sequence], chosen: slice | Counts, numbers: Iterable[int]
) -> Iterator[bytes]:
    yield ("\t".join(HEADER) + "\n").encode()
    for number, (kind, (a, a_end), (b, b_end), lines) in zip(numbers, _changes(result, chosen), strict=False):
        row = (number, kind, a + 1, a_end, b + 1, b_end, *(line + 1 for line in lines))
        spans = zip(texts, ((a, a_end), (b, b_end)), strict=True)
        letters = (letters_field(one.letters[first:end], one.characters) for one, (first, end) in spans)
        yield b"\t".join(("\t".join(map(str, row)).encode(), *(b"".join(text) for text in letters))) + b"\n"


def listed(comparison: Comparison) -> list[dict[str, Any]]:
    """Return each change as a dictionary; letters and lines 0-based, ranges half-open."""
    names = ("kind", "a", "b", "lines")
    return [dict(zip(names, change, strict=True)) for change in _changes(comparison.result)]


def _changes(result: WordResult, chosen: slice | Counts = EACH) -> Iterator[Change]:
    changes = result.changes[chosen]
    rows, (a, _, b, _) = result.rows, changes.T
    lines = (np.searchsorted(rows.starts_a, a, "right") - 1).clip(0, max(0, rows.starts_a.size - 2))
    others = (np.searchsorted(rows.starts_b, b, "right") - 1).clip(0, max(0, rows.starts_b.size - 2))
    for kind, (a0, a1, b0, b1), i, j in zip(
        result.kinds[chosen].tolist(), changes.tolist(), lines.tolist(), others.tolist(), strict=True
    ):
        yield WordKind(kind).name.lower(), (a0, a1), (b0, b1), (i, j)
