"""Option widgets generated from the comparison methods; new options need no code here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QSpinBox, QToolButton, QWidget

from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.labels import PathField
from wavediff.app.ui.layouts import as_one_widget
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.save_dialog import ask_file
from wavediff.core.base.numbers import number
from wavediff.core.jobs.choices import gpu_unused
from wavediff.core.methods.options import Choice, Flag, Number, Option, Options, Text, Value

MAX_SPIN_VALUE = 2**31 - 1  # a spin box counts no further
CHOOSER_PADDING_PX = 44  # pixels of a chooser next to its text
FIELD_LETTERS = 14  # for which a field has room: the name of a file


class OptionPart(QObject):
    """Widget for one option, shared by all methods that have an option with its id.

    Attributes:
        widget: label and control in a row. label: None if the box has the text.
        box: the input widget. control: the box and its companions.

    Signals:
        chosen: id and new value of the option. refused: why the typed text is invalid; empty if valid.
    """

    chosen = Signal(str, object)
    refused = Signal(str)

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.option = option
        self.box: QWidget
        self.control: QWidget
        self.label: QLabel | None = None
        self.widget: QWidget

    def offer(self, option: Option) -> None:
        """Switch to another method's option with the same id."""
        self.option = option
        self.box.setToolTip(option.tip)
        self.box.setAccessibleName(option.label)

    def show(self, value: Any, *, fixed: bool) -> None:
        """Show ``value``; ``fixed``: determined by other options, so disabled."""
        raise NotImplementedError

    def show_lack(self, lack: str | None) -> None:
        """Disable values that need a graphics card, with the reason ``lack``; None: there is a card."""

    def _labelled(self, *boxes: QWidget) -> QWidget:
        self.label = QLabel(self.option.label)
        self.label.setBuddy(boxes[0])
        self.control = as_one_widget(*boxes) if len(boxes) > 1 else boxes[0]
        return as_one_widget(self.label, self.control)

    def _choose(self, value: Any) -> None:
        self.chosen.emit(self.option.id, value)


class ChoicePart(OptionPart):
    def __init__(self, option: Choice) -> None:
        super().__init__(option)
        self.box: Chooser[Any] = Chooser(option.label)
        self.widget = self._labelled(self.box)
        self._lack: str | None = None
        self.offer(option)
        self.box.activated.connect(self._chosen)

    @property
    def values(self) -> tuple[Value, ...]:
        assert isinstance(self.option, Choice)
        return self.option.values

    def offer(self, option: Option) -> None:
        super().offer(option)
        self.box.clear()
        for value in self.values:
            self.box.add(value.value, value.name, value.tip)
        self.show_lack(self._lack)

    def show(self, value: Any, *, fixed: bool) -> None:
        self.box.choose(value)
        self.box.setEnabled(len(self.values) > 1 and not fixed)
        self._fit()

    def show_lack(self, lack: str | None) -> None:
        self._lack = lack
        grey_for_gpu(self.box, self.values, lack)
        self._fit()

    def _fit(self) -> None:
        """Fit the width to the chosen value; longer names are visible in the open list."""
        at = self.box.currentIndex()
        name = self.values[at].name if 0 <= at < len(self.values) else ""
        self.box.setFixedWidth(self.box.fontMetrics().horizontalAdvance(name) + CHOOSER_PADDING_PX)
        self.box.view().setMinimumWidth(self.box.view().sizeHintForColumn(0) + 16)

    @Slot()
    def _chosen(self) -> None:
        self._choose(self.box.value)


class FlagPart(OptionPart):
    def __init__(self, option: Flag) -> None:
        super().__init__(option)
        self.box: QCheckBox = QCheckBox(option.label)
        self.widget = self.control = self.box
        self.offer(option)
        self.box.clicked.connect(self._chosen)

    def show(self, value: Any, *, fixed: bool) -> None:
        self.box.setChecked(value)
        self.box.setEnabled(not fixed)

    @Slot(bool)
    def _chosen(self, checked: bool) -> None:
        self._choose(checked)


class NumberPart(OptionPart):
    """Spin box; its minimum stands for the automatic value, if supported."""

    def __init__(self, option: Number) -> None:
        super().__init__(option)
        self.box: QSpinBox | QDoubleSpinBox = QDoubleSpinBox() if option.decimals else QSpinBox()
        self.box.setGroupSeparatorShown(True)
        self.box.setKeyboardTracking(False)
        self.widget = self._labelled(self.box)
        self.offer(option)
        self.box.valueChanged.connect(self._chosen)

    @property
    def _step(self) -> float:
        assert isinstance(self.option, Number)
        return 10.0**-self.option.decimals

    def offer(self, option: Option) -> None:
        super().offer(option)
        assert isinstance(option, Number)
        least = option.least - self._step if option.unset else option.least
        with QSignalBlocker(self.box):
            if isinstance(self.box, QDoubleSpinBox):
                self.box.setDecimals(option.decimals)
                self.box.setRange(least, min(option.most, MAX_SPIN_VALUE))
                self.box.setSingleStep(0.5 if option.decimals == 1 else self._step)
            else:
                self.box.setRange(int(least), int(min(option.most, MAX_SPIN_VALUE)))
            self.box.setSpecialValueText(option.unset)
        texts = option.unset, number(option.most)[:11]
        widest = max(self.box.fontMetrics().horizontalAdvance(text) for text in texts)
        self.box.setFixedWidth(widest + 30)

    def show(self, value: Any, *, fixed: bool) -> None:
        with QSignalBlocker(self.box):
            number = self.box.minimum() if value is None else value
            self.box.setValue(number)  # type: ignore[arg-type]
        self.box.setEnabled(not fixed)

    @Slot()
    def _chosen(self) -> None:
        assert isinstance(self.option, Number)
        value = self.box.value()
        unset = bool(self.option.unset) and value == self.box.minimum()
        self._choose(None if unset else value)


class TextPart(OptionPart):
    """Editable combo box with a button to browse for files, if the option accepts files."""

    def __init__(self, option: Text) -> None:
        super().__init__(option)
        self.box: QComboBox = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.box.setLineEdit(PathField(self.box, frame=False))
        self.box.setMinimumContentsLength(FIELD_LETTERS)
        self._find = QToolButton()
        self._find.setText("…")
        self._find.setToolTip("Choose a file")
        self._find.setAccessibleName(f"File of {option.label}")
        self.widget = self._labelled(self.box, self._find)
        self.offer(option)
        self.box.textActivated.connect(self._chosen)
        edit = self.box.lineEdit()
        assert edit is not None
        edit.editingFinished.connect(self._typed)
        self._find.clicked.connect(self._ask)

    def offer(self, option: Option) -> None:
        super().offer(option)
        assert isinstance(option, Text)
        self.box.clear()
        for row, name in enumerate(option.names):
            self.box.addItem(name.text)
            self.box.setItemData(row, plain_tip(f"{name.name}: {name.tip}"), Qt.ItemDataRole.ToolTipRole)
        self._find.setVisible(option.files)

    def show(self, value: Any, *, fixed: bool) -> None:
        self.box.setCurrentText(value)
        for each in (self.box, self._find):
            each.setEnabled(not fixed)

    @Slot()
    def _typed(self) -> None:
        self._chosen(self.box.currentText())

    @Slot(str)
    def _chosen(self, text: str) -> None:
        assert isinstance(self.option, Text)
        try:
            if not self.option.files:  # that there is such a file is checked when it is read
                self.option.parse(text)
        except ValueError as error:
            self.refused.emit(str(error))
            return
        self.refused.emit("")
        if self.option.accepts(text):
            self._choose(text)

    @Slot()
    def _ask(self) -> None:
        if name := ask_file(self.box, self.option.tip):
            self._choose(name)


_PARTS: dict[type, type[Any]] = {Choice: ChoicePart, Flag: FlagPart, Number: NumberPart, Text: TextPart}


class OptionParts(QObject):
    """Widgets for a set of options; those not offered are hidden.

    Attributes:
        parts: by option id, in their order.

    Signals:
        chosen: the id of an option and the new value.
    """

    chosen = Signal(str, object)

    def __init__(self, options: Iterable[Option]) -> None:
        super().__init__()
        self.parts: dict[str, OptionPart] = {}
        for option in options:
            if option.shown and option.id not in self.parts:
                self.parts[option.id] = _PARTS[type(option)](option)
                self.parts[option.id].setParent(self)
                self.parts[option.id].chosen.connect(self.chosen)

    def offer(self, options: Iterable[Option], values: Options, fixed: Iterable[str] = ()) -> None:
        """Show ``options`` with ``values``; ``fixed`` ones are determined by others."""
        by_id = {one.id: one for one in options if one.shown}
        for id_, part in self.parts.items():
            option = by_id.get(id_)
            visible = option is not None
            if option is not None:
                if part.option is not option:
                    part.offer(option)
                part.show(values[id_], fixed=id_ in fixed)
                if option.only_with is not None:
                    other, value = option.only_with
                    visible = values[other] == value
            if part.widget.parent() is not None:  # else its label and control stand apart; it would be a window
                part.widget.setVisible(visible)
            part.box.setVisible(visible)

    def show_lack(self, lack: str | None) -> None:
        """Disable values that need a graphics card, with the reason ``lack``; None: there is a card."""
        for part in self.parts.values():
            part.show_lack(lack)


def grey_for_gpu(box: QComboBox, values: tuple[Value, ...], lack: str | None) -> None:
    """Disable entries of ``box`` that need a graphics card, with the reason ``lack``; None: there is a card."""
    model = box.model()
    if not isinstance(model, QStandardItemModel):
        return
    for row, choice in enumerate(values):
        if choice.gpu_only:
            model.item(row).setEnabled(lack is None)
            name = choice.name
            box.setItemText(row, name if lack is None else f"{name} — {gpu_unused(lack)}")
            tip = plain_tip(choice.tip if lack is None else gpu_unused(lack))
            box.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)
