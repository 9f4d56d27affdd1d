"""A picture that is never on a screen: title, what it shows, its legend and a line of text; one moment or a film."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from app.ui.film_files import FilmFrame, film_file
from app.ui.picture_files import SCREEN_DPI, picture_file, told_of
from app.ui.style import style_sheet
from app.ui.theme import Scheme, Theme
from core.base.errors import WavediffError
from core.export.registry import Format
from core.reading.recipe import Recipe

DEFAULT_SIZE = (1000, 760)  # pixels
MARGIN_PX, TITLE_PX, TEXT_PX = 12, 17, 13
N_SAMPLES = 6  # frames whose colours are the palette of a film
END_MS = 3_000  # that the last frame of a film is seen


class Sheet(QWidget):
    """Paper for one view: in the light colours, whatever those of the window are.

    Args:
        content: what is shown. below: its legend and more.
    """

    def __init__(self, theme: Theme, title: str, content: QWidget, below: Iterable[QWidget], size: QSize) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        palette = theme.palette()
        palette.setColor(self.backgroundRole(), theme.base)
        self.setPalette(palette)
        self.setStyleSheet(style_sheet(theme))
        self.setAutoFillBackground(True)
        self.title, self.text = QLabel(title, self), QLabel(self)
        for label, pixels in ((self.title, TITLE_PX), (self.text, TEXT_PX)):
            label.setTextFormat(Qt.TextFormat.PlainText)
            font = QFont(self.font())
            font.setPixelSize(pixels)
            font.setBold(label is self.title)
            label.setFont(font)
        self.text.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX)
        layout.addWidget(self.title)
        layout.addWidget(content, 1)
        for widget in below:
            layout.addWidget(widget)
        layout.addWidget(self.text)
        self.setFixedSize(size)
        self.show()

    def paint(self, painter: QPainter, _pixels: bool) -> None:
        """Paint what is shown now."""
        layout = self.layout()
        assert layout is not None
        layout.activate()  # it would wait for an event
        self.render(painter, QPoint())


@dataclass(frozen=True, slots=True)
class Moments:
    """Steps of a film, each seen for so many milliseconds; ``show`` lays a step on the sheet."""

    show: Callable[[int], object]
    milliseconds: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pictured:
    """One view as a picture and, where something moves in it, as a film; of the window's thread alone.

    Attributes:
        recipe: kept inside; None where what is shown has none. keep: what must live as long as the sheet.
    """

    sheet: Sheet
    recipe: Recipe | None
    moments: Moments | None = None
    keep: list[object] = field(default_factory=list)

    def told(self, kind: Format, *options: str) -> dict[str, str]:
        """Return what is kept inside."""
        return told_of(self.sheet.title.text(), "", self.recipe, *options, f"--{kind.id}", f"picture{kind.endings[0]}")

    def picture(self, kind: Format, dpi: int = SCREEN_DPI, *options: str) -> bytes:
        """Return it as a file's bytes; see ``picture_file``."""
        return picture_file(self.sheet.paint, kind, self.sheet.size(), dpi, self.told(kind, *options))

    def image(self, step: int) -> QImage:
        """Return a step of the film."""
        assert self.moments is not None
        self.moments.show(step)
        made = QImage(self.sheet.size(), QImage.Format.Format_RGB888)
        painter = QPainter(made)
        self.sheet.paint(painter, True)
        painter.end()
        return made

    @property
    def milliseconds(self) -> tuple[int, ...]:
        """Times for which the frames of its film are seen; none where nothing moves."""
        return () if self.moments is None else self.moments.milliseconds

    @property
    def samples(self) -> list[int]:
        """Steps that have the colours of all."""
        assert self.moments is not None
        last = len(self.moments.milliseconds) - 1
        return sorted({round(k * last / (N_SAMPLES - 1)) for k in range(N_SAMPLES)})

    def film(self, kind: Format, *options: str) -> bytes:
        """Return the film as a file's bytes.

        Raises:
            ExportError: see ``film_file``. WavediffError: nothing moves.
        """
        if self.moments is None:
            raise WavediffError(f"--{kind.id}: nothing of this was recorded that could be played")
        frames = (FilmFrame(self.image(k), one) for k, one in enumerate(self.moments.milliseconds))
        return film_file(map(self.image, self.samples), frames, kind, self.told(kind, *options))


def even(size: tuple[int, int]) -> QSize:
    """Return a size that MP4 can have, which halves the colours' rows and columns."""
    return QSize(*(one - one % 2 for one in size))


def light() -> Theme:
    """Return the colours of a picture."""
    return Theme(Scheme.LIGHT)


@contextmanager
def offscreen() -> Iterator[None]:
    """Have what widgets need, for as long as something is painted; there need be no display."""
    present = QApplication.instance()
    application = present or QApplication(["wavediff", "-platform", "offscreen"])
    if present is None and isinstance(application, QApplication):
        application.setStyle("Fusion")
        application.setPalette(light().palette())
    yield
    del application
