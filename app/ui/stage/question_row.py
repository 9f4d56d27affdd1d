"""Controls of a question: answer field, choices, table cells, and *Show*."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from wavediff.app.ui.layouts import in_row
from wavediff.core.base.numbers import number
from wavediff.core.teach.questions import CLICKED, TYPED, Kind, Question

FIELD_CHARACTERS = 24  # that the field has room for
MAX_OPTIONS = 4  # of a question


class AnswerField(QLineEdit):
    """Keeps to digits where a number is wanted: letters are keys of the lesson then, and arrows where it is empty."""

    wants_number = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = not self.text() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
        if moves or (self.wants_number and (event.text().isalpha() or event.text() == ".")):
            event.ignore()
        else:
            super().keyPressEvent(event)


class QuestionRow(QWidget):
    """Shows the controls for a kind of question; its height is constant.

    Signals:
        answered: what was typed or chosen, a frozenset as ``wavediff.core.teach.questions.mark`` takes it.
        checked: the cells that were clicked are the answer.
    """

    answered = Signal(object)
    checked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._kind: Kind | None = None
        self.answer_field = AnswerField(self)
        self.answer_field.setAccessibleName("Answer")
        self.check_button = QPushButton("Check", self)
        self.tell_button = QPushButton("Tell me", self)
        self.option_buttons = [QPushButton(self) for _ in range(MAX_OPTIONS)]
        for button in self.option_buttons:
            button.clicked.connect(self._choose)
        in_row(*self.option_buttons, self.answer_field, self.check_button, self.tell_button, 1, on=self, margin=0)
        self.fit_font()
        self.check_button.clicked.connect(self.check)
        self.show_question(None)

    def fit_font(self) -> None:
        """Set the height by the font, regardless of the content."""
        self.answer_field.setMaximumWidth(FIELD_CHARACTERS * self.answer_field.fontMetrics().averageCharWidth())
        self.setFixedHeight(max(self.answer_field.sizeHint().height(), self.check_button.sizeHint().height()))

    def show_question(self, question: Question | None) -> bool:
        """Show the controls of a question; return whether a field appeared."""
        self._kind = None if question is None else question.kind
        typed, was_there = self._kind in TYPED, not self.answer_field.isHidden()
        self.answer_field.setVisible(typed)
        self.answer_field.wants_number = question is not None and not question.is_try({""})
        self.check_button.setVisible(typed or self._kind in CLICKED)
        self.tell_button.setVisible(self._kind is not None)
        options = () if question is None else question.options
        for button, (id_, text) in zip(self.option_buttons, (*options, *[("", "")] * MAX_OPTIONS), strict=False):
            button.setText(text)
            button.setProperty("answer", id_)
            button.setVisible(bool(text))
        if typed and not was_there:
            self.answer_field.clear()
        return typed and not was_there

    @Slot()
    def check(self) -> None:
        """Check the typed answer, or the clicked cells."""
        if self._kind in TYPED:
            text = "".join(self.answer_field.text().split())
            between = number(1000).strip("01")  # thousands
            self.answered.emit(frozenset({text.replace(between, "") if self.answer_field.wants_number else text}))
        elif self._kind in CLICKED:
            self.checked.emit()

    @Slot()
    def _choose(self) -> None:
        self.answered.emit(frozenset({self.sender().property("answer")}))
