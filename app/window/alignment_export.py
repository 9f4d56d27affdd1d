"""Save what was compared in the formats of the command line, on a thread of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from app.ui.background_task import BackgroundTask
from app.ui.notices import Severity, error_text
from app.ui.save_dialog import ask_save, file_stem
from app.window.session import Session
from core.base.errors import printable
from core.base.translate import tr
from core.export.comparison import Comparison
from core.export.registry import COMPARISON, Format
from core.export.save import save
from core.jobs.cancel import CancelToken

ASK_FROM_BYTES = 200 << 20  # bytes from which a person is asked first


class AlignmentExport(QObject):
    """Asks for a name and a format, and where the file would be large, whether it shall be."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.errand = BackgroundTask("export", self)
        self.errand.finished.connect(self._saved)
        self.errand.failed.connect(self._not_saved)

    @Slot()
    def ask(self) -> None:
        outcome = self._session.outcome
        if outcome is None:
            self._session.notice(Severity.INFO, tr("There is nothing to export: compare two sequences first"))
            return
        aligned = outcome.result.alignment is not None
        kind = next(one for one in COMPARISON if aligned or not one.needs_alignment)
        found_by = outcome.method
        suggested = f"{file_stem(outcome.a.name, outcome.b.name)}.{found_by.id}{kind.endings[0]}"
        name = tr(found_by.name)
        title = tr("Export the result ({method})", method=name)
        if self._session.stale:
            title = tr("Export the previous result ({method})", method=name)
        ask_save(self._window, title, COMPARISON, suggested, self.save)

    def save(self, path: Path, kind: Format) -> None:
        """Write the outcome as it is now to ``path``, after asking where that takes much room."""
        answer = self._answer()
        if lack := kind.lack(answer):
            text = tr("{format}: {lack}; choose other options and run again", format=tr(kind.title), lack=lack)
            self._session.notice(Severity.ERROR, text)
            return
        size = kind.least_bytes(answer)
        if size < ASK_FROM_BYTES:
            self._write(path, kind, answer)
            return
        box = QMessageBox(
            QMessageBox.Icon.Question,
            tr("Export the alignment"),
            tr("{file} will have {size:,.0f} MB. Write it?", file=printable(path.name), size=size / 1e6),
            QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel,
            self._window,
        )

        def answered(button: int) -> None:
            box.deleteLater()
            if button == QMessageBox.StandardButton.Save:
                self._write(path, kind, answer)

        box.finished.connect(answered)
        box.open()

    def _answer(self) -> Comparison:
        outcome = self._session.outcome
        assert outcome is not None, "nothing was compared"
        job, timings = outcome.job, self._session.timings.rows
        return Comparison(
            outcome.a, outcome.b, outcome.method, job.fold_case, job.threads, outcome.result, tuple(timings),
            notices=self._session.screening.notices,
        )  # fmt: skip

    def _write(self, path: Path, kind: Format, answer: Comparison) -> None:
        inputs = [each.source for each in (answer.a, answer.b) if each.source]

        def write(cancel: CancelToken) -> str:
            kind.require_fit(answer.a, answer.b)
            save(kind, path, answer, cancel, inputs)
            return tr("Saved {file}", file=printable(path.name))

        self.errand.start(write)

    @Slot(object)
    def _saved(self, text: str) -> None:
        self._session.notice(Severity.INFO, text)

    @Slot(object)
    def _not_saved(self, error: BaseException) -> None:
        self._session.notice(Severity.ERROR, error_text(error))
