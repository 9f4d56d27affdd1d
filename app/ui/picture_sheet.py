"""Off-screen sheet for pictures and films: title, view or table, legend, footer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import floor
from typing import Any, Protocol, runtime_checkable

from PySide6.QtCore import QLoggingCategory, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontInfo, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from wavediff.app.draw.drawing import Drawing
from wavediff.app.draw.painter import sized
from wavediff.app.draw.recording import LINES_RATIO, Late, Recording, in_picture, paint_now, paint_widget, widget_parts
from wavediff.app.draw.svg import svg_file
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.pair import named
from wavediff.app.ui.picture_files import (
    FILMS,
    INCH_MM,
    PNG,
    SCREEN_DPI,
    SVG,
    Paint,
    Watch,
    film_file,
    image,
    picture_file,
    pixels_of,
    told_of,
    unwatched,
)
from wavediff.app.ui.theme import Scheme, Theme, style_sheet
from wavediff.core.base.errors import ExportError, WavediffError, printable
from wavediff.core.export.atomic import check
from wavediff.core.export.recipe import Recipe
from wavediff.core.export.registry import Format
from wavediff.core.jobs.events import run_to_end
from wavediff.core.teach.film import is_subtitles

DEFAULT_SIZE = (1000, 760)  # pixels
MARGIN_PX, TITLE_PX, TEXT_PX, HEADING_PX = 12, 17, 13, 28
END_MS = 3_000  # that the last frame of a film is seen


MAX_RECORDINGS = 3  # of one picture: it restarts if widgets move meanwhile


class Sheet(QWidget):
    """Page for one view, in the light colours.

    Args:
        content: the main widget. below: widgets below it, e.g. a legend. text: at the bottom.
    """

    def __init__(
        self, theme: Theme, title: str, content: QWidget, below: Iterable[QWidget], size: QSize, text: str = ""
    ) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        palette = theme.palette()
        palette.setColor(self.backgroundRole(), theme.base)
        self.setPalette(palette)
        self.setStyleSheet(style_sheet(theme))
        self.setAutoFillBackground(True)
        self.title, self.text = QLabel(title, self), QLabel(text, self)
        for label, pixels in ((self.title, TITLE_PX), (self.text, TEXT_PX)):
            label.setTextFormat(Qt.TextFormat.PlainText)
            font = QFont(self.font())
            font.setPixelSize(pixels)
            font.setBold(label is self.title)
            label.setFont(font)
        self.text.setWordWrap(True)
        layout = in_column(self.title, (content, 1), *below, self.text, on=self, margin=MARGIN_PX)
        for child in self.findChildren(QWidget):  # a style sheet of the program keeps that of the sheet from them
            if not child.testAttribute(Qt.WidgetAttribute.WA_SetPalette):
                child.setPalette(palette)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        self.resize(size)
        self.show()
        self.settle()

    @property
    def heading(self) -> str:
        return self.title.text()

    def settle(self) -> None:
        """Apply the layout now instead of in a later event."""
        layout = self.layout()
        assert layout is not None
        layout.activate()

    def fit(self, spare: tuple[float, float], least: int = 0) -> None:
        """Shrink by the unused width and height ``spare`` of the content, but not below width ``least``."""
        wide = max(min(self.width(), least), self.width() - floor(spare[0]))
        self.resize(even((wide, self.height() - floor(spare[1]))))
        self.settle()

    def paint(self, painter: QPainter, _pixels: bool) -> None:
        paint_now(painter, self.paint_parts(painter))

    @property
    def widget(self) -> QWidget:
        return self

    def paint_parts(self, painter: QPainter) -> Iterator[Late | None]:
        self.settle()
        yield from paint_widget(painter, self)


class Paper(Protocol):
    """Paintable page; ``size``: logical pixels at 96 dpi."""

    @property
    def heading(self) -> str: ...
    def size(self) -> QSize: ...
    def paint(self, painter: QPainter, pixels: bool, /) -> None: ...


@runtime_checkable
class DrawnPaper(Paper, Protocol):
    """Page drawn without Qt."""

    def draw(self, drawing: Drawing, /) -> None: ...


@runtime_checkable
class WidgetPaper(Paper, Protocol):
    """Page that paints ``widget`` and its children, one per step, in the GUI thread."""

    @property
    def widget(self) -> QWidget: ...
    def paint_parts(self, painter: QPainter, /) -> Iterator[Late | None]: ...


class Frames(Protocol):
    """Frames of a film with their durations in ``milliseconds``."""

    @property
    def milliseconds(self) -> tuple[int, ...]: ...
    def image(self, step: int, /) -> QImage: ...


@dataclass(frozen=True, slots=True)
class Moments:
    """Film whose steps are shown on a sheet by ``show``."""

    sheet: Sheet
    show: Callable[[int], object]
    milliseconds: tuple[int, ...]

    def image(self, step: int) -> QImage:
        self.show(step)
        made = QImage(self.sheet.size(), QImage.Format.Format_RGB888)
        painter = QPainter(made)
        with in_picture(1.0):
            self.sheet.paint(painter, True)
        painter.end()
        return made


class SeenPaper:
    """Visible content of a widget, with a title."""

    def __init__(self, widget: QWidget, heading: str, theme: Theme) -> None:
        self.heading = heading
        self.widget, self._theme = widget, theme

    def size(self) -> QSize:
        size = self.widget.size()
        return QSize(size.width() + 2 * MARGIN_PX, size.height() + HEADING_PX + 2 * MARGIN_PX)

    def paint(self, painter: QPainter, _pixels: bool) -> None:
        paint_now(painter, self.paint_parts(painter))

    def paint_parts(self, painter: QPainter) -> Iterator[Late | None]:
        whole, theme = self.size(), self._theme
        painter.fillRect(QRectF(0, 0, whole.width(), whole.height()), theme.base)
        painter.setPen(theme.text)
        font = QFont(self.widget.font())
        font.setPixelSize(TITLE_PX)  # points would be scaled twice, here and by the resolution
        font.setBold(True)
        painter.setFont(font)
        line = QRectF(MARGIN_PX, MARGIN_PX, whole.width() - 2 * MARGIN_PX, HEADING_PX)
        title = painter.fontMetrics().elidedText(self.heading, Qt.TextElideMode.ElideMiddle, int(line.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, title)
        painter.translate(MARGIN_PX, HEADING_PX + MARGIN_PX)
        yield from paint_widget(painter, self.widget)


@dataclass(frozen=True, slots=True, eq=False)
class Pictured:
    """View as a picture and, if animated, a film; only in the GUI thread.

    Attributes:
        frames: those of its film; None: no film.
        recipe: stored in the files; may be a function, called on any thread. None: no recipe.
        keeps_paths: store full paths of the inputs. about: further metadata by name.
        subtitles: those of the film, as WebVTT, or empty.
    """

    sheet: Paper
    frames: Frames | None = None
    recipe: Recipe | Callable[[], Recipe | None] | None = None
    keeps_paths: bool = False
    about: Mapping[str, str] = field(default_factory=dict)
    subtitles: str = ""

    def __post_init__(self) -> None:
        """Hide the sheet, which was shown for its layout only."""
        if isinstance(self.sheet, Sheet):
            self.sheet.settle()
            self.sheet.hide()

    def by(self, recipe: Recipe | Callable[[], Recipe | None] | None, *, keeps_paths: bool = False) -> Pictured:
        return replace(self, recipe=recipe, keeps_paths=keeps_paths)

    def metadata(self, kind: Format, *options: str) -> Callable[[], dict[str, str]]:
        """Return a function that computes the metadata; it may run on any thread, as it is slow for long sequences."""
        words = (*options, f"--{kind.id}", f"picture{kind.endings[0]}")
        heading, recipe, keeps_paths, about = self.sheet.heading, self.recipe, self.keeps_paths, self.about

        def texts() -> dict[str, str]:
            own = recipe() if callable(recipe) else recipe
            return {**told_of(heading, own, *words, keeps_paths=keeps_paths), **about}

        return texts

    def size(self, width_mm: float = 0) -> QSize:
        """Return the logical size at a width in mm; 0: as laid out, 96 dpi."""
        scale, whole = self._scale(width_mm), self.sheet.size()
        return QSize(*(max(1, round(each * scale)) for each in whole.toTuple()))

    def _scale(self, width_mm: float) -> float:
        return width_mm / INCH_MM * SCREEN_DPI / self.sheet.size().width() if width_mm else 1.0

    def recorded(self, width_mm: float, ratio: float) -> Generator[None, None, Paint]:
        """Record the picture; the result paints it on any thread.

        Args:
            width_mm: see ``size``. ratio: pixels of the picture per pixel of its ``size``.
        """
        scale, sheet = self._scale(width_mm), self.sheet
        painted, parts = sheet.paint, None
        for _ in range(MAX_RECORDINGS):
            if not isinstance(sheet, WidgetPaper) or parts == (parts := widget_parts(sheet.widget)):
                break
            recording, more = Recording(), True
            painted, steps = recording.paint, recording.record(sheet.paint_parts)
            while more:
                with in_picture(ratio * scale):
                    more = next(steps, steps) is None
                yield

        def paint(painter: QPainter, of_pixels: bool) -> None:
            painter.scale(scale, scale)
            with in_picture(ratio * scale):
                painted(painter, of_pixels)

        return paint

    def copied(self, dpi: int, width_mm: float) -> Generator[None, None, Callable[[Watch], QImage]]:
        """Record the picture, one widget per step; the result renders an image on any thread.

        Raises:
            ExportError: see ``picture_file``.
        """
        size = self.size(width_mm)
        pixels_of(size, dpi)  # before it is recorded: an error is shown at once
        paint = yield from self.recorded(width_mm, dpi / SCREEN_DPI)
        return lambda watch: image(paint, size, dpi, {}, watch)

    def saved(
        self, kind: Format, dpi: int = SCREEN_DPI, width_mm: int = 0, *options: str
    ) -> Generator[None, None, Callable[[Watch], bytes]]:
        """Record the picture, one widget per step; the result encodes a file on any thread.

        Raises:
            ExportError: a film; else see ``picture_file``.
        """
        if kind.id in FILMS:
            raise ExportError("This picture does not move: save it as .png, .svg or .pdf")
        size, of_pixels, sheet = self.size(width_mm), kind is PNG, self.sheet
        if of_pixels:
            pixels_of(size, dpi)
        wide = ("--width", str(width_mm)) if width_mm else ()
        fine = () if dpi == SCREEN_DPI else ("--dpi", str(dpi))
        metadata = self.metadata(kind, *options, *wide, *fine)
        if kind is SVG and isinstance(sheet, DrawnPaper):
            drawn, wide_mm = sheet.size().toTuple(), size.width() / SCREEN_DPI * INCH_MM
            sans, mono = (QFontInfo(sized(SCREEN_DPI, mono=is_mono)).family() for is_mono in (False, True))
            fonts = f"{sans}, sans-serif", f"{mono}, monospace"
            return lambda _watch: svg_file(sheet.draw, drawn, wide_mm, metadata(), fonts).encode()
        paint = yield from self.recorded(width_mm, dpi / SCREEN_DPI if of_pixels else LINES_RATIO)
        return lambda watch: picture_file(paint, kind, size, dpi, metadata(), watch)

    def picture(self, kind: Format, dpi: int = SCREEN_DPI, width_mm: int = 0, *options: str) -> bytes:
        return run_to_end(self.saved(kind, dpi, width_mm, *options))(unwatched)

    def companions(self, kind: Format, path: str) -> dict[str, bytes]:
        """Return the files that accompany a film at ``path``: subtitles, if any.

        Raises:
            ExportError: an existing file with the name of the subtitles is not a subtitle file.
        """
        ending = kind.ending_of(path)
        if not self.subtitles or not ending:
            return {}
        name = f"{path.removesuffix(path[-len(ending) :])}.vtt"
        if check(name) is not None and not is_subtitles(name):
            raise ExportError(f"{printable(name)}: the film's subtitles would replace it; rename the film")
        return {name: self.subtitles.encode()}

    def film(self, kind: Format, *options: str) -> bytes:
        """Encode the film; ExportError: see ``film_file``. WavediffError: the view is not animated."""
        if self.frames is None:
            raise WavediffError(f"--{kind.id}: this view is not animated: nothing was recorded to play")
        return film_file(self.frames.image, self.frames.milliseconds, kind, self.metadata(kind, *options)())


def pair_title(pair: Any, part: str) -> str:
    if pair is None:
        return f"{part} – Wavediff"
    return f"{' – '.join(named((pair.a, pair.b)))}: {part}"


def even(size: tuple[int, int]) -> QSize:
    """Round a size up to the even numbers required by MP4."""
    return QSize(*(side - side % 2 for side in size))


def light() -> Theme:
    return Theme(Scheme.LIGHT)


@contextmanager
def offscreen() -> Iterator[None]:
    """Provide a Qt application for painting; no display is needed."""
    present = QApplication.instance()
    application = present or QApplication(["wavediff", "-platform", "offscreen"])
    if present is None and isinstance(application, QApplication):
        QLoggingCategory.setFilterRules("qt.text.font*=false")  # a line for each font without a script
        application.setStyle("Fusion")
        application.setPalette(light().palette())
    yield
    del application


WIDTH_PX = 1_000
MAX_ROWS = 60  # of a picture, unless it is asked to be larger
CONTROLS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)


def without_controls(view: QWidget) -> QWidget:
    for kind in CONTROLS:
        for child in view.findChildren(kind):
            child.hide()
    for area in view.findChildren(QAbstractScrollArea):
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return view


def table_picture(
    theme: Theme, title: str, view: QWidget, table: QTableView, n_rows: int, size: tuple[int, int] | None = None
) -> Pictured:
    """Return the picture of a view with a table, high enough for its rows.

    Args:
        view: made for this picture in the light colours of ``theme``; owned by the sheet.
        n_rows: number of rows. size: pixels; None: automatic.
    """
    sheet = Sheet(theme, title, without_controls(view), (), QSize(*(size or (WIDTH_PX, WIDTH_PX))))
    sheet.text.hide()
    sheet.settle()
    if size is None:
        row, head = table.verticalHeader().defaultSectionSize(), table.horizontalHeader().height()
        rows = max(max(1, min(n_rows, MAX_ROWS)) * row, table.verticalHeader().length())  # some have several lines
        needed = head + rows + 2 * table.frameWidth()
        sheet.resize(sheet.width(), sheet.height() - table.height() + needed)
        sheet.settle()
    return Pictured(sheet)
