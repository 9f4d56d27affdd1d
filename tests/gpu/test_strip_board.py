"""The blocks of strips that are told of: those outside the band stay so, others are done as strips get there."""

import numpy as np
import pytest

from wavediff.core.jobs.grid import BlockState
from wavediff.gpu.pairwise.strips.card_strips import StripBoard
from wavediff.gpu.pairwise.strips.strip_layout import StripLayout


@pytest.mark.parametrize("band", [None, (-500, 700)])
@pytest.mark.parametrize("most", [3, 1024])
def test_blocks_are_done_when_all_of_their_strips_are(band, most, monkeypatch):
    monkeypatch.setattr("wavediff.gpu.pairwise.strips.card_strips.MAX_BOARD", most)
    layout, rng = StripLayout(((9000, 8000),), 1, band), np.random.default_rng(1)
    block_map = StripBoard(layout)
    outside = block_map.blocks == BlockState.OUTSIDE_BAND
    assert outside.any() == (band is not None)
    reached = layout.lo.copy()
    each, groups = -(-layout.n_strips // block_map.blocks.shape[0]), block_map.grid.block_cols // 8
    while (reached < layout.hi).any():
        reached = np.minimum(reached + rng.integers(0, 200, reached.size), layout.hi)
        block_map.mark(reached)
        for row, blocks in enumerate(block_map.blocks[: -(-layout.n_strips // each)]):
            strips = slice(row * each, (row + 1) * each)
            for place, state in enumerate(blocks):
                end = np.minimum((place + 1) * groups, layout.hi[strips])
                done = (reached[strips] >= end).all()
                assert state == (BlockState.OUTSIDE_BAND if outside[row, place] else done * BlockState.DONE)


def test_it_goes_on_with_a_board_that_is_watched():
    layout = StripLayout(((3000, 2000),), 1)
    watched = StripBoard(layout)
    watched.mark(layout.hi)
    again = StripBoard(layout)
    again.adopt(watched)
    assert again.blocks is watched.blocks
    assert again.record is watched.record
    assert not watched.blocks.any()
