"""Places that were jumped to, to go back and forward through."""

from __future__ import annotations

MAX_PLACES = 64


class VisitedPlaces:
    """Columns, the oldest first, and which of them is the present one.

    What moves the caret without a jump takes the present place along: ``here`` is where the caret is now.
    """

    def __init__(self) -> None:
        self._columns: list[int] = []
        self._at = 0

    @property
    def columns(self) -> tuple[int, ...]:
        return tuple(self._columns)

    def clear(self) -> None:
        self._columns, self._at = [], 0

    def jump(self, here: int, there: int) -> None:
        """Go from ``here`` to a new place; places ahead are forgotten."""
        if here != there:
            self._columns = [*self._columns[: self._at], here, there][-MAX_PLACES:]
            self._at = len(self._columns) - 1

    def go(self, here: int, step: int) -> int | None:
        """Return the place ``step`` places on (-1: the one before) and make it the present one; None at the end."""
        if not 0 <= self._at + step < len(self._columns):
            return None
        self._columns[self._at] = here
        self._at += step
        return self._columns[self._at]
