"""Words of a column added one after the other, or each a column behind the word above.

Source: Sudo and Shinohara 2009, section 3.1 and Fig. 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.numbers import number
from wavediff.core.teach.counted_trace import OneUnitTrace
from wavediff.core.teach.inputs import letters, of_inputs, whole
from wavediff.core.teach.questions import Kind
from wavediff.core.teach.scene import Grid, Line, Scene, Sheet, Values
from wavediff.core.teach.unit import Unit
from wavediff.core.teach.words import edit_columns

MAX_LETTERS = 128  # of a side


def word_carries(a: str, b: str, height: int) -> Values:
    """Return the carry that leaves each word in the addition of D0, int32, shape (words, columns).

    Args:
        height: rows of a word.
    """
    n_words = -(-len(a) // height)
    leaving = np.zeros((n_words, len(b)), np.int32)
    vp = (1 << len(a)) - 1
    for col, here in enumerate(edit_columns(a, b)):
        both = here.eq & vp
        carries = both ^ vp ^ (both + vp)  # bit i: what comes into row i + 1
        for word in range(n_words):
            leaving[word, col] = carries >> min((word + 1) * height, len(a)) & 1
        vp = here.vp
    return leaving


class StaggerTrace(OneUnitTrace):
    """Both orders beside each other, an addition of a word a step.

    Args:
        height: rows of a word.
    """

    def __init__(self, a: str, b: str, height: int) -> None:
        self._a, self._b, self._height = a, b, height
        self._carries = word_carries(a, b, height)
        self.n_words, self.n_cols = -(-len(a) // height), len(b)
        col = np.arange(self.n_cols, dtype=np.int32)
        word = np.arange(self.n_words, dtype=np.int32)[:, None]
        self._together: Values = col * self.n_words + word + 1
        self._staggered: Values = col + word + 1
        inputs = {"a": a, "b": b, "height": height}
        super().__init__(inputs, Unit.WORD, self.n_words + self.n_cols - 1, Kind.VALUE)

    def scene_at(self, k: int) -> Scene:
        rows = [self._rows(word) for word in range(self.n_words)]
        grids, counts = [], []
        for name, rank in (("in turn", self._together), ("behind", self._staggered)):
            left = tuple(f"{name} {row}" for row in rows)
            grids.append(Grid("c", self._carries, rank, left, tuple(self._b), lines=self._handed(rank, k)))
            counts.append((name, f"{number(int((rank <= k).sum()))} of {number(rank.size)}"))
        return Scene((*grids, Sheet("Words that are added", ("order", "added"), tuple(counts))))

    def _rows(self, word: int) -> str:
        first, end = word * self._height + 1, min((word + 1) * self._height, len(self._a))
        return number(end) if self._height == 1 else f"{number(first)}–{number(end)}"

    def _handed(self, rank: Values, k: int) -> tuple[Line, ...]:
        new = np.argwhere(rank == k).tolist() if k else []
        return tuple(
            Line(((word - 0.25, col + 0.5), (word + 0.25, col + 0.5)), "carry") for word, col in new if word > 0
        )

    def say_at(self, k: int) -> str:
        n, m = self.n_words, self.n_cols
        if k == 0:
            if n == 1:
                return f"1 word of {number(self._height)} rows. Its addition needs no carry from above."
            return (
                f"{number(n)} words of {number(self._height)} rows. The addition of a word needs the carry of the word "
                "above, in its column."
            )
        if k == self.last_step:
            return (
                f"{number(k)} steps, and all {number(n * m)} words are added: {number(m)} columns and {number(n - 1)} "
                f"more. In one column it is at step {number(k)} of {number(n * m)}."
            )
        at_once = int((self._staggered == k).sum())
        if at_once == 1:
            return f"Step {number(k)}: 1 word in either order."
        return (
            f"Step {number(k)}: {number(at_once)} words at once. Each is one column behind the one above, so its carry "
            "is already there."
        )

    def _value(self, name: str) -> Any:
        return {
            "words": self.n_words,
            "columns": self.n_cols,
            "together": int(self._together.max()),
            "ranks": self._staggered.tolist(),
            "late": self.n_words - 1,
        }[name]

    def _question(self, k: int) -> tuple[str, set[str]]:
        word = min(self.n_words, k)
        rows = self._rows(word - 1)
        return f"Each a column behind: in which column is the word of rows {rows} in step {number(k)}?", {
            str(k - word + 1)
        }


stagger_trace = of_inputs(a=letters(MAX_LETTERS), b=letters(MAX_LETTERS), height=whole(1, MAX_LETTERS, 4))(StaggerTrace)
