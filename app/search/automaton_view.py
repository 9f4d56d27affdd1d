"""The state panel: Kusudo, Ino and Hagihara's word stepped through by hand, one letter of the text at a time."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSlider,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.search.automaton_model import BIT_ROLE, AutomatonRun, BitKind, StepsModel, steps_of, why_not
from app.search.search_session import SearchScope
from app.ui.delegate import ThemedDelegate
from app.ui.labels import ElidedLabel
from app.ui.reported import reported
from app.ui.table_view import TableView
from app.ui.theme import Theme
from core.errors import InputError
from core.translate import tr, tr_n

_PRESENT_ROWS = 2  # rows of the present step above the rule


class _Bits(ThemedDelegate):
    """Reached states are filled, dummies hatched, accepting ones framed: never by colour alone."""

    @reported
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        kind, area = index.data(BIT_ROLE), QRectF(option.rect)
        fill = QColor(self._theme.accent)
        painter.save()
        if kind in (BitKind.ON, BitKind.HIT):
            fill.setAlphaF(0.75 if kind is BitKind.HIT else 0.35)
            painter.fillRect(area, fill)
        elif kind is BitKind.DUMMY:
            hatch = QColor(self._theme.dim)
            hatch.setAlphaF(0.5)
            painter.setBrush(hatch)
            painter.setBrushOrigin(0, 0)
            brush = painter.brush()
            brush.setStyle(Qt.BrushStyle.BDiagPattern)
            painter.fillRect(area, brush)
        if kind in (BitKind.ACCEPTING, BitKind.HIT):
            painter.setPen(QPen(self._theme.text, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        painter.setPen(self._theme.dim if kind is BitKind.DUMMY else self._theme.text)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), str(index.data()))
        if index.row() == _PRESENT_ROWS:
            painter.setPen(QPen(self._theme.text, 1))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.restore()


class _Table(TableView):
    def __init__(self, parent: StepsView) -> None:
        super().__init__(parent)
        self._owner = parent

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
        if event.key() in steps:
            self._owner.step(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class StepsView(QWidget):
    """Stepped by buttons, slider or the arrow keys."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: list[AutomatonRun] = []
        self.model = StepsModel(self)
        self.table = _Table(self)
        self.words = QComboBox(self)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.line = ElidedLabel(parent=self)
        self.back_button, self.next_button = QPushButton("‹", self), QPushButton("›", self)
        table = self.table
        table.setModel(self.model)
        table.setItemDelegate(_Bits(theme, table))
        table.setAccessibleName(tr("States of the automaton"))
        table.setShowGrid(False)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        width = self.fontMetrics().horizontalAdvance("00") + 8
        header = table.horizontalHeader()
        header.setMinimumSectionSize(width)
        header.setDefaultSectionSize(width)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setToolTip(tr("Number of the pattern, and its letters that are matched; – for a dummy bit"))
        table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.words.setAccessibleName(tr("Word of 256 bits"))
        self.slider.setAccessibleName(tr("Letters taken"))
        for button, tip in ((self.back_button, tr("One letter back (←)")), (self.next_button, tr("One letter on (→)"))):
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setFixedWidth(32)
        row = QHBoxLayout()
        for widget in (self.back_button, self.next_button):
            row.addWidget(widget)
        row.addWidget(self.slider, 1)
        row.addWidget(self.words)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.line)
        layout.addWidget(table, 1)
        self.setFocusProxy(table)
        self.words.activated.connect(self._choose)
        self.slider.valueChanged.connect(self._go)
        self.back_button.clicked.connect(self._back)
        self.next_button.clicked.connect(self._next)
        theme.changed.connect(table.viewport().update)
        self.show_search(None)

    def show_search(self, searched: SearchScope | None) -> None:
        """Show the states of a search; a line says why where there are none."""
        reason = why_not(searched)
        self._found = []
        if not reason and searched is not None:
            try:
                self._found = steps_of(searched)
            except InputError as error:
                reason = str(error)
        self.words.clear()
        for k, one in enumerate(self._found):
            text = tr_n("word {word}: {n} pattern", "word {word}: {n} patterns", one.word.q, word=k + 1)
            self.words.addItem(text)
        self.words.setVisible(len(self._found) > 1)
        self._choose(0)
        if reason:
            self.line.set_text(reason)

    def step(self, letters: int) -> None:
        self.slider.setValue(self.slider.value() + letters)

    @Slot()
    def _back(self) -> None:
        self.step(-1)

    @Slot()
    def _next(self) -> None:
        self.step(1)

    @Slot(int)
    def _choose(self, which: int) -> None:
        steps = self._found[which] if self._found else None
        self.model.show(steps)
        self.slider.setRange(0, len(steps.letters) if steps is not None else 0)
        self.slider.setValue(0)
        for widget in (self.slider, self.back_button, self.next_button):
            widget.setEnabled(steps is not None)
        self._go(0)

    @Slot(int)
    def _go(self, at: int) -> None:
        self.model.go(at)
        steps = self.model.steps
        if steps is None:
            self.line.set_text("")
            return
        ends = ", ".join(self.model.ends())
        taken = tr("{n} of {total} letters taken", n=at, total=len(steps.letters))
        if ends:
            self.line.set_text(tr("{taken}: {patterns} ends here", taken=taken, patterns=ends))
        else:
            self.line.set_text(tr("{taken}; 0 = reached, q = {q}", taken=taken, q=steps.word.q))
