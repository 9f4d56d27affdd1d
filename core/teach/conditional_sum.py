"""Conditional-sum addition: parts are added in parallel, each for both possible carries.

Sources: Sklansky 1960; Kawanami and Fujimoto 2011, section 3.4 and Fig. 2.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.numbers import number
from wavediff.core.teach.counted_trace import OneUnitTrace, letters, of_inputs, whole
from wavediff.core.teach.questions import Asked, Kind
from wavediff.core.teach.scene import Box, Grid, Mark, Part, Scene, Sheet, Values
from wavediff.core.teach.table_slips import bit_slips
from wavediff.core.teach.unit import Unit

MAX_BITS = 1024  # of a sum: a block of Kawanami and Fujimoto
MAX_SHOWN_PARTS = 8  # whose sums are written out; of more of them the carries are shown
BITS_PER_DIGIT = 4


class Level(NamedTuple):
    """Sums of the parts for each carry into their group (0 or 1), lowest part first.

    Attributes:
        sums: of each part. carries: carry out of each part.
    """

    sums: tuple[tuple[int, ...], tuple[int, ...]]
    carries: tuple[tuple[int, ...], tuple[int, ...]]


def conditional_sums(u: int, v: int, n_parts: int, width: int) -> list[Level]:
    """Return the sums for groups of one part, two, four and so on, up to one group of all parts.

    Args:
        width: bits of a part.

    >>> [level.carries for level in conditional_sums(0x00FF80F0, 0x01007F10, 4, 8)][-1]
    ((1, 1, 1, 0), (1, 1, 1, 0))
    """
    low = (1 << width) - 1
    parts = [(u >> k * width & low, v >> k * width & low) for k in range(n_parts)]
    both = [[x + y + carry for x, y in parts] for carry in (0, 1)]
    levels, size = [_level(both, width)], 1
    while size < n_parts:
        # The carry that leaves the lower group says which of the upper group's two sums is right.
        now = [list(sums) for sums in both]
        for first in range(size, n_parts, 2 * size):
            for carry in (0, 1):
                chosen = both[both[carry][first - 1] >> width]
                now[carry][first : first + size] = chosen[first : first + size]
        both, size = now, 2 * size
        levels.append(_level(both, width))
    return levels


def _level(both: list[list[int]], width: int) -> Level:
    sums = tuple(tuple(total & (1 << width) - 1 for total in some) for some in both)
    carries = tuple(tuple(total >> width for total in some) for some in both)
    return Level((sums[0], sums[1]), (carries[0], carries[1]))


class ConditionalSumTrace(OneUnitTrace):
    """U + V in parts: step 1 adds each part twice, each round merges pairs of groups, the last step selects the sum.

    Args:
        u, v: hexadecimal digits. width: bits of a part.
    """

    def __init__(self, u: str, v: str, width: int) -> None:
        self.u, self.v, self.width = int(u, 16), int(v, 16), width
        self._digits = width // BITS_PER_DIGIT
        self.n_parts = -(-max(len(u), len(v)) // self._digits)
        self.levels = conditional_sums(self.u, self.v, self.n_parts, width)
        asks = Kind.BITS if self.n_parts <= MAX_SHOWN_PARTS else None
        super().__init__({"a": u, "b": v, "width": width}, Unit.ROUND, len(self.levels) + 1, asks)

    @property
    def n_rounds(self) -> int:
        return len(self.levels) - 1

    def _words(self, value: int) -> list[str]:
        text = f"{value:0{self.n_parts * self._digits}X}"
        return [text[at : at + self._digits] for at in range(0, len(text), self._digits)]

    def _row(self, parts: tuple[int, ...], digits: int) -> list[str]:
        return [f"{part:0{digits}X}" for part in reversed(parts)]

    def _joined(self, level: int) -> range:
        return range(1 << level - 1, self.n_parts, 1 << level) if level else range(0)

    def scene_at(self, k: int) -> Scene:
        part: Part = self._sheet(k) if self.n_parts <= MAX_SHOWN_PARTS else self._carry_grid(k)
        return Scene((part,))

    def _sheet(self, k: int) -> Sheet:
        n = self.n_parts
        heads = ("", *(f"part {number(place)}" for place in range(n, 0, -1)))
        rows = [("U", *self._words(self.u)), ("V", *self._words(self.v))]
        marks, rules = [(Mark.PLAIN,) * (n + 1)] * 2, []
        for level, both in enumerate(self.levels):
            rules.append(len(rows))
            size = 1 << level - 1 if level else 0
            chosen = {place for first in self._joined(level) for place in range(first, min(first + size, n))}
            deciding = {first - 1 for first in self._joined(level + 1)} if level + 2 == k else set()
            for carry, name in enumerate(("no carry in", "a carry in")):
                new = [Mark.NEW if level + 1 == k and (place in chosen or not level) else Mark.PLAIN
                       for place in range(n - 1, -1, -1)]  # fmt: skip
                cited = [Mark.CITED if place in deciding else Mark.PLAIN for place in range(n - 1, -1, -1)]
                texts = (self._row(both.sums[carry], self._digits), self._row(both.carries[carry], 1))
                if level + 1 > k:
                    texts = ([""] * n, [""] * n)
                rows += [(f"S{level}, {name}", *texts[0]), ("carry out", *texts[1])]
                marks += [(Mark.PLAIN, *new), (Mark.PLAIN, *(cited if any(cited) else new))]
        rules.append(len(rows))
        last = k == self.last_step
        rows.append(("U + V", *(self._row(self.levels[-1].sums[0], self._digits) if last else [""] * n)))
        marks.append((Mark.PLAIN, *[Mark.WINNER if last else Mark.PLAIN] * n))
        title = "Each part added twice, and the right sum chosen"
        return Sheet(title, heads, tuple(rows), tuple(marks), tuple(rules), mono=True)

    def _carry_grid(self, k: int) -> Grid:
        """Return the carries out of each part, two rows per level."""
        carries = np.array([row[::-1] for level in self.levels for row in level.carries], np.int32)
        rank: Values = np.broadcast_to(np.arange(len(carries), dtype=np.int32)[:, None] // 2 + 1, carries.shape).copy()
        names = tuple(f"S{row // 2} +{row % 2}" for row in range(len(carries)))
        boxes = []
        for level in range(min(k, len(self.levels))):
            size = 1 << level
            ends = range(self.n_parts, 0, -size)
            boxes += [Box(2 * level, max(end - size, 0), 2, min(size, end)) for end in ends]
        top = tuple(str(place) for place in range(self.n_parts, 0, -1))
        return Grid("", carries, rank, names, top, boxes=tuple(boxes))

    def say_at(self, k: int) -> str:
        n, bits = self.n_parts, self.width
        if k == 0:
            return (
                f"U + V in {number(n)} parts of {number(bits)} bits. Added from below, the highest would wait for "
                f"{number(n - 1)} carries."
            )
        if k == 1:
            return "Nobody knows yet whether a carry comes, so each part is added twice: without one, and with one."
        if k == self.last_step:
            total = sum(part << self.width * place for place, part in enumerate(self.levels[-1].sums[0]))
            digits = self.n_parts * self._digits if self.n_parts <= MAX_SHOWN_PARTS else 1
            if self.levels[-1].carries[0][-1]:
                return f"No carry comes in from outside: the sum is {total:0{digits}X}, and a carry leaves at the end."
            return f"No carry comes in from outside, so the sum is the upper one of the two: {total:0{digits}X}."
        if k == 2:
            return (
                f"Round {number(k - 1)}: neighbours in pairs. The carry that leaves the lower part says which of the "
                "upper part's two sums is right."
            )
        return (
            f"Round {number(k - 1)}: groups of {number(1 << k - 2)} in pairs. The carry that leaves the lower group "
            "says which of the upper group's sums are right."
        )

    def _value(self, name: str) -> Any:
        if name in (levels := {f"S{k}": level for k, level in enumerate(self.levels)}):
            level = levels[name]
            texts = [(self._row(level.sums[c], self._digits), self._row(level.carries[c], 1)) for c in (0, 1)]
            return [" ".join(text) for pair in texts for text in pair]
        return {
            "sum": "".join(self._row(self.levels[-1].sums[0], self._digits)),
            "carry": self.levels[-1].carries[0][-1],
            "rounds": self.n_rounds,
            "parts": self.n_parts,
            "width": self.width,
            "bits": self.n_parts * self.width,
            "ripple": self.n_parts - 1,
        }[name]

    def _question(self, k: int) -> Asked:
        level = self.levels[min(max(k - 1, 0), self.n_rounds)]
        which, bits = "Which parts have", f"{number(self.n_parts)} bits, the highest part first"
        if self.n_parts == 1:
            which, bits = "Does the part have", "1 bit"
        word, other = ("".join(self._row(carries, 1)) for carries in level.carries)
        slips = bit_slips(word, "the highest part is the first", {"where a carry comes in": other})
        return Asked(f"{which} a carry-out after the next step, without a carry-in? {bits}.", [word], slips)


@of_inputs(
    a=letters(MAX_BITS // BITS_PER_DIGIT), b=letters(MAX_BITS // BITS_PER_DIGIT), width=whole(BITS_PER_DIGIT, 64, 8)
)
def conditional_sum_trace(u: str, v: str, width: int) -> ConditionalSumTrace:
    """Return the trace of ``u`` + ``v`` (hexadecimal) in parts of ``width`` bits."""
    for name, text in (("a", u), ("b", v)):
        other = next((letter for letter in text if letter not in "0123456789ABCDEFabcdef"), None)
        if other is not None:
            raise ValueError(f"'{name}' has '{other}'; digits 0 to 9 and A to F are wanted")
    if width % BITS_PER_DIGIT:
        raise ValueError(f"'width' is {width}; a multiple of {BITS_PER_DIGIT} is possible")
    return ConditionalSumTrace(u, v, width)
