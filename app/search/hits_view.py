"""Overview strip and table of hits."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from wavediff.app.draw.recording import picture_ratio
from wavediff.app.search.hits_model import CONTEXT, HitsTable
from wavediff.app.search.search_session import SearchScope
from wavediff.app.ui.canvas import Canvas, Wide
from wavediff.app.ui.glyphs import as_image
from wavediff.app.ui.lanes import draw_lanes
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.pair import Side
from wavediff.app.ui.table_view import TableView
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number
from wavediff.core.jobs.hits import Hits
from wavediff.core.sequences.spans import SpanKind, Spans

STRIP_HEIGHT_PX = 16  # logical pixels of a sequence
LABEL_HEIGHT_PX = 22
BINS = 4096  # places counted a sequence


class HitsStrip(Canvas):
    """Signals: place_wanted: a position in all searched letters, 0-based (object, as it may exceed 32 bits)."""

    place_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Overview of the hits")
        self._searched: SearchScope | None = None
        self._counts: list[Counts] = []
        self._spans: list[tuple[Counts, Counts]] = []
        self._mark: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip("Positions of the hits: click to go to the nearest one")

    def clear(self, searched: SearchScope | None) -> None:
        self._searched = searched
        self._counts = [np.zeros(BINS, np.int64) for _ in searched.sides] if searched is not None else []
        self._spans = []
        self._mark = None
        self.updateGeometry()
        self.update()

    def again(self, theme: Theme) -> HitsStrip:
        strip = HitsStrip(theme)
        strip._searched, strip._counts, strip._spans = self._searched, self._counts, self._spans
        return strip

    def add(self, hits: Hits) -> None:
        """Count further hits; as they arrive in text order, few bins are touched."""
        if self._searched is None:
            return
        starts = self._searched.records.starts
        self._spans.append((hits.start, hits.end))
        for k, counts in enumerate(self._counts):
            low, n = int(starts[k]), int(starts[k + 1] - starts[k])
            edges = np.searchsorted(hits.start, low + np.arange(BINS + 1) * n // BINS)
            # Where chunks meet, hits may be a little out of order.
            counts += np.diff(np.maximum.accumulate(edges))
        self.update()

    def mark(self, position: int | None) -> None:
        self._mark = position
        self.update()

    def counts(self, record: int) -> Counts:
        """Return the hits of a sequence per bin, int64, shape (BINS,)."""
        return self._counts[record]

    def spans(self) -> dict[Side, Spans]:
        """Return the hits of each searched sequence in file coordinates."""
        spans: dict[Side, Spans] = {}
        if self._searched is None or not self._spans:
            return spans
        starts, ends = (np.concatenate(parts) for parts in zip(*self._spans, strict=True))
        for side, low, high in zip(self._searched.sides, *self._edges(), strict=True):
            there = (low <= starts) & (starts < high)
            spans[side] = Spans(
                kind=SpanKind.HIT, n_letters=high - low, starts=starts[there] - low,
                ends=np.minimum(ends[there], high) - low,
            )  # fmt: skip
        return spans

    def _edges(self) -> tuple[list[int], list[int]]:
        assert self._searched is not None
        starts = self._searched.records.starts.tolist()
        return starts[:-1], starts[1:]

    def sizes(self) -> tuple[Wide, Wide]:
        high = STRIP_HEIGHT_PX * max(1, len(self._counts)) + 2
        return (300, high), (80, high)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        width = self.width() - LABEL_HEIGHT_PX
        if self._searched is None or width < 1:
            return
        for k, counts in enumerate(self._counts):
            top = 1 + k * STRIP_HEIGHT_PX
            painter.setPen(self._theme.dim)
            label = QRectF(0, top, LABEL_HEIGHT_PX, STRIP_HEIGHT_PX)
            painter.drawText(label, int(Qt.AlignmentFlag.AlignCenter), str(self._searched.sides[k]))
            area = QRectF(LABEL_HEIGHT_PX, top + 1, width, STRIP_HEIGHT_PX - 2)
            painter.fillRect(area, self._theme.base)
            ratio = picture_ratio() or self.devicePixelRatioF()
            painter.drawImage(area, self._bars(counts, round(width * ratio), round(area.height() * ratio)))
        if self._mark is not None:
            record, x = self._x(self._mark)
            painter.fillRect(QRectF(x - 1, 1 + record * STRIP_HEIGHT_PX, 2, STRIP_HEIGHT_PX), self._theme.text)

    def _bars(self, counts: Counts, width: int, height: int) -> QImage:
        width, height = max(1, width), max(1, height)  # of a small picture
        edges = np.minimum(np.arange(width) * BINS // width, BINS - 1)
        behind = np.maximum.reduceat(counts, edges) if width <= BINS else counts[edges]
        ink, paper = (self._theme.accent, False), self._theme.base
        pixels = draw_lanes(behind[None], np.full(width, behind.max()), [ink], (height, 0), paper, paper)
        return as_image(pixels, 1.0).copy()

    def _x(self, position: int) -> tuple[int, float]:
        assert self._searched is not None
        starts = self._searched.records.starts
        record = min(int(np.searchsorted(starts, position, "right")) - 1, len(self._counts) - 1)
        share = (position - int(starts[record])) / max(1, int(starts[record + 1] - starts[record]))
        return record, LABEL_HEIGHT_PX + share * (self.width() - LABEL_HEIGHT_PX)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._searched is None or event.button() != Qt.MouseButton.LeftButton or not self._counts:
            return
        record = min(max(0, int((event.position().y() - 1) // STRIP_HEIGHT_PX)), len(self._counts) - 1)
        share = min(max(0.0, (event.position().x() - LABEL_HEIGHT_PX) / max(1, self.width() - LABEL_HEIGHT_PX)), 1.0)
        starts = self._searched.records.starts
        self.place_wanted.emit(int(starts[record]) + int(share * int(starts[record + 1] - starts[record])))


_COLUMN_MARGIN_PX = 20  # pixels of a column next to its text, as the style sheet has them for headings
_MEASURED_NAMES = 200  # patterns whose names are looked at for a width
_FAR_PX = 1 << 16  # pixels


class HitsTableView(LongTableView):
    """Table of hits; a click on a hit chooses it, as Enter does."""

    def __init__(self, model: HitsTable) -> None:
        super().__init__(model, "Hits")
        self._hits = model
        header = self.rows.horizontalHeader()
        self.fit_columns()
        self.rows.stretch(CONTEXT, contents=False)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.clicked.connect(self.chosen)

    @staticmethod
    def in_sight(model: HitsTable, parent: QWidget) -> TableView:
        """Return a table of the rows of ``model`` that another view shows."""
        table = TableView(model, "Hits", parent)
        fit_columns(table, model)
        table.stretch(CONTEXT, contents=False)
        return table

    def fit_columns(self) -> None:
        fit_columns(self.rows, self._hits)


def fit_columns(rows: TableView, hits: HitsTable) -> None:
    """Fit columns to the names and positions of this search; the context takes the rest."""
    searched, metrics = hits.searched, rows.fontMetrics()
    names = [pattern.name for pattern in searched.wish.patterns[:_MEASURED_NAMES]] if searched is not None else []
    longest = max(map(metrics.horizontalAdvance, ["Pattern", *names])) if names else _FAR_PX
    place = grouped(max(map(len, searched.sequences))) if searched is not None else number(999_999_999)
    name = min(longest, metrics.horizontalAdvance("a long name"))
    for column, text in enumerate(("", "±", "", place, place, "")):
        least = metrics.horizontalAdvance(hits.heading(column)) if column else name
        rows.setColumnWidth(column, max(least, metrics.horizontalAdvance(text)) + _COLUMN_MARGIN_PX)
