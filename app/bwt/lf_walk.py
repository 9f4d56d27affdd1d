"""The inverse stepped: from row to row by LF, a letter of the text at each step, from its end."""

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

    def seek(self, letters: int) -> None:
        """Go to where so many letters are read, or as far as rows are known."""
        del self.letters[letters:], self.visited[letters + 1 :]
        while len(self.letters) < letters and self._forward():
            pass

    def _forward(self) -> bool:
        """Read a letter of the last column and go to the row that begins with it; False where that is not known."""
        window = self._rows.window(self.row, 1)
        before = int(window.before[0])
        if self.at_end or before == UNKNOWN or int(window.lasts[0]) == DOLLAR:
            return False
        self.letters.append(int(window.lasts[0]))
        self.visited.append(before)
        return True

    @property
    def text(self) -> list[int]:
        """The letters read so far in the order of the text, the last ``SHOWN_LETTERS`` steps of them."""
        return self.letters[: -SHOWN_LETTERS - 1 : -1]
