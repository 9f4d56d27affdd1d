"""Two layouts of several patterns' states in one word, and the effect of a shift on each.

Source: Kusudo, Ino and Hagihara (section 3.1), after Prasad et al.: interleaved states, which one shift by q moves
together. In a layout pattern after pattern, a shift moves the last state of a pattern into the first state of the next.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.base.numbers import number
from wavediff.core.sequences.cyclic_layout import MAX_PATTERNS
from wavediff.core.teach.counted_trace import OneUnitTrace, of_inputs, whole
from wavediff.core.teach.questions import Asked, Kind, slip
from wavediff.core.teach.scene import Mark, Scene, Sheet
from wavediff.core.teach.unit import Unit

MAX_LETTERS = 12  # of a pattern: more names than that cannot be read
MAX_STATES = 64
State = tuple[int, int]  # letters matched and pattern, both from 1
SHIFTED_BLOCKS, SHIFTED_TURNS = 1, 2  # steps


class OrdersTrace(OneUnitTrace):
    """Words of ``q`` patterns of ``m`` letters, blockwise and interleaved, before and after a shift."""

    def __init__(self, q: int, m: int) -> None:
        self.q, self.m = q, m
        super().__init__({"q": q, "m": m}, Unit.OPERATION, SHIFTED_TURNS, Kind.VALUE)
        patterns, matched = range(q, 0, -1), range(m, 0, -1)  # from the highest bit
        self.blocks: tuple[State, ...] = tuple((i, j) for j in patterns for i in matched)
        self.turns: tuple[State, ...] = tuple((i, j) for i in matched for j in patterns)

    def wrong(self, order: tuple[State, ...], shift: int) -> list[int]:
        """Return the bits (from the highest) that a shift fills with another pattern's state."""
        moved = order[shift:]
        return [place for place, (_, j) in enumerate(moved) if order[place][1] != j]

    def scene_at(self, k: int) -> Scene:
        width = self.q * self.m
        rows, marks = [], []
        parts = (
            ("pattern after pattern", self.blocks, 1, SHIFTED_BLOCKS),
            ("in turn", self.turns, self.q, SHIFTED_TURNS),
        )
        for name, order, shift, step in parts:
            rows.append((name, *map(_name, order)))
            marks.append((Mark.PLAIN,) * (width + 1))
            moved = [*map(_name, order[shift:]), *["start"] * shift] if k >= step else [""] * width
            wrong = self.wrong(order, shift) if k >= step else []
            lit = [Mark.SKIPPED if place in wrong else Mark.NEW if k == step else Mark.PLAIN for place in range(width)]
            rows.append((f"<< {shift}", *moved))
            marks.append((Mark.PLAIN, *lit))
        heads = ("", *(number(bit) for bit in range(width, 0, -1)))
        sheet = Sheet("States by bit, the highest first", heads, tuple(rows), tuple(marks), rules=(2,))
        return Scene((sheet,))

    def say_at(self, k: int) -> str:
        if k == 0:
            return (
                f"{number(self.q)} patterns of {number(self.m)} letters have {number(self.q * self.m)} states, a bit "
                "each. In which order do they stand?"
            )
        if k == SHIFTED_BLOCKS:
            return (
                "A shift by 1 moves the last state of a pattern to the first of the next: "
                f"{number(len(self.wrong(self.blocks, 1)))} bits are wrong."
            )
        return f"In turn one shift by {number(self.q)} moves every state to the next one of its own pattern."

    def _value(self, name: str) -> Any:
        """Return the value ``name``.

        ``order``, ``blocks``: names of the states from the highest bit; ``wrong``: bits, after a shift of blocks; q, m.
        """
        orders = {"order": self.turns, "blocks": self.blocks}
        if name == "wrong":
            return [self.q * self.m - place for place in self.wrong(self.blocks, 1)]
        sizes = {"q": self.q, "m": self.m}
        return sizes[name] if name in sizes else [_name(order) for order in orders[name]]

    def _question(self, k: int) -> Asked:
        order, shift = (self.blocks, 1) if k == SHIFTED_BLOCKS else (self.turns, self.q)
        how = "Pattern after pattern" if k == SHIFTED_BLOCKS else "In turn"
        text = f"{how}: after a shift by {number(shift)}, how many bits hold a state of another pattern?"
        crossing = f"The states of a pattern are {number(self.q)} bits apart, so each moves on to its next."
        if order is self.blocks:
            crossing = "Only the last state of a pattern comes into another one, and the last of all leaves the word."
        slips = [slip(each, crossing) for each in (self.q, self.q * self.m, self.m, self.q - 1)]
        return Asked(text, [str(len(self.wrong(order, shift)))], [*slips, slip(0, crossing)])


def _name(state: State) -> str:
    return f"s{state[0]}^{state[1]}"


@of_inputs(q=whole(1, MAX_PATTERNS, 4), m=whole(1, MAX_LETTERS, 3))
def orders_trace(q: int, m: int) -> OrdersTrace:
    if q * m > MAX_STATES:
        raise ValueError(f"{q} x {m} are {q * m} states; up to {MAX_STATES} can be shown")
    return OrdersTrace(q, m)
