"""Pictures of what the window shows: a part of it, copied, or saved as PNG, SVG or PDF with what it is of inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLabel, QProgressBar, QPushButton, QSpinBox, QWidget

from app.ui.background_task import BackgroundTask
from app.ui.chooser import Chooser
from app.ui.comparison import Comparison
from app.ui.film_files import FILMS
from app.ui.film_maker import FilmMaker
from app.ui.notices import Severity, error_text
from app.ui.number_text import grouped, percent
from app.ui.picture_files import INCH_MM, PICTURES, SCREEN_DPI, image, picture_file, told_of
from app.ui.save_dialog import ask_save, file_stem
from app.ui.theme import Theme
from app.window.pictured_parts import Part
from core.base.errors import WavediffError
from core.base.translate import tr
from core.export.atomic import write_atomic
from core.export.registry import Format
from core.reading.recipe import Recipe

TITLE_PX, TEXT_PX, MARGIN_PX = 28, 15, 8  # of the line above a picture
MIN_MM, MAX_MM, MM_A_STEP = 20, 2_000, 10
MIN_DPI, MAX_DPI, DPI_A_STEP = 72, 1_200, 24
PAPER_DPI = 300


def title_of(outcome: Comparison | None, part: str) -> str:
    """Return the line above a picture of a part."""
    if outcome is None:
        return tr("{part} – Wavediff", part=part)
    return tr("{a} – {b}: {part}", a=outcome.a.name, b=outcome.b.name, part=part)


class PictureDialog(QDialog):
    """Asks of which part, how wide and how fine.

    Args:
        parts: that can be painted, by the name of each.
        first: name of the part that is offered.
        outcome: what was compared, which is told inside.
        notice: says how it went.
    """

    def __init__(
        self,
        parts: Mapping[str, Part],
        first: str,
        theme: Theme,
        outcome: Comparison | None,
        notice: Callable[[Severity, str], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Picture"))
        self.setObjectName("picture_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._parts, self._theme, self._outcome, self._notice = parts, theme, outcome, notice
        self._recipe: Recipe | None = None
        self.part: Chooser[str] = Chooser(self)
        for name in parts:
            self.part.add(name, name)
        self.part.choose(first)
        self.part.setAccessibleName(tr("Picture of"))
        self.width_mm = QSpinBox(self)
        self.width_mm.setRange(MIN_MM, MAX_MM)
        self.width_mm.setSingleStep(MM_A_STEP)
        self.width_mm.setSuffix(tr(" mm"))
        self.width_mm.setAccessibleName(tr("Width"))
        self.dpi = QSpinBox(self)
        self.dpi.setRange(MIN_DPI, MAX_DPI)
        self.dpi.setSingleStep(DPI_A_STEP)
        self.dpi.setValue(PAPER_DPI)
        self.dpi.setSuffix(tr(" dpi"))
        self.dpi.setAccessibleName(tr("Resolution of a PNG"))
        self.size_line, self.bar = QLabel(self), QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.copy_button, self.save_button = QPushButton(tr("Copy"), self), QPushButton(tr("Save…"), self)
        self.close_button = QPushButton(tr("Close"), self)
        self.save_button.setDefault(True)
        form = QFormLayout(self)
        form.addRow(tr("Picture of"), self.part)
        form.addRow(tr("Width"), self.width_mm)
        form.addRow(tr("Resolution of a PNG"), self.dpi)
        form.addRow(self.size_line)
        form.addRow(self.bar)
        row = QHBoxLayout()
        row.addStretch(1)
        for button in (self.copy_button, self.save_button, self.close_button):
            row.addWidget(button)
        form.addRow(row)
        self.part.activated.connect(self._suit)
        self.width_mm.valueChanged.connect(self._show_size)
        self.dpi.valueChanged.connect(self._show_size)
        self.copy_button.clicked.connect(self.copy)
        self.save_button.clicked.connect(self.ask)
        self.close_button.clicked.connect(self.close)
        self._reader = BackgroundTask("picture-inputs", self)
        self._reader.finished.connect(self._take_recipe)
        self._maker = FilmMaker(self)
        self._maker.moved.connect(self._show_share)
        self._maker.finished.connect(self._saved)
        self._maker.failed.connect(self._fail)
        self._suit()

    def done(self, result: int) -> None:
        """End, and with it what reads the sequences."""
        self._reader.stop()
        self._maker.stop()
        super().done(result)

    @Slot(object)
    def _take_recipe(self, recipe: Recipe | None) -> None:
        self._recipe = recipe
        self._enable(True)

    def _enable(self, on: bool) -> None:
        for widget in (self.part, self.width_mm, self.dpi, self.copy_button, self.save_button):
            widget.setEnabled(on)

    @property
    def _inside(self) -> dict[str, str]:
        return told_of(self._title, self.part.value, self._recipe)

    @property
    def _title(self) -> str:
        return self._parts[self.part.value].title or title_of(self._outcome, self.part.value)

    @property
    def _widget(self) -> QWidget:
        return self._parts[self.part.value].widget

    @property
    def _whole(self) -> QSize:
        """Logical pixels of the part and of the line above it, as the window has them."""
        size = self._widget.size()
        return QSize(size.width() + 2 * MARGIN_PX, size.height() + TITLE_PX + 2 * MARGIN_PX)

    @property
    def _scale(self) -> float:
        """Ratio of the picture to what the window shows, at 96 dots an inch."""
        return self.width_mm.value() / INCH_MM * SCREEN_DPI / self._whole.width()

    @Slot()
    def _suit(self) -> None:
        """Offer the width that the part has on a screen of 96 dots an inch, and find what is kept inside."""
        for button in (self.copy_button, self.save_button):
            button.setEnabled(False)  # until that is known
        recipe = self._parts[self.part.value].recipe
        self._reader.start(lambda _cancel: recipe())
        self.width_mm.setValue(round(self._whole.width() / SCREEN_DPI * INCH_MM))
        self._show_size()

    @Slot()
    def _show_size(self) -> None:
        wide, high = (round(each * self.dpi.value() / SCREEN_DPI) for each in self._size.toTuple())
        self.size_line.setText(tr("{wide} × {high} pixels", wide=grouped(wide), high=grouped(high)))

    def _paint(self, painter: QPainter, _pixels: bool) -> None:
        whole, theme = self._whole, self._theme
        painter.scale(self._scale, self._scale)
        painter.fillRect(QRectF(0, 0, whole.width(), whole.height()), theme.base)
        painter.setPen(theme.text)
        font = self.font()
        font.setPixelSize(TEXT_PX)  # points would be scaled twice, here and by the resolution
        painter.setFont(font)
        line = QRectF(MARGIN_PX, MARGIN_PX, whole.width() - 2 * MARGIN_PX, TITLE_PX)
        title = painter.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideMiddle, int(line.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        painter.translate(MARGIN_PX, TITLE_PX + MARGIN_PX)
        self._widget.render(painter, QPoint())

    @property
    def _size(self) -> QSize:
        return QSize(*(max(1, round(each * self._scale)) for each in self._whole.toTuple()))

    @Slot()
    def copy(self) -> None:
        """Put the picture into the clipboard."""
        try:
            made = image(self._paint, self._size, self.dpi.value(), self._inside)
        except WavediffError as error:
            self._notice(Severity.ERROR, error_text(error))
            return
        QGuiApplication.clipboard().setImage(made)
        self._notice(Severity.INFO, tr("{part} copied as a picture", part=self.part.value))
        self.close()

    @Slot()
    def ask(self) -> None:
        """Ask for a file's name, and write it."""
        kinds = (*PICTURES.values(), *(FILMS.values() if self._parts[self.part.value].film is not None else ()))
        title = tr("Save a picture or a film") if len(kinds) > len(PICTURES) else tr("Save a picture")
        ask_save(self, title, kinds, f"{file_stem(self.part.value)}.png", self.save)

    def save(self, path: Path, kind: Format) -> None:
        """Write the picture, or begin with the film: the window goes on meanwhile."""
        film = self._parts[self.part.value].film
        if kind.id in FILMS and film is not None:
            try:
                made = film(self._recipe)
            except WavediffError as error:
                self._fail(error)
                return
            self._enable(False)
            self.close_button.setText(tr("Stop"))
            self.bar.show()
            self._show_share(0.0)
            self._maker.start(made, path, kind)
            return
        try:
            content = picture_file(self._paint, kind, self._size, self.dpi.value(), self._inside)
            write_atomic(path, content)
        except WavediffError as error:
            self._fail(error)
            return
        self._saved(path)

    @Slot(float)
    def _show_share(self, share: float) -> None:
        self.bar.setValue(round(100 * share))
        self.size_line.setText(tr("Making the film… {share}", share=percent(share)))

    @Slot(object)
    def _saved(self, path: Path) -> None:
        self._notice(Severity.INFO, tr("Saved {file}", file=path.name))
        self.close()

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._notice(Severity.ERROR, error_text(error))
        self._enable(True)
        self.bar.hide()
        self.close_button.setText(tr("Close"))
        self._show_size()
