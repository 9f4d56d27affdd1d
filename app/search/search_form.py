"""Search form: patterns (typed, pasted or from a file), and matching options."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QLabel, QPlainTextEdit, QPushButton, QSpinBox, QWidget

from wavediff.app.search.search_session import Search, SearchRequest, SearchSides
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.devices import DeviceBox, DeviceModel
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import FlowLayout, as_one_widget, in_column, in_row
from wavediff.app.ui.pair import Side
from wavediff.app.ui.save_dialog import ask_file
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count
from wavediff.core.jobs.search import MAX_ERRORS
from wavediff.core.sequences.pattern_list import Pattern, read_list

HINT = (
    r"One pattern per line, or FASTA. Optional name first: NAME, Ctrl+Tab, PATTERN. Escapes: \t \n \xHH \\. DNA: also "
    "IUPAC codes, enzymes (EcoRI), primers (FORWARD..REVERSE)"
)


class PatternField(QPlainTextEdit):
    """Field that Tab leaves; Ctrl+Tab types a tab."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tabChangesFocus=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.insertPlainText("\t")
        else:
            super().keyPressEvent(event)


class SearchForm(QWidget):
    """Signals: submitted: Search or Ctrl+Enter was pressed. changed: patterns or options changed."""

    submitted, changed = Signal(), Signal()

    def __init__(self, search: Search, devices: DeviceModel) -> None:
        super().__init__()
        self._search = search
        self._listed: tuple[Pattern, ...] = ()  # from a file
        self.editor = PatternField(self)
        self.file = ElidedLabel(middle=True, parent=self)
        self.open_button, self.forget_button = QPushButton("File…", self), QPushButton("Remove file", self)
        self.search_button = QPushButton("Search", self)
        self.where = Chooser[SearchSides]("Where to search", self)
        self.kind = Chooser[bool]("Kind of errors", self)
        self.errors = QSpinBox(self)
        self.strands = QCheckBox("Both strands", self)
        self.circle = QCheckBox("Circular", self)
        self.device = DeviceBox(devices)
        self._build()
        for key in ("Ctrl+Return", "Ctrl+Enter"):
            within = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(QKeySequence(key), self, context=within).activated.connect(self.submitted)
        options = self.where.currentIndexChanged, self.kind.currentIndexChanged, self.errors.valueChanged
        for signal in (
            *options, self.strands.toggled, self.circle.toggled, self.editor.textChanged, search.patterns_read,
        ):  # fmt: skip
            signal.connect(self.changed)
        self.search_button.clicked.connect(self.submitted)
        self.open_button.clicked.connect(self.ask_file)
        self.forget_button.clicked.connect(self.forget)
        self.errors.valueChanged.connect(self._show_kind)
        search.patterns_read.connect(self._show_listed)
        search.pair.changed.connect(self._offer_strands)
        self.forget()
        self._show_kind()
        self._offer_strands()

    def _build(self) -> None:
        editor = self.editor
        editor.setPlaceholderText(HINT)
        editor.setAccessibleName("Patterns")
        editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        editor.setFixedHeight(self.fontMetrics().height() * 4)
        self.open_button.setToolTip("Read patterns from a file, FASTA or one per line")
        self.forget_button.setToolTip("Remove the file and search for the typed patterns")
        self.search_button.setToolTip("Search (Ctrl+Enter)")
        for sides in SearchSides:
            self.where.add(sides, f"in {sides.value}")
        self.kind.add(False, "mismatches")
        self.kind.add(True, "edits")
        self.kind.setToolTip("Mismatches: substitutions only. Edits: insertions and deletions too")
        self.errors.setRange(0, MAX_ERRORS)
        self.errors.setAccessibleName("Errors allowed")
        self.errors.setToolTip("Errors allowed in a hit")
        self.circle.setToolTip("Find hits across the origin; always on if the file says circular")
        files = in_column(self.open_button, self.forget_button, 1, gap=4)
        allowed = as_one_widget(QLabel("up to"), self.errors, self.kind)
        choices = FlowLayout(self.where, allowed, self.strands, self.circle, self.device, spacing=8)
        below = in_row((choices, 1))
        below.addWidget(self.search_button, 0, Qt.AlignmentFlag.AlignBottom)
        in_column(in_row((editor, 1), files, gap=4), self.file, below, on=self, margin=0, gap=4)
        self.setFocusProxy(editor)

    @property
    def asked(self) -> tuple[object, ...]:
        """Patterns and options that the hits depend on."""
        options = self.errors.value(), self.kind.value, self.strands.isChecked(), self.circle.isChecked()
        return self._listed or self.editor.toPlainText(), self.where.value, *options

    def wish(self) -> SearchRequest:
        """Return the request; InputError: no pattern, or an empty one."""
        typed = self.editor.toPlainText()
        return SearchRequest(
            patterns=self._listed or read_list(typed.encode("utf-8", "surrogatepass")),
            where=self.where.value,
            both_strands=self.strands.isEnabled() and self.strands.isChecked(),
            circular=self.circle.isChecked(),
            errors=self.errors.value(),
            edits=self.kind.value,
            device=self.device.value,
        )

    @Slot()
    def _offer_strands(self) -> None:
        there = [one for side in Side if (one := self._search.pair[side]) is not None]
        stranded = not there or any(one.alphabet.is_nucleotide for one in there)
        self.strands.setEnabled(stranded)
        self.strands.setToolTip("Also find the reverse complements" if stranded else "A and B are not DNA or RNA")

    @Slot()
    def ask_file(self) -> None:
        if path := ask_file(self, "Patterns"):
            self._search.open(Path(path))

    @Slot()
    def forget(self) -> None:
        self._listed = ()
        self.file.hide()
        self.editor.setEnabled(True)
        self.forget_button.setEnabled(False)

    @Slot(object)
    def _show_listed(self, patterns: tuple[Pattern, ...]) -> None:
        self._listed = patterns
        name = printable(Path(patterns[0].source).name)
        self.file.set_text(f"{count(len(patterns), 'pattern', 'patterns')} of {name}")
        self.file.show()
        self.editor.setEnabled(False)
        self.forget_button.setEnabled(True)

    @Slot()
    def _show_kind(self) -> None:
        self.kind.setEnabled(self.errors.value() > 0)
