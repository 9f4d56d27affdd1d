"""Of which letters a sequence consists: a bar, and the numbers beneath it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from wavediff.app.ui.number_text import grouped, percent, plain_tip
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number
from wavediff.core.sequences.sequence import Sequence

HEIGHT_PX = 12
MAX_NAMED_LETTERS = 12  # letters with a part of the bar of their own; the others share the last one


class CompositionBar(QWidget):
    """Parts of the bar are as long as a letter is frequent, and carry the letter where it fits."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: list[tuple[str, float, bool]] = []  # letter, share, whether it is a base
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_sequence(self, sequence: Sequence | None) -> None:
        self._parts = []
        total = len(sequence) if sequence is not None else 0
        if sequence is not None and total:
            bases = sequence.alphabet.is_nucleotide
            shown = sequence.composition[:MAX_NAMED_LETTERS]
            if bases:  # by letter, not by frequency: two sequences are compared at a glance
                shown = tuple(sorted(shown))
            self._parts = [(letter, count / total, bases) for letter, count in shown]
            rest = 1 - sum(part[1] for part in self._parts)
            if len(sequence.composition) > MAX_NAMED_LETTERS:
                self._parts.append(("…", rest, False))
        lines = [f"{letter}  {grouped(n)}  ({percent(n / total)})" for letter, n in composition(sequence)[:60]]
        self.setToolTip(plain_tip("\n".join(lines)))
        self.setAccessibleName(f"Composition: {composition_text(sequence)}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT_PX)

    def _fill(self, k: int, letter: str, base: bool) -> QColor:
        if base:
            return self._theme.base_color(letter)
        if letter == "…":
            return self._theme.grid
        value = 0.62 if self._theme.dark else 0.72  # one hue, in steps: no claim about the letters
        return QColor.fromHslF(0.58, 0.38, max(0.2, min(0.92, value - 0.3 + 0.6 * (k % 2) / 2 + 0.02 * k)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        clip = QPainterPath()
        clip.addRoundedRect(box, 3, 3)
        painter.setClipPath(clip)
        painter.fillRect(box, self._theme.grid)
        font = self.font()
        font.setPixelSize(9)
        font.setBold(True)
        painter.setFont(font)
        left = 0.0
        for k, (letter, share, base) in enumerate(self._parts):
            part = QRectF(left, 0, share * box.width(), box.height())
            left = part.right()
            fill = self._fill(k, letter, base)
            painter.fillRect(part, fill)
            if part.width() > 9 * len(letter):
                painter.setPen(self._theme.ink_on(fill))
                painter.drawText(part, Qt.AlignmentFlag.AlignCenter, letter)


def composition(sequence: Sequence | None) -> tuple[tuple[str, int], ...]:
    return sequence.composition if sequence is not None and len(sequence) else ()


def composition_text(sequence: Sequence | None, limit: int = 8) -> str:
    """Return e.g. ``A 30.9 %  C 31.3 %  G 13.1 %  T 24.7 %``, bases by letter, others by frequency."""
    if sequence is None or not len(sequence):
        return ""
    total = len(sequence)
    found = sequence.composition
    shown = found[:limit]
    if sequence.alphabet.is_nucleotide:
        shown = tuple(sorted(shown))
    parts = [f"{letter} {percent(count / total)}" for letter, count in shown]
    if len(found) > limit:
        parts.append(f"and {number(len(found) - limit)} more")
    return "   ".join(parts)
