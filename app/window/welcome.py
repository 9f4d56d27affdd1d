"""Lower part of the window at the first start: how to open a pair, and the samples, under the letters of the first."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.samples import SAMPLES, Sample
from wavediff.app.ui.theme import Theme
from wavediff.app.window.start_page import FORMATS, STAYS_HERE, TITLE, WHAT, key_text

PADDING_PX, RADIUS_PX, GAP_PX = 16, 8, 16
BUTTON_WIDTH_PX, AREA_MAX_PX, CARD_MAX_PX = 136, 240, 112


class WelcomePanel(QWidget):
    """An area to drop files on with two actions, and a card for each sample.

    Args:
        open_files, paste: actions of the window.

    Signals:
        sample_wanted: a ``Sample``.
    """

    sample_wanted = Signal(object)

    def __init__(self, theme: Theme, open_files: QAction, paste: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("Welcome")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # no claim on the panel's room
        self._area = QWidget(self)
        self._area.setMaximumHeight(AREA_MAX_PX)
        self._title, self._what = QLabel(TITLE, self._area), QLabel(WHAT, self._area)
        self._small = [QLabel(text, self._area) for text in (FORMATS, f"{STAYS_HERE[:1].upper()}{STAYS_HERE[1:]}")]
        self._bold = [QLabel("Samples", self)]
        self.open_button = QPushButton("Open files…", self._area)
        for label in (self._title, self._what, *self._small):
            label.setWordWrap(True)
        self.open_button.setProperty("primary", True)
        self.setFocusProxy(self.open_button)
        texts = in_column(1, self._title, self._what, *self._small, 1, gap=4)
        opens = self._action(self.open_button, open_files)
        pastes = self._action(QPushButton("Paste text…", self._area), paste)
        buttons = in_column(1, opens, pastes, 1, gap=8)
        in_row((texts, 1), buttons, on=self._area, margin=PADDING_PX, gap=GAP_PX)
        cards = QGridLayout()
        cards.setSpacing(GAP_PX // 2)
        for number, sample in enumerate(SAMPLES):
            cards.addWidget(self._card(sample), number // 2, number % 2)
        in_column((self._area, 2), self._bold[0], (cards, 3), 0, on=self, margin=PADDING_PX, gap=GAP_PX // 2)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _action(self, button: QPushButton, action: QAction) -> QHBoxLayout:
        button.setToolTip(action.toolTip())
        button.setMinimumWidth(BUTTON_WIDTH_PX)
        button.clicked.connect(action.trigger)
        return in_row(button, QLabel(key_text(action), self._area), gap=GAP_PX // 2)

    def _card(self, sample: Sample) -> QPushButton:
        card = QPushButton(self)
        card.setAccessibleName(sample.title)
        card.setProperty("control", "card")
        card.setMaximumHeight(CARD_MAX_PX)
        card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        title, tip = QLabel(sample.title, card), QLabel(sample.tip, card)
        self._bold.append(title)
        for label in (title, tip):
            label.setWordWrap(True)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        in_column(1, title, tip, 1, on=card, margin=(12, 6, 12, 6), gap=2)
        card.clicked.connect(partial(self.sample_wanted.emit, sample))
        return card

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
        painter.drawRoundedRect(QRectF(self._area.geometry()).adjusted(1, 1, -1, -1), RADIUS_PX, RADIUS_PX)
