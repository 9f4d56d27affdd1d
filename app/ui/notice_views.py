"""Notices: store, bar in the answer line, and list of all."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise, zip_longest

from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QHideEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from wavediff.app.ui.buttons import icon
from wavediff.app.ui.layouts import FlowLayout, in_column, in_row
from wavediff.app.ui.notices import Action, Notice, Severity
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.theme import Theme

MAX_NOTICES = 200
PRESSING = (Severity.WARNING, Severity.ERROR)  # stand next to the answer; the others are in the list alone


class NoticeStore(QObject):
    """Signals: added: a new ``Notice``. changed: ``notices`` changed."""

    added = Signal(object)
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._notices: list[Notice] = []
        self._ending: list[Notice] = []  # errors that the next success ends
        self._new: list[Notice] = []  # of this turn of the event loop
        self._tries = False
        self._idle = QTimer(self, singleShot=True, interval=0)  # groups notices of one event loop turn

    @property
    def notices(self) -> tuple[Notice, ...]:
        return tuple(self._notices)

    @property
    def pressing(self) -> Notice | None:
        """The newest notice that the answer line shows."""
        return next((each for each in reversed(self._notices) if each.level in PRESSING), None)

    @Slot(object)
    def add(self, notice: Notice) -> None:
        """Add ``notice``; a duplicate moves to the end."""
        self._notices = [*(each for each in self._notices if each != notice), notice][-MAX_NOTICES:]
        self._new.append(notice)
        QTimer.singleShot(0, self._new.clear)
        self.changed.emit()
        self.added.emit(notice)

    @Slot(object)
    def settle(self, replaced: frozenset[str]) -> None:
        """Drop notices about things in ``replaced``, see ``Notice.about``."""
        self._keep([notice for notice in self._notices if not notice.about & replaced])

    def try_on(self, busy: bool) -> None:
        """Note whether an operation (reading, then comparing) is running; its success clears earlier errors."""
        if busy and not self._idle.isActive() and not self._tries:
            new = set(map(id, self._new))
            self._ending = [each for each in self._notices if each.level is Severity.ERROR and id(each) not in new]
        if not busy and self._tries:
            self._idle.start()
        elif busy:
            self._idle.stop()
        self._tries = busy

    @Slot()
    def succeed(self) -> None:
        """Drop the errors from before the operation that succeeded."""
        ended = set(map(id, self._ending))
        self._keep([each for each in self._notices if id(each) not in ended])

    @Slot(object)
    def dismiss(self, notice: Notice) -> None:
        self._keep([each for each in self._notices if each is not notice])

    def act(self, notice: Notice, action: Action) -> None:
        """Run the action and drop the notice, unless it offers a further action."""
        action.do()
        if not (action.is_done() and notice.offered):
            self.dismiss(notice)

    def _keep(self, kept: list[Notice]) -> None:
        if len(kept) < len(self._notices):
            self._notices = kept
            self.changed.emit()


MARKS = {Severity.INFO: "i", Severity.WARNING: "!", Severity.ERROR: "×"}
DISC_PX = 16  # pixels of the mark before a notice
RADIUS_PX = 4.0  # pixels
LIST_WIDTH_PX, LONGEST_WORD_PX = 560, 400  # pixels; of a word, which is not broken
MAX_ROWS_SEEN = 8
MAX_ACTIONS = 3  # of one notice
WORDS_PX, ONE_PX, FIRST_WORDS_PX = 200, 40, 88  # minimum pixels of the words next to several actions, one, and none
SPACE_PX = 8  # pixels between two things in the bar
ROW_PX = 44  # pixels of a notice of two lines


class Mark(QWidget):
    """Icon of a severity."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.level = theme, Severity.INFO
        self.setFixedSize(DISC_PX, DISC_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = colours(self._theme, self.level)[1]
        painter.setPen(QPen(ink, 1.5))
        disc = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawEllipse(disc)
        font = self._theme.small_font
        font.setBold(True)
        painter.setFont(font)
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, MARKS[self.level])


def colours(theme: Theme, level: Severity) -> tuple[QColor, QColor]:
    return {
        Severity.INFO: (theme.raised, theme.dim),
        Severity.WARNING: (theme.warn_fill, theme.warn),
        Severity.ERROR: (theme.error, theme.error_ink),
    }[level]


def dismiss_button(theme: Theme, parent: QWidget) -> QToolButton:
    button = QToolButton(parent, autoRaise=True)
    button.setIcon(icon("close", theme))
    button.setToolTip("Dismiss this message")
    button.setAccessibleName("Dismiss this message")
    return button


class NoticeBar(QWidget):
    """Newest important notice in the answer line; long texts get two small lines.

    Signals:
        list_wanted: show all notices.
    """

    list_wanted = Signal()

    def __init__(self, store: NoticeStore, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._theme = store, theme
        self._mark = Mark(theme)
        self._whole, self._offered = "", tuple[Action, ...]()
        self._text = QLabel(self, textFormat=Qt.TextFormat.PlainText)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self._text.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        self._actions = [QPushButton(self) for _ in range(MAX_ACTIONS)]
        for number, each in enumerate(self._actions):
            each.setAutoDefault(False)
            each.clicked.connect(partial(self._act, number))
        self._dismiss = dismiss_button(theme, self)
        self._dismiss.clicked.connect(self._drop)
        self.setAccessibleName("Messages")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._row = in_row(self._mark, (self._text, 1), *self._actions, self._dismiss, on=self, gap=SPACE_PX)
        self._row.setContentsMargins(8, 2, 4, 2)
        theme.follow(self._restyle)

    def show_notice(self, notice: Notice, room: int) -> int | None:
        """Show ``notice`` in ``room`` pixels: its text, elided if necessary, with as many actions as fit.

        Returns:
            The number of actions left out, which the list shows; None if not even the first words fit.
        """
        self._mark.level = notice.level
        self._whole = notice.text
        self._text.setToolTip(plain_tip(notice.text))
        self._offered = notice.offered
        for each, action in zip_longest(self._actions, self._offered[:MAX_ACTIONS]):
            each.setText("" if action is None else action.text)
        for n_actions in range(min(MAX_ACTIONS, len(self._offered)), -1, -1):
            row = [self._mark, *self._actions[:n_actions], self._dismiss]
            left = room - sum(each.sizeHint().width() + SPACE_PX for each in row) - 2 * SPACE_PX
            least = (FIRST_WORDS_PX, ONE_PX, WORDS_PX)[min(n_actions, 2)]  # the first action is worth more than words
            if left >= min(least, QFontMetrics(QApplication.font()).horizontalAdvance(notice.text)):
                for number, each in enumerate(self._actions):
                    each.setVisible(number < n_actions)
                self._row.activate()  # the words are cut to the room that they have now
                self._restyle()
                return len(self._offered) - n_actions
        return None

    def _act(self, number: int) -> None:
        notice = self._store.pressing
        if notice is not None and number < len(self._offered):
            self._store.act(notice, self._offered[number])

    @Slot()
    def _drop(self) -> None:
        if self._store.pressing is not None:
            self._store.dismiss(self._store.pressing)

    @Slot()
    def _restyle(self) -> None:
        self._dismiss.setIcon(icon("close", self._theme))
        ink = colours(self._theme, self._mark.level)[1]
        self._text.setStyleSheet(f"color: {ink.name()}")
        self._fit()
        self.update()

    def resizeEvent(self, _event: object) -> None:
        self._fit()

    def _fit(self) -> None:
        """Use the small font and two lines if one normal line is too short."""
        width, small = self._text.width(), self._theme.small_font
        self._text.setFont(QApplication.font())
        fits = self._text.fontMetrics().horizontalAdvance(self._whole) <= width
        self._text.setWordWrap(not fits)
        text = self._whole
        if not fits:
            self._text.setFont(small)
            metrics, room = QFontMetrics(small), int(1.8 * width)  # a word may leave the end of the first line empty
            begins = self._offered and metrics.horizontalAdvance(text) > 2 * room  # what its button is for
            mode = Qt.TextElideMode.ElideRight if begins else Qt.TextElideMode.ElideMiddle
            text = re.sub(r"[^\s/]*…[^\s/]*", "…", metrics.elidedText(text, mode, room)).replace("/", "/\u200b")
        self._text.setText(text)

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        self.list_wanted.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        fill, ink = colours(self._theme, self._mark.level)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)


class NoticeList(QFrame):
    """All notices with their actions, newest first, over the content below the answer.

    Signals:
        closed: the list was hidden and had the focus.
    """

    closed = Signal()

    def __init__(self, store: NoticeStore, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._store, self._theme, self._over, self._row = store, theme, parent, parent
        self.setAccessibleName("List of messages")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoFillBackground(True)
        self._rows = QWidget()
        self._column = in_column(on=self._rows, margin=8, gap=4)
        self._area = QScrollArea(self, widgetResizable=True)
        self._area.setWidget(self._rows)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(self._area, on=self, margin=1)
        store.changed.connect(self._refresh)
        theme.changed.connect(self._refresh)
        self.hide()

    def open_below(self, row: QWidget) -> None:
        """Open the list below the right end of ``row``, and focus its first button."""
        self._row = row
        self._fill()
        self.show()
        self._place()
        self.raise_()
        self._buttons[0].setFocus(Qt.FocusReason.TabFocusReason)

    def hideEvent(self, _event: QHideEvent) -> None:
        if self.isAncestorOf(focus := self.window().focusWidget() or self) or focus is self:
            self.closed.emit()

    @Slot()
    def _refresh(self) -> None:
        if not self._store.notices:
            self.hide()
        elif self.isVisible():
            self._fill()
            self._place()

    def _place(self) -> None:
        room = self._over.rect()
        width = min(LIST_WIDTH_PX, room.width() - 16)
        hint, lines = self._column.sizeHint().height(), self._column.hasHeightForWidth()
        frame = 2 * (1 + self._area.frameWidth())
        height = min((self._column.heightForWidth(width - frame) if lines else hint) + frame, MAX_ROWS_SEEN * ROW_PX)
        corner = self._row.mapTo(self._over, QPoint(self._row.width(), self._row.height()))
        self.setGeometry(corner.x() - width, corner.y(), width, min(height, room.height() - corner.y() - 8))

    def _fill(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        self._buttons = list[QAbstractButton]()
        for notice in reversed(self._store.notices):
            self._column.addWidget(row := self._row_of(notice))
            row.show()  # else it is hidden until the next turn, and has no height
            self._buttons += row.findChildren(QAbstractButton)
        self._column.addStretch(1)
        for before, after in pairwise((self, *self._buttons)):
            QWidget.setTabOrder(before, after)  # new widgets come after all others of the window

    def _row_of(self, notice: Notice) -> QWidget:
        row = QWidget()
        mode = Qt.TextElideMode.ElideMiddle  # of a long word, e.g. a path, so that others fit
        words = [self.fontMetrics().elidedText(word, mode, LONGEST_WORD_PX) for word in notice.text.split(" ")]
        mark, text = Mark(self._theme), QLabel(" ".join(words))
        text.setToolTip(plain_tip(notice.text))
        mark.level = notice.level
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        actions = [QPushButton(each.text) for each in notice.offered]
        for each, action in zip(notice.offered, actions, strict=True):
            action.clicked.connect(partial(self._store.act, notice, each))
        column = in_column(text, *([FlowLayout(*actions)] if actions else ()), gap=4)
        line = in_row(on=row, margin=(4, 2, 0, 2), gap=8)
        line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(column, 1)
        dismiss = dismiss_button(self._theme, row)  # the last one that Tab comes to
        dismiss.clicked.connect(partial(self._store.dismiss, notice))
        line.addWidget(dismiss, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.base)
        painter.setPen(QPen(self._theme.control, 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
