"""Button of a sequence in the header: side, name, length and alphabet."""

from __future__ import annotations

import os
from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QPushButton, QSizePolicy

from wavediff.app.ui.number_text import percent, plain_tip
from wavediff.app.ui.pair import Side, own_name
from wavediff.app.ui.theme import HEADER_CONTROL_PX, Theme
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, number
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.sequence import Alphabet, Sequence

MAX_WIDTH_PX, BADGE_PX, GAP_PX, ARROW_PX = 640, 24, 8, 12
LEAST_NAME_PX = 20  # room for an ellipsis and a letter or two
MOST_NAME_PX = 150  # of a name, before the length gives way to it
BOTH_ENDS_PX = 80  # a name in less room shows how it begins alone
MAX_NAME_CHARACTERS = 2000  # a header may have a million
ALPHABET_NAMES = {Alphabet.DNA: "DNA", Alphabet.RNA: "RNA", Alphabet.PROTEIN: "Protein", Alphabet.TEXT: "Text"}


def full_name(sequence: Sequence) -> str:
    """Return name and description on one line, readable."""
    name = " ".join((own_name(sequence) or "(no name)", sequence.description)).strip()
    return printable(name, MAX_NAME_CHARACTERS)


def kind_name(sequence: Sequence) -> str:
    is_bytes = sequence.format == "bytes" and sequence.alphabet is Alphabet.TEXT
    return "Bytes" if is_bytes else ALPHABET_NAMES[sequence.alphabet]


class SequenceChip(QPushButton):
    """Button; in a narrow window it hides description, alphabet and length, then elides the name."""

    def __init__(self, side: Side, theme: Theme) -> None:
        super().__init__()
        self.side = side
        self._theme = theme
        self._name = self._id = self._facts = self._shared = ""
        self._orientations: tuple[str, ...] = ()  # in words for much room and for less, and as a sign
        self._share: float | None = None
        self._busy = False
        self.setProperty("control", "header")
        self.setFixedHeight(HEADER_CONTROL_PX)
        self.setMaximumWidth(MAX_WIDTH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.show_sequence(None)

    def show_sequence(
        self, sequence: Sequence | None, *, by_lines: bool = False, contigs: int = 0, shared: str = ""
    ) -> None:
        """Show a sequence; if ``contigs`` is not 0, its file and this number of contigs instead.

        Args:
            shared: common prefix of both names, elided first.
        """
        self._shared = shared
        if sequence is None:
            self._name, self._id, self._facts, self._orientations = "", "", "", ()
            label = "Nothing yet: drop, paste or open a file"
        else:
            kind = kind_name(sequence)
            self._name = full_name(sequence)
            self._id = printable(own_name(sequence), MAX_NAME_CHARACTERS)
            self._facts = f"{number(len(sequence))} {kind}"
            if by_lines:
                self._facts = count(int(sequence.counts[ord("\n")]) + bool(len(sequence)), "line", "lines")
            if contigs:
                self._name = self._id = printable(os.path.basename(sequence.source), MAX_NAME_CHARACTERS)
                self._facts = count(contigs, "contig", "contigs")
            how = sequence.orientation
            orientation = how.text(len(sequence))
            sign = "RC" * (how.strand is Strand.MINUS) + "↻" * how.turned
            self._orientations = (orientation, how.text(len(sequence), short=True), sign) if orientation else ()
            source = os.path.basename(sequence.source)
            label = " · ".join(filter(None, dict.fromkeys((self._name, self._facts, orientation, source))))
        self._told = label
        self.setAccessibleName(f"Sequence {self.side!s}: {label}")
        self.setToolTip(plain_tip(label))
        self.updateGeometry()
        self.update()

    def show_loading(self, busy: bool, stage: str = "", share: float | None = None) -> None:
        """Show the progress of reading in place of the length."""
        self._busy, self._share = busy, share
        if busy:
            said = "Reading…" if stage in ("", "read", "reading") else f"{stage.capitalize()}…"
            self._facts = f"{said} {percent(share)}" if share is not None else said
        self.update()

    @property
    def name_width(self) -> int:
        """Width in pixels of the full name, without length and alphabet."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        name = QFontMetrics(bold).horizontalAdvance(self._id.removeprefix(self._shared))
        return 4 + BADGE_PX + min(name, MOST_NAME_PX) + ARROW_PX + 4 * GAP_PX

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()  # and as much more as there is

    def minimumSizeHint(self) -> QSize:
        facts = self.fontMetrics().horizontalAdvance(self._facts)
        return QSize(4 + BADGE_PX + LEAST_NAME_PX + facts + ARROW_PX + 4 * GAP_PX, HEADER_CONTROL_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focus = self.hasFocus()
        wide = 2 if focus else 1
        edge = theme.accent if focus or self.underMouse() else theme.control
        painter.setPen(QPen(edge, wide))
        painter.setBrush(theme.tint if self.isDown() else theme.base)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2), 4, 4)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        badge = QRectF(4, 4, BADGE_PX, self.height() - 8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.tint)
        painter.drawRoundedRect(badge, 3, 3)
        painter.setFont(bold)
        painter.setPen(theme.text)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, self.side.value)
        self._paint_text(painter, bold)
        if self._busy and self._share is not None:
            painter.fillRect(QRectF(2, self.height() - 4, (self.width() - 4) * self._share, 3), theme.accent)

    def _paint_text(self, painter: QPainter, bold: QFont) -> None:
        theme, middle = self._theme, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        left, right = 4 + BADGE_PX + GAP_PX, self.width() - GAP_PX
        if self._name:
            x, y = right - ARROW_PX / 2, self.height() / 2
            painter.setPen(QPen(theme.dim, 1.6))
            painter.drawPolyline(QPolygonF([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)]))
            right -= ARROW_PX + GAP_PX
        painter.setFont(self.font())
        painter.setPen(theme.dim)
        if not self._name and not self._busy:
            metrics, room = self.fontMetrics(), right - left
            texts = (self._told, "Drop, paste or open a file", "Drop or open a file", "Open a file")
            label = next((each for each in texts if metrics.horizontalAdvance(each) <= room), texts[-1])
            label = metrics.elidedText(label, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, 0, room, self.height()), middle, label)
            return
        metrics = QFontMetrics(bold)
        own_wide = ceil(QFontMetricsF(bold).horizontalAdvance(self._id))  # a fraction less, and it would be elided
        label = self._facts if self._busy else self._facts_beside(own_wide, right - left)
        facts = min(self.fontMetrics().horizontalAdvance(label), right - left)
        room = max(0, right - left - facts - GAP_PX)
        if self._orientations and not self._busy:
            room = self._paint_orientation(painter, left, room, metrics.horizontalAdvance(self._name))
        painter.setPen(theme.dim)
        described = self._name if label == self._facts else self._id  # before a part of the facts its description goes
        name = metrics.elidedText(described, Qt.TextElideMode.ElideRight, room)
        if len(name) <= len(self._id) and name != self._id:  # the description goes, and names differ at their ends
            mode = Qt.TextElideMode.ElideMiddle if room >= BOTH_ENDS_PX else Qt.TextElideMode.ElideRight
            own = self._id.removeprefix(self._shared)
            name = metrics.elidedText(f"…{own}" if own != self._id else own, mode, room)
        drawn = metrics.horizontalAdvance(name)
        painter.drawText(QRectF(right - facts, 0, facts + 1, self.height()), middle, label)
        painter.setFont(bold)
        painter.setPen(theme.text)
        painter.drawText(QRectF(left, 0, drawn + 1, self.height()), middle, name)

    def _facts_beside(self, name: int, room: int) -> str:
        """Return as much of length and alphabet as leaves ``room`` pixels for the name (limited)."""
        sign = self.fontMetrics().horizontalAdvance(self._orientations[-1]) + GAP_PX if self._orientations else 0
        left = room - min(name, MOST_NAME_PX) - sign - GAP_PX
        texts = (self._facts, self._facts.split()[0], "")
        return next(text for text in texts if not text or self.fontMetrics().horizontalAdvance(text) <= left)

    def _paint_orientation(self, painter: QPainter, left: int, room: int, name: int) -> int:
        """Paint the orientation in the colour of choices, right in ``room`` pixels; return the remaining width."""
        metrics, most = self.fontMetrics(), room - min(name, 3 * LEAST_NAME_PX) - GAP_PX
        texts = self._orientations
        text = next((each for each in texts if metrics.horizontalAdvance(each) <= most), texts[-1])
        wide = metrics.horizontalAdvance(text)
        painter.setPen(self._theme.accent)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(left + room - wide, 0, wide + 1, self.height()), flags, text)
        return max(0, room - wide - GAP_PX)
