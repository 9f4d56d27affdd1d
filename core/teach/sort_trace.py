"""Trace of the ternary quicksort: by level, or by pass within levels.

Source: Yamanaka, Ino and Hagihara (section 3, Fig. 1): pass 1 counts, which gives the first place of the equal
suffixes; pass 2 writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wavediff.core.base.numbers import number
from wavediff.core.jobs.bwt_result import TernaryPart
from wavediff.core.teach.counted_trace import CountedTrace, letters, of_inputs, whole
from wavediff.core.teach.questions import Asked, Cell, Kind, Question, new_question, slip
from wavediff.core.teach.rotations import SHOWN_LETTERS, SHOWN_ROWS, shortened, shown_rows, slips_in
from wavediff.core.teach.scene import Mark, Part, Scene, Sheet
from wavediff.core.teach.sorting import (
    LETTER_LEVELS,
    MAX_TEXT_LETTERS,
    Block,
    Level,
    Segment,
    Transform,
    rotation,
    ternary_levels,
)
from wavediff.core.teach.unit import Unit

SIGNS = {TernaryPart.LESS: "<", TernaryPart.EQUAL: "=", TernaryPart.GREATER: ">"}
MARKS = {TernaryPart.LESS: Mark.FALLING, TernaryPart.EQUAL: Mark.ON, TernaryPart.GREATER: Mark.RISING}
MAX_BLOCK_ROWS = 1 << 10

PARTS = "less", "equal", "greater"
APART = "No two are equal any more: each such row has its place."  # said of a level


class SortTrace(CountedTrace):
    """Rows of a transform, partitioned by a pivot per segment; ``levels``: see ``ternary_levels``."""

    def __init__(self, text: str, levels: list[Level], inputs: Mapping[str, Any]) -> None:
        passes = range(2 * len(levels) + 1)
        super().__init__(inputs, {Unit.LEVEL: passes[::2], Unit.PASS: passes}, Kind.VALUE)
        self.text, self.levels = text, levels

    def _at(self, unit: Unit, k: int) -> tuple[int, bool, bool]:
        """Return the level (from 1; 0: none yet), whether its rows are counted, and whether they are written."""
        if unit is Unit.LEVEL:
            return k, k > 0, k > 0
        return -(-k // 2), k > 0, k > 0 and k % 2 == 0

    def scene(self, unit: Unit, k: int) -> Scene:
        at, counted, written = self._at(unit, k)
        asked = None
        if counted and not written:
            segment, block = self._asked_block(unit, k + 1)
            line = [one for each in self.levels[at - 1].segments for one in each.blocks].index(block)
            asked = 1, line, 5 + _asked_part(segment, block)
        return Scene((self._rows(unit, k), self._blocks(self.levels[max(at, 1) - 1], counted, written)), asked=asked)

    def _window(self, unit: Unit, k: int) -> range:
        at, _, written = self._at(unit, k)
        level = self.levels[min(at - (at > 0 and not written), len(self.levels) - 1)]
        return shown_rows(len(self.text) + 1, level.segments[0].start)

    def _rows(self, unit: Unit, k: int) -> Sheet:
        at, counted, written = self._at(unit, k)
        level, window = self.levels[max(at, 1) - 1], self._window(unit, k)
        title, heads = "Rows as they lie", ("place", "begins at", "shared", "key", "rest", "")
        lie = level.after if written else level.before
        key_of = dict(zip(level.before, level.keys, strict=True))
        will_be = {row: place for place, row in enumerate(level.after)}
        segments = level.segments if at else ()
        rows, marks = [], []
        for place in window:
            row, turned = lie[place], rotation(self.text, lie[place])
            segment = next((one for one in segments if one.start <= place < one.end), None)
            shared, key, sign, mark = 0, "", "", Mark.FAINT
            if segment is not None:
                shared, key, mark = segment.depth, key_of[row], Mark.PLAIN
                if counted:
                    part = segment.part(will_be[row])
                    sign, mark = SIGNS[part], MARKS[part]
            rest = turned[shared + (segment is not None and not level.by_rank) :]
            rows.append((number(place), number(row), _cut(turned[:shared]), key, shortened(rest), sign))
            marks.append((Mark.PLAIN, Mark.PLAIN, Mark.FAINT, mark, Mark.PLAIN, mark))
        bounds = {place for one in segments for place in (one.start, one.end)}
        if written:
            bounds |= {place for one in segments for place in (one.equal, one.greater)}
        rules = tuple(sorted(place - window.start for place in bounds if place in window and place > window.start))
        return Sheet(title, heads, tuple(rows), tuple(marks), rules, mono=True)

    def _blocks(self, level: Level, counted: bool, written: bool) -> Sheet:
        rows: list[tuple[str, ...]] = []
        marks: list[tuple[Mark, ...]] = []
        rules = []
        lit, passed = (Mark.PLAIN, Mark.NEW) if written else (Mark.NEW, Mark.PLAIN)
        for segment in level.segments if counted else ():
            rules.append(len(rows))
            for block in segment.blocks:
                counts = tuple(number(size) for size in (block.less, block.equal, block.greater))
                writes = tuple(number(write) for write in block.writes) if written else ("",) * 3
                rows.append((_span(block), segment.pivot, *counts, *writes))
                marks.append((Mark.PLAIN, Mark.CITED, *(lit,) * 3, *(passed,) * 3))
        # As many lines at every level, so that nothing moves.
        most = max(sum(len(segment.blocks) for segment in each.segments) for each in self.levels)
        lines = min(SHOWN_ROWS, most)
        rows = [*rows[:lines], *[("",) * 8] * (lines - len(rows))]
        marks = [*marks[:lines], *[(Mark.PLAIN,) * 8] * (lines - len(marks))]
        heads = ("block", "pivot", "<", "=", ">", "< from", "= from", "> from")
        shown_rules = tuple(rule for rule in rules if 0 < rule < lines)
        return Sheet("Blocks: pass 1 counts, pass 2 writes", heads, tuple(rows), tuple(marks), shown_rules)

    # Values

    def _value(self, name: str) -> Any:
        """Return the value ``name`` for texts and expectations.

        ``levels``: their number; ``letter levels``: number of those that compare letters; ``rounds``: of comparisons by
        rank; ``rows``: first position of each row at the end; ``order 1``: after a level; ``pivot 1``, ``equal 1``,
        ``greater 1``, ``counts 1``, ``writes 1``: of the first segment of a level; ``L``: the last column; ``letters``.
        """
        first, _, rest = name.partition(" ")
        if rest.isdigit() and 1 <= int(rest) <= len(self.levels):
            level = self.levels[int(rest) - 1]
            segment = level.segments[0]
            of_level: dict[str, Any] = {
                "order": list(level.after),
                "pivot": segment.pivot,
                "equal": segment.equal,
                "greater": segment.greater,
                "counts": [[block.less, block.equal, block.greater] for block in segment.blocks],
                "writes": [list(block.writes) for block in segment.blocks],
            }
            return of_level[first]
        by_rank = [one.segments[0].depth for one in self.levels if one.by_rank]
        values: dict[str, Any] = {
            "levels": len(self.levels),
            "letter levels": len(self.levels) - len(by_rank),
            "rounds": len(set(by_rank)),
            "rows": list(self.levels[-1].after),
            "L": Transform(self.text).last,
            "letters": len(self.text),
        }
        return values[name]

    def moments(self, unit: Unit) -> Mapping[str, Sequence[int]]:
        moments = super().moments(unit)
        return {**moments, "count": range(1, self.steps(unit), 2)} if unit is Unit.PASS else moments

    # Questions

    def ask(self, unit: Unit, k: int, kind: Kind) -> Question:
        """Return the question answered by step ``k``: first equal row, count of a block, or write position."""
        at, _, written = self._at(unit, k)
        segment, block = self._asked_block(unit, k)
        if unit is Unit.LEVEL:
            asked, why = self._asked_equal(segment), self.say(unit, k)
        elif written:
            asked, why = self._asked_write(segment, block, self.scene(unit, k - 1).parts[0])
        else:
            asked = self._asked_count(self.levels[at - 1], segment, block, unit, k)
            sizes = zip((block.less, block.equal, block.greater), PARTS, strict=True)
            why = f"Block {_span(block)}: {', '.join(f'{number(size)} {part}' for size, part in sizes)}."
        return new_question(kind, unit, k, asked, why)

    def _asked_block(self, unit: Unit, k: int) -> tuple[Segment, Block]:
        """Return the last visible block of a segment at step ``k``, or the first block."""
        seen, segments = self._window(unit, k - 1), self.levels[self._at(unit, k)[0] - 1].segments
        in_sight = [(one, block) for one in segments for block in one.blocks if {block.start, block.end - 1} <= {*seen}]
        of_first = [pair for pair in in_sight if pair[0] is in_sight[0][0]]
        return of_first[-1] if of_first else (segments[0], segments[0].blocks[0])

    def _asked_equal(self, segment: Segment) -> Asked:
        text = f"Rows {_span(segment)} are parted by {segment.pivot}: from which place on do the equal ones lie?"
        slips = [
            slip(segment.equal - segment.start, "That is how many are less: the rows begin further on."),
            slip(segment.greater, "That is where the greater ones begin."),
            slip(segment.start, "That is where the less ones begin."),
        ]
        return Asked(text, [str(segment.equal)], slips, among=len(self.text) + 1)

    def _asked_count(self, level: Level, segment: Segment, block: Block, unit: Unit, k: int) -> Asked:
        cells: list[list[Cell]] = [[], [], []]
        for at, place in enumerate(self._window(unit, k - 1)):
            if block.start <= place < block.end:
                cells[segment.part(level.after.index(level.before[place]))].append((at, 1))
        text = f"How many keys of the block {_span(block)} are equal to {segment.pivot}?"
        slips = [
            slip(block.less, f"Those are less than {segment.pivot}.", *cells[0]),
            slip(block.greater, f"Those are greater than {segment.pivot}.", *cells[2]),
            slip(block.end - block.start, "Those are all keys of the block.", *cells[0], *cells[1], *cells[2]),
            slip(segment.greater - segment.equal, "Those are the equal ones of all blocks."),
        ]
        return Asked(text, [str(block.equal)], slips)

    def _asked_write(self, segment: Segment, block: Block, lie: Part) -> tuple[Asked, str]:
        """Return the question about write positions not known from pass 1, with the reason."""
        part = _asked_part(segment, block)
        begins = (segment.start, segment.equal, segment.greater)
        said = {block.start: "There the block lies before it writes."}
        said |= {at: f"There it writes its {PARTS[one]} ones." for one, at in enumerate(block.writes) if one != part}
        said[begins[part]] = f"There the {PARTS[part]} ones begin: blocks before this one write there."
        answer, before = block.writes[part], block.writes[part] - begins[part]
        keys = f"{PARTS[part]} {'to' if part == TernaryPart.EQUAL else 'than'} {segment.pivot}"
        text = f"From which place on does block {_span(block)} write its rows with keys {keys}?"
        why = (
            f"The {PARTS[part]} ones begin at {number(begins[part])}, and blocks before it have {number(before)}: "
            f"from {number(answer)} on."
        )
        return Asked(text, [str(answer)], slips_in(lie, said), among=len(self.text) + 1), why

    # Sentences

    def say(self, unit: Unit, k: int) -> str:
        if k == 0:
            return "The rotations lie as in the text. The key is the first letter; the middle of three is the pivot."
        at, _, written = self._at(unit, k)
        level = self.levels[at - 1]
        segment, n = level.segments[0], len(level.segments)
        equal = ", ".join(number(one.equal) for one in level.segments[:4]) + (", …" if n > 4 else "")
        if unit is Unit.PASS and not written:
            blocks = "" if n == 1 else f" over {number(n)} segments"
            counts = f"Pass 1{blocks}: each block counts its smaller, equal and greater rows."
            return f"{counts} Only now is it known where the equal ones begin: {equal}."
        if unit is Unit.PASS:
            return "Pass 2: each block writes its rows from its own places on, and no two write to the same."
        if level.by_rank:
            return (
                f"Level {number(k)}: the key is the rank of the row that begins {number(segment.depth)} letters later, "
                f"so {number(2 * segment.depth)} letters are compared."
            )
        go_on = any(one.greater - one.equal > 1 for one in level.segments)
        if n == 1:
            text = f"Level {number(k)}: parted by {segment.pivot} at letter {number(segment.depth + 1)}."
            return f"{text} The equal ones, from {equal} on, go a letter on." if go_on else f"{text} {APART}"
        text = f"Level {number(k)}: {number(n)} segments at once, each by its own pivot."
        return f"{text} {'Equal ones go on with the next letter.' if go_on else APART}"


def _asked_part(segment: Segment, block: Block) -> TernaryPart:
    """Return the part whose position in a block follows from earlier ones, or None."""
    sizes, is_first = (block.less, block.equal, block.greater), block.start == segment.start
    usual = TernaryPart.EQUAL, TernaryPart.GREATER, TernaryPart.LESS
    return next((one for one in usual if sizes[one] and (one == TernaryPart.GREATER or not is_first)), usual[0])


def _span(rows: Block | Segment) -> str:
    return f"[{number(rows.start)}, {number(rows.end)})"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_LETTERS // 2 else "…" + text[-SHOWN_LETTERS // 2 :]


@of_inputs(
    a=letters(MAX_TEXT_LETTERS), rows=whole(1, MAX_BLOCK_ROWS, 4), letters=whole(1, LETTER_LEVELS, LETTER_LEVELS)
)
def sort_trace(a: str, rows: int, compared: int) -> SortTrace:
    text = Transform(a).text
    return SortTrace(text, ternary_levels(text, rows, compared), {"a": text, "rows": rows, "letters": compared})
