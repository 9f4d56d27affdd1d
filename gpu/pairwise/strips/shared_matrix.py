"""One matrix divided by rows among several cards.

The last strip of a card passes its border to the next card, group by group, like between strips of one card. The host
is not involved, and the lag of the last card is the usual lag between strips.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from threading import Lock
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.events import Event, Step
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.card.place_times import card_lane, card_launches
from wavediff.gpu.card.side_by_side import side_by_side
from wavediff.gpu.pairwise.strips.card_strips import CardStrips, StripBoard
from wavediff.gpu.pairwise.strips.memory import CardLink
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits, RowLayout, StripLayout, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import LAUNCH_SECONDS, StripMatrix


class SharedMatrix(CardStrips):
    """``StripMatrix`` with one part per card.

    Args:
        pair: dense codes of rows and of columns.
        slice_seconds: 0: the constant; small in tests.
    """

    def __init__(
        self,
        cards: Sequence[Card],
        pair: tuple[Letters, Letters],
        form: RowLayout,
        delta_bits: DeltaBits,
        tiles: TileSpacing | None = None,
        slice_seconds: float = 0.0,
    ) -> None:
        self.cards, self.card, self.pairs, self.form = tuple(cards), cards[0], [pair], form
        self.delta_bits, self.tiles, self._slice = delta_bits, tiles, slice_seconds or LAUNCH_SECONDS
        a, b = pair
        self.layout = StripLayout(((int(a.size), int(b.size)),), form.words, None, tiles.groups if tiles else form.unit)
        self.board = StripBoard(self.layout)
        rows = self.board.blocks.shape[0]
        bounds = [rows * k // len(cards) * self.board.strips for k in range(len(cards))] + [self.layout.n_strips]
        # The output of each card's last strip, at the place where the next card reads it.
        crossing: list[Any] = [None]
        for card, before in zip(cards[1:], cards, strict=False):
            crossing.append(card.border(int(self.layout.hi.max()), before))
        crossing.append(None)
        height = self.layout.height
        self.parts = tuple(
            StripMatrix(
                card, [(a[first * height : last * height], b)], form, delta_bits,
                tiles=tiles, slice_seconds=self._slice, link=CardLink(first, crossing[k], crossing[k + 1], below),
                board_strips=self.board.strips, launches=card_launches(k),
            )
            for k, (card, below, first, last) in enumerate(
                zip(cards, [*cards[1:], None], bounds[:-1], bounds[1:], strict=True)
            )
        )  # fmt: skip
        self._share_board()
        self._reached = self.layout.lo.copy()
        self._looking = Lock()

    def _share_board(self) -> None:
        for part in self.parts:
            first = part.link.first_strip // self.board.strips
            part.board.blocks = self.board.blocks[first : first + part.board.blocks.shape[0]]

    def keeping(self, tiles: TileSpacing) -> SharedMatrix:
        return SharedMatrix(self.cards, self.pairs[0], self.form, self.delta_bits, tiles, self._slice)

    def watch(self, board: StripBoard) -> None:
        super().watch(board)
        self._share_board()

    def compute(self, step: Step, look: Callable[[Counts], None] | None = None) -> Generator[Event, None, None]:
        try:
            looks = [None if look is None else self._look_of(part, look) for part in self.parts]
            yield from side_by_side([part.compute(step, look) for part, look in zip(self.parts, looks, strict=True)])
        finally:
            self._join_records()

    def _look_of(self, part: StripMatrix, look: Callable[[Counts], None]) -> Callable[[Counts], None]:
        first, last = part.link.first_strip, part.link.first_strip + part.layout.n_strips

        def report(reached: Counts) -> None:
            with self._looking:
                self._reached[first:last] = reached
                look(self._reached.copy())

        return report

    def _join_records(self) -> None:
        """Merge the times of all parts, each on its card's clock, into one record."""
        whole, records = self.record, [part.record for part in self.parts]
        begun = [record for record in records if record.seconds_per_tick]
        if not begun:
            return
        whole.start, whole.seconds_per_tick = (
            min(record.start for record in begun),
            max(record.seconds_per_tick for record in begun),
        )
        whole.names = tuple(card_lane(k) for k in range(len(records)))
        row = 0
        for k, record in enumerate(records):
            rows = slice(row, row + record.began.shape[0])
            for to, ticks in ((whole.began, record.began), (whole.ended, record.ended)):
                seconds = (ticks.astype(np.float64) - 1) * record.seconds_per_tick + (record.start - whole.start)
                to[rows] = np.where(ticks > 0, seconds / whole.seconds_per_tick + 1, 0).astype(np.uint32)
            whole.by[rows] = k
            row = rows.stop
