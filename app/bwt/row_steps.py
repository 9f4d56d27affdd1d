"""Steps through the rows of a transform (sorting, LF walk), also as picture and film."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from wavediff.app.bwt.bwt_rows_model import DOLLAR, UNKNOWN, BwtRows
from wavediff.app.bwt.bwt_rows_view import RowsCanvas, letter_text
from wavediff.app.bwt.indexed_text import IndexedText
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, END_MS, Moments, Pictured, Sheet, even, light
from wavediff.app.ui.transport import Transport
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.bwt import LocateRowsJob
from wavediff.core.jobs.bwt_result import RowsResult
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.run.runner import run_job
from wavediff.core.teach.player import STEP_MS
from wavediff.core.teach.unit import UNIT_NAMES, Unit

SHOWN_LETTERS = 200  # letters kept to be shown
LETTERS_ALONE = "Sorting levels are for short texts only; longer ones have steps by letters"


class LfWalk:
    """State of an LF walk; starts at row 0, which begins with ``$``."""

    def __init__(self, rows: BwtRows) -> None:
        self._rows = rows
        self.visited = [0]
        self.letters: list[int] = []

    @property
    def row(self) -> int:
        return self.visited[-1]

    @property
    def at_end(self) -> bool:
        return self.row == self._rows.shown.index.primary

    def seek(self, letters: int) -> None:
        """Go to the state after ``letters`` letters, as far as rows are known."""
        del self.letters[letters:], self.visited[letters + 1 :]
        while len(self.letters) < letters and self._forward():
            pass

    def _forward(self) -> bool:
        """Read a letter of the last column and go to its row; False if unknown."""
        window = self._rows.window(self.row, 1)
        before = int(window.before[0])
        if self.at_end or before == UNKNOWN or int(window.lasts[0]) == DOLLAR:
            return False
        self.letters.append(int(window.lasts[0]))
        self.visited.append(before)
        return True

    @property
    def text(self) -> list[int]:
        """The letters read so far in text order, limited to ``SHOWN_LETTERS``."""
        return self.letters[: -SHOWN_LETTERS - 1 : -1]


class RowSteps(QWidget):
    """Signals: walked: the new current row of the LF walk. laid: the order of rows changed."""

    walked = Signal(int)
    laid = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: BwtRows | None = None
        self._walk: LfWalk | None = None
        self._level = 0
        self.units = Chooser[Unit]("Step by", self)
        self.units.setToolTip(
            "Letter: read L and go to the row that begins with its letter (LF), from the end of the text. Level: "
            "less (<), equal (=), greater (>) than the pivot (Yamanaka, Ino and Hagihara)"
        )
        self.text = ElidedLabel(parent=self)
        self.transport = Transport()
        self.transport.speed.hide()
        self._timer = QTimer(self, interval=STEP_MS)
        self._timer.timeout.connect(self._tick)
        row = in_row(QLabel("Step by", self), self.units, (self.text, 1))
        in_column(row, self.transport, on=self, margin=0, gap=3)
        self.units.activated.connect(self._choose)
        self.transport.wanted.connect(self._move)
        self.transport.sought.connect(self.seek)
        self.show_rows(None)

    def show_rows(self, rows: BwtRows | None) -> None:
        """Show other rows, sorted and at the start of the LF walk; None: no rows."""
        self._rows, self._walk = rows, None if rows is None else LfWalk(rows)
        self._level = self.last if rows is None else rows.n_levels
        self.units.clear()
        self.units.add(Unit.LETTER, UNIT_NAMES[Unit.LETTER])
        if rows is not None and rows.n_levels:
            self.units.add(Unit.LEVEL, UNIT_NAMES[Unit.LEVEL])
        self.units.setEnabled(len(self.units.values) > 1)
        self.units.setToolTip("" if self.units.isEnabled() else LETTERS_ALONE)
        self.transport.setEnabled(rows is not None)
        self._lay()

    @property
    def at(self) -> int:
        """Number of letters read, or of levels done."""
        if self.units.value is Unit.LEVEL:
            return self._level
        return len(self._walk.letters) if self._walk is not None else 0

    @property
    def last(self) -> int:
        if self._rows is None:
            return 0
        return self._rows.n_levels if self.units.value is Unit.LEVEL else self._rows.shown.index.length

    @property
    def row(self) -> int:
        return self._walk.row if self._walk is not None else 0

    @property
    def seen(self) -> tuple[Unit, int]:
        return self.units.value, self.at

    @property
    def said(self) -> str:
        return self.text.text

    def seek(self, step: int) -> None:
        step = max(0, min(step, self.last))
        if self.units.value is Unit.LEVEL:
            self._level = step
            self._lay()
        elif self._walk is not None:
            self._walk.seek(step)
            self.walked.emit(self._walk.row)
            self._say()

    @Slot(str)
    def _move(self, where: str) -> None:
        if where == "play":
            self._play(not self._timer.isActive())
            return
        self._play(False)
        self.seek({"start": 0, "back": self.at - 1, "on": self.at + 1, "end": self.last}[where])

    def _play(self, on: bool) -> None:
        if on and self.at == self.last:
            self.seek(0)
        if on:
            self._timer.start()
        else:
            self._timer.stop()
        self._say()

    @Slot()
    def _tick(self) -> None:
        self.seek(self.at + 1)
        if self.at == self.last:
            self._play(False)

    @Slot()
    def _choose(self) -> None:
        self._play(False)
        self._lay()

    def _lay(self) -> None:
        """Order the rows for the unit: after its level, or sorted for the walk."""
        rows = self._rows
        if rows is not None:
            sorted_ = self.units.value is Unit.LETTER or self._level == rows.n_levels
            rows.show_level(rows.n_levels + 1 if sorted_ else self._level)  # after the last level columns have ranks
            self.laid.emit()
        self._say()

    def _say(self) -> None:
        place, widest = (f"{number(step)} of {number(self.last)}" for step in (self.at, self.last))
        self.transport.show_place(self.at, self.last, place, widest, playing=self._timer.isActive())
        self.transport.buttons["end"].setEnabled(self._rows is not None and self._rows.is_small)
        if self._rows is None or self._walk is None:
            self.text.set_text("")
        else:
            self.text.set_text(self._level_said(self._rows) if self.units.value is Unit.LEVEL else self._walk_said())

    def _level_said(self, rows: BwtRows) -> str:
        if self._level == rows.n_levels:
            return "Sorted"
        name = "as in the text" if self._level == 0 else f"level {number(self._level)}"
        if rows.level is not None and rows.level.by_rank:
            name = f"{name}, by rank"
        return f"Sorting: {name} of {number(rows.n_levels)}"

    def _walk_said(self) -> str:
        walk, rows = self._walk, self._rows
        assert walk is not None
        assert rows is not None
        if not walk.letters:
            return f"Walk back with {self.transport.buttons['on'].text()}: row 0 begins with $"
        letters = "".join(letter_text(code, rows.shown.characters) for code in walk.text)
        more = "…" if len(walk.letters) > len(letters) else ""
        end = " — the whole text" if walk.at_end else ""
        said = f"{count(len(walk.letters), 'letter', 'letters')}: {letters + more}$ · row {number(walk.row)}"
        return said + end


LEVEL_MS, LETTER_MS = 1_000, 400
LEAST_WIDTH_PX = 560  # of a picture, so that title and sentences have room
N_ROWS = 512  # that a picture has room for
MAX_WALK_LETTERS = 64  # that a film reads back


def located_rows(indexed: IndexedText, top: int, cancel: CancelToken) -> RowsResult | None:
    """Return the positions of the rows from ``top``; None if known already."""
    if indexed.small is not None:
        return None
    rows = np.arange(top, min(top + N_ROWS, indexed.index.length + 1))
    located: RowsResult = run_job(LocateRowsJob(index=indexed.index, rows=rows), cancel=cancel)
    return located


def rows_picture(
    indexed: IndexedText,
    located: RowsResult | None = None,
    size: tuple[int, int] | None = None,
    *,
    top: int = 0,
    step: tuple[Unit, int] | None = None,
) -> Pictured:
    """Return the picture of sorted rows; the film starts in text order.

    Args:
        located: positions of the rows, needed for a long text only. top: the first row.
        size: pixels; None: automatic. step: unit and number of a step in a short text; None: the sorted rows.
    """
    theme, rows = light(), BwtRows(indexed)
    canvas, steps = RowsCanvas(theme), RowSteps()
    if located is not None:
        rows.take(located)
    canvas.setFrameShape(QFrame.Shape.NoFrame)
    canvas.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    canvas.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    steps.show_rows(rows)
    canvas.show_rows(rows)
    title = f"{indexed.name}: Burrows-Wheeler transform"
    sheet = Sheet(theme, title, canvas, (), even(size or DEFAULT_SIZE))
    length, n_levels = indexed.index.length, rows.n_levels
    n_read = min(length, MAX_WALK_LETTERS) if rows.is_small else 0
    summary = (
        f"{count(indexed.n_letters, 'letter', 'letters')}, primary row {number(indexed.index.primary)}, "
        f"{count(indexed.index.n_runs, 'run', 'runs')}"
    )

    def show(step: int) -> None:
        sorting = step < n_levels
        steps.units.choose(Unit.LEVEL if sorting else Unit.LETTER)
        steps.seek(step if sorting else step - n_levels)
        if sorting:
            canvas.show_rows(rows)  # none is chosen
        else:
            rows.show_level(n_levels + 1)
            canvas.go_to(steps.row)
        canvas.refresh()
        sheet.text.setText(f"{summary}\n{steps.said}")

    milliseconds = (*[LEVEL_MS] * n_levels, *[LETTER_MS] * n_read, END_MS)
    canvas.show_rows(rows)
    sheet.text.setText(f"{summary}\n" if rows.is_small else summary)
    if size is None:
        sheet.settle()
        spare = max(0, canvas.width() - canvas.needed_width), max(0, canvas.height() - canvas.needed_height)
        sheet.fit(spare, LEAST_WIDTH_PX)
    if step is not None and rows.is_small and step != (Unit.LEVEL, n_levels) and step != (Unit.LETTER, 0):
        unit, at = step
        show(at if unit is Unit.LEVEL else at + n_levels)
    elif top:
        canvas.verticalScrollBar().setValue(top)
    moments = Moments(sheet, show, milliseconds) if rows.is_small else None
    return Pictured(sheet, moments)
