"""The places that all views share: under the pointer, and at the caret."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from wavediff.app.ui.pair import Side


@dataclass(frozen=True, slots=True)
class MatrixPosition:
    """A cell of the matrix, 0-based: ``a0`` letters of A and ``b0`` of B come before it.

    One of them is None where only the other sequence has a letter (a gap), both where the pointer
    is over no letter at all.
    """

    a0: int | None = None
    b0: int | None = None


NOWHERE = MatrixPosition()


@dataclass(frozen=True, slots=True)
class CaretPlace:
    """The cell that the caret is at: ``a0`` letters of A and ``b0`` of B come before it.

    Attributes:
        gap: the side that has no letter there.
    """

    a0: int
    b0: int
    gap: Side | None = None

    @property
    def position(self) -> MatrixPosition:
        return MatrixPosition(None if self.gap is Side.A else self.a0, None if self.gap is Side.B else self.b0)


class SharedCursor(QObject):
    """Fed by whichever view the pointer is over, and by the letters, which have the caret; listened to by all others.

    Signals:
        moved: the new ``MatrixPosition`` of the pointer; never twice the same one in a row.
        caret_moved: the new ``CaretPlace``, or None; likewise.
    """

    moved = Signal(object)
    caret_moved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._position = NOWHERE
        self._caret: CaretPlace | None = None

    @property
    def position(self) -> MatrixPosition:
        return self._position

    @property
    def caret(self) -> CaretPlace | None:
        """The place that stays when the pointer leaves; None while there is no alignment."""
        return self._caret

    def move(self, a0: int | None, b0: int | None) -> None:
        """Point at letter ``a0`` of A and ``b0`` of B (0-based); None where there is none."""
        position = MatrixPosition(a0, b0)
        if position != self._position:
            self._position = position
            self.moved.emit(position)

    def clear(self) -> None:
        """The pointer left: point nowhere."""
        self.move(None, None)

    def set_caret(self, place: CaretPlace | None) -> None:
        if place != self._caret:
            self._caret = place
            self.caret_moved.emit(place)

    def forget(self) -> None:
        """Another pair: neither place is one of it."""
        self.clear()
        self.set_caret(None)
