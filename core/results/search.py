"""Result of a search: where the patterns occur."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import Counts, Letters
from core.jobs.hits import Hits


@dataclass(frozen=True, slots=True, eq=False)
class SearchedRecords:
    """The text that was searched, for whoever shows where hits lie.

    Attributes:
        starts: int64, shape (n_records + 1,): where each begins, one after the other, and the end.
        name: name of a record, by its 0-based number.
        letters: letters of a record, uint8.
    """

    starts: Counts
    name: Callable[[int], str]
    letters: Callable[[int], Letters]

    def of(self, places: Counts) -> Counts:
        """Return the record of each place in the text, int64, 0-based."""
        found: Counts = np.searchsorted(self.starts, places, "right") - 1
        return found


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SearchResult:
    """Answer to a ``SearchJob``.

    An occurrence is a stretch of one record that a pattern matches with at most ``errors`` mismatches. With edits
    there is one for every place where a stretch of at most ``errors`` edits can end; it is told with its least
    cost, and is the shortest stretch of that cost. So around one good match there are several.

    Attributes:
        hits: ordered by start, then end, then pattern and strand.
        counts: int64, shape (n_patterns,), read-only: hits of each pattern.
        complete: False when the limit was reached; ``hits`` are those that end first in the text.
        limit: hits that were allowed.
        n_letters: of the text.
        n_searched: patterns that were looked for, both strands counted.
        way: ``letter``, ``quad``, ``paper``: see ``core.jobs.search.SearchLayout``.
        reason: why that way, one sentence.
        cells: letters of the text times letters of the patterns.
        device: ``cpu`` or ``gpu``.
        kernel_seconds, wall_seconds: time inside kernels, and of the whole job without compiling.
    """

    job_id: int
    hits: Hits
    counts: Counts
    complete: bool
    limit: int
    n_letters: int
    n_searched: int
    strategy: str
    reason: str
    cells: int
    device: str
    kernel_seconds: float
    wall_seconds: float

    @property
    def message(self) -> str:
        """Notice about the limit; empty when it was not reached."""
        if self.complete:
            return ""
        return f"stopped at the limit of {self.limit:,} hits: there are more further on in the text"
