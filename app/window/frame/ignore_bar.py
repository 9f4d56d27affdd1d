"""Bar of ignored differences, and the status line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QSizePolicy, QWidget

from wavediff.app.ui.background_task import on
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_text import state_text
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.method_options import OptionParts
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.pair import MatrixPosition, Pair, SharedCursor, Side
from wavediff.app.ui.theme import Theme
from wavediff.app.window.session import Session
from wavediff.core.base.numbers import number
from wavediff.core.methods import METHODS
from wavediff.core.sequences.letter_text import letter_name


class PositionLabel(QLabel):
    """Follows the cursor: position and letter in A and B, diagonal, block and its state.

    Args:
        shown_map: returns the visible map, or None if no map of the pair is visible.
    """

    def __init__(
        self, cursor: SharedCursor, pair: Pair, block_map: BlockMapModel, shown_map: Callable[[], BlockMapModel | None]
    ) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self._cursor, self._pair, self._shown_map = cursor, pair, shown_map
        self.setAccessibleName("Position under the pointer")
        cursor.moved.connect(self._show)
        on(
            self.refresh, pair.changed, block_map.planned, block_map.figures_changed, block_map.changed
        )  # a replay moves too

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("0") * 76, super().sizeHint().height())

    @Slot(object)
    def _show(self, position: MatrixPosition) -> None:
        self.setText(self._cursor.elsewhere or position_text(position, self._pair, self._shown_map()))

    @Slot()
    def refresh(self) -> None:
        self._show(self._cursor.position)


def position_text(position: MatrixPosition, pair: Pair, block_map: BlockMapModel | None) -> str:
    """Return the status line for a position; empty for none. ``block_map``: None if not visible."""
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


FIELD_PX, GAP_PX = 130, 8


class IgnoreBar(QWidget):
    """Options of line-based methods that change the answer, and the case rule."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, minimumWidth=1)
        self._session, self._theme = session, theme
        options = [option for one in METHODS if not one.of_letters for option in one.options if not option.advanced]
        self.options = OptionParts(options)
        self.options.setParent(self)
        self.case = QCheckBox("Case")
        self.case.setToolTip("Treat a and A as equal")
        self.problem = QLabel(parent.window(), textFormat=Qt.TextFormat.PlainText)
        self.problem.setAutoFillBackground(True)
        self.problem.setContentsMargins(8, 4, 8, 4)
        self.problem.hide()
        self._inside = QWidget(self)
        *flags, pattern = self.options.parts.values()
        boxes = [each.box for each in flags]
        in_row(QLabel("Ignore", self), *boxes, self.case, pattern.box, on=self._inside, margin=0, gap=GAP_PX)
        pattern.refused.connect(self._refuse)
        self._field = pattern.box
        self._field.setFixedWidth(FIELD_PX)
        assert isinstance(self._field, QComboBox)
        self._field.setEditText("")
        if (edit := self._field.lineEdit()) is not None:
            edit.setPlaceholderText("pattern")
        in_row(self._inside, 1, on=self, margin=0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.options.chosen.connect(self._choose)
        self.case.clicked.connect(lambda on: self._choose("fold_case", on))
        session.choices_changed.connect(self.refresh)
        theme.follow(self._restyle)
        self.refresh()

    def event(self, event: QEvent) -> bool:
        """Move the pattern, or the whole bar, to *Options* if there is no room."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            flags = self._inside.sizeHint().width() - (0 if self._field.isHidden() else FIELD_PX + GAP_PX)
            self._field.setHidden(self.width() < flags + GAP_PX + FIELD_PX)
            self._inside.setVisible(self.width() >= flags)
        return super().event(event)

    @Slot()
    def refresh(self) -> None:
        method = self._session.choices.chosen
        self.options.offer(method.options, self._session.choices.values)
        self.case.setChecked(self._session.fold_case)
        self._refuse("")

    @Slot(str, object)
    def _choose(self, id_: str, value: Any) -> None:
        session = self._session
        if session.choices.changed(**{id_: value}) != session.choices:
            session.choose(**{id_: value})
            if session.stale and not (session.running and session.as_asked):
                session.run()

    @Slot(str)
    def _refuse(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.adjustSize()
        room = self.problem.parentWidget()
        if text and room is not None:
            at = self._field.mapTo(room, QPoint(0, self._field.height() + 2))
            self.problem.move(max(0, min(at.x(), room.width() - self.problem.width())), at.y())
            self.problem.raise_()
        self.problem.setVisible(bool(text))

    @Slot()
    def _restyle(self) -> None:
        palette = self.problem.palette()
        palette.setColor(palette.ColorRole.Window, self._theme.warn_fill)
        palette.setColor(palette.ColorRole.WindowText, self._theme.warn)
        self.problem.setPalette(palette)
