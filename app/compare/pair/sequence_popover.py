"""Popover with the properties and actions of one sequence."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QColor, QDesktopServices, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from wavediff.app.compare.pair.sequence_chip import ALPHABET_NAMES, full_name, kind_name
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.background_task import on
from wavediff.app.ui.buttons import Popover
from wavediff.app.ui.chooser import Chooser, Segments
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.number_text import grouped, percent, plain_tip
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import HEADER_CONTROL_PX, Theme
from wavediff.core.base.numbers import count, number
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet, Sequence

HEIGHT_PX = 12
SHOWN_LETTERS = 8  # of a composition
MAX_NAMED_LETTERS = 12  # letters with a separate part of the bar; others share the last one


class CompositionBar(QWidget):
    """Stacked bar of the composition, labelled if a letter fits."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts: list[tuple[str, float, bool]] = []  # letter, share, whether it is a base
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_sequence(self, sequence: Sequence | None) -> None:
        self._parts = []
        total = len(sequence) if sequence is not None else 0
        if sequence is not None and total:
            bases = sequence.alphabet.is_nucleotide
            named = sequence.composition[:MAX_NAMED_LETTERS]
            if bases:  # by letter, not by frequency: two sequences are compared at a glance
                named = tuple(sorted(named))
            self._parts = [(letter, count / total, bases) for letter, count in named]
            rest = 1 - sum(part[1] for part in self._parts)
            if len(sequence.composition) > MAX_NAMED_LETTERS:
                self._parts.append(("…", rest, False))
        lines = [f"{letter}  {grouped(n)}  ({percent(n / total)})" for letter, n in composition(sequence)[:60]]
        self.setToolTip(plain_tip("\n".join(lines)))
        self.setAccessibleName(f"Composition: {composition_text(sequence)}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT_PX)

    def _fill(self, k: int, letter: str, base: bool) -> QColor:
        if base:
            return self._theme.base_color(letter)
        if letter == "…":
            return self._theme.grid
        value = 0.62 if self._theme.dark else 0.72  # one hue, in steps: no claim about the letters
        return QColor.fromHslF(0.58, 0.38, max(0.2, min(0.92, value - 0.3 + 0.6 * (k % 2) / 2 + 0.02 * k)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        clip = QPainterPath()
        clip.addRoundedRect(box, 3, 3)
        painter.setClipPath(clip)
        painter.fillRect(box, self._theme.grid)
        font = self.font()
        font.setPixelSize(9)
        font.setBold(True)
        painter.setFont(font)
        left = 0.0
        for k, (letter, share, base) in enumerate(self._parts):
            part = QRectF(left, 0, share * box.width(), box.height())
            left = part.right()
            fill = self._fill(k, letter, base)
            painter.fillRect(part, fill)
            if part.width() > 9 * len(letter):
                painter.setPen(self._theme.ink_on(fill))
                painter.drawText(part, Qt.AlignmentFlag.AlignCenter, letter)


def composition(sequence: Sequence | None) -> tuple[tuple[str, int], ...]:
    return sequence.composition if sequence is not None and len(sequence) else ()


def composition_text(sequence: Sequence | None) -> str:
    """Return e.g. ``A 30.9 %  C 31.3 %  G 13.1 %  T 24.7 %``, bases by letter, others by frequency."""
    if sequence is None or not len(sequence):
        return ""
    total = len(sequence)
    composition = sequence.composition
    named = composition[:SHOWN_LETTERS]
    if sequence.alphabet.is_nucleotide:
        named = tuple(sorted(named))
    parts = [f"{letter} {percent(count / total)}" for letter, count in named]
    if len(composition) > SHOWN_LETTERS:
        parts.append(f"and {number(len(composition) - SHOWN_LETTERS)} more")
    return "   ".join(parts)


WIDTH_PX = 520
FORMATS = {"plain": "plain text"}  # what the user calls what ``Sequence.format`` says
MAX_NOTICES = 6  # shown; of the others the number


class SequencePopover(Popover):
    """Signals: open_wanted, paste_wanted, record_wanted: its ``Side``; a button was pressed. reading_wanted: its
    ``Side``, a ``ReadAs`` and an ``Alphabet`` or None; read the file again with these. orientation_wanted: a
    ``Strand``, and whether the sequence is circular; compare with these."""

    open_wanted = Signal(object)
    paste_wanted = Signal(object)
    record_wanted = Signal(object)
    reading_wanted = Signal(object, object, object)
    orientation_wanted = Signal(object, bool)

    def __init__(self, side: Side, theme: Theme, parent: QWidget) -> None:
        super().__init__(f"Sequence {side!s}", WIDTH_PX, theme, parent)
        self.side = side
        self._want: ReadItem | None = None
        self._sequence: Sequence | None = None
        self._source: Path | None = None
        self._name = ElidedLabel(parent=self)
        self._facts = ElidedLabel(middle=True, parent=self)
        self._bar = CompositionBar(theme)
        self._shares = ElidedLabel(parent=self)
        self.alphabet: Segments[Alphabet] = Segments(f"Read {side!s} as", theme, parent=self)
        for each in Alphabet:
            self.alphabet.add(each, ALPHABET_NAMES[each])
        self.format = Chooser[ReadAs](f"File format of {side!s}", self)
        for read_as in ReadAs:
            self.format.add(read_as, read_as.label)
        self._record = QPushButton("Another record…", self)
        self.strand: Segments[Strand] = Segments(f"Strand of {side!s}", theme, parent=self)
        self.strand.add(Strand.PLUS, "As in the file")
        self.strand.add(Strand.MINUS, "Reverse complement")
        self._circular: Segments[bool] = Segments(f"Topology of {side!s}", theme, parent=self)
        self._circular.add(False, "Linear")
        turned = "Circular: B starts at A's origin"
        self._circular.add(True, "Circular", turned)
        self._notices = QLabel(self, wordWrap=True)
        self._notices.setAccessibleName(f"Notices of {side!s}")
        self._open = QPushButton("Open…", self)
        self._open.setAccessibleName(f"Open a file as {side!s}")
        self._paste = QPushButton("Paste…", self)
        self._paste.setAccessibleName(f"Paste as {side!s}")
        self._show_file = QPushButton("Show file", self)
        self._lay_out()
        self._wanted = {
            self._open: self.open_wanted, self._paste: self.paste_wanted, self._record: self.record_wanted,
        }  # fmt: skip
        on(self._ask, *(button.clicked for button in self._wanted))
        self._show_file.clicked.connect(self._open_folder)
        on(self._ask_reading, self.alphabet.chosen, self.format.activated)
        on(
            lambda: self.orientation_wanted.emit(self.strand.value, self._circular.value),
            self.strand.chosen,
            self._circular.chosen,
        )
        theme.follow(self._restyle)
        self.show_sequence(None, None)

    def _lay_out(self) -> None:
        for line in (self._name, self._facts, self._bar, self._shares):
            self.column.addWidget(line)
        rows = QGridLayout()
        rows.setColumnStretch(1, 1)
        rows.setHorizontalSpacing(12)
        texts = "Read as", "File format", "Record", "Strand", "Topology"
        boxes: tuple[QWidget, ...] = self.alphabet, self.format, self._record, self.strand, self._circular
        self._labels = [QLabel(text, self) for text in texts]
        for row, (label, box) in enumerate(zip(self._labels, boxes, strict=True)):
            label.setBuddy(box)
            label.setMinimumWidth(68)
            rows.addWidget(label, row, 0)
            rows.addLayout(in_row(box, 1), row, 1)
        self.column.addLayout(rows)
        self._line = QFrame(self)
        self._line.setFixedHeight(1)
        self.column.addWidget(self._line)
        self.column.addWidget(self._notices)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._open, self._paste, self._show_file):
            button.setProperty("control", "header")
            button.setFixedHeight(HEADER_CONTROL_PX)
            button.setMinimumWidth(96)
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.column.addLayout(buttons)

    def show_sequence(self, sequence: Sequence | None, want: ReadItem | None, n_records: int = 1) -> None:
        """Show ``sequence`` and how it was read; editable if ``want`` can read it again."""
        self._sequence, self._want = sequence, want
        self._source = want.path if want is not None else None
        there = sequence is not None
        known: tuple[QWidget, ...] = (self._name, self._facts, self._bar, self._shares)
        for each in known:
            each.setVisible(there)
        again = there and want is not None
        changing: tuple[QWidget, ...] = (*self._labels[:2], self.alphabet, self.format)
        for each in changing:
            each.setVisible(again)
        orients = sequence is not None and self.side is Side.B and sequence.alphabet.is_nucleotide
        for each in (*self._labels[3:], self.strand, self._circular):
            each.setVisible(orients)
        self._labels[2].setVisible(again and n_records > 1)
        self._record.setVisible(again and n_records > 1)
        self._show_file.setEnabled(self._source is not None)
        self._notices.setText("" if there else "Nothing yet: drop, paste or open a file")
        self._line.setVisible(there and bool(sequence and sequence.notices))
        if sequence is not None:
            self._fill(sequence, n_records)
        self._notices.setVisible(bool(self._notices.text()))
        if self.isVisible():
            self.fit()

    def _fill(self, sequence: Sequence, n_records: int) -> None:
        self._name.set_text(full_name(sequence))
        facts = [count(len(sequence), "letter", "letters"), kind_name(sequence)]
        facts += filter(None, [sequence.orientation.text(len(sequence))])
        if n_records > 1:
            facts.append(f"record {number(sequence.record)} of {number(n_records)}")
        self._facts.set_text(" · ".join([*facts, *filter(None, [sequence.source])]))
        self._bar.show_sequence(sequence.original)
        self._shares.set_text(composition_text(sequence.original))
        self.show_orientation(sequence.orientation)
        format_name = FORMATS.get(sequence.format, sequence.format)
        self.format.setItemText(0, f"Automatic ({format_name})" if format_name else "Automatic")
        self._show_reading(sequence, self._want)
        texts = [notice.text for notice in sequence.notices[:MAX_NOTICES]]
        if len(sequence.notices) > MAX_NOTICES:
            more = len(sequence.notices) - MAX_NOTICES
            texts.append(f"and {count(more, 'more notice', 'more notices')}")
        self._notices.setText("\n".join(texts))

    @Slot()
    def _ask(self) -> None:
        wanted = next(signal for button, signal in self._wanted.items() if button is self.sender())
        self.close()
        wanted.emit(self.side)

    @Slot()
    def _open_folder(self) -> None:
        if self._source is not None:
            self.close()
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._source.parent)))

    @Slot()
    def _ask_reading(self) -> None:
        """Request another reading; the current one stays until that succeeds."""
        if self._want is not None and self._sequence is not None:
            by_hand = self.sender() is self.alphabet
            alphabet = self.alphabet.value if by_hand else self._want.alphabet
            read_as = self.format.value
            self._show_reading(self._sequence, self._want)
            self.reading_wanted.emit(self.side, read_as, alphabet)

    def show_orientation(self, orientation: Orientation) -> None:
        self.strand.choose(orientation.strand)
        self._circular.choose(orientation.circular)

    def _show_reading(self, sequence: Sequence, want: ReadItem | None) -> None:
        self.alphabet.choose(sequence.alphabet)
        self.format.choose(want.read_as if want is not None else ReadAs.AUTO)

    @Slot()
    def _restyle(self) -> None:
        bold = self.font()
        bold.setWeight(bold.Weight.DemiBold)
        self._name.setFont(bold)
        self._theme.quieten(self._facts, self._shares, *self._labels)
        self._shares.setFont(self._theme.small_font)
        self._line.setStyleSheet(f"background: {self._theme.grid.name()}")
