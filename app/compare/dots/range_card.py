"""Card next to a selected range of the dot plot: its positions, and the cost of comparing it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget

from wavediff.app.compare.dots.letter_range import RangeCost
from wavediff.app.ui.buttons import is_enter
from wavediff.app.ui.labels import announce
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.number_text import rough_duration
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import count
from wavediff.core.jobs.events import memory_text
from wavediff.core.sequences.orientation import Strand

PADDING_PX, GAP_PX = 10, 8
SHORT_SECONDS = 0.95


def cost_text(cost: RangeCost) -> str:
    """Describe cells, time and memory."""
    if cost.refusal:
        return cost.refusal
    time = "less than 1 s" if cost.seconds < SHORT_SECONDS else f"up to about {rough_duration(cost.seconds)}"
    parts = [count(cost.cells, "cell", "cells"), time]
    if cost.memory is not None:
        parts.append(f"up to {memory_text(cost.memory.most)}")
        if cost.memory.most > cost.free_bytes:
            parts[-1] += f" ({memory_text(cost.free_bytes)} are free)"
    return ", ".join(parts)


class RangeCard(QWidget):
    """Signals: wanted: compare the range, with B on this ``Strand``."""

    wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("Selected range")
        self.of_a, self.of_b, self.cost, self.enter = (
            QLabel(self, textFormat=Qt.TextFormat.PlainText) for _ in range(4)
        )
        self.cost.setWordWrap(True)
        self.minus = QCheckBox("B reverse-complemented", self)
        self.minus.setToolTip("Compare the strand of B that is not shown; ticked if it has more dots")
        self.button = QPushButton("Compare this range", self, autoDefault=False)
        self.button.setProperty("primary", True)
        self.button.setToolTip("Compare these letters as a separate pair (Enter); Backspace returns to the pair")
        self.button.clicked.connect(lambda: self.wanted.emit(Strand.MINUS if self.minus.isChecked() else Strand.PLUS))
        self.enter.setText("Enter")
        in_column(
            self.of_a, self.of_b, self.cost, self.minus, in_row(self.button, self.enter, 1, margin=0, gap=GAP_PX),
            on=self, margin=PADDING_PX, gap=4,
        )  # fmt: skip
        theme.follow(self._restyle)
        self.hide()

    def show_range(self, texts: tuple[str, str], cost: RangeCost, strand: Strand) -> None:
        self.of_a.setText(texts[0])
        self.of_b.setText(texts[1])
        self.cost.setText(cost_text(cost))
        if self.isHidden():  # else a range is moved, and the strand is as chosen
            self.minus.setChecked(strand is Strand.MINUS)
        self.button.setEnabled(not cost.refusal)
        announce(self, ". ".join((*texts, self.cost.text())))

    def place(self, box: QRect, room: QRect) -> None:
        """Place the card below or above ``box`` if it fits into ``room``, else at the lower edge of ``room``."""
        width = min(max(self.sizeHint().width(), 220), room.width())
        height = self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()
        below, above = box.bottom() + GAP_PX, box.top() - GAP_PX - height
        y = below if below + height <= room.bottom() else above if above >= room.top() else room.bottom() - height
        x = min(max(room.left(), box.left()), room.right() + 1 - width)
        self.setGeometry(QRect(QPoint(x, max(room.top(), y)), self.size()))
        self.resize(width, height)
        self.show()
        self.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event):
            self.button.click()  # also from the check box
        else:
            super().keyPressEvent(event)

    @Slot()
    def _restyle(self) -> None:
        self._theme.quieten(self.cost, self.enter)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.base)
        painter.setPen(QPen(self._theme.control, 1))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
