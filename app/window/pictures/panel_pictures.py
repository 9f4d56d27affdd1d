"""Export from the window: results in the formats of the command line, and pictures of panels."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from time import thread_time
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QImage, QPixmap
from PySide6.QtWidgets import QCheckBox, QDialog, QFormLayout, QLabel, QProgressBar, QPushButton, QSpinBox, QWidget

from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.dialogs import Box, ask_first
from wavediff.app.ui.film_maker import PictureMaker
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.notices import Severity, error_text
from wavediff.app.ui.number_text import grouped, percent
from wavediff.app.ui.picture_files import FILMS, INCH_MM, PICTURES, PNG, SCREEN_DPI, Watch, films, pixels_of, unwatched
from wavediff.app.ui.picture_sheet import Pictured
from wavediff.app.ui.save_dialog import ask_save, file_stem
from wavediff.app.window.pictures.pictured_parts import Part
from wavediff.app.window.session import Session
from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.base.numbers import number
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.export.registry import COMPARISON, CONTIGS, REARRANGED, Format
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence

ASK_FROM_BYTES = 200 << 20  # bytes; larger copies ask first


class AlignmentExport(QObject):
    """Export of the outcome: asks for a name and a format, and for confirmation of a large file."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.errand = BackgroundTask("export", self, self._saved, self._not_saved)

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
        method = outcome.method
        those = [kind for kind in COMPARISON if kind.is_of(method.id)]
        kinds = tuple(sorted(those, key=lambda kind: not kind.method))  # those of this method alone first
        kind = next(one for one in kinds if aligned or not one.needs_alignment)
        suggested = f"{file_stem(outcome.a.name, outcome.b.name)}.{method.id}{kind.endings[0]}"
        title = f"Export the {'previous ' if self._session.earlier else ''}result ({method.name})"
        ask_save(self._window, title, kinds, suggested, self.save)

    def save(self, path: Path, kind: Format) -> None:
        """Write the current outcome to ``path``, after confirmation if it is large."""
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
        texts = "Export the alignment", f"{printable(path.name)} will have {number(size / 1e6)} MB. Write it?"
        write = partial(self._write, path, kind, answer)
        ask_first(self._window, "large_box", texts, Box.Save, Box.Cancel, write)

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


MIN_MM, MAX_MM, MM_A_STEP = 20, 2_000, 10
MIN_DPI, MAX_DPI, DPI_A_STEP = 72, 1_200, 24
PAPER_DPI = 300
PREVIEW_PX = 360, 240
TOO_LARGE = "Too many pixels for a PNG: choose a lower resolution, or save as SVG or PDF"
TURN_SECONDS = 0.005  # of the processor that the window's thread records at a stretch
T = TypeVar("T")


class PictureDialog(QDialog):
    """Dialog for part, width and resolution of a picture.

    Args:
        now: returns the available parts, by name.
        first: name of the initial part.
        notice: shows the result.
    """

    def __init__(
        self, now: Callable[[], dict[str, Part]], first: str, notice: Callable[[Severity, str], object], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Picture")
        self.setObjectName("picture_dialog")
        self._now, self._notice = now, notice
        self._pictured: Pictured | None = None
        self._fits = False  # as a PNG
        self.part = Chooser[str]("Picture of", self)
        self._offer(first)
        self.width_mm = QSpinBox(self, singleStep=MM_A_STEP, suffix=" mm")
        self.width_mm.setRange(MIN_MM, MAX_MM)
        self.width_mm.setAccessibleName("Width")
        self.dpi = QSpinBox(self, singleStep=DPI_A_STEP, suffix=" dpi")
        self.dpi.setRange(MIN_DPI, MAX_DPI)
        self.dpi.setValue(PAPER_DPI)
        self.dpi.setAccessibleName("Resolution of a PNG")
        self.keeps_paths = QCheckBox("Store the full paths of the files", self)
        self.keeps_paths.setToolTip("If off, only file names are stored; files are then searched next to the picture")
        self.size_line, self.bar = QLabel(self, wordWrap=True), QProgressBar(self)
        self.size_line.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.copy_button, self.save_button = QPushButton("Copy", self), QPushButton("Save…", self)
        self.close_button = QPushButton("Close", self)
        self.save_button.setDefault(True)
        self.preview = QLabel(self, alignment=Qt.AlignmentFlag.AlignCenter)
        self.preview.setFixedSize(*PREVIEW_PX)
        form = QFormLayout(self)
        form.addRow("Picture of", self.part)
        form.addRow("Width", self.width_mm)
        form.addRow("Resolution of a PNG", self.dpi)
        form.addRow(self.keeps_paths)
        form.addRow(self.size_line)
        form.addRow(self.preview)
        form.addRow(self.bar)
        form.addRow(in_row(1, self.copy_button, self.save_button, self.close_button))
        self.part.activated.connect(self._suit)
        self.width_mm.valueChanged.connect(self._show_size)
        self.dpi.valueChanged.connect(self._show_size)
        self.copy_button.clicked.connect(self.copy)
        self.save_button.clicked.connect(self.ask)
        self.close_button.clicked.connect(self.close)
        self._reader = BackgroundTask("picture-inputs", self, self._lay_out, self._fail)
        self._painter = BackgroundTask("preview", self, self._preview)
        self._turns = QTimer(self, interval=0)
        self._turns.timeout.connect(self._take_turn)
        self._steps: Generator[bool | None, None, Any]
        self._then: Callable[[Any], object]
        self._maker = PictureMaker(self)
        self._maker.moved.connect(self._show_share)
        self._maker.finished.connect(self._made)
        self._maker.failed.connect(self._fail)
        self._suit()

    def done(self, result: int) -> None:
        for task in (self._turns, self._reader, self._painter, self._maker):
            task.stop()
        super().done(result)

    @property
    def _part(self) -> Part:
        return self._parts[self.part.value]

    def _offer(self, first: str) -> None:
        self._parts = self._now()
        self.part.clear()
        for name, part in self._parts.items():
            self.part.add(name, name)
            self.part.allow(name, part.why_not)
        figures = [name for name, part in self._parts.items() if not part.why_not]
        self.part.choose(first if first in figures else figures[0])

    @Slot()
    def renew(self) -> None:
        """Offer the parts as they are now, unless a picture is being named or made."""
        if self.isVisible() and self.bar.isHidden() and self.findChild(QDialog) is None:
            self._offer(self.part.value)
            self._suit()

    def _enable(self, on: bool) -> None:
        for widget in (self.part, self.width_mm, self.dpi, self.keeps_paths, self.copy_button, self.save_button):
            widget.setEnabled(on)

    @Slot()
    def _suit(self) -> None:
        """Find the selected part, and compute the slow inputs of its picture."""
        for button in (self.copy_button, self.save_button):
            button.setEnabled(False)  # until that is known
        self._pictured = None
        for task in (self._turns, self._reader, self._painter):
            task.stop()
        if self._part.prepare is None:
            self._lay_out(None)
        else:
            self._reader.start(self._part.prepare)

    @Slot(object)
    def _lay_out(self, prepared: object) -> None:
        self._run_steps(self._laid_out(prepared), lambda paint: self._painter.start(lambda _cancel: paint(unwatched)))

    def _laid_out(self, prepared: object) -> Generator[bool | None, None, Callable[[Watch], QImage]]:
        yield True  # the dialog, the picture and what is seen of it in small have a turn each
        self._pictured = self._part.made(prepared)
        whole = self._pictured.size()
        self.width_mm.setValue(round(whole.width() / SCREEN_DPI * INCH_MM))
        self._show_size()
        self._enable(True)
        yield True
        scale = min(PREVIEW_PX[0] / whole.width(), PREVIEW_PX[1] / whole.height(), 1.0)
        small = whole.width() * scale / SCREEN_DPI * INCH_MM
        return (yield from self._pictured.copied(round(SCREEN_DPI * self.devicePixelRatioF()), small))

    @Slot(object)
    def _preview(self, made: QImage) -> None:
        self.preview.setPixmap(QPixmap.fromImage(made))

    @Slot()
    def _show_size(self) -> None:
        self._fits = self._pictured is not None
        if self._pictured is not None:
            try:
                wide, high = pixels_of(self._pictured.size(self.width_mm.value()), self.dpi.value())
                self.size_line.setText(f"{grouped(wide)} × {grouped(high)} pixels")
            except WavediffError:
                self._fits = False
                self.size_line.setText(TOO_LARGE)
        self.copy_button.setEnabled(self._fits)

    @Slot()
    def copy(self) -> None:
        self._begin()
        assert self._pictured is not None
        self._run_steps(self._pictured.copied(self.dpi.value(), self.width_mm.value()), self._maker.make)

    @Slot()
    def ask(self) -> None:
        assert self._pictured is not None
        moves = self._part.film is not None or self._pictured.frames is not None
        kinds = (*(each for each in PICTURES.values() if self._fits or each is not PNG), *(films() if moves else ()))
        title = "Save a picture or a film" if moves else "Save a picture"
        ask_save(self, title, kinds, f"{file_stem(self._part.name or self.part.value)}{kinds[0].endings[0]}", self.save)

    def save(self, path: Path, kind: Format) -> None:
        """Write the picture, or start the film in the background."""
        pictured, film = self._pictured, self._part.film
        assert pictured is not None
        self._begin()
        try:
            made = film() if film is not None and kind.id in FILMS else pictured
            made = made.by(made.recipe or self._part.recipe, keeps_paths=self.keeps_paths.isChecked())
            if kind.id in FILMS and made.frames is not None:
                self._maker.film(made, path, kind)
            else:
                steps = made.saved(kind, self.dpi.value(), self.width_mm.value())
                self._run_steps(steps, lambda paint: self._maker.write(paint, path))
        except WavediffError as error:
            self._fail(error)

    def _run_steps(self, steps: Generator[bool | None, None, T], then: Callable[[T], object]) -> None:
        """Run ``steps`` in slices of the event loop (True ends a slice), then ``then``; a previous run is cancelled."""
        self._steps, self._then = steps, then
        self._turns.start()
        self._take_turn()

    @Slot()
    def _take_turn(self) -> None:
        until = thread_time() + TURN_SECONDS
        try:
            while not next(self._steps) and thread_time() < until:
                pass
        except StopIteration as end:
            self._turns.stop()
            self._then(end.value)
        except WavediffError as error:
            self._turns.stop()
            self._fail(error)

    def _begin(self) -> None:
        self._enable(False)
        self.close_button.setText("Stop")
        self.bar.show()
        self._show_share(0.0)

    @Slot(float)
    def _show_share(self, share: float) -> None:
        self.bar.setValue(round(100 * share))
        text = f"Making {self.part.value}… {percent(share)}" if share < 1 else "Compressing and writing…"
        self.size_line.setText(text)

    @Slot(object)
    def _made(self, made: Path | QImage) -> None:
        if isinstance(made, QImage):
            QGuiApplication.clipboard().setImage(made)
            self._notice(Severity.INFO, f"{self.part.value} copied as a picture")
        else:
            self._notice(Severity.INFO, f"Saved {made.name}")
        self.close()

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        """Show the error here: a notice of the window would be hidden by the dialog."""
        self._enable(True)
        self.bar.hide()
        self.close_button.setText("Close")
        self._show_size()
        self.size_line.setText(error_text(error))
        self.save_button.setEnabled(self._pictured is not None)
