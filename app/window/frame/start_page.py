"""Ways to begin: an area to drop files on, two or three actions, and the samples."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.samples import SAMPLES, Sample
from wavediff.app.ui.theme import Theme
from wavediff.app.window.frame.actions import plain

PADDING_PX, RADIUS_PX, GAP_PX, MARK_PX = 16, 8, 16, 64
BUTTON_WIDTH_PX, AREA_MAX_PX, CARD_MAX_PX = 136, 240, 112
LOW_PX = 340  # of height, below which the page has headings only
TITLE, WHAT = "See how two sequences differ", "Drop two files here: genomes, genes, proteins or any text."
FORMATS = "FASTA, FASTQ, GenBank, EMBL, SnapGene, plain text, also compressed"


class StartPage(QWidget):
    """The window while nothing is open, or its lower part, under the letters of the first sample, at a first start.

    Args:
        open_files, paste: actions of the window.
        empty: nothing is open: the first button opens the first sample.

    Attributes:
        area: takes files; with the focus there, no key opens anything.

    Signals:
        sample_wanted: a ``Sample``.
    """

    sample_wanted = Signal(object)

    def __init__(self, theme: Theme, open_files: QAction, paste: QAction, *, empty: bool) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName("Nothing open yet" if empty else "Welcome")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # no claim on the panel's room
        self.area = QWidget(self)
        self.area.setMaximumHeight(AREA_MAX_PX)
        self.area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._title = QLabel(TITLE)
        self._small = [QLabel(FORMATS), QLabel()]
        mark = QLabel(self)
        mark.setHidden(not empty)
        self._bold = [QLabel("Samples")]
        self.say_cluster("")
        texts = [self._title, QLabel(WHAT), *self._small]
        self._details = [*texts[1:], self._bold[0], *([mark] if empty else ())]  # left out where there is no room
        for label in texts:
            label.setWordWrap(True)
        self.sample, opens = QPushButton("Open the sample", default=True), QPushButton("Open files…")
        self.sample.clicked.connect(partial(self.sample_wanted.emit, SAMPLES[0]))
        first = self.sample if empty else opens
        first.setProperty("primary", True)
        self.setFocusProxy(first)
        rows = [_button(self.sample, "Enter")] if empty else []
        rows += [_action(opens, open_files), _action(QPushButton("Paste text…"), paste)]
        mark.setPixmap(QGuiApplication.windowIcon().pixmap(MARK_PX, MARK_PX))
        in_row(
            mark, (in_column(1, *texts, 1, gap=4), 1), in_column(1, *rows, 1, gap=8),
            on=self.area, margin=PADDING_PX, gap=GAP_PX,
        )  # fmt: skip
        cards = QGridLayout()
        cards.setSpacing(GAP_PX // 2)
        for number, sample in enumerate(SAMPLES):
            cards.addWidget(self._card(sample), number // 2, number % 2)
        in_column((self.area, 2), self._bold[0], (cards, 3), 0, on=self, margin=PADDING_PX, gap=GAP_PX // 2)
        theme.changed.connect(self._restyle)
        self._restyle()

    def say_cluster(self, address: str) -> None:
        """Say what leaves this computer: nothing, or the pairs for the cluster at ``address``."""
        self._small[1].setText(f"Only Many pairs is sent, to {address}" if address else "Nothing leaves this computer")

    def _card(self, sample: Sample) -> QPushButton:
        card = QPushButton(self)
        card.setAccessibleName(sample.title)
        card.setProperty("control", "card")
        card.setToolTip(sample.tip)
        card.setMaximumHeight(CARD_MAX_PX)
        card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        title, tip = QLabel(sample.title, card), QLabel(sample.tip, card)
        self._bold.append(title)
        self._details.append(tip)
        for label in (title, tip):
            label.setWordWrap(True)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        in_column(1, title, tip, 1, on=card, margin=(12, 6, 12, 6), gap=2)
        card.clicked.connect(partial(self.sample_wanted.emit, sample))
        return card

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for part in self._details:
            part.setHidden(self.height() < LOW_PX)

    @Slot()
    def _restyle(self) -> None:
        self._title.setFont(self._theme.title_font)
        bold = self.font()
        bold.setBold(True)
        for label in self._bold:
            label.setFont(bold)
        for small in self._small:
            small.setFont(self._theme.small_font)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.base)
        pen = QPen(self._theme.control, 1.5)
        pen.setDashPattern([6, 4])
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.area.geometry()).adjusted(1, 1, -1, -1), RADIUS_PX, RADIUS_PX)


def _button(button: QPushButton, keys: str) -> QHBoxLayout:
    button.setMinimumWidth(BUTTON_WIDTH_PX)
    return in_row(button, QLabel(keys), gap=GAP_PX // 2)


def _action(button: QPushButton, action: QAction) -> QHBoxLayout:
    button.setToolTip(action.toolTip())
    button.clicked.connect(action.trigger)
    return _button(button, plain(action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)))
