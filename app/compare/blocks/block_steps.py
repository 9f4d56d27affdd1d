"""Navigation among blocks and visited places."""

from __future__ import annotations

import re

import numpy as np
from PySide6.QtCore import Slot

from wavediff.app.compare.alignment_navigation import PartSteps
from wavediff.app.compare.blocks.block_rows import SIGNS, BlockList, ListedBlocks
from wavediff.app.compare.stepper import IN_ORDER, Stepper
from wavediff.core.base.errors import capitalized, printable
from wavediff.core.base.numbers import count, number, position
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.rearranged import BlockKind, CollinearBlock

HELP = "A 12,000 or B 12,000 letter of A or B · #4 block"
KINDS = {  # those of the stepper that stand for blocks
    BlockKind.COLLINEAR: IN_ORDER,
    BlockKind.INVERTED: Kinds.MISMATCH,
    BlockKind.MOVED: Kinds.SWAP,
    BlockKind.DUPLICATED: Kinds.APART,
    BlockKind.ONLY_A: Kinds.DELETION,
    BlockKind.ONLY_B: Kinds.INSERTION,
}
_PLACE = re.compile(r"([ab#])\s*[: ]?\s*(\d.*)", re.IGNORECASE)


class BlockSteps(PartSteps):
    """Steps through the selected kinds of blocks of ``answer``, starting at the first rearranged one."""

    words = BlockList.words
    answer: RearrangedAnswer | None = None

    def __init__(self, stepper: Stepper) -> None:
        super().__init__(stepper)
        self._chosen = stepper.kinds
        stepper.kinds_changed.connect(self._kinds_changed)

    @Slot()
    def _kinds_changed(self) -> None:
        if self.answer is not None and self._stepper.kinds != self._chosen:
            self._chosen = self._stepper.kinds
            self.listed.emit()

    @property
    def numbers(self) -> list[int]:
        return [k for k, block in enumerate(self.parts, 1) if KINDS[block.kind] & self._chosen]

    def show_counts(self) -> None:
        there = None if self.answer is None else self.answer.result
        numbers = {} if there is None or not self.parts else {kind: len(there.of(kind)) for kind in KINDS}
        counts = {KINDS[kind]: (n, f"{capitalized(kind)}: {count(n, *self.words)}") for kind, n in numbers.items()}
        signs = {KINDS[kind]: sign for kind, sign in SIGNS.items()}
        self._stepper.show_steps(self.words[0], None if there is None else len(self.parts), counts, signs=signs)
        self._chosen = self._stepper.kinds

    @property
    def parts(self) -> tuple[CollinearBlock, ...]:
        blocks = () if self.answer is None else self.answer.blocks
        return blocks if any(block.result for block in blocks) else ()  # letters of A and of B alone are none

    @property
    def _first(self) -> int:
        moved = (k for k, block in enumerate(self.parts, 1) if block.kind is not BlockKind.COLLINEAR)
        return next(moved, super()._first)

    @property
    def block(self) -> CollinearBlock | None:
        return self.parts[self.current - 1] if self.current else None

    @property
    def all(self) -> ListedBlocks | None:
        return None if self.answer is None else ListedBlocks(self.answer, np.array(self.numbers, np.int64) - 1)

    # Places

    def _go_to(self, text: str) -> None:
        match, answer = _PLACE.fullmatch(text.strip()), self.answer
        try:
            name, place = (match[1].upper(), position(match[2])) if match else ("#", position(text))
        except ValueError:
            raise ValueError(f"“{printable(text, 12)}” is no place: try {HELP}") from None
        if answer is None or not self.parts:
            return
        one = {"A": answer.a, "B": answer.b}.get(name)
        most = len(self.parts) if one is None else len(one)
        if not 1 <= place <= most:
            what = "no block" if one is None else f"no letter of {name}:"
            raise ValueError(f"{what} {number(place)}, only 1 to {number(most)}")
        letter = None if one is None else one.index(place - 1)
        if letter is None:
            self.jump(place)
        else:
            self.jump_to_letter(*((letter, None) if name == "A" else (None, letter)))

    def jump_to_letter(self, a0: int | None, b0: int | None) -> None:
        """Go to the block with letter ``a0`` of A and ``b0`` of B (0-based, as compared), see ``at``."""
        if block := self.at(a0, b0):
            self.jump(block)

    def at(self, a0: int | None, b0: int | None) -> int:
        """Return the number (from 1) of the first block with both letters, else with one of them; 0: none."""
        best, most = 0, 0
        for k, block in enumerate(self.parts, 1):
            there = [
                at is not None and first.at <= at < last.at
                for at, (first, last) in zip((a0, b0), (block.a, block.b), strict=True)
            ]
            if sum(there) > most:
                best, most = k, sum(there)
        return best
