"""Features as bars in columns of an alignment, assigned to rows.

A sequence without features has those of the other one, at the aligned letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np
import numpy.typing as npt

from wavediff.app.compare.tracks.track import BySide, in_columns
from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.features.effects import projected
from wavediff.core.reading.features import Attributes
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import Spans

N_ROWS = 3  # bars over each other, at most; those of others are counted
CANCEL_BARS = 1 << 16  # stacked between two looks at the token


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """Features of one sequence as bars, sorted by first column. A feature across the origin of a circle has two bars.

    Attributes:
        spans: parts of all features, in letters as aligned; features from ``n_own`` on are projected.
        parts: the same parts in columns.
        columns: range of each bar; its ``owners`` are the bars' features. until: running maximum of the range ends.
        first, last: range of each bar's parts in ``parts``, half-open.
        rows: row of each bar, from 0; ``N_ROWS``: no room. n_rows: number of rows.
    """

    sequence: Sequence
    spans: Spans
    n_own: int
    parts: Spans
    columns: Spans
    first: Counts
    last: Counts
    rows: npt.NDArray[np.int8]
    n_rows: int
    until: Counts

    def named(self, bar: int) -> tuple[str, str, bool]:
        """Return name, type and projection flag of a bar's feature."""
        k = int(self.columns.owners[bar])
        return self.spans.names[k], self.spans.types[k], k >= self.n_own

    def strand(self, bar: int) -> int:
        return int(self.columns.strands[bar])

    def called(self, bar: int) -> str:
        feature = self.spans.feature(int(self.columns.owners[bar]))._replace(strand=self.strand(bar))
        return feature.called + " (projected)" * self.named(bar)[2]

    def extent(self, bar: int) -> tuple[int, int]:
        return int(self.columns.starts[bar]), int(self.columns.ends[bar])

    def touching(self, first: float, end: float) -> Counts:
        """Return the bars that overlap columns ``[first, end)``."""
        at, behind = np.searchsorted(self.until, floor(first), "right"), np.searchsorted(self.columns.starts, ceil(end))
        near: Counts = at + np.flatnonzero(self.columns.ends[at:behind] > first)
        return near

    def taken(self, which: Counts) -> Bars:
        columns = replace(self.columns.taken(which), owners=self.columns.owners[which]).prepare()
        first, last, until = self.first[which], self.last[which], np.maximum.accumulate(columns.ends)
        return replace(self, columns=columns, first=first, last=last, rows=self.rows[which], until=until)


def bars_of(
    index: AlignmentIndex, pair: Mapping[Side, Sequence], aligned: BySide, cancel: CancelToken
) -> dict[Side, Bars]:
    """Return the bars of both sequences; ``aligned``: features in coordinates as aligned."""
    bars = {}
    for side, sequence in pair.items():
        own, other = aligned.get(side), aligned.get(side.other)
        spans = own
        if other is not None:
            there = projected(other, index.alignment, onto_a=side is Side.A)
            if own is not None:
                owners = there.owned(np.arange(len(there)))
                which = np.flatnonzero(~np.isin(owners, owners[own.covered(there.starts, there.ends) > 0]))
                there = there.taken(which)
            spans = there if own is None else _joined(own, there)
        if spans is not None and len(spans):
            n_own = 0 if own is None else len(own.names)
            bars[side] = _stacked(sequence, spans, n_own, in_columns(index, side, spans), cancel)
    return bars


def _joined(own: Spans, there: Spans) -> Spans:
    n, one, other = len(own.names), own.attributes, there.attributes
    starts, ends = np.append(own.starts, there.starts), np.append(own.ends, there.ends)
    owners = np.append(own.owned(np.arange(len(own))), there.owned(np.arange(len(there))) + n)
    return replace(
        own, starts=starts, ends=ends, strands=np.append(own.strands, there.strands), owners=owners,
        names=[*own.names, *there.names], types=[*own.types, *there.types],
        before=np.append(own.offsets, there.offsets),
        attributes=Attributes(range(n + len(other)), lambda k: one[k] if k < n else other[k - n]),
    )  # fmt: skip


def _stacked(sequence: Sequence, spans: Spans, n_own: int, parts: Spans, cancel: CancelToken) -> Bars:
    """Merge consecutive parts of each feature into one bar, and assign rows."""
    owners, strands = parts.owned(np.arange(len(parts))), parts.strands
    back = np.where(parts.minus, -1, 1)[1:] * np.diff(parts.starts) < 0  # across the origin
    first = np.flatnonzero(np.append(True, (np.diff(owners) != 0) | (np.diff(strands) != 0) | back))
    low, high = np.minimum.reduceat(parts.starts, first), np.maximum.reduceat(parts.ends, first)
    last, order = np.append(first[1:], len(parts)), np.lexsort((-high, low))
    rows, free = np.full(order.size, N_ROWS, np.int8), [0] * N_ROWS
    for k, (start, end) in enumerate(zip(low[order].tolist(), high[order].tolist(), strict=True)):
        if not k % CANCEL_BARS:
            cancel.raise_if_cancelled()
        row = next((row for row in range(N_ROWS) if free[row] <= start), N_ROWS)
        if row < N_ROWS:
            free[row], rows[k] = end, row
    first, last = first[order], last[order]
    columns = replace(
        parts, starts=low[order], ends=high[order], strands=strands[first], owners=owners[first], before=first[:0]
    ).prepare()
    n_rows, until = min(N_ROWS, int(rows.max()) + 1), np.maximum.accumulate(columns.ends)
    return Bars(sequence, spans, n_own, parts, columns, first, last, rows, n_rows, until)
