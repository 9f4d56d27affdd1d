"""Save what was compared in the formats of the command line, on a thread of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from app.errand import Errand
from app.methods import method_of
from app.notices import Level, error_text
from app.session import Session
from app.views.save_dialog import Format, ask_save, file_stem
from core.cancel import CancelToken, heeding
from core.errors import printable

if TYPE_CHECKING:
    from app.commands.outputs import Answer

# By ``app.commands.outputs.KINDS``.
FORMATS = (
    Format("paf", "PAF", (".paf",)),
    Format("sam", "SAM", (".sam",)),
    Format("fasta", "Aligned FASTA", (".fa", ".fasta")),
    Format("cigar", "CIGAR", (".cigar", ".txt")),
    Format("tsv", "Table of differences", (".tsv",)),
    Format("json", "JSON", (".json",)),
)
LARGE = 200 << 20  # bytes from which a person is asked first


class AlignmentExport(QObject):
    """Asks for a name and a format, and where the file would be large, whether it shall be."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.errand = Errand("export", self)
        self.errand.finished.connect(self._saved)
        self.errand.failed.connect(self._not_saved)

    @Slot()
    def ask(self) -> None:
        outcome = self._session.outcome
        if outcome is None:
            self._session.notice(Level.INFO, "There is nothing to export: compare two sequences first")
            return
        kind = "json" if outcome.result.alignment is None else "paf"  # of a distance alone there is nothing to align
        found_by = method_of(outcome.job)
        suggested = f"{file_stem(outcome.a.name, outcome.b.name)}.{found_by.id}.{kind}"
        which = "previous result" if self._session.stale else "result"
        ask_save(self._window, f"Export the {which} ({found_by.name})", FORMATS, suggested, self.save)

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
        id_ = method_of(outcome.job).id
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
        self._session.notice(Level.ERROR, error_text(error))
