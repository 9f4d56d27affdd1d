"""Pattern search in a transform, and links to letters of other views."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from wavediff.app.bwt.bwt_rows_model import UNKNOWN, BwtRows
from wavediff.app.bwt.bwt_rows_view import RowsCanvas
from wavediff.app.bwt.bwt_session import MAX_HITS, BwtSession
from wavediff.app.bwt.indexed_text import IndexedText
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.pair import CaretPlace, MatrixPosition, SharedCursor
from wavediff.app.ui.table_view import Table, TableView
from wavediff.core.base.numbers import duration, number
from wavediff.core.jobs.bwt_result import FindResult, PositionsResult, RowsResult

HOVER_DELAY_MS = 40  # milliseconds that the pointer of another view rests before the row is asked for


class RowLinks(QObject):
    """Signals: jumped: letters of A and B (0-based, one of them None) to show."""

    jumped = Signal(object, object)

    def __init__(self, transform: BwtSession, canvas: RowsCanvas, cursor: SharedCursor) -> None:
        super().__init__()
        self._transform, self._canvas, self._cursor = transform, canvas, cursor
        self._rows: BwtRows | None = None
        self._jumping = UNKNOWN  # row that was chosen before it was known where it begins
        self._asked = UNKNOWN  # position whose row is wanted
        self._leads = False  # the caret goes where a row was chosen
        self._settle = QTimer(self, singleShot=True, interval=HOVER_DELAY_MS)
        self._settle.timeout.connect(lambda: self._transform.place(self._asked))
        transform.located.connect(self._located)
        transform.placed.connect(self._placed)
        canvas.wanted.connect(transform.locate)
        canvas.pointed.connect(self._point)
        canvas.chosen.connect(self._chosen)
        cursor.moved.connect(self._follow)
        cursor.caret_moved.connect(self._follow_caret)

    def show_rows(self, rows: BwtRows | None) -> None:
        self._rows, self._jumping, self._asked = rows, UNKNOWN, UNKNOWN
        self._settle.stop()

    @Slot(int)
    def jump(self, position: int) -> None:
        """Show the letter at ``position`` of the text in the sequences."""
        if self._transform.current is not None:
            self._leads = True
            place = self._transform.pair.letters_at(*self._transform.current.place(position))
            self._cursor.move(*place)
            self.jumped.emit(*place)
            self._leads = False

    @Slot(object)
    def _point(self, position: int | None) -> None:
        indexed = self._transform.current
        if position is None or indexed is None:
            self._cursor.clear()
        else:
            self._cursor.move(*self._transform.pair.letters_at(*indexed.place(position)))

    @Slot(int)
    def _chosen(self, row: int) -> None:
        self._jumping = UNKNOWN
        if self._rows is None or self._transform.current is None:
            return
        position = int(self._rows.window(row, 1).positions[0])
        if position != UNKNOWN:
            self.jump(position)
        else:
            self._jumping = row
            self._transform.locate(np.arange(row, row + 1))

    @Slot(object)
    def _located(self, result: RowsResult) -> None:
        if self._rows is None:
            return
        self._rows.take(result)
        self._canvas.refresh()
        at = np.flatnonzero(result.rows == self._jumping)
        if at.size:
            self._jumping = UNKNOWN
            self.jump(int(result.positions[at[0]]))

    @Slot(object)
    def _follow(self, position: MatrixPosition) -> None:
        """Select the row of the letter under the pointer of another view."""
        indexed, rows = self._transform.current, self._rows
        self._settle.stop()
        if indexed is None or rows is None or not rows.is_sorted or self._canvas.underMouse():
            return
        place = indexed.position_of(*self._transform.pair.places_of(position.a0, position.b0))
        if place is None:
            return
        if rows.is_small:
            self._canvas.go_to(rows.row_of(place))
        else:
            self._asked = place
            self._settle.start()

    @Slot(object)
    def _follow_caret(self, place: CaretPlace | None) -> None:
        if place is not None and not self._leads:
            self._follow(place.position)

    @Slot(object)
    def _placed(self, result: PositionsResult) -> None:
        if self._rows is not None and int(result.positions[0]) == self._asked:
            self._canvas.go_to(int(result.rows[0]))


TYPING_DELAY_MS = 120  # milliseconds without a key after which is searched


class TraceModel(Table):
    """One line per backward search step, with the row interval."""

    columns = ("Pattern", "Rows", "Count")

    def show(self, pattern: bytes, result: FindResult | None) -> None:
        trace = result.traces[0].tolist() if result is not None and result.traces else []
        letters = pattern.decode("latin-1")
        self.set_rows([(letters[len(letters) - k :] if k else "(nothing)", *trace[k]) for k in range(len(trace))])

    def text(self, row: int, column: int) -> str:
        text, low, high = self.rows[row]
        rows = f"{grouped(low)} – {grouped(high - 1)}" if high > low else "–"
        return (text, rows, grouped(max(0, high - low)))[column]


class PositionsModel(Table):
    """Positions of the pattern (1-based), formatted on demand."""

    columns = ("",)
    _result: FindResult | None = None
    _shown: IndexedText | None = None

    def show(self, indexed: IndexedText | None, result: FindResult | None) -> None:
        self.beginResetModel()
        self._shown, self._result = indexed, result
        self.endResetModel()

    def height(self) -> int:
        return 0 if self._result is None else int(self._result.positions.size)

    def position(self, row: int) -> int:
        """Return the 0-based text position in line ``row``."""
        assert self._result is not None
        return int(self._result.positions[row])

    def text(self, row: int, _column: int) -> str | None:
        if self._shown is None:
            return None
        position = self.position(row)
        a0, b0 = self._shown.place(position)
        if a0 is None and b0 is None:
            return grouped(self._shown.letter(position) + 1)
        return f"A {grouped(a0 + 1)}" if a0 is not None else f"B {grouped(b0 + 1)}"  # type: ignore[operator]


class FindPanel(QWidget):
    """Signals: interval: first row and end of the rows that begin with the pattern; 0, 0: none. jumped: a position in
    the text.
    """

    interval = Signal(int, int)
    jumped = Signal(int)

    def __init__(self, transform: BwtSession) -> None:
        super().__init__()
        self._transform = transform
        self._shown: IndexedText | None = None
        self.pattern = QLineEdit(self)
        self.answer = ElidedLabel(parent=self)
        self.trace, self.hits = TraceModel(self), PositionsModel()
        self._table = TableView(self.trace, "Row interval after each pattern letter, last one first", self)
        self._places = TableView(self.hits, "Positions of the pattern", self)
        self._timer = QTimer(self, singleShot=True, interval=TYPING_DELAY_MS)
        self._timer.timeout.connect(lambda: transform.search(self.pattern.text().encode("utf-8", "surrogatepass")))
        self._build()
        self.pattern.textChanged.connect(self._timer.start)
        self._places.activated.connect(self._jump)
        self._places.clicked.connect(self._jump)
        transform.built.connect(self._set_text)
        transform.found.connect(self._found)

    def _build(self) -> None:
        self.pattern.setPlaceholderText("Find by backward search")
        self.pattern.setAccessibleName("Pattern for the backward search")
        self.pattern.setClearButtonEnabled(True)
        self.pattern.setMaxLength(10_000)
        self._table.stretch(0, whole=True)
        # A list lays every line out first, for two seconds where there are a million; a table knows where each is.
        self._places.horizontalHeader().hide()
        self._places.stretch(0, whole=True)
        tables = in_row((self._table, 1), self._places)
        in_column(self.pattern, self.answer, (tables, 1), on=self, margin=0, gap=3)

    @Slot(object)
    def _set_text(self, indexed: IndexedText | None) -> None:
        self._shown = indexed

    @Slot(object)
    def _found(self, result: FindResult | None) -> None:
        self.trace.show(self._transform.pattern, result)
        self._table.scrollToBottom()
        self.hits.show(self._shown, result)
        if result is None:
            self.answer.set_text("")
            self.interval.emit(0, 0)
            return
        count = int(result.counts[0])
        text = ("Found once" if count == 1 else f"Found {number(count)} times") if count else "Found nowhere"
        if count > MAX_HITS:
            text = f"{text}, {number(MAX_HITS)} of them listed"
        self.answer.set_text(f"{text} · {duration(result.wall_seconds)}")
        self.interval.emit(int(result.lows[0]), int(result.highs[0]))

    @Slot(QModelIndex)
    def _jump(self, index: QModelIndex) -> None:
        self.jumped.emit(self.hits.position(index.row()))

    def focus(self) -> None:
        self.pattern.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.pattern.selectAll()
