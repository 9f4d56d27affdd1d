"""Rows of the transform and letters of the sequences, linked both ways, whatever the length of the text.

Of a short text every row is known. Of a long one a row's place, and the row of a place, are asked for of the index, on
threads of their own; what was asked for last counts.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wavediff.app.bwt.bwt_rows_model import UNKNOWN, BwtRows
from wavediff.app.bwt.bwt_rows_view import RowsCanvas
from wavediff.app.bwt.bwt_session import BwtSession
from wavediff.app.ui.shared_cursor import CaretPlace, MatrixPosition, SharedCursor
from wavediff.core.jobs.bwt_index import PositionsResult, RowsResult

HOVER_DELAY_MS = 40  # milliseconds that the pointer of another view rests before the row is asked for


class RowLinks(QObject):
    """Signals:
    jumped: letters of A and B (0-based, one of them None) that should be shown.
    """

    jumped = Signal(object, object)

    def __init__(
        self, transform: BwtSession, canvas: RowsCanvas, cursor: SharedCursor, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._transform, self._canvas, self._cursor = transform, canvas, cursor
        self._rows: BwtRows | None = None
        self._jumping = UNKNOWN  # row that was chosen before it was known where it begins
        self._asked = UNKNOWN  # position whose row is wanted
        self._leads = False  # the caret goes where a row was chosen
        self._settle = QTimer(self, singleShot=True, interval=HOVER_DELAY_MS)
        self._settle.timeout.connect(self._ask)
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
        """Show the letter at ``position`` of the text where the sequences are."""
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
        """Choose the row of the letter that another view points at."""
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

    @Slot()
    def _ask(self) -> None:
        self._transform.place(self._asked)

    @Slot(object)
    def _placed(self, result: PositionsResult) -> None:
        if self._rows is not None and int(result.positions[0]) == self._asked:
            self._canvas.go_to(int(result.rows[0]))
