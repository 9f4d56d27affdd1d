"""Widget that draws the letters of an alignment, with its scroll position."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from wavediff.app.compare.alignment_gutter import MARGIN_PX, MAX_TAIL_LETTERS, GutterPen, draw_links
from wavediff.app.compare.alignment_layout import AlignmentLayout
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.alignment_page import Page, PageComposer, cells_for
from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.compare.other_models import StackedModel
from wavediff.app.compare.tracks import Tracks
from wavediff.app.compare.tracks.codons import MAX_ROWS
from wavediff.app.draw.recording import corner_of, picture_ratio
from wavediff.app.ui.glyphs import as_image
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.sequences.letter_text import has_wide_letters
from wavediff.core.sequences.orientation import FORWARD
from wavediff.core.sequences.sequence import Alphabet

MIN_FONT_PX, FONT_PX, MAX_FONT_PX = 9, 15, 40  # logical pixels
SHORT_LETTERS, SHORT_FONT_PX = 64, 28  # two sequences of so many letters at most are shown in larger ones


class AlignmentCanvas(QWidget):
    """Draws the visible part of a model. Positions are in device pixels.

    Signals:
        scrolled: position, layout or model changed: scroll bars and strip follow.
        caret_moved: the new column of the caret (object: it may not fit 32 bits).
        selection_changed: first column and end; equal for an empty selection.
    """

    scrolled = Signal()
    caret_moved = Signal(object)
    selection_changed = Signal(object, object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(focusPolicy=Qt.FocusPolicy.StrongFocus, accessibleName="Alignment in letters")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._theme = theme
        self.model: AlignmentModel | None = None
        self.wrapped = True
        self.colouring = Colouring.PLAIN
        self._sizes = {False: FONT_PX, True: SHORT_FONT_PX}  # of letters, by whether both sequences are short
        self._short = self._compact = self.b_ruler = False
        self._ratio = 0.0
        self._composer: PageComposer | None = None
        self._composer_key: tuple[object, ...] | None = None
        self._layout: AlignmentLayout | None = None
        self.gutter = 0  # device pixels
        self._gutter_pen = GutterPen(theme, 1.0)
        self.position = 0
        self.anchor = 0  # the column that stays at the top when the layout changes
        self.caret, self._kinds = 0, Kinds.COUNTED
        self._framed = (0, 0)  # the difference at the caret, or its column
        self.marker: int | None = None
        self.selection = (0, 0)
        self.selected_side: Side | None = None  # of which letters are selected; None: both
        self._dimmed = False
        self._page: Page | None = None
        self._page_key: tuple[object, ...] = ()
        self._image = QImage()
        theme.changed.connect(self._recolour)

    # What is shown

    @property
    def surface(self) -> AlignmentLayout | None:
        return self._layout

    @property
    def columns(self) -> tuple[int, int]:
        """The first visible column, and the end (exclusive)."""
        return self._layout.columns_at(self.position) if self._layout is not None else (0, 0)

    @property
    def whole_columns(self) -> tuple[int, int]:
        """The first column of the completely visible lines, and the end (exclusive)."""
        if self._layout is None:
            return 0, 0
        first, last = self._layout.lines_at(self.position)
        lines, per_line = (
            self._layout.whole_lines(first, range(last - first), self.position),
            self._layout.columns_per_line,
        )
        return (first + lines.start) * per_line, min(self._layout.n_columns, (first + lines.stop) * per_line)

    @property
    def needed(self) -> QSize:
        """Logical size of the complete lines that fit."""
        layout = self._layout
        if layout is None:
            return self.size()
        n_lines = min(layout.n_lines, max(1, (layout.height - 2 * layout.margin) // layout.cells.pitch))
        columns = min(layout.n_columns, layout.columns_per_line)
        spare = round(self.width() * self._ratio) - layout.width
        wide, high = columns * layout.cells.width + spare, n_lines * layout.cells.pitch + 2 * layout.margin
        return QSize(-int(-wide // self._ratio), -int(-high // self._ratio))

    @property
    def font_size(self) -> int:
        return self._sizes[self._short]

    @property
    def chosen_font_size(self) -> int:
        """Font size chosen for longer pairs; that of short pairs is separate and not stored."""
        return self._sizes[False]

    def set_model(self, model: AlignmentModel | None) -> None:
        self.model = model
        self.caret = self.anchor = self.position = 0
        self._framed = (0, 0)
        self._short = model is not None and max(len(model.a), len(model.b)) <= SHORT_LETTERS
        self.marker, self.selection, self.selected_side = None, (0, 0), None
        self._restyle()
        self.selection_changed.emit(0, 0)

    def set_wrapped(self, wrapped: bool) -> None:
        if wrapped != self.wrapped:
            keep = self.caret if self.is_visible(self.caret) else self.anchor
            self.wrapped = wrapped
            self._relayout()
            if self._layout is not None:
                self.scroll_to(self._layout.revealed(keep, self._layout.position_of_top(self.anchor)))

    def usual_size(self) -> None:
        self.set_font_size(SHORT_FONT_PX if self._short else FONT_PX)

    def set_font_size(self, size: int, at: QPointF | None = None) -> None:
        """Set the font size; the column at point ``at`` (logical, in this widget) stays there."""
        size = min(max(MIN_FONT_PX, size), MAX_FONT_PX)
        if size == self.font_size:
            return
        self._sizes[self._short] = size
        old = self._layout
        if at is None or old is None:
            self._restyle()
            return
        x, y = self.to_surface(at)
        col = min(old.nearest_column(x, y, self.position), max(0, old.n_columns - 1))
        self._restyle()
        new = self._layout
        if new is not None:
            there = new.place(col, 0)
            self.scroll_to(there[1] + new.cells.block // 2 - y if self.wrapped else there[0] - x)

    def set_colouring(self, colouring: Colouring) -> None:
        if colouring is not self.colouring:
            self.colouring = colouring
            self._restyle()

    def set_compact(self, compact: bool) -> None:
        if compact != self._compact:
            self._compact = compact
            self._restyle()

    def set_b_ruler(self, shown: bool) -> None:
        if shown != self.b_ruler:
            self.b_ruler = shown
            self._restyle()

    def set_tracks(self, tracks: Tracks) -> None:
        """Show the codons of the model's features, once they are known."""
        if self.model is not None:
            self.model.tracks = tracks
            self._restyle()
            self.set_caret(self.caret)

    def set_dimmed(self, dimmed: bool) -> None:
        if dimmed != self._dimmed:
            self._dimmed = dimmed
            self.update()

    def set_marker(self, col: int | None) -> None:
        if col != self.marker:
            self.marker = col
            self.update()

    @Slot(object)
    def set_kinds(self, kinds: Kinds) -> None:
        """Frame the difference at the caret if it is one of ``kinds``."""
        self._kinds = kinds
        self.set_caret(self.caret)

    def set_caret(self, col: int) -> None:
        if self.model is not None and self.model.n_columns:
            self.caret = min(max(0, col), self.model.n_columns - 1)
            here = self.model.steps.difference_at(self.caret, self._kinds)
            self._framed = (self.caret, self.caret + 1) if here is None else (here.col0, here.col1)
            self.setAccessibleDescription(self.model.describe(self.caret))
            self.caret_moved.emit(self.caret)
            self.update()

    def set_selection(self, col0: int, col1: int, *, side: Side | None = None) -> None:
        """Select columns ``[col0, col1)``; in unaligned letters only those of ``side``."""
        if self.model is None or self.model.aligned:
            side = None
        limit = self.model.n_columns if self.model is not None else 0
        chosen = max(0, min(col0, limit)), max(0, min(col1, limit))
        chosen = chosen if chosen[0] < chosen[1] else (0, 0)
        if (chosen, side) != (self.selection, self.selected_side):
            self.selection, self.selected_side = chosen, side
            self.selection_changed.emit(*chosen)
            self.update()

    # Where it is scrolled to

    def scroll_to(self, position: int) -> None:
        if self._layout is not None:
            self.position = self._layout.clamp(position)
            self.anchor = self._layout.top_column(self.position)
            self.update()
            self.scrolled.emit()

    def centre(self, col: int) -> None:
        if self._layout is not None:
            self.scroll_to(self._layout.centred(col))

    def begin_at(self, col: int) -> None:
        """Scroll so that column ``col`` is the first visible one, or in the first line."""
        if self._layout is not None:
            self.scroll_to(self._layout.position_of_top(col))

    def reveal(self, col: int) -> None:
        """Scroll by the least amount that shows column ``col``."""
        if self._layout is not None:
            self.scroll_to(self._layout.revealed(col, self.position))

    def is_visible(self, col: int) -> bool:
        return self._layout is not None and self._layout.revealed(col, self.position) == self.position

    def to_surface(self, point: QPointF) -> tuple[int, int]:
        """Convert a point of this widget (logical) to device pixels of the drawing."""
        return int(point.x() * self._ratio) - self.gutter, int(point.y() * self._ratio)

    def column_under(self, point: QPointF) -> int | None:
        if self._layout is None:
            return None
        return self._layout.column_at(*self.to_surface(point), self.position)

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(900, 420)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 40)  # a line of letters; the controls over it may need more lines

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._relayout()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._restyle()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.devicePixelRatioF() != self._ratio:
            self._restyle()
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.base)
        layout, page = self._layout, self._current_page()
        if layout is None or page is None:
            return
        corner = corner_of(self, self._ratio)
        top, image = layout.line_top(page.first_line, self.position), self._image
        left = 0 if layout.wrapped else page.col0 * layout.cells.width - self.position
        # On one line half a letter may stand out at the left; the frame of the first one needs its own width.
        painter.setClipRect(QRectF(self.gutter / self._ratio - (2 if layout.wrapped else 0), 0, 1e6, 1e6))
        lines = range(page.pixels.shape[0] // layout.cells.pitch)
        if not picture_ratio():
            painter.drawImage(corner + QPointF(self.gutter + left, top) / self._ratio, image)
        else:
            self._paint_picture(painter, layout)
            lines = layout.whole_lines(page.first_line, lines, self.position)
        self._draw_links(painter, page)
        if self.marker is not None:
            self._draw_frame(painter, (self.marker, self.marker + 1), self._theme.dim, 1)
        self._draw_frame(painter, self._framed, self._theme.accent, 2)
        painter.setClipping(False)
        tail = layout.wrapped and self._longest < MAX_TAIL_LETTERS
        self._gutter_pen.draw(painter, layout, page, lines, self.position, self.gutter, tail)
        if self._dimmed:
            painter.fillRect(event.rect(), self._theme.veil)

    # Inside

    def _paint_picture(self, painter: QPainter, layout: AlignmentLayout) -> None:
        assert self._composer is not None
        assert self.model is not None
        painter.save()
        painter.translate(corner_of(self, self._ratio) + QPointF(self.gutter, 0) / self._ratio)
        painter.scale(1 / self._ratio, 1 / self._ratio)
        self._composer.paint(painter, self.model, layout, self.position, self.selection, self.selected_side)
        painter.restore()

    @property
    def _longest(self) -> int:
        return max(len(self.model.a), len(self.model.b)) if self.model is not None else 0

    def _current_page(self) -> Page | None:
        if self.model is None or self._layout is None or self._composer is None or not self._layout.n_columns:
            return None
        columns = self._layout.columns_at(self.position)
        first, end = self.selection
        is_seen = max(columns[0], first) < min(columns[1], end)
        selected = (self.selection, self.selected_side) if is_seen else None
        key = (self._layout, columns, selected)
        if self._page is None or key != self._page_key:
            self._page = self._composer.compose(
                self.model, self._layout, self.position, self.selection, self.selected_side
            )
            self._image = as_image(self._page.pixels, self._ratio)
            self._page_key = key
        return self._page

    def _draw_links(self, painter: QPainter, page: Page) -> None:
        assert self.model is not None
        assert self._layout is not None
        if columns := self.model.swaps_at(page.col0, page.col0 + page.rows.op.size):
            shift = corner_of(self, self._ratio) + QPointF(self.gutter, 0) / self._ratio
            draw_links(painter, self._theme, self._layout, self.position, columns, shift, self._ratio)

    def _draw_frame(self, painter: QPainter, columns: tuple[int, int], color: QColor, width: int) -> None:
        layout = self._layout
        if layout is None or columns[1] > layout.n_columns:
            return
        first, end = layout.columns_at(self.position)
        first, end = max(first, columns[0]), min(end, columns[1])
        cells, corner, scaled = layout.cells, corner_of(self, self._ratio), 1 / self._ratio
        painter.setPen(QPen(color, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        while first < end:
            last = min(end, (first // layout.columns_per_line + 1) * layout.columns_per_line)
            x, y = layout.place(first, self.position)
            size = QSizeF((last - first) * cells.width, cells.b_end - cells.a_top)
            rect = QRectF(QPointF(self.gutter + x, y + cells.a_top) * scaled + corner, size * scaled)
            painter.drawRoundedRect(rect.adjusted(-width / 2, -width / 2, width / 2, width / 2), 3, 3)
            first = last

    @Slot()
    def _recolour(self) -> None:
        self._composer_key = None
        self._restyle()

    def _restyle(self) -> None:
        self._ratio = self.devicePixelRatioF()
        alphabet, characters, wide = Alphabet.TEXT, "", False
        if self.model is not None:
            alphabet, characters = self.model.a.alphabet, self.model.a.characters
            wide = has_wide_letters(self.model.a, self.model.b)
        size = max(1, round(self.font_size * self._ratio))
        # The places of a B that is read otherwise than its file are not those that one expects.
        turned = self.model is not None and self.model.b.orientation != FORWARD
        coding = self.model.tracks.coding if self.model is not None else {}
        both = isinstance(self.model, StackedModel)
        most = 1 if self._compact else MAX_ROWS
        of_a, of_b = (min(most, coding[side].rows) if side in coding else 0 for side in Side)
        cells = cells_for(size, self._compact and not self._short, self.b_ruler or turned, wide, (of_a, of_b), both)
        key = self.colouring, alphabet, characters, size, cells
        if key != self._composer_key:  # else the letters that it has drawn serve once more
            self._composer = PageComposer(self._theme, self.colouring, alphabet, characters, size, cells)
            self._composer_key = key
        self._relayout()

    def _relayout(self) -> None:
        """Update the layout; the top column stays, and a visible caret stays visible."""
        shows_caret = self.is_visible(self.caret)
        self._page = None
        if self.model is None or self._composer is None:
            self._layout = None
        else:
            self._gutter_pen = GutterPen(self._theme, self._ratio)
            self.gutter = self._gutter_pen.width(self._longest, self._composer.cells.both)
            margin = 0 if self._composer.cells.ruler_height else round(MARGIN_PX * self._ratio / 2)
            tail = self._gutter_pen.tail(self._longest) if self.wrapped else 0
            width = int(self.width() * self._ratio) - self.gutter - tail
            height = int(self.height() * self._ratio)
            cells = self._composer.cells
            self._layout = AlignmentLayout(self.model.n_columns, cells, max(1, width), height, self.wrapped, margin)
            self.position = self._layout.position_of_top(self.anchor)
            if shows_caret:
                self.position = self._layout.revealed(self.caret, self.position)
        self.update()
        self.scrolled.emit()
