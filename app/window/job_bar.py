"""Method, its options, device and case rule; Run and Stop."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.ui.chooser import Chooser
from app.ui.device_box import DeviceBox
from app.ui.flow_layout import FlowLayout, as_one_widget
from app.ui.icons import icon
from app.ui.method_options import CHOOSER_PADDING_PX, OptionParts
from app.ui.theme import Theme
from app.window.session import Session
from core.methods import METHODS
from core.translate import tr


class JobBar(QWidget):
    """Shows and changes the session's choices."""

    def __init__(
        self, session: Session, theme: Theme, run: QAction, stop: QAction, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._method: Chooser[str] = self._chooser("Method", "Method")
        self._device = DeviceBox(session.devices, self)
        for each in METHODS:
            self._method.add(each.id, tr(each.name), each.tip)
        self._case = QCheckBox("Ignore case", self)
        self._case.setToolTip("a = A; where the alphabets of both are no text, case is ignored unless changed here")
        self.options = OptionParts((option for one in METHODS for option in one.options), self)
        self._run, self._stop = self._button(run), self._button(stop)
        self._lay_out()
        self._method.activated.connect(self._choose)
        self._device.activated.connect(self._choose)
        self._case.clicked.connect(self._choose_case)
        self.options.chosen.connect(self._choose_option)
        session.choices_changed.connect(self.refresh)
        session.devices.changed.connect(self._show_lack)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.refresh()
        self._show_lack()

    def _chooser(self, name: str, tip: str) -> Chooser[Any]:
        box: Chooser[Any] = Chooser(self)
        box.setAccessibleName(name)
        box.setToolTip(tip)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        return box

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        return button

    def _lay_out(self) -> None:
        row = FlowLayout(self, spacing=8)
        for text, box in (("Method", self._method), ("Device", self._device)):
            label = QLabel(text)
            label.setBuddy(box)
            row.addWidget(as_one_widget(label, box))
        row.addWidget(self._case)
        for part in self.options.parts.values():
            row.addWidget(part.widget)
        row.set_corner(
            as_one_widget(self._run, self._stop)
        )  # where they are does not depend on how many rows there are

    @Slot()
    def refresh(self) -> None:
        """Take over what the session has chosen, and what the method offers."""
        choices = self._session.choices
        self._method.choose(choices.method)
        self._case.setChecked(self._session.fold_case)
        self._device.choose(choices.device)
        values = choices.values
        self.options.offer(choices.chosen.options, values, choices.chosen.implied(values))
        box = self._method  # as with the devices: longer names are for the open list
        box.setFixedWidth(box.fontMetrics().horizontalAdvance(box.currentText()) + CHOOSER_PADDING_PX)
        box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 16)

    @Slot()
    def _choose(self) -> None:
        self._session.choose(method=self._method.value, device=self._device.value)

    @Slot(str, object)
    def _choose_option(self, id_: str, value: Any) -> None:
        self._session.choose(**{id_: value})

    @Slot()
    def _show_lack(self) -> None:
        self.options.show_lack(self._session.devices.reason)

    @Slot(bool)
    def _choose_case(self, checked: bool) -> None:
        self._session.choose(fold_case=checked)

    @Slot()
    def _restyle(self) -> None:
        self._run.defaultAction().setIcon(icon("run", self._theme))
        self._stop.defaultAction().setIcon(icon("stop", self._theme))
        font = QFont(self.font())
        font.setBold(True)
        self._run.setFont(font)
