"""Bar of what a comparison by lines ignores: each choice counts at once."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, Qt, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QSizePolicy, QWidget

from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.method_options import OptionParts
from wavediff.app.ui.theme import Theme
from wavediff.app.window.pair.session import Session
from wavediff.core.methods import METHODS

FIELD_PX, GAP_PX = 130, 8


class IgnoreBar(QWidget):
    """The options of methods of lines that change the answer, and the case rule."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        options = [option for one in METHODS if not one.of_letters for option in one.options if not option.advanced]
        self.options = OptionParts(options, self)
        self.case = QCheckBox("Case", self)
        self.case.setToolTip("Treat a and A as equal")
        self.problem = QLabel(parent.window(), textFormat=Qt.TextFormat.PlainText)
        self.problem.setAutoFillBackground(True)
        self.problem.setContentsMargins(8, 4, 8, 4)
        self.problem.hide()
        self._inside = QWidget(self)
        *flags, pattern = self.options.parts.values()
        boxes = [each.box for each in flags]
        in_row(QLabel("Ignore", self), *boxes, self.case, pattern.box, on=self._inside, margin=0, gap=GAP_PX)
        pattern.refused.connect(self._refuse)
        self._field = pattern.box
        self._field.setFixedWidth(FIELD_PX)
        assert isinstance(self._field, QComboBox)
        self._field.setEditText("")
        if (edit := self._field.lineEdit()) is not None:
            edit.setPlaceholderText("pattern")
        in_row(self._inside, 1, on=self, margin=0)
        self.setMinimumWidth(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.options.chosen.connect(self._choose)
        self.case.clicked.connect(lambda on: self._choose("fold_case", on))
        session.choices_changed.connect(self.refresh)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.refresh()

    def event(self, event: QEvent) -> bool:
        """Leave the pattern, or all of it, to *Options* where there is no room."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            flags = self._inside.sizeHint().width() - (0 if self._field.isHidden() else FIELD_PX + GAP_PX)
            self._field.setHidden(self.width() < flags + GAP_PX + FIELD_PX)
            self._inside.setVisible(self.width() >= flags)
        return super().event(event)

    @Slot()
    def refresh(self) -> None:
        method = self._session.choices.chosen
        self.options.offer(method.options, self._session.choices.values)
        self.case.setChecked(self._session.fold_case)
        self._refuse("")

    @Slot(str, object)
    def _choose(self, id_: str, value: Any) -> None:
        session = self._session
        if session.choices.changed(**{id_: value}) != session.choices:
            session.choose(**{id_: value})
            if session.stale and not (session.running and session.as_asked):
                session.run()

    @Slot(str)
    def _refuse(self, text: str) -> None:
        """Say under the field what is wrong with it; nothing for an empty text."""
        self.problem.setText(text)
        self.problem.adjustSize()
        room = self.problem.parentWidget()
        if text and room is not None:
            at = self._field.mapTo(room, QPoint(0, self._field.height() + 2))
            self.problem.move(max(0, min(at.x(), room.width() - self.problem.width())), at.y())
            self.problem.raise_()
        self.problem.setVisible(bool(text))

    @Slot()
    def _restyle(self) -> None:
        palette = self.problem.palette()
        palette.setColor(palette.ColorRole.Window, self._theme.warn_fill)
        palette.setColor(palette.ColorRole.WindowText, self._theme.warn)
        self.problem.setPalette(palette)
