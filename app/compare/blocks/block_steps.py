"""From block to block, to a place that was typed, and back."""

from __future__ import annotations

import re

import numpy as np

from wavediff.app.compare.alignment_navigation import PartSteps
from wavediff.app.compare.blocks.block_rows import BlockList, ListedBlocks
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number, position
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.jobs.rearranged import BlockKind, CollinearBlock

HELP = "A 12,000 or B 12,000 letter of A or B · #4 block"
_PLACE = re.compile(r"([ab#])\s*[: ]?\s*(\d.*)", re.IGNORECASE)


class BlockSteps(PartSteps):
    """Moves through the blocks of ``answer``, from the first one that is not in order on."""

    words = BlockList.words
    answer: RearrangedAnswer | None = None

    @property
    def parts(self) -> tuple[CollinearBlock, ...]:
        return () if self.answer is None else self.answer.blocks

    @property
    def _first(self) -> int:
        moved = (k for k, block in enumerate(self.parts, 1) if block.kind is not BlockKind.COLLINEAR)
        return next(moved, super()._first)

    @property
    def block(self) -> CollinearBlock | None:
        """The current block."""
        return self.parts[self.current - 1] if self.current else None

    @property
    def all(self) -> ListedBlocks | None:
        return None if self.answer is None else ListedBlocks(self.answer, np.arange(len(self.parts)))

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
        """Go to the block of letters of A and of B (0-based, as compared), or of the one that is given."""
        if block := self.at(a0, b0):
            self.jump(block)

    def at(self, a0: int | None, b0: int | None) -> int:
        """Return the number of the block that has these letters, or one of them; 0: there is none."""
        best, most = 0, 0
        for k, block in enumerate(self.parts, 1):
            there = [
                at is not None and first.at <= at < last.at
                for at, (first, last) in zip((a0, b0), (block.a, block.b), strict=True)
            ]
            if sum(there) > most:
                best, most = k, sum(there)
        return best
