"""View of contigs on A in place of the letters: interactive tracks, and details of the current contig."""

from __future__ import annotations

import os

from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QCheckBox, QPushButton, QScrollArea, QSizePolicy, QWidget

from wavediff.app.compare.contigs.contig_letters import ContigLetters
from wavediff.app.compare.contigs.contig_rows import sentence
from wavediff.app.compare.contigs.contig_tracks import ContigTracks, draw_contigs
from wavediff.app.compare.parts_canvas import PartsCanvas
from wavediff.app.compare.strip_drawing import LEFT_PX, RIGHT_PX
from wavediff.app.compare.strip_levels import Window
from wavediff.app.draw.drawing import Size
from wavediff.app.draw.painter import QtDrawing
from wavediff.app.ui.canvas import Wide
from wavediff.app.ui.labels import SentenceLabel
from wavediff.app.ui.layouts import in_column, in_row, with_empty_page
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, Pictured, Sheet, even, light
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import printable
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.jobs.contigs import ContigsResult
from wavediff.core.sequences.orientation import Topology

LEAST_WIDTH_PX, WHEEL_UNITS = 320, 480  # of a wheel, for twice as many letters


class ContigCanvas(PartsCanvas):
    """Canvas of contigs, which are numbered by their indices along A; -1: none.

    Attributes:
        tracks: None without contigs. window_shown: visible letters of A.
    """

    wheel_units = WHEEL_UNITS

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Contigs on A")
        self.tracks: ContigTracks | None = None
        self.window_shown, self.current = Window(0, 1), -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_tracks(self, tracks: ContigTracks | None, *, more: bool = False) -> None:
        """Show other tracks in full; with ``more`` (the same contigs and further ones) keep the visible range."""
        self.tracks, self.current = tracks, -1
        if not more:
            self.window_shown = Window(0, max(1, 0 if tracks is None else tracks.n))
        self.updateGeometry()
        self.update()

    def show_current(self, contig: int) -> None:
        """Make a contig the current one, and scroll to it."""
        self.current = contig
        if self.tracks is not None and 0 <= contig < len(self.tracks.placed):
            one, window = self.tracks.placed[contig], self.window_shown
            low, high = one.a[0].at, one.a[-1].at
            if not (window.first <= low and min(high, self.tracks.n) <= window.end):
                span = max(window.span, 1.2 * (high - low))
                self.window_shown = Window.around((low + high) / 2, 0.5, span, self.tracks.n)
        self.update()

    def show_letter(self, at: int) -> None:
        """Scroll to a letter of A (0-based); centred unless already visible."""
        if self.tracks is not None and not self.window_shown.first <= at < self.window_shown.end:
            self.window_shown = Window.around(at, 0.5, self.window_shown.span, self.tracks.n)
            self.update()

    def zoom(self, factor: float, x: float) -> None:
        share = min(max((x - LEFT_PX) / max(1, self.width() - LEFT_PX - RIGHT_PX), 0.0), 1.0)
        n = 1 if self.tracks is None else self.tracks.n
        self.window_shown = self.window_shown.zoomed(factor, share, n)
        self.update()

    def sizes(self) -> tuple[Wide, Wide]:
        high = 0 if self.tracks is None else self.tracks.height
        return (2 * LEAST_WIDTH_PX, high), (LEAST_WIDTH_PX, high)

    def paint(self, painter: QPainter) -> None:
        if self.tracks is not None:
            size = Size(self.width(), self.height())
            draw_contigs(QtDrawing(painter, self._theme), size, self.tracks, self.window_shown, self.current)

    def part_at(self, at: QPointF) -> int | None:
        return None if self.tracks is None else self.tracks.at(at.x(), at.y(), self.width(), self.window_shown)

    def tip_at(self, at: QPointF) -> str | None:
        contig, tracks = self.part_at(at), self.tracks
        return "" if contig is None or tracks is None else sentence(tracks.placed[contig], tracks.n)


LETTERS = 110  # of a sentence with a remark


class ContigsView(QWidget):
    """Attributes:
        canvas: the tracks. letters: of the current contig. circle: whether A is circular. open_button: opens the pair
            of the current contig.

    Signals:
        topology_wanted: place contigs on A with this ``Topology``.
        opened: index along A of the contig to open as a pair.
    """

    opened = Signal(int)
    topology_wanted = Signal(Topology)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._result: ContigsResult | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Contigs")
        self.canvas = ContigCanvas(theme)
        self.where = SentenceLabel(2, LETTERS, Qt.AlignmentFlag.AlignVCenter)
        self.open_button = QPushButton("Open the pair", self)
        self.open_button.setToolTip("Compare this contig with its range of A (Enter)")
        self.open_button.clicked.connect(lambda: self._open(self.canvas.current))
        self.canvas.opened.connect(self._open)
        self.circle = QCheckBox("A is circular", self)
        self.circle.setToolTip("Also place contigs across the origin of A")
        self.circle.clicked.connect(lambda on: self.topology_wanted.emit(Topology.CIRCULAR if on else Topology.LINEAR))
        bar = QWidget(self)
        for part, name in ((self, "surface"), (bar, "tint")):
            part.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            part.setProperty(name, True)
        in_row((self.where, 1), self.circle, self.open_button, on=bar, margin=(16, 4, 16, 4), gap=16)
        full = QWidget(self)
        self.letters = ContigLetters(theme)
        in_column(self.canvas, bar, self.letters, 1, on=full, margin=0, gap=0)
        area = QScrollArea(self, widgetResizable=True)
        area.setWidget(full)
        self._empty, self._pages = with_empty_page(area, self)

    @property
    def message(self) -> str:
        return self._empty.text() if self._pages.currentIndex() == 0 else ""

    def show_answer(self, answer: ContigsAnswer | None, text: str) -> None:
        """Show the contigs, or ``text`` if there are none."""
        result = None if answer is None else answer.result
        self.letters.show_contig(answer, self.canvas.current)
        there = result is not None and bool(result.order)
        if result is not self._result or not there:
            more = there and self._result is not None and self._result.waiting > 0
            self._result = result
            self.canvas.show_tracks(ContigTracks.of(result) if result is not None and there else None, more=more)
        if result is not None and not there:
            text = f"No contig shares a {result.k}-mer with A."
        self._empty.setText(text)
        self._pages.setCurrentIndex(int(there))

    def show_current(self, contig: int) -> None:
        """Show the contig with this index along A as the current one; -1: none."""
        tracks = self.canvas.tracks
        self.canvas.show_current(contig)
        self.letters.show_contig(self.letters.answer, contig)
        self.where.set_text("" if tracks is None or contig < 0 else sentence(tracks.placed[contig], tracks.n))
        self.open_button.setEnabled(contig >= 0 and self._result is not None and not self._result.waiting)

    @Slot(int)
    def _open(self, contig: int) -> None:
        if contig >= 0:
            self.opened.emit(contig)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.canvas.keyPressEvent(event)


BESIDE_PX = 96  # of height, at most: title, answer, margins


def contigs_picture(seen: ContigCanvas, answer: ContigsAnswer) -> Pictured:
    """Return the picture of the contigs that ``seen`` shows."""
    theme = light()
    canvas = ContigCanvas(theme)
    canvas.show_tracks(seen.tracks)
    canvas.window_shown, canvas.current = seen.window_shown, seen.current
    title = f"{answer.a.name} – {printable(os.path.basename(answer.contigs.source))}: Contigs"
    high = canvas.sizeHint().height()
    size = even((max(DEFAULT_SIZE[0], seen.width()), high + BESIDE_PX))
    sheet = Sheet(theme, title, canvas, (), size, answer.result.text)
    sheet.fit((0, canvas.height() - high))
    return Pictured(sheet)
