"""Panel for an alignment of another program: costs of both, and the columns that differ."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QPlainTextEdit, QPushButton

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.glyphs import letter_font
from wavediff.app.ui.layouts import FlowLayout, in_column
from wavediff.app.ui.notices import Action, Notice, Severity, error_text
from wavediff.app.ui.pair import Comparison, GivenFile, Pair
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, MARGIN_PX, MAX_ROWS, Pictured, Sheet, even, light, pair_title
from wavediff.app.ui.save_dialog import ask_file
from wavediff.core.base.errors import InputError
from wavediff.core.export import terminal
from wavediff.core.export.terminal_lines import plain
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.given_alignment import AlignmentRecord, checked, of_pair
from wavediff.core.reading.alignments import on_pair, own_pair, read_alignments
from wavediff.core.sequences.orientation import Strand

FONT_PX = 13
CHOICE_LETTERS = 6  # that a narrow chooser shows
MAX_RECORDS, MAX_LINES = 100, 2000  # that are listed, and shown
GIVEN = "given"  # what a notice of such a file is about
EMPTY = "Open an alignment of A and B from another program: PAF, SAM, BAM, aligned FASTA, CLUSTAL or MAF"


class GivenView(PanelView):
    """Reads an alignment file for the pair, and shows one of its records whenever the pair is compared.

    Signals:
        file_wanted: a ``GivenFile`` for the pair, or None to remove it.
        pair_wanted: letters of A and B in the alignment file, as texts, and that ``GivenFile``.
        strand_wanted: the ``Strand`` of B that the alignment file has.
        unreadable: the file cannot be read, and there is no pair.
        dealt_with: notices of the previous file are outdated, see ``Notice.about``.
        found: job of the comparison, and the ``GivenAlignment`` to show next to its alignment, or None.
    """

    file_wanted = Signal(object)
    pair_wanted = Signal(object, object)
    strand_wanted = Signal(object)
    unreadable = Signal()
    dealt_with = Signal(object)
    found = Signal(object, object)

    def __init__(self, pair: Pair) -> None:
        super().__init__()
        self._pair = pair
        self._file: GivenFile | None = None
        self._stamp = 0  # when the file was, nanoseconds
        self._names: tuple[str, str] | None = None  # of the pair when the file was read
        self._every: tuple[AlignmentRecord, ...] = ()
        self._outcome: Comparison | None = None
        self._task = BackgroundTask("alignment", self, self._show, self._refuse)
        self.button = QPushButton("Open alignment…", self)
        self.button.clicked.connect(self._ask)
        self.remove = QPushButton("Remove", self)
        self.remove.setToolTip("Show only our alignment")
        self.remove.clicked.connect(lambda: self.file_wanted.emit(None))
        self.choice = Chooser[int]("Alignment of the file", self)
        self.choice.activated.connect(self._choose)
        self.choice.setMinimumContentsLength(CHOICE_LETTERS)
        self.in_letters = QCheckBox("Also show it in the letters", self)
        self.in_letters.setChecked(True)
        self.text = QPlainTextEdit(self, readOnly=True)
        self.text.setAccessibleName("Given alignment")
        self.text.setFont(letter_font(FONT_PX))
        in_column(FlowLayout(self.button, self.remove, self.choice, self.in_letters), (self.text, 1), on=self)
        self.remove.hide()
        self.setFocusProxy(self.button)
        self._say(EMPTY)

    @Slot()
    def _ask(self) -> None:
        if name := ask_file(self, "Open an alignment"):
            self.file_wanted.emit(GivenFile(os.path.abspath(name)))

    def follow(self, file: GivenFile | None) -> None:
        """Show ``file`` with the current pair; without a pair, the sequences of the file become A and B."""
        both = self._pair.complete
        names, before, known = None if both is None else (both[0].name, both[1].name), self._file, self._names
        self._file, self._names, written = file, names, self._stamp
        with suppress(OSError):
            self._stamp = 0 if file is None else os.stat(file.path).st_mtime_ns
        self.dealt_with.emit(frozenset({GIVEN}))
        self.remove.setVisible(file is not None)
        if self._outcome is not None and (both is None or self._outcome.a is not both[0]):
            self._outcome = None
        if file is None:
            self._every = ()
            self._task.stop()
            self._say(EMPTY)
            if self._outcome is not None:
                self.found.emit(self._outcome.job, None)
        elif before is None or (before.path, known) != (file.path, names) or not self._every or written != self._stamp:
            self._every = ()
            self._say("Reading the alignment…")
            self._task.start(lambda _cancel: read_alignments(file.path, names))
        elif before != file:
            self._compute()

    def show_outcome(self, outcome: Comparison) -> None:
        self._outcome = outcome
        self._compute()

    def _compute(self) -> None:
        outcome, file = self._outcome, self._file
        if file is None or not self._every:
            return
        self.choice.choose(file.number if file.number <= MAX_RECORDS else 0)
        if self._pair.complete is None:
            self._open_own(file)
        elif outcome is not None and outcome.method.of_letters and outcome.result.shown is not None:
            try:
                records = of_pair(self._every, (outcome.a.name, outcome.b.name), file.number or None)
                records = on_pair(records, outcome.a, outcome.b)
            except InputError as error:
                self._refuse(error)
                return
            strand = Strand.MINUS if records[0].minus else Strand.PLUS
            if strand not in (outcome.b.orientation.strand, self._pair.orientation.strand):
                self.strand_wanted.emit(strand)
                return
            self._task.start(partial(_made, outcome, records))

    @Slot(object)
    def _show(self, answer: tuple[AlignmentRecord, ...] | tuple[Comparison, str, str]) -> None:
        if isinstance(answer[0], Comparison):
            self.dealt_with.emit(frozenset({GIVEN}))
            if answer[2]:
                self.noticed.emit(Notice(Severity.INFO, str(answer[2]), frozenset({GIVEN})))
            self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
            self.text.setPlainText(str(answer[1]))
            self.found.emit(answer[0].job, answer[0].given)
            return
        self._every = tuple(one for one in answer if isinstance(one, AlignmentRecord))
        self.choice.clear()
        self.choice.add(0, "By the names of A and B")
        for k, record in enumerate(self._every[:MAX_RECORDS], 1):
            self.choice.add(k, record.text)
        self.choice.setVisible(len(self._every) > 1)
        self._compute()

    @Slot()
    def _choose(self) -> None:
        """Use the chosen record; a record of other sequences brings its own letters."""
        assert self._file is not None
        wanted, record = self._file._replace(number=self.choice.value), self._every[max(1, self.choice.value) - 1]
        own = own_pair(record) if wanted.number and record.holds_letters else None
        if own is not None and (own[0].name, own[1].name) != self._names:
            self._open_own(wanted)
        else:
            self.file_wanted.emit(wanted)

    def _open_own(self, file: GivenFile) -> None:
        number = max(1, file.number)
        try:
            *pair, _ = own_pair(self._every[number - 1])
        except (InputError, IndexError) as error:
            self._refuse(error)
            return
        texts = [f">{each.name}\n{each.letters.tobytes().decode('latin-1')}\n" for each in pair]
        self.pair_wanted.emit(texts, file._replace(number=number))

    @Slot(object)
    def _refuse(self, error: BaseException) -> None:
        self._say(error_text(error))
        file, held = self._file, any(one.holds_letters for one in self._every) and self._pair.complete is not None
        own = Action("Compare its own sequences", partial(self._open_own, file)) if held and file is not None else None
        self.noticed.emit(Notice(Severity.ERROR, error_text(error), frozenset({GIVEN}), own))
        if self._outcome is not None:
            self.found.emit(self._outcome.job, None)
        if not self._every and self._pair.complete is None:
            self.unreadable.emit()

    def _say(self, text: str) -> None:
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setPlainText(text)
        self.choice.setVisible(len(self._every) > 1)


def _made(
    outcome: Comparison, records: tuple[AlignmentRecord, ...], _cancel: CancelToken
) -> tuple[Comparison, str, str]:
    note = records[0].taken_for((outcome.a.name, outcome.b.name))
    given = checked(records, outcome.a, outcome.b, fold_case=outcome.fold_case)
    lines = terminal.theirs(outcome.answer(), given, plain, everything=True)
    text = "\n".join(islice(lines, MAX_LINES))
    return replace(outcome, given=given), text, note and f"{os.path.basename(records[0].source)}: {note}"


def given_picture(seen: QPlainTextEdit, outcome: Comparison | None) -> Pictured:
    """Return the picture of the text from the first visible line of ``seen`` on, as wide as its lines."""
    theme, top = light(), seen.verticalScrollBar().value()
    lines = seen.toPlainText().split("\n")[top : top + MAX_ROWS]
    text = QLabel("\n".join(lines), textFormat=Qt.TextFormat.PlainText, alignment=Qt.AlignmentFlag.AlignTop)
    text.setFont(letter_font(FONT_PX))
    text.setWordWrap(seen.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth)
    wide, high = max(DEFAULT_SIZE[0], text.sizeHint().width() + 2 * MARGIN_PX), text.sizeHint().height()
    sheet = Sheet(theme, pair_title(outcome, "Given alignment"), text, (), even((wide, DEFAULT_SIZE[1] + high)))
    sheet.text.hide()
    sheet.settle()
    sheet.fit((0, text.height() - text.heightForWidth(text.width()) if text.wordWrap() else text.height() - high))
    return Pictured(sheet)
