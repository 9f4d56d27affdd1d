"""Tick labels of a matrix or bar, without pyqtgraph, which is slow to import."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtGui import QFontMetricsF

from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number
from wavediff.core.sequences.orientation import FORWARD, Orientation
from wavediff.core.sequences.sequence import Records

MILLION = 1_000_000
LABEL_SPACE = 1.5  # between the middles of labels at least, in widths of one


def label(position: int, step: int) -> str:
    """Format a position, in millions if all labels are."""
    return f"{number(position // MILLION)} M" if step % MILLION == 0 else number(position)


def tick_step(total: int, scale: float, metrics: QFontMetricsF) -> int:
    """Return the tick spacing in letters: 1, 2 or 5 times a power of ten, with room between labels."""
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if step * scale >= LABEL_SPACE * metrics.horizontalAdvance(label(max(1, total), step)) + 8 or step > total:
                return step
        power *= 10


def ticks(
    first: float, last: float, total: int, step: int, orientation: Orientation = FORWARD, rows: Counts | None = None
) -> Iterator[tuple[float, str]]:
    """Yield the centre of each labelled letter between ``first`` and ``last``, and its label.

    Args:
        orientation: of the sequence: the numbers are places in its file.
        rows: line or word number of each row or column, if not letters; labels without room are left out.
    """
    file_end = total - orientation.shift if orientation.turned else total
    if rows is not None:
        shown, before = rows[max(0, int(first)) : max(0, int(last) + 1)], -float(step)
        for position in range(-(-int(shown[0] + 1) // step) * step, int(shown[-1]) + 2, step) if shown.size else ():
            middle = float(np.searchsorted(rows, position - 1)) + 0.5
            if (middle - before) * LABEL_SPACE >= step:
                before = middle
                yield middle, label(position, step)
        return
    for lowest, highest in ((0, file_end), (file_end, total)):  # in each of which places rise, or fall
        low, high = max(lowest, int(first)), min(highest, int(last) + 1)
        if low >= high:
            continue
        least, most = sorted(orientation.place(each, total) + 1 for each in (low, high - 1))
        for position in range(-(-least // step) * step, most + 1, step):
            middle = orientation.index(position - 1, total) + 0.5
            if first <= middle <= last:
                yield middle, label(position, step)


def record_ticks(first: float, last: float, step: int, records: Records) -> Iterator[tuple[float, str]]:
    """Yield ticks like ``ticks``, numbered from the start of each record."""
    long = (records.ends - records.starts >= step) & (records.ends > first) & (records.starts < last)
    for start, end in zip(records.starts[long].tolist(), records.ends[long].tolist(), strict=True):
        for middle, text in ticks(max(0.0, first - start), min(last, end) - start, end - start, step):
            yield start + middle, text
