"""The right end of the status bar: what is under the pointer, in 1-based positions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QLabel

from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_text import state_text
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.pair import Pair, Side
from wavediff.app.ui.shared_cursor import MatrixPosition, SharedCursor
from wavediff.core.base.numbers import number
from wavediff.core.sequences.letter_text import letter_name


class PositionLabel(QLabel):
    """Follows the cursor: position and letter in A and B, diagonal, block and its state.

    Args:
        shown_map: the one that is seen, None: there is none of the pair.
    """

    def __init__(
        self, cursor: SharedCursor, pair: Pair, block_map: BlockMapModel, shown_map: Callable[[], BlockMapModel | None]
    ) -> None:
        super().__init__()
        self._cursor, self._pair, self._shown_map = cursor, pair, shown_map
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName("Position under the pointer")
        cursor.moved.connect(self._show)
        pair.changed.connect(self.refresh)
        block_map.planned.connect(self.refresh)
        block_map.figures_changed.connect(self.refresh)
        block_map.changed.connect(self.refresh)  # a replay moves under a pointer that rests

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("0") * 76, super().sizeHint().height())

    @Slot(object)
    def _show(self, position: MatrixPosition) -> None:
        self.setText(position_text(position, self._pair, self._shown_map()))

    @Slot()
    def refresh(self) -> None:
        self._show(self._cursor.position)


def position_text(position: MatrixPosition, pair: Pair, block_map: BlockMapModel | None) -> str:
    """Return one line on a place; empty for nowhere. ``block_map``: None where it is not what is seen."""
    a0, b0, axes = position.a0, position.b0, None if block_map is None else block_map.axes
    parts = [_letter(pair, Side.A, a0), _letter(pair, Side.B, b0)] if (a0, b0) != (None, None) else []
    if axes is not None and parts:
        parts = [
            f"{side} –" if at is None else f"{side} {axes.unit} {number(axes.unit_at(k, at) + 1)}"
            for k, (side, at) in enumerate(zip(Side, (a0, b0), strict=True))
        ]
        a0, b0 = axes.cell(a0, b0)
    if a0 is not None and b0 is not None:
        far = f"{'−' if b0 < a0 else '+' if b0 > a0 else ''}{number(abs(b0 - a0))}"
        parts.append(f"diagonal {far}")
        if block_map is not None and block_map.block_map.size and (block := block_map.block_at(a0, b0)) is not None:
            row, col = (number(each + 1) for each in block)
            parts.append(f"block {row}, {col} ({state_text(block_map.state_at(*block))})")
    return "   ".join(parts)


def _letter(pair: Pair, side: Side, at: int | None) -> str:
    if at is None:
        return f"{side} –"
    if (sequence := pair[side]) is None and pair[side.other] is not None:
        side, sequence = side.other, pair[side.other]  # with itself
    if sequence is None or not 0 <= at < len(sequence):
        return f"{side} {grouped(at + 1)}"
    return f"{side} {grouped(sequence.place(at) + 1)} {letter_name(int(sequence.letters[at]), sequence.characters)}"
