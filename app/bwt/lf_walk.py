"""The inverse stepped by hand: from row to row by LF, a letter of the text at each step, from its end."""

from __future__ import annotations

from app.bwt.bwt_rows_model import DOLLAR, UNKNOWN, BwtRows

SHOWN_LETTERS = 200  # letters kept to be shown


class LfWalk:
    """State of an LF walk; begins at row 0, which begins with ``$``."""

    def __init__(self, rows: BwtRows) -> None:
        self._rows = rows
        self.visited = [0]
        self.letters: list[int] = []

    @property
    def row(self) -> int:
        return self.visited[-1]

    @property
    def at_end(self) -> bool:
        """Return whether the whole text was read: the last column of this row is ``$``."""
        return self.row == self._rows.shown.index.primary

    def forward(self) -> bool:
        """Read a letter of the last column and go to the row that begins with it.

        Returns:
            False at the end, and while the next row is not known.
        """
        window = self._rows.window(self.row, 1)
        before = int(window.before[0])
        if self.at_end or before == UNKNOWN or int(window.lasts[0]) == DOLLAR:
            return False
        self.letters.append(int(window.lasts[0]))
        self.visited.append(before)
        return True

    def back(self) -> bool:
        """Undo a step; False at the start."""
        if len(self.visited) == 1:
            return False
        self.visited.pop()
        self.letters.pop()
        return True

    def restart(self) -> None:
        self.visited, self.letters = [0], []

    def finish(self) -> None:
        """Go on to the end; of short texts only, where every row is known."""
        if self._rows.is_small:
            while self.forward():
                pass

    @property
    def text(self) -> list[int]:
        """The letters read so far in the order of the text, the last ``SHOWN_LETTERS`` steps of them."""
        return self.letters[: -SHOWN_LETTERS - 1 : -1]
