"""Messages in the window: none is lost, none blocks, all are plain text."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.ui.icons import icon
from app.ui.notices import Notice, Severity
from app.ui.theme import Theme

MAX_NOTICES = 200
MARKS = {Severity.INFO: "i", Severity.WARNING: "!", Severity.ERROR: "×"}


class MessageBar(QWidget):
    """Shows the newest message that was not dismissed; arrows lead to the older ones.

    Signals:
        shown: the text of a message that has just come, for the screen reader and for tests.
    """

    shown = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._notices: list[Notice] = []
        self._at = 0
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._action = QPushButton(self)
        self._action.setAutoDefault(False)
        self._action.clicked.connect(self._act)
        self._count = QLabel(self)
        self._older = self._button("‹", "Older message", self._go_older)
        self._newer = self._button("›", "Newer message", self._go_newer)
        self._copy = self._button("", "Copy this message", self._copy_text)
        self._dismiss = self._button("", "Dismiss this message", self._drop)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(34, 5, 6, 5)
        layout.setSpacing(4)
        words = QVBoxLayout()  # the action below, so that a narrow window has room for the words
        words.setSpacing(4)
        words.addWidget(self._label)
        words.addWidget(self._action, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addLayout(words, 1)
        for each in (self._older, self._count, self._newer, self._copy, self._dismiss):
            layout.addWidget(each)
        self.setAccessibleName("Messages")
        theme.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """All that was not dismissed, oldest first."""
        return tuple(self._notices)

    @Slot(object)
    def show_notice(self, notice: Notice) -> None:
        """Put ``notice`` in front; the same one twice in a row is shown once."""
        if self._notices[-1:] != [notice]:
            self._notices = [*self._notices, notice][-MAX_NOTICES:]
        self._at = len(self._notices) - 1
        self._refresh()
        self.shown.emit(notice.text)

    @Slot(object)
    def settle(self, replaced: frozenset[str]) -> None:
        """Drop what is out of date: the things in ``replaced`` are others now, see ``Notice.about``."""
        kept = [notice for notice in self._notices if not notice.about & replaced]
        if len(kept) < len(self._notices):
            self._notices = kept
            self._at = max(0, min(self._at, len(kept) - 1))
            self._refresh()

    def _button(self, text: str, tip: str, slot: object) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        button.clicked.connect(slot)
        return button

    @Slot()
    def _go_older(self) -> None:
        self._at = max(0, self._at - 1)
        self._refresh()

    @Slot()
    def _go_newer(self) -> None:
        self._at = min(len(self._notices) - 1, self._at + 1)
        self._refresh()

    @Slot()
    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self._label.text())

    @Slot()
    def _act(self) -> None:
        action = self._notices[self._at].action
        self._drop()
        if action is not None:
            action.do()

    @Slot()
    def _drop(self) -> None:
        del self._notices[self._at]
        self._at = max(0, min(self._at, len(self._notices) - 1))
        self._refresh()

    def _refresh(self) -> None:
        self.setVisible(bool(self._notices))
        if not self._notices:
            return
        several = len(self._notices) > 1
        notice = self._notices[self._at]
        self._label.setText(notice.text)
        self._action.setVisible(notice.action is not None)
        self._action.setText("" if notice.action is None else notice.action.text)
        self._count.setText(f"{self._at + 1} of {len(self._notices)}")
        for each in (self._older, self._count, self._newer):
            each.setVisible(several)
        self._older.setEnabled(self._at > 0)
        self._newer.setEnabled(self._at < len(self._notices) - 1)
        self.update()

    @Slot()
    def _restyle(self) -> None:
        self._copy.setIcon(icon("copy", self._theme))
        self._dismiss.setIcon(icon("close", self._theme))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._notices:
            return
        level = self._notices[self._at].level
        fill, edge = {
            Severity.INFO: (self._theme.raised, self._theme.accent),
            Severity.WARNING: (self._theme.warning, QColor("#c98a00")),
            Severity.ERROR: (self._theme.error, QColor("#d0412f")),
        }[level]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(edge, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        disc = QRectF(9, 8, 17, 17)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(edge)
        painter.drawEllipse(disc)
        font = self.font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(self._theme.ink_on(edge))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, MARKS[level])
