"""Save what was compared in the formats of the command line, on a thread of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.buttons import Box, ask_first
from wavediff.app.ui.notices import Severity, error_text
from wavediff.app.ui.save_dialog import ask_save, file_stem
from wavediff.app.window.pair.session import Session
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.export.registry import COMPARISON, CONTIGS, REARRANGED, Format
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence

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
        outcome, blocks, contigs = self._session.outcome, self._session.blocks.answer, self._session.contigs.answer
        if self._session.placing and contigs is not None:
            suggested = f"{file_stem(contigs.a.name, Path(contigs.contigs.source).stem)}.contigs{CONTIGS[0].endings[0]}"
            ask_save(self._window, "Save the placement", CONTIGS, suggested, partial(self._write, answer=contigs))
            return
        if self._session.rearranged and blocks is not None:
            suggested = f"{file_stem(blocks.a.name, blocks.b.name)}.blocks{REARRANGED[0].endings[0]}"
            ask_save(self._window, "Export the blocks", REARRANGED, suggested, partial(self._write, answer=blocks))
            return
        assert outcome is not None  # else the action is grey
        aligned = outcome.result.alignment is not None
        found_by = outcome.method
        kinds = tuple(kind for kind in COMPARISON if kind.is_of(found_by.id))
        kinds = tuple(sorted(kinds, key=lambda kind: not kind.method))  # those of this method alone first
        kind = next(one for one in kinds if aligned or not one.needs_alignment)
        suggested = f"{file_stem(outcome.a.name, outcome.b.name)}.{found_by.id}{kind.endings[0]}"
        name = found_by.name
        title = f"Export the result ({name})"
        if self._session.stale:
            title = f"Export the previous result ({name})"
        ask_save(self._window, title, kinds, suggested, self.save)

    def save(self, path: Path, kind: Format) -> None:
        """Write the outcome as it is now to ``path``, after asking where that takes much room."""
        outcome, session = self._session.outcome, self._session
        assert outcome is not None, "nothing was compared"
        answer = outcome.answer(timings=tuple(session.timings.rows), notices=session.screening.notices)
        if lack := kind.lack(answer):
            text = f"{kind.title}: {lack}; choose other options and run again"
            self._session.notice(Severity.ERROR, text)
            return
        size = kind.least_bytes(answer)
        if size < ASK_FROM_BYTES:
            self._write(path, kind, answer)
            return
        question = f"{printable(path.name)} will have {number(size / 1e6)} MB. Write it?"

        def answered(agreed: bool) -> None:
            if agreed:
                self._write(path, kind, answer)

        ask_first(self._window, "large_box", ("Export the alignment", question), Box.Save, Box.Cancel, answered)

    def _write(self, path: Path, kind: Format, answer: Comparison | RearrangedAnswer | ContigsAnswer) -> None:
        b = answer.contigs if isinstance(answer, ContigsAnswer) else answer.b
        inputs = [each.source for each in (answer.a, b) if each.source]

        def write(cancel: CancelToken) -> str:
            if isinstance(b, Sequence):
                kind.require_fit(answer.a, b)
            kind.save(path, answer, cancel, inputs)
            return ". ".join(filter(None, (f"Saved {printable(path.name)}", kind.notice_of(answer))))

        self.errand.start(write)

    @Slot(object)
    def _saved(self, text: str) -> None:
        self._session.notice(Severity.INFO, text)

    @Slot(object)
    def _not_saved(self, error: BaseException) -> None:
        self._session.notice(Severity.ERROR, error_text(error))
