"""An alignment made elsewhere beside ours: costs of both, and the columns that differ."""

from __future__ import annotations

from functools import partial
from html import escape
from itertools import islice
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QCheckBox, QFileDialog, QPlainTextEdit, QPushButton

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.glyphs import letter_font
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.notices import Severity, error_text
from wavediff.app.ui.pair import Pair
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.save_dialog import ALL_FILES
from wavediff.app.ui.theme import Theme
from wavediff.core.export import comparison, terminal
from wavediff.core.export.styles import Marking, Style
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.given_alignment import AlignmentRecord, GivenAlignment, checked, of_pair
from wavediff.core.reading.alignments import own_pair, read_alignments
from wavediff.core.sequences.orientation import Strand

FONT_PX = 13
MAX_RECORDS, MAX_LINES = 100, 2000  # that are listed, and shown
EMPTY = "Open an alignment of A and B made elsewhere: PAF, SAM, BAM, aligned FASTA, CLUSTAL or MAF"


class GivenView(PanelView):
    """Reads a file of alignments, and shows one of them whenever the pair was compared.

    Signals:
        pair_wanted: texts of A and B, which the file holds. strand_wanted: ``Strand`` of B that the file aligns.
        theirs_wanted: a ``GivenAlignment`` to be seen in the letters, or None for ours.
    """

    pair_wanted = Signal(object)
    strand_wanted = Signal(object)
    theirs_wanted = Signal(object)

    def __init__(self, pair: Pair, theme: Theme) -> None:
        super().__init__()
        self._pair, self._theme = pair, theme
        self._every: tuple[AlignmentRecord, ...] = ()
        self._outcome: Comparison | None = None
        self._found: GivenAlignment | None = None
        self._awaited = False  # whether its own pair is on its way
        self._task = BackgroundTask("alignment", self)
        self._task.finished.connect(self._show)
        self._task.failed.connect(self._refuse)
        self.button = QPushButton("Open alignment…", self)
        self.button.clicked.connect(self._ask)
        self.choice = Chooser[int]("Alignment of the file", self)
        self.choice.activated.connect(self._choose)
        self.in_letters = QCheckBox("Theirs in the letters", self)
        self.in_letters.toggled.connect(self._show_in_letters)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAccessibleName("Given alignment")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(letter_font(FONT_PX))
        in_column(in_row(self.button, self.choice, self.in_letters, 1), (self.text, 1), on=self)
        self.setFocusProxy(self.button)
        self._say(EMPTY)

    @Slot()
    def _ask(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open an alignment", "", ALL_FILES)
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> None:
        """Read a file; without a pair the sequences that it holds become A and B."""
        both = self._pair.complete
        names = None if both is None else (both[0].name, both[1].name)
        self._say("Reading the alignment…")
        self._task.start(lambda _cancel: read_alignments(path, names))

    @Slot()
    def forget(self) -> None:
        """Forget the file: there is another pair, unless it is that of the file."""
        self._outcome = None
        if not self._awaited:
            self._every = ()
            self._say(EMPTY)
        self._awaited = False

    def show_outcome(self, outcome: Comparison) -> None:
        """Show the alignment beside that of ``outcome``, if there is one."""
        self._outcome = outcome
        self.in_letters.setChecked(False)
        self._compute()

    def _compute(self) -> None:
        outcome, both, number = self._outcome, self._pair.complete, self.choice.value if self.choice.count() else 0
        if outcome is None or both is None or not self._every or outcome.result.shown is None:
            return
        try:
            records = of_pair(self._every, (outcome.a.name, outcome.b.name), number or None)
        except Exception as error:
            self._refuse(error)
            return
        strand = Strand.MINUS if records[0].minus else Strand.PLUS
        if strand is not outcome.b.orientation.strand and strand is not self._pair.orientation.strand:
            self.strand_wanted.emit(strand)
            return
        self._task.start(partial(_made, outcome, records, self._mark))

    @Slot(object)
    def _show(self, found: tuple[AlignmentRecord, ...] | tuple[GivenAlignment, str]) -> None:
        if isinstance(found[0], GivenAlignment):
            self._found, html = found[0], str(found[1])
            self.text.clear()
            self.text.appendHtml(f"<pre>{html}</pre>")
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            self._allow()
            return
        self._every = tuple(one for one in found if isinstance(one, AlignmentRecord))
        self.choice.clear()
        self.choice.add(0, "By the names of A and B")
        for k, record in enumerate(self._every[:MAX_RECORDS], 1):
            self.choice.add(k, record.text)
        self._choose()

    @Slot()
    def _choose(self) -> None:
        if self._pair.complete is not None:
            self._compute()
            return
        try:
            (chosen, *_) = of_pair(self._every, None, self.choice.value or None)
            *pair, own = own_pair(chosen)
        except Exception as error:
            self._refuse(error)
            return
        self._every = tuple(own if each is chosen else each for each in self._every)
        self._awaited = True
        self.pair_wanted.emit([f">{each.name}\n{each.letters.tobytes().decode('latin-1')}\n" for each in pair])

    @Slot(object)
    def _refuse(self, error: BaseException) -> None:
        self._say(error_text(error))
        self.tell(error_text(error), Severity.ERROR)

    def _say(self, text: str) -> None:
        self._found = None
        self.text.setPlainText(text)
        self._allow()

    def _allow(self) -> None:
        self.choice.setVisible(len(self._every) > 1)
        self.in_letters.setEnabled(self._found is not None)

    def _mark(self, words: str, style: Style) -> str:
        strong = style in (Style.MISMATCH, Style.ANSWER)
        colour = f" style='color:{self._theme.accent.name()}'" if style is Style.MISMATCH else ""
        return f"<b{colour}>{escape(words)}</b>" if strong else escape(words)

    @Slot(bool)
    def _show_in_letters(self, theirs: bool) -> None:
        self.theirs_wanted.emit(self._found if theirs else None)


def _made(
    outcome: Comparison, records: tuple[AlignmentRecord, ...], mark: Marking, _cancel: CancelToken
) -> tuple[GivenAlignment, str]:
    given = checked(records, outcome.a, outcome.b, fold_case=outcome.fold_case)
    answer = comparison.Comparison(
        outcome.a, outcome.b, outcome.method, outcome.fold_case, 0, outcome.result, options=outcome.options
    )
    return given, "\n".join(islice(terminal.theirs(answer, given, mark, everything=True), MAX_LINES))
