"""Save what was compared in the formats of the command line, on a thread of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.errand import Errand
from app.methods import METHODS
from app.notices import Level, one_line
from app.session import Session
from core.cancel import CancelToken, heeding
from core.errors import Cancelled, WavediffError, printable

if TYPE_CHECKING:
    from app.commands.outputs import Answer

# What the dialog offers -> ``app.commands.outputs.KINDS``.
FILES = {
    "PAF (*.paf)": "paf",
    "SAM (*.sam)": "sam",
    "Aligned FASTA (*.fa *.fasta)": "fasta",
    "CIGAR (*.cigar *.txt)": "cigar",
    "Table of differences (*.tsv)": "tsv",
    "JSON (*.json)": "json",
}
LARGE = 200 << 20  # bytes from which a person is asked first


class AlignmentExport(QObject):
    """Asks for a name and a format, and where the file would be large, whether it shall be."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.errand = Errand("export", self)
        self.errand.done.connect(self._saved)
        self.errand.failed.connect(self._not_saved)

    @Slot()
    def ask(self) -> None:
        if self._session.outcome is None:
            self._session.notice(Level.INFO, "There is nothing to export: compare two sequences first")
            return
        name, chosen = QFileDialog.getSaveFileName(self._window, "Export the alignment", "", ";;".join(FILES))
        if name:
            self.save(Path(name), FILES[chosen])

    def save(self, path: Path, kind: str) -> None:
        """Write the outcome as it is now to ``path``, after asking where that takes much room.

        Args:
            kind: of ``app.commands.outputs.KINDS``.
        """
        from app.commands.outputs import KINDS

        answer = self._answer()
        if KINDS[kind].needs_alignment and answer.result.alignment is None:
            self._session.notice(Level.ERROR, f"{kind}: only the length was computed; choose a path and run again")
            return
        size = KINDS[kind].size(answer)
        if size < LARGE:
            self._write(path, kind, answer)
            return
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Export the alignment",
            f"{printable(path.name)} will have {size / 1e6:,.0f} MB. Write it?",
            QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel,
            self._window,
        )

        def answered(button: int) -> None:
            box.deleteLater()
            if button == QMessageBox.StandardButton.Save:
                self._write(path, kind, answer)

        box.finished.connect(answered)
        box.open()

    def _answer(self) -> Answer:
        from app.commands import methods
        from app.commands.outputs import Answer

        outcome = self._session.outcome
        assert outcome is not None, "nothing was compared"
        id_ = next(one.id for one in METHODS if one.job_type is type(outcome.job))
        commands = next(one for one in methods.METHODS if one.id == id_).load()
        timings = self._session.timings.rows
        return Answer(id_, commands, outcome.a, outcome.b, outcome.job, outcome.result, timings)

    def _write(self, path: Path, kind: str, answer: Answer) -> None:
        from app.commands.outputs import KINDS
        from core.export.atomic import write_atomic

        inputs = [each.source for each in (answer.a, answer.b) if each.source]

        def write(cancel: CancelToken) -> str:
            check = KINDS[kind].check
            if check is not None:
                check(answer.a, answer.b)
            pieces = heeding(cancel, KINDS[kind].chunks(answer))
            write_atomic(path, pieces, inputs=inputs, size=KINDS[kind].size(answer))
            return f"Saved {printable(path.name)}"

        self.errand.start(write)

    @Slot(object)
    def _saved(self, text: str) -> None:
        self._session.notice(Level.INFO, text)

    @Slot(object)
    def _not_saved(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self._session.notice(Level.ERROR, str(error) if isinstance(error, WavediffError) else one_line(error))
