"""From block to block, to a place that was typed, and back."""

from __future__ import annotations

import re

import numpy as np
from PySide6.QtCore import QObject, Signal

from wavediff.app.compare.alignment_navigation import Steps
from wavediff.app.compare.blocks.block_rows import BlockList, ListedBlocks
from wavediff.app.compare.stepper import Stepper
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number, position
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.jobs.rearranged import BlockKind, CollinearBlock

HELP = "A 12,000 or B 12,000 letter of A or B · #4 block"
KEPT = 4  # answers whose current block is known when they come back
_PLACE = re.compile(r"([ab#])\s*[: ]?\s*(\d.*)", re.IGNORECASE)


class BlockSteps(Steps):
    """Moves through the blocks of ``answer``.

    Attributes:
        answer: None while there is none.

    Signals:
        listed: other blocks are stepped through. moved: another block is current.
    """

    listed = Signal()
    moved = Signal()
    words = BlockList.words
    answer: RearrangedAnswer | None = None

    def __init__(self, stepper: Stepper, parent: QObject) -> None:
        super().__init__(stepper, stepper.tell, parent)
        self._left: list[tuple[RearrangedAnswer, int]] = []  # answers of before, and their current blocks

    def show(self, answer: RearrangedAnswer | None) -> None:
        """Step through the blocks of ``answer``: from where it was left, else from one that is not in order."""
        if answer is self.answer:
            return
        if self.answer is not None:
            self._left = [*(each for each in self._left if each[0] is not self.answer), (self.answer, self.current)]
            self._left = self._left[-KEPT:]
        self.answer = answer
        self._visited.clear()
        blocks = () if answer is None else answer.blocks
        first = (k for k, block in enumerate(blocks, 1) if block.kind is not BlockKind.COLLINEAR)
        known = next((block for left, block in self._left if left is answer), 0)
        self.current = known or next(first, min(1, len(blocks)))
        self.listed.emit()
        self.moved.emit()

    @property
    def block(self) -> CollinearBlock | None:
        """The current block."""
        return self.answer.blocks[self.current - 1] if self.answer is not None and self.current else None

    @property
    def all(self) -> ListedBlocks | None:
        return None if self.answer is None else ListedBlocks(self.answer, np.arange(len(self.answer.blocks)))

    def show_counts(self) -> None:
        self._stepper.show_steps(self.words[0], None if self.answer is None else len(self.answer.blocks), {})

    def counted(self) -> tuple[int | None, int | None]:
        if self.answer is None:
            return None, None
        return self.current - 1 if self.current else None, len(self.answer.blocks)

    def go_next(self) -> None:
        self._step(self.current + 1, "Last")

    def go_previous(self) -> None:
        self._step(self.current - 1, "First")

    def go_number(self, number: int) -> None:
        if n := len(self.answer.blocks) if self.answer is not None else 0:
            self._step(number % n + 1, "")

    def _step(self, number: int, at_end: str) -> None:
        if self.answer is not None and 1 <= number <= len(self.answer.blocks):
            self.show_one(number)
        else:
            self._stop(at_end)

    def show_one(self, number: int) -> None:
        if number != self.current:
            self.current = number
            self.moved.emit()

    # Places

    def _go_to(self, text: str) -> None:
        found, answer = _PLACE.fullmatch(text.strip()), self.answer
        try:
            name, place = (found[1].upper(), position(found[2])) if found else ("#", position(text))
        except ValueError:
            raise ValueError(f"“{printable(text, 12)}” is no place: try {HELP}") from None
        if answer is None:
            return
        one = {"A": answer.a, "B": answer.b}.get(name)
        most = len(answer.blocks) if one is None else len(one)
        if not 1 <= place <= most:
            what = "no block" if one is None else f"no letter of {name}:"
            raise ValueError(f"{what} {number(place)}, only 1 to {number(most)}")
        letter = None if one is None else one.index(place - 1)
        self._jump(place if letter is None else self.at(*((letter, None) if name == "A" else (None, letter))))

    def jump_to_letter(self, a0: int | None, b0: int | None) -> None:
        """Go to the block of letters of A and of B (0-based, as compared), or of the one that is given."""
        self._jump(self.at(a0, b0))

    def at(self, a0: int | None, b0: int | None) -> int:
        """Return the number of the block that has these letters, or one of them; 0: there is none."""
        best, most = 0, 0
        for k, block in enumerate(self.answer.blocks if self.answer is not None else (), 1):
            there = [
                at is not None and first.at <= at < last.at
                for at, (first, last) in zip((a0, b0), (block.a, block.b), strict=True)
            ]
            if sum(there) > most:
                best, most = k, sum(there)
        return best

    def _jump(self, block: int) -> None:
        if block:
            self._visited.jump(self.current, block)
            self.show_one(block)

    @property
    def _here(self) -> int:
        return self.current

    def _return_to(self, place: int) -> None:
        self.show_one(place)
