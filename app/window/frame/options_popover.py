"""Popover with all options of the comparison and their automatic values."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from wavediff.app.ui.buttons import Popover
from wavediff.app.ui.devices import DeviceBox
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.method_options import ChoicePart, OptionPart, OptionParts
from wavediff.app.ui.theme import Theme
from wavediff.app.window.session import Session
from wavediff.core.jobs.choices import Device
from wavediff.core.methods import METHODS
from wavediff.core.methods.default import are_texts
from wavediff.core.methods.options import Choice, Option, Value
from wavediff.core.sequences.letter_rules import Ambiguity, UracilRule

APART = "Blocks and contigs are aligned by edit distance; the other options of a pair do not apply to them"
WIDTH_PX, LABEL_PX, BOX_PX = 680, 80, 220
AMBIGUITY = Choice(
    id="ambiguity",
    label="Ambiguity",
    tip="Treatment of N and other codes in statistics; they are compared as letters",
    help="",
    default=Ambiguity.MISSING,
    values=(
        Value(Ambiguity.MISSING, "Leave out N (X in proteins)", "Counts neither as a difference nor in identities"),
        Value(Ambiguity.COMPATIBLE, "Compatible codes", "A code matches any letter it can stand for: R matches A"),
        Value(Ambiguity.LETTERS, "As letters", "N and other codes count as ordinary letters"),
    ),
    advanced=False,
)
LETTERS = Choice(
    id="method",
    label="Letters by",
    tip="Method for comparing the letters of texts",
    help="",
    default=METHODS[0].id,
    values=tuple(Value(one.id, one.name, one.tip) for one in METHODS if one.of_letters),
    advanced=False,
)


class OptionLine(QWidget):
    """Label and control with a text for the chosen, or automatic, value."""

    def __init__(self, label: QLabel | None, control: QWidget) -> None:
        super().__init__()
        self.hint = QLabel(self, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._label = QLabel(self) if label is None else label
        self._left = QWidget(self)
        in_row(self._label, control, 1, on=self._left, margin=0, gap=8)
        in_row(self._left, (self.hint, 1), on=self, margin=0, gap=8)

    @property
    def label_width(self) -> int:
        return self._label.sizeHint().width()

    def say(self, text: str, tip: str = "") -> None:
        self.hint.setText(text)
        self.hint.setToolTip(tip)
        self.updateGeometry()  # at once: it may be of other lines, which the popover is made as high as

    def align(self, label_width: int) -> None:
        """Set the label width, to align with the lines above."""
        self._label.setFixedWidth(label_width)
        self._left.setFixedWidth(label_width + 8 + BOX_PX)


class OptionsPopover(Popover):
    """Shows and changes the session's options except the method; changes apply at once."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__("Options of the comparison", WIDTH_PX, theme, parent)
        self._session = session
        self.options = OptionParts(option for method in METHODS for option in method.options)
        self.options.setParent(self)
        self.lines = {id_: OptionLine(part.label, part.control) for id_, part in self.options.parts.items()}
        self._device = DeviceBox(session.devices)
        device_label = QLabel("Device", self)
        device_label.setBuddy(self._device)
        self.device_line = OptionLine(device_label, self._device)
        self._case = QCheckBox("Ignore case", self)
        self._case.setToolTip("Treat a and A as equal")
        self._case_line = OptionLine(None, self._case)
        self._uracil = QCheckBox("U is T", self)
        self._uracil.setToolTip("Compare U of nucleotides as T")
        self.uracil_line = OptionLine(None, self._uracil)
        self._own = [ChoicePart(each) for each in (LETTERS, AMBIGUITY)]
        self._letters_line, self._ambiguity_line = (OptionLine(part.label, part.control) for part in self._own)
        self.advanced = QLabel("Advanced", self)
        plain = [id_ for id_, part in self.options.parts.items() if not part.option.advanced]
        self.column.addWidget(self._letters_line)
        for id_ in plain:
            self.column.addWidget(self.lines[id_])
        self.column.addWidget(self._case_line)
        self.column.addWidget(self.uracil_line)
        self.column.addWidget(self._ambiguity_line)
        self.column.addWidget(self.advanced)
        for id_ in (id_ for id_ in self.lines if id_ not in plain):
            self.column.addWidget(self.lines[id_])
        self.column.addWidget(self.device_line)
        lines = self.all_lines
        widest = max(LABEL_PX, *(line.label_width for line in lines))
        for line in lines:
            line.align(widest)
        for id_, part in self.options.parts.items():
            part.refused.connect(self.lines[id_].say)
        self._device.activated.connect(lambda: session.choose(device=self._device.value))
        self._case.clicked.connect(lambda on: session.choose(fold_case=on))
        self._uracil.clicked.connect(lambda on: session.choose(letters=UracilRule.AUTO if on else UracilRule.EXACT))
        self.options.chosen.connect(self._choose_option)
        for part in self._own:
            part.chosen.connect(self._choose_option)
        session.choices_changed.connect(self.refresh)
        session.compared.connect(self.refresh)
        session.devices.changed.connect(self._show_devices)
        theme.follow(self._restyle)
        self.refresh()
        self._show_devices()

    @property
    def all_lines(self) -> tuple[OptionLine, ...]:
        own = (self._letters_line, self._case_line, self.uracil_line, self._ambiguity_line, self.device_line)
        return *self.lines.values(), *own

    @Slot()
    def refresh(self) -> None:
        choices = self._session.choices
        values, method, apart = choices.values, choices.chosen, self._session.apart
        self.options.offer(() if apart else method.options, values, method.implied(values))
        self.advanced.setText(APART if apart else "Advanced")
        automatic = self._found()
        for id_, part in self.options.parts.items():
            line = self.lines[id_]
            line.setVisible(not part.box.isHidden())
            line.say(_hint(part, values.get(id_), automatic.get(id_, "")))
        pair = self._session.pair.complete
        texts = pair is not None and are_texts(*pair)
        self._letters_line.setVisible(method.of_letters and texts and not apart)
        self._ambiguity_line.setVisible(method.of_letters and not texts and not apart)  # of texts each letter counts
        self._case_line.setVisible(not apart)
        own_lines, chosen = (self._letters_line, self._ambiguity_line), (method.id, choices.ambiguity)
        for part, line, value in zip(self._own, own_lines, chosen, strict=True):
            part.show(value, fixed=False)
            line.say(_hint(part, value, ""))
        self._device.choose(choices.device)
        self._case.setChecked(self._session.fold_case)
        self._case_line.say(
            "Automatic: yes for DNA and proteins, no for text" if choices.fold_case is None else "As chosen"
        )
        self.uracil_line.setVisible(self._session.pair.keeps_uracil)
        self._uracil.setChecked(choices.letters is UracilRule.AUTO)
        self.uracil_line.say(
            "Automatic: RNA and DNA have the same letters" if choices.letters is UracilRule.AUTO else "As chosen"
        )
        self._show_devices()
        if self.isVisible():
            self.fit()

    def _found(self) -> dict[str, str]:
        outcome = self._session.outcome
        if outcome is None or self._session.stale:
            return {}
        automatic = outcome.method.automatic(outcome.result)
        return {id_: text for id_, text in automatic.items() if id_ not in outcome.options}  # those were chosen

    @Slot()
    def _show_devices(self) -> None:
        devices = self._session.devices
        self.options.show_lack(devices.reason)
        chosen = self._session.choices.device
        if chosen is not Device.AUTO:
            said = "As chosen"
        elif devices.reason is not None or devices.chosen is None:
            said = "Automatic: CPU" if devices.reason is not None else "Automatic: the faster device"
        elif devices.chosen.device == Device.CPU:
            said = "Automatic: CPU, faster for this size"
        else:
            said = "Automatic: GPU, faster for this size"
        self.device_line.say(said, devices.tip())

    @Slot(str, object)
    def _choose_option(self, id_: str, value: Any) -> None:
        self._session.choose(**{id_: value})

    @Slot()
    def _restyle(self) -> None:
        bold = self.font()
        bold.setWeight(bold.Weight.DemiBold)
        self.advanced.setFont(bold)
        self._theme.quieten(*(line.hint for line in self.all_lines))


def _hint(part: OptionPart, value: Any, automatic_value: str) -> str:
    option: Option = part.option
    automatic = value == option.default
    if automatic and automatic_value:
        return f"Automatic: {automatic_value}"
    entry = option.entry(value) if isinstance(option, Choice) else None
    return entry.tip if entry is not None else option.tip
