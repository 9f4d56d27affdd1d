"""A board on its way to the screen: what changed in it, and its reduced picture."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavediff.app.ui.block_map.block_map_reduce import EDGE_BIT, blocks_a_cell, computed_edge, downsample, has_hatch
from wavediff.app.ui.block_map.block_map_watch import FULL_SCAN_FRAMES, BlockMapWatch
from wavediff.core.jobs.grid import BlockState

DONE, RUNNING, PATH, OUTSIDE_BAND = BlockState.DONE, BlockState.RUNNING, BlockState.PATH, BlockState.OUTSIDE_BAND


def test_of_several_blocks_the_state_that_matters_most_has_the_largest_value():
    skipped, computed = (0, OUTSIDE_BAND, BlockState.MONOTONE), (DONE, RUNNING, PATH)
    assert max(skipped) < min(computed)
    assert DONE < RUNNING < PATH < BlockState.FAILED == max(BlockState) < EDGE_BIT
    assert BlockState.WAITING == 0  # a board begins as zeros


@given(
    st.integers(1, 40), st.integers(1, 40), st.integers(1, 12), st.integers(1, 12), st.randoms(use_true_random=False)
)
def test_a_reduced_picture_shows_the_state_that_matters_most(rows, cols, height, width, random):
    """One path block among a thousand stays visible."""
    block_map = (
        np.random.default_rng(random.randrange(1 << 30)).integers(0, len(BlockState), (rows, cols)).astype(np.uint8)
    )
    by_rows, by_cols = blocks_a_cell(rows, height), blocks_a_cell(cols, width)
    shown = downsample(block_map, by_rows, by_cols)
    for row in range(shown.shape[0]):
        for col in range(shown.shape[1]):
            part = block_map[row * by_rows : (row + 1) * by_rows, col * by_cols : (col + 1) * by_cols]
            assert shown[row, col] == part.max()
    assert shown.shape == (-(-rows // by_rows), -(-cols // by_cols))
    assert shown.shape[0] <= height
    assert shown.shape[1] <= width


def test_the_picture_of_a_large_board_keeps_one_block_of_the_path():
    block_map = np.full((4096, 4096), DONE, np.uint8)
    block_map[1234, 3210] = PATH
    shown = downsample(block_map, blocks_a_cell(4096, 500), blocks_a_cell(4096, 330))
    assert (shown == PATH).sum() == 1


def test_the_front_is_where_done_meets_what_comes_not_the_edge_of_the_band():
    block_map = np.zeros((4, 6), np.uint8)
    block_map[0, 1:5] = DONE
    block_map[1, 1:3] = DONE
    block_map[1, 3] = RUNNING
    block_map[2:, 4:] = OUTSIDE_BAND
    block_map[0, 5] = OUTSIDE_BAND
    right, below = computed_edge(block_map)
    assert np.argwhere(right).tolist() == [[1, 2]]
    assert np.argwhere(below).tolist() == [[0, 3], [0, 4], [1, 1], [1, 2]]
    assert set(np.unique(right)) | set(np.unique(below)) == {0, EDGE_BIT}
    assert has_hatch(block_map)
    assert not has_hatch(block_map[:, :4])


def test_a_large_board_is_looked_at_in_turns_and_wholly_at_the_end():
    live = np.zeros((3000, 40), np.uint8)
    watch = BlockMapWatch(live)
    assert watch.look() is None
    live[0, :3] = DONE
    live[1, 0] = RUNNING
    assert watch.look() == (0, 2, 0, 3)
    live[5, 7] = DONE  # near the last change: seen at once
    assert watch.look() == (5, 6, 7, 8)
    live[2900, 39] = PATH  # far away: seen when its turn comes
    looks = [watch.look() for _ in range(FULL_SCAN_FRAMES)]
    assert [box for box in looks if box] == [(2900, 2901, 39, 40)]
    assert watch.has(PATH)
    assert not watch.has(OUTSIDE_BAND)
    live[1500, 0] = OUTSIDE_BAND
    watch.finish()
    live[:] = RUNNING  # the kernel's last strokes no longer matter
    assert watch.look() is None
    assert watch.block_map[1500, 0] == OUTSIDE_BAND
    assert watch.has(OUTSIDE_BAND)
    assert (watch.block_map[3:5] == 0).all()


def test_a_state_is_found_wherever_it_is_on_a_large_board():
    for row in (0, 700, 1499):
        live = np.zeros((1500, 1000), np.uint8)
        watch = BlockMapWatch(live)
        assert not watch.has(PATH)
        live[row, 999] = PATH
        watch.finish()
        assert watch.has(PATH)
        assert not watch.has(OUTSIDE_BAND)


@given(st.integers(1, 9), st.integers(1, 40), st.randoms(use_true_random=False))
def test_every_change_is_found_whatever_the_shape(rows, cols, random):
    """Rows are compared in words of eight blocks, which neither begin nor end with a row."""
    live = np.zeros((rows, cols), np.uint8)
    watch = BlockMapWatch(live)
    for _ in range(6):
        row, col, state = random.randrange(rows), random.randrange(cols), random.randrange(len(BlockState))
        new = live[row, col] != state
        live[row, col] = state
        box = watch.look()
        assert (box is not None) == new
        if box is not None:
            assert box[0] <= row < box[1] <= rows
            assert box[2:] == (col, col + 1)
        assert (watch.block_map == live).all()
