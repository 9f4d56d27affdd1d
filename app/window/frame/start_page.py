"""Start page of the empty window, and drop targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path, PurePath
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from wavediff.app.teach.lesson_view import LESSON_ENDING
from wavediff.app.ui import save_dialog
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.pair import Pair, Side
from wavediff.app.ui.samples import SAMPLES, Sample
from wavediff.app.ui.theme import Theme
from wavediff.app.window.frame.actions import plain
from wavediff.core.base.numbers import number
from wavediff.core.export.recipe import ENDINGS as PICTURE_ENDINGS
from wavediff.core.reading.alignments import is_alignment
from wavediff.core.reading.annotations import is_annotation

PADDING_PX, RADIUS_PX, GAP_PX, MARK_PX = 16, 8, 16, 64
BUTTON_WIDTH_PX, AREA_MAX_PX, CARD_MAX_PX = 136, 240, 112
LOW_PX = 340  # of height, below which the page has headings only
TITLE, WHAT = "See how two sequences differ", "Drop two files here: genomes, genes, proteins or any text."
FORMATS = "FASTA, FASTQ, GenBank, EMBL, SnapGene, plain text, also compressed"


class StartPage(QWidget):
    """Start page of the empty window, or below the first sample's letters at the first start.

    Args:
        open_files, paste: actions of the window.
        empty: no pair is open; the first button opens the first sample.

    Attributes:
        area: accepts files; with the focus there, keys have no effect.

    Signals:
        sample_wanted: a ``Sample``.
    """

    sample_wanted = Signal(object)

    def __init__(self, theme: Theme, open_files: QAction, paste: QAction, *, empty: bool) -> None:
        super().__init__(accessibleName="Nothing open yet" if empty else "Welcome")
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # no claim on the panel's room
        self.area = QWidget(self, maximumHeight=AREA_MAX_PX)
        self.area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._title = QLabel(TITLE)
        self._small = [QLabel(FORMATS), QLabel()]
        mark = QLabel(self, pixmap=QGuiApplication.windowIcon().pixmap(MARK_PX, MARK_PX))
        mark.setHidden(not empty)
        self._bold = [QLabel("Samples")]
        self.say_cluster("")
        texts = [self._title, QLabel(WHAT), *self._small]
        self._details = [*texts[1:], self._bold[0], *([mark] if empty else ())]  # left out where there is no room
        for label in texts:
            label.setWordWrap(True)
        self.sample, opens = QPushButton("Open the sample", default=True), QPushButton("Open files…")
        self.sample.clicked.connect(partial(self.sample_wanted.emit, SAMPLES[0]))
        first = self.sample if empty else opens
        first.setProperty("primary", True)
        self.setFocusProxy(first)
        rows = [_button(self.sample, "Enter")] if empty else []
        rows += [_action(opens, open_files), _action(QPushButton("Paste text…"), paste)]
        in_row(
            mark, (in_column(1, *texts, 1, gap=4), 1), in_column(1, *rows, 1, gap=8),
            on=self.area, margin=PADDING_PX, gap=GAP_PX,
        )  # fmt: skip
        cards = QGridLayout()
        cards.setSpacing(GAP_PX // 2)
        self._cards = [self._card(sample) for sample in SAMPLES]
        for k, card in enumerate(self._cards):
            cards.addWidget(card, *divmod(k, 2))
        in_column((self.area, 2), self._bold[0], (cards, 3), 0, on=self, margin=PADDING_PX, gap=GAP_PX // 2)
        theme.follow(self._restyle)

    def offer_samples(self, offered: bool) -> None:
        for button in (self.sample, *self._cards):
            button.setEnabled(offered)

    def say_cluster(self, address: str) -> None:
        """State what leaves this computer: nothing, or pairs for the cluster at ``address``."""
        self._small[1].setText(
            f"Only files of Many pairs are sent, to {address}" if address else "Nothing leaves this computer"
        )

    def _card(self, sample: Sample) -> QPushButton:
        card = QPushButton(self)
        card.setAccessibleName(sample.title)
        card.setProperty("control", "card")
        card.setToolTip(sample.tip)
        card.setMaximumHeight(CARD_MAX_PX)
        card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        title, tip = QLabel(sample.title, card), QLabel(sample.tip, card)
        self._bold.append(title)
        self._details.append(tip)
        for label in (title, tip):
            label.setWordWrap(True)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        in_column(1, title, tip, 1, on=card, margin=(12, 6, 12, 6), gap=2)
        card.clicked.connect(partial(self.sample_wanted.emit, sample))
        return card

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for part in self._details:
            part.setHidden(self.height() < LOW_PX)

    @Slot()
    def _restyle(self) -> None:
        self._title.setFont(self._theme.title_font)
        bold = self.font()
        bold.setBold(True)
        for label in self._bold:
            label.setFont(bold)
        for small in self._small:
            small.setFont(self._theme.small_font)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.base)
        pen = QPen(self._theme.control, 1.5)
        pen.setDashPattern([6, 4])
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.area.geometry()).adjusted(1, 1, -1, -1), RADIUS_PX, RADIUS_PX)


def _button(button: QPushButton, keys: str) -> QHBoxLayout:
    button.setMinimumWidth(BUTTON_WIDTH_PX)
    return in_row(button, QLabel(keys), gap=GAP_PX // 2)


def _action(button: QPushButton, action: QAction) -> QHBoxLayout:
    button.setToolTip(action.toolTip())
    button.clicked.connect(action.trigger)
    return _button(button, plain(action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)))


DROP_PADDING_PX, DROP_RADIUS_PX = 8, 4
TALL_PX = 64  # of a place where a large text fits
MOST_BYTES = 1 << 20  # of a file that is looked into while it is dragged


class Target(NamedTuple):
    """Effect of a drop as text, its highlighted area, and the side if the area determines it."""

    text: str
    place: QRect
    side: Side | None = None


class DropGuide(QWidget):
    """Highlighted drop areas with texts.

    A single file replaces the sequence whose chip or half of the letters it is dropped on (A at the left); elsewhere it
    opens on the side ``free()``. Two files are A and B at any position.

    Args:
        letters: view of both sequences. page: all below the header. free: returns the side for other drops.

    Signals:
        dropped: a ``DropData`` and its ``Side`` (or None).
    """

    dropped = Signal(object, object)

    def __init__(
        self,
        pair: Pair,
        chips: Mapping[Side, QWidget],
        letters: QWidget,
        page: QWidget,
        free: Callable[[], Side],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent, accessibleName="Drop target")
        self._pair, self._chips, self._letters, self._page, self._free = pair, chips, letters, page, free
        self._theme, self._over = theme, parent
        self._targets: list[Target] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        parent.setAcceptDrops(True)
        parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle drags over the window, including unusable ones: dropping them explains why."""
        if isinstance(event, QDropEvent):  # QDragMoveEvent and QDragEnterEvent are such too
            at = self._over.mapToGlobal(event.position().toPoint())
            save_dialog.accept(event)
            if isinstance(event, QDragMoveEvent):
                self.show_target(at, event.mimeData())
            else:
                self.hide()
                side = next(target.side for target in self.targets(at, event.mimeData()))
                self.dropped.emit(save_dialog.parse_drop(event.mimeData()), side)
            return True
        if event.type() is QEvent.Type.DragLeave:
            self.hide()
        return super().eventFilter(watched, event)

    def show_target(self, global_pos: QPoint, mime: QMimeData) -> None:
        """Highlight the target of a drop at this position."""
        self._targets = self.targets(global_pos, mime)
        self.setAccessibleDescription("; ".join(target.text for target in self._targets))
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()
        self.update()

    def targets(self, global_pos: QPoint, mime: QMimeData) -> list[Target]:
        names = [url.fileName() for url in mime.urls()]
        page, at = self._place(self._page), self._over.mapFromGlobal(global_pos)
        if len(names) > 2:
            return [Target(f"{number(len(names))} files: A, B or many pairs", page)]
        roles = [_role(save_dialog.local_path(url)) if url.isLocalFile() else "" for url in mime.urls()]
        if len(names) == 1 and roles[0]:
            where = "Show" if self._pair.complete is not None else "Open"
            return [Target(f"{where} the {roles[0]} {names[0]} with A and B", page)]
        if any(roles):
            return [Target(" with ".join(sorted(names, key=lambda name: bool(roles[names.index(name)]))), page)]
        if len(names) == 2:
            return [Target(f"{side}: {name}", half) for side, name, half in zip(Side, names, halves(page), strict=True)]
        ending = PurePath(names[0]).suffix.lower() if names else ""
        if ending in PICTURE_ENDINGS:
            return [Target("Open what this picture shows", page)]
        if ending == LESSON_ENDING:
            return [Target("Open this lesson", page)]
        for side, chip in self._chips.items():
            if chip.isVisible() and self._place(chip).contains(at):
                return [self._to(side, self._place(chip))]
        letters = self._place(self._letters)
        if self._pair.complete is not None and self._letters.isVisible() and letters.contains(at):
            both = zip(Side, halves(letters), strict=True)
            return [self._to(side, half) for side, half in both if half.contains(at)][:1]
        free = self._free()
        place = page if self._pair[free] is None else self._place(self._chips[free])
        return [Target(self._to(free, place).text, place)]

    def _to(self, side: Side, place: QRect) -> Target:
        return Target(f"Open as {side}" if self._pair[side] is None else f"Replace {side}", place, side)

    def _place(self, widget: QWidget) -> QRect:
        return QRect(widget.mapTo(self._over, QPoint(0, 0)), widget.size())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(self._theme.tint)
        veil.setAlphaF(0.88)
        for text, place, _side in self._targets:
            painter.setPen(QPen(self._theme.accent, 2))
            painter.setBrush(veil)
            painter.drawRoundedRect(QRectF(place).adjusted(1, 1, -1, -1), DROP_RADIUS_PX, DROP_RADIUS_PX)
            painter.setPen(self._theme.text)
            if place.height() > TALL_PX:
                painter.setFont(self._theme.title_font)
            room = place.width() - 2 * DROP_PADDING_PX
            elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, elided)


@lru_cache(maxsize=8)
def _role(path: Path) -> str:
    """Return the role of a file besides sequences; a large one is judged by its name."""
    with suppress(OSError):
        if is_annotation(path):
            return "features"
        if is_alignment(path.name if path.stat().st_size > MOST_BYTES else path):
            return "alignment"
    return ""


def halves(place: QRect) -> tuple[QRect, QRect]:
    left = QRect(place)
    left.setWidth(place.width() // 2)
    return left, QRect(left.right() + 1, place.top(), place.width() - left.width(), place.height())
