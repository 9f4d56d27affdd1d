"""Controls of a question: answer field, choices, *Check* and *Tell me*."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from wavediff.app.ui.layouts import FlowLayout
from wavediff.core.base.numbers import number
from wavediff.core.teach.questions import CLICKED, TYPED, Kind, Question

FIELD_CHARACTERS = 24  # that the field has room for
MAX_OPTIONS = 4  # of a question


class AnswerField(QLineEdit):
    """Answer field. The lesson gets letter keys while a number is expected, and arrow keys while the field is empty."""

    wants_number = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = not self.text() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
        if moves or (self.wants_number and (event.text().isalpha() or event.text() == ".")):
            event.ignore()
        else:
            super().keyPressEvent(event)


class QuestionRow(QWidget):
    """Shows the controls for a kind of question; on one line if they fit.

    Signals:
        answered: the typed or chosen answer, a frozenset for ``wavediff.core.teach.questions.mark``.
        checked: the user submits the clicked cells.

    Attributes:
        shown: the question with visible controls.
    """

    answered = Signal(object)
    checked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._kind: Kind | None = None
        self.shown: Question | None = None
        self.answer_field = AnswerField(self)
        self.answer_field.setAccessibleName("Answer")
        self.check_button = QPushButton("Check", self)
        self.tell_button = QPushButton("Tell me", self)
        self.option_buttons = [QPushButton(self) for _ in range(MAX_OPTIONS)]
        for button in self.option_buttons:
            button.clicked.connect(lambda _, at=button: self.answered.emit(frozenset({at.property("answer")})))
        self.setLayout(FlowLayout(*self.option_buttons, self.answer_field, self.check_button, self.tell_button))
        self.fit_font()
        self.check_button.clicked.connect(self.check)
        self.show_question(None)

    def fit_font(self) -> None:
        """Set the field's width and the row's minimum height by the font, whatever controls are visible."""
        self.answer_field.setMaximumWidth(FIELD_CHARACTERS * self.answer_field.fontMetrics().averageCharWidth())
        self.setMinimumHeight(max(self.answer_field.sizeHint().height(), self.check_button.sizeHint().height()))

    def show_question(self, question: Question | None) -> bool:
        """Show the controls of a question; return whether the question is new and its answer is typed."""
        self._kind = None if question is None else question.kind
        typed, is_new = self._kind in TYPED, question is not self.shown
        self.shown = question
        self.answer_field.setVisible(typed)
        self.answer_field.wants_number = question is not None and not question.is_try({"?"})
        self.check_button.setVisible(typed or self._kind in CLICKED)
        self.tell_button.setVisible(self._kind is not None)
        options = () if question is None else question.options
        for button, (id_, text) in zip(self.option_buttons, (*options, *[("", "")] * MAX_OPTIONS), strict=False):
            button.setText(text)
            button.setProperty("answer", id_)
            button.setVisible(bool(text))
        if is_new:
            self.answer_field.clear()
        return typed and is_new

    @Slot()
    def check(self) -> None:
        """Check the typed answer, or the clicked cells."""
        if self._kind in TYPED:
            text = "".join(self.answer_field.text().split())
            between = number(1000).strip("01")  # thousands
            self.answered.emit(frozenset({text.replace(between, "") if self.answer_field.wants_number else text}))
        elif self._kind in CLICKED:
            self.checked.emit()
