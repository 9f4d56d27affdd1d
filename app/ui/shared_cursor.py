"""The one place under the pointer that all views share."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True)
class MatrixPosition:
    """A cell of the matrix, 0-based: ``a0`` letters of A and ``b0`` of B come before it.

    One of them is None where only the other sequence has a letter (a gap), both where the pointer
    is over no letter at all.
    """

    a0: int | None = None
    b0: int | None = None


NOWHERE = MatrixPosition()


class SharedCursor(QObject):
    """Fed by whichever view the pointer is over, listened to by all the others.

    Signals:
        moved: the new ``MatrixPosition``; never twice the same one in a row.
    """

    moved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._position = NOWHERE

    @property
    def position(self) -> MatrixPosition:
        return self._position

    def move(self, a0: int | None, b0: int | None) -> None:
        """Point at letter ``a0`` of A and ``b0`` of B (0-based); None where there is none."""
        position = MatrixPosition(a0, b0)
        if position != self._position:
            self._position = position
            self.moved.emit(position)

    def clear(self) -> None:
        """The pointer left: point nowhere."""
        self.move(None, None)
