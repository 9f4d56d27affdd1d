"""View of collinear blocks in place of the letters: ribbons, and the letters at the borders of one block."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QLabel, QPushButton, QSpinBox, QWidget

from wavediff.app.compare.blocks.block_rows import SIGNS, BlockList, ListedBlocks
from wavediff.app.compare.blocks.block_steps import BlockSteps
from wavediff.app.compare.blocks.border_letters import BORDER_PX, draw_borders
from wavediff.app.compare.blocks.ribbon_drawing import LEAST_PX, MOST_PX, A, B, Ribbons, draw_ribbons, longest
from wavediff.app.compare.parts_canvas import PartsCanvas
from wavediff.app.compare.strip_levels import Window
from wavediff.app.draw.drawing import Box
from wavediff.app.draw.painter import QtDrawing
from wavediff.app.ui.canvas import Wide
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import FlowLayout, as_one_widget, in_column, with_empty_page
from wavediff.app.ui.legend import KIND_PX, ROW_PX, Legend, Sign, paint_swatch
from wavediff.app.ui.pair import named
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, Pictured, Sheet, even, light
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import count, number, percent
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.jobs.choices import MAX_K, MIN_K

NAME = "Ribbons of the blocks"
MAX_LEFT = 8  # answers whose part in sight is kept
BY_LENGTH = MIN_K - 1  # of the seed letters: as suits the lengths


class RibbonCanvas(PartsCanvas):
    """Canvas of ribbons; blocks are numbered from 1.

    Attributes:
        window_shown: letters in sight; None: all.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, NAME, parent, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.answer: RearrangedAnswer | None = None
        self.window_shown: Window | None = None
        self._left = list[tuple[RearrangedAnswer | None, Window | None]]()  # answers of before, and what was seen

    def show_block(self, answer: RearrangedAnswer | None, current: int) -> None:
        """Show the blocks with ``current`` (from 1; 0: none) highlighted."""
        if answer is not self.answer:
            self._left = [
                *(each for each in self._left if each[0] is not self.answer),
                (self.answer, self.window_shown),
            ]
            self._left = self._left[-MAX_LEFT:]
            self.window_shown = next((window for one, window in self._left if one is answer), None)
        elif current and current != self.current and (seen := self.ribbons) is not None:
            block = seen.answer.blocks[current - 1]
            if not any(seen.sees(block, axis) for axis in (A, B)):
                first, last = block.on(A if block.size[A] else B)
                span = max(seen.letters.span, 1.2 * (last.at - first.at))
                self._show_window(Window.around((first.at + last.at) / 2, 0.5, span, longest(seen.answer)))
        self.answer, self.current = answer, current
        self.update()

    def zoom(self, factor: float, x: float) -> None:
        if (seen := self.ribbons) is not None:
            share = min(max((x - seen.bar(A).x) / max(1, seen.bar(A).wide), 0.0), 1.0)
            self._show_window(seen.letters.zoomed(factor, share, longest(seen.answer)))

    def _show_window(self, window: Window) -> None:
        whole = self.answer is None or window.span >= longest(self.answer)
        self.window_shown = None if whole else window
        self.update()

    def sizes(self) -> tuple[Wide, Wide]:
        return (800, MOST_PX + 2 * BORDER_PX), (200, LEAST_PX)

    @property
    def _borders(self) -> int:
        return 2 * BORDER_PX if self.height() >= LEAST_PX + 2 * BORDER_PX else 0

    @property
    def ribbons(self) -> Ribbons | None:
        high = min(MOST_PX, self.height() - self._borders)
        return None if self.answer is None else Ribbons(self.answer, Box(0, 0, self.width(), high), self.window_shown)

    def paint(self, painter: QPainter) -> None:
        if (ribbons := self.ribbons) is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawing = QtDrawing(painter, self._theme)
        draw_ribbons(drawing, ribbons, self.current, QFontMetricsF(self._theme.small_font))
        if self.current and self._borders:
            draw_borders(drawing, Box(0, ribbons.box.foot, self.width(), self._borders), ribbons.answer, self.current)

    def part_at(self, at: QPointF) -> int | None:
        return None if self.ribbons is None else self.ribbons.at(at.x(), at.y()) or None


class BlocksView(QWidget):
    """Shows the current block of ``steps``.

    Signals:
        range_wanted: compare the current block by itself; True: show its differences.
        seeds_wanted: the chosen seed length; 0: automatic.
    """

    range_wanted = Signal(bool)
    seeds_wanted = Signal(int)

    def __init__(self, theme: Theme, steps: BlockSteps) -> None:
        super().__init__()
        self.setAccessibleName("Blocks")
        self.steps = steps
        self.canvas = RibbonCanvas(theme, self)
        self.facts = ElidedLabel(whole=True, parent=self)
        self.k = QSpinBox(self, minimum=BY_LENGTH, maximum=MAX_K)
        self.k.setSpecialValueText("by length")
        self.k.setKeyboardTracking(False)
        self.k.setAccessibleName("Seed letters")
        self.k.setToolTip(f"Minimum length of the exact matches in blocks, {MIN_K} to {MAX_K}")
        self.k.valueChanged.connect(lambda k: self.seeds_wanted.emit(0 if k == BY_LENGTH else k))
        label = QLabel("&Seeds", self)
        label.setBuddy(self.k)
        self.compare = QPushButton("Compare this range", self)
        self.compare.setToolTip("Open this block as a separate pair (Enter)")
        self.differences = QPushButton("Differences inside", self)
        self.differences.setToolTip("Open this block as a pair, and list its differences")
        buttons = as_one_widget(label, self.k, self.compare, self.differences)
        bar = FlowLayout(self.facts, last=(buttons,), spacing=8)
        bar.setContentsMargins(8, 2, 8, 2)
        front = QWidget(self)
        self._empty, self._pages = with_empty_page(self.canvas, front)
        in_column((front, 1), bar, on=self, margin=0, gap=0)
        self.setFocusProxy(self.canvas)
        self.canvas.clicked.connect(steps.show_one)
        self.canvas.stepped.connect(lambda step: steps.go_next() if step > 0 else steps.go_previous())
        self.canvas.opened.connect(self.compare.click)
        self.compare.clicked.connect(lambda: self.range_wanted.emit(False))
        self.differences.clicked.connect(lambda: self.range_wanted.emit(True))
        steps.moved.connect(self._show_block)
        self.clear("")

    @property
    def message(self) -> str:
        return self._empty.text() if self._pages.currentIndex() == 0 else ""

    def clear(self, text: str) -> None:
        listed = self.steps.all
        self._empty.setText(text or ("" if listed is None else BlockList().none(listed)))
        self._show_block()

    def show_seeds(self, k: int) -> None:
        """Show the selected seed length, 0: automatic."""
        with QSignalBlocker(self.k):
            self.k.setValue(k or BY_LENGTH)

    @Slot()
    def _show_block(self) -> None:
        answer, block, listed = self.steps.answer, self.steps.block, self.steps.all
        self._pages.setCurrentIndex(int(listed is not None and len(listed) > 0))
        self.canvas.show_block(answer, self.steps.current)
        self.facts.set_text("" if answer is None else covered(answer))
        for button in (self.compare, self.differences):
            button.setEnabled(block is not None and block.result is not None)
        if listed is not None and self.steps.current:
            self.canvas.setAccessibleDescription(sentence(listed, self.steps.current))


def sentence(listed: ListedBlocks, number_of: int) -> str:
    return BlockList().sentence(listed, listed.rows, number_of - 1)


def covered(answer: RearrangedAnswer) -> str:
    """Return how much of A and B the blocks cover, and the number of ambiguous borders."""
    shares = []
    for axis, (name, one) in enumerate((("A", answer.a), ("B", answer.b))):
        copies = ("B", "A")[axis]
        whole = (block for block in answer.blocks if block.result is not None and block.copy_in != copies)
        letters = sum(block.size[axis] for block in whole)
        shares.append(f"{percent(letters / max(1, len(one)))} of {name}")
    borders = {(at, high - low) for block in answer.blocks for at, low, high in block.a if high > low}
    free = f" · {count(len(borders), 'ambiguous border', 'ambiguous borders')}" if borders else ""
    return f"In blocks: {' and '.join(shares)} · seeds of {number(answer.result.k)} letters{free}"


BESIDE_PX = 24, 100 + ROW_PX  # of the sheet, about: margins; title, legend and answer


def whole_picture(answer: RearrangedAnswer, current: int, *, size: tuple[int, int] | None = None) -> Pictured:
    """Return the picture of all blocks, with the letters at the borders of ``current`` (from 1; 0: none)."""
    seen = RibbonCanvas(light())
    usual = DEFAULT_SIZE[0], MOST_PX + (2 * BORDER_PX if current else 0) + BESIDE_PX[1]
    seen.resize(*(side - margin for side, margin in zip(size or usual, BESIDE_PX, strict=True)))
    seen.show_block(answer, current)
    return blocks_picture(seen, answer)


def blocks_picture(seen: RibbonCanvas, answer: RearrangedAnswer) -> Pictured:
    """Return the picture of the blocks that ``seen`` shows."""
    theme = light()
    canvas = RibbonCanvas(theme)
    title = f"{' – '.join(named((answer.a, answer.b)))}: Blocks"
    size = even((seen.width() + BESIDE_PX[0], seen.height() + BESIDE_PX[1]))
    legend = Legend("Kinds of blocks", theme, height=KIND_PX)
    kinds = [kind for kind in SIGNS if answer.result.of(kind)]
    legend.set_signs([Sign(partial(paint_swatch, op=SIGNS[kind], theme=theme), str(kind), KIND_PX) for kind in kinds])
    sheet = Sheet(theme, title, canvas, (legend,), size, answer.result.text)
    canvas.show_block(answer, seen.current)
    canvas.window_shown = seen.window_shown
    return Pictured(sheet)
