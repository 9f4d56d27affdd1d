"""Page of the window while nothing is open: what the program is for, and three ways to begin."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QAction, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.samples import SAMPLES, Sample
from wavediff.app.ui.theme import Theme
from wavediff.app.window.actions import plain

MARGIN_PX, RADIUS_PX, MARK_PX = 24, 8, 72
TITLE, WHAT = "See how two sequences differ", "Drop two files here: genomes, genes, proteins or any text."
FORMATS, STAYS_HERE = "FASTA, FASTQ, plain text, also compressed", "nothing leaves this computer"


class StartPage(QWidget):
    """A place to drop files on, three actions and the samples.

    Args:
        open_files, paste: actions of the window.

    Signals:
        sample_wanted: a ``Sample``.
    """

    sample_wanted = Signal(object)

    def __init__(self, theme: Theme, open_files: QAction, paste: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("Nothing open yet")
        self._title = _centred(TITLE)
        self._what = _centred(WHAT)
        self._formats = _centred("")
        self.say_cluster("")
        self._samples = _centred("Samples")
        self.sample = QPushButton("Open the sample", self, default=True)
        self.sample.setProperty("primary", True)
        self.sample.clicked.connect(partial(self.sample_wanted.emit, SAMPLES[0]))
        actions = [
            self._action(self.sample, "Enter"),
            self._action(self._of(open_files, "Open files…"), key_text(open_files)),
            self._action(self._of(paste, "Paste text…"), key_text(paste)),
        ]
        row = in_row(1, *actions, 1, gap=14)
        column = in_column(3, on=self, margin=(2 * MARGIN_PX, MARGIN_PX, 2 * MARGIN_PX, MARGIN_PX), gap=8)
        column.addSpacing(MARK_PX + 24)
        for part in (self._title, self._what):
            column.addWidget(part)
        column.addSpacing(16)
        column.addLayout(row)
        column.addSpacing(24)
        for part in (self._formats, self._samples):
            column.addWidget(part)
        self._buttons = [self._sample_button(sample) for sample in SAMPLES]
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        column.addLayout(self._grid)
        column.addStretch(4)
        self.setFocusProxy(self.sample)
        theme.changed.connect(self._restyle)
        self._restyle()

    def say_cluster(self, address: str) -> None:
        """Say what leaves this computer: nothing, or the pairs for the cluster at ``address``."""
        self._formats.setText(f"{FORMATS} · {f'only Many pairs is sent, to {address}' if address else STAYS_HERE}")

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.base)
        pen = QPen(self._theme.control, 1.5)
        pen.setDashPattern([6, 4])
        painter.setPen(pen)
        edge = QRectF(self.rect()).adjusted(MARGIN_PX, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)
        painter.drawRoundedRect(edge, RADIUS_PX, RADIUS_PX)
        top = self._title.y() - 24 - MARK_PX
        if top > MARGIN_PX:
            self._paint_mark(painter, QPointF(self.width() / 2, top + MARK_PX / 2))

    def _paint_mark(self, painter: QPainter, middle: QPointF) -> None:
        """Two strands that cross, and the stroke that stands for a difference."""
        painter.translate(middle)
        pen = QPen(self._theme.accent, 6)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        for sign in (1, -1):
            strand = QPainterPath(QPointF(-28, -15 * sign))
            strand.cubicTo(QPointF(-2, -15 * sign), QPointF(2, 15 * sign), QPointF(28, 15 * sign))
            painter.drawPath(strand)
        painter.drawLine(QPointF(-14, 29), QPointF(11, -27))
        painter.resetTransform()

    def _action(self, button: QPushButton, key: str) -> QVBoxLayout:
        button.setProperty("control", "action")
        button.setMinimumWidth(168)
        below = _centred(key)
        return in_column(button, below, gap=6)

    def _of(self, action: QAction, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(action.toolTip())
        button.clicked.connect(action.trigger)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the samples into one row, or two where that is too narrow."""
        super().resizeEvent(event)
        needed = sum(button.sizeHint().width() + self._grid.spacing() for button in self._buttons)
        columns = len(self._buttons) if needed < self.width() - 2 * MARGIN_PX else 2
        for number, button in enumerate(self._buttons):
            self._grid.addWidget(button, number // columns, 1 + number % columns)
        for column in range(1 + len(self._buttons) + 1):
            self._grid.setColumnStretch(column, 1 if column in (0, columns + 1) else 0)

    def _sample_button(self, sample: Sample) -> QPushButton:
        button = QPushButton(sample.title, self)
        button.setToolTip(sample.tip)
        button.setProperty("control", "header")
        button.clicked.connect(partial(self.sample_wanted.emit, sample))
        return button

    @Slot()
    def _restyle(self) -> None:
        self._title.setFont(self._theme.title_font)
        for small in (self._formats, self._samples):
            small.setFont(self._theme.small_font)
        self.update()


def _centred(text: str) -> QLabel:
    return QLabel(text, textFormat=Qt.TextFormat.PlainText, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)


def key_text(action: QAction) -> str:
    return plain(action.shortcut().toString(action.shortcut().SequenceFormat.NativeText))
