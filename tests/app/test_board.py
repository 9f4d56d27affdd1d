"""A board on its way to the screen: what changed in it, and its reduced picture."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.models.board_picture import (
    FRONT,
    HATCHED,
    ORDER,
    OUTSIDE,
    RANKS,
    Picture,
    front,
    hatch,
    mark_front,
    picture,
    rank,
)
from app.models.board_watch import TURNS, BoardWatch
from core.grid import BlockState

DONE, RUNNING, PATH, OUTSIDE_BAND = BlockState.DONE, BlockState.RUNNING, BlockState.PATH, BlockState.OUTSIDE_BAND


def test_the_order_of_states_is_the_order_of_ranks() -> None:
    ranks = rank(np.array(ORDER, np.uint8)).tolist()
    assert ranks == sorted(set(ranks))
    assert set(ORDER) == set(BlockState)
    assert not {HATCHED, FRONT} & set(RANKS.values())
    assert RANKS[BlockState.WAITING] == 0  # what is padded reads as waiting


@given(
    st.integers(1, 40), st.integers(1, 40), st.integers(1, 12), st.integers(1, 12), st.randoms(use_true_random=False)
)
def test_a_reduced_picture_shows_the_state_that_matters_most(rows, cols, height, width, random) -> None:  # type: ignore[no-untyped-def]
    """Fault A8: one path block among a thousand stays visible."""
    board = np.random.default_rng(random.randrange(1 << 30)).integers(0, len(BlockState), (rows, cols)).astype(np.uint8)
    low_row, low_col = random.randrange(rows), random.randrange(cols)
    high_row, high_col = random.randint(low_row + 1, rows), random.randint(low_col + 1, cols)
    shown = picture(board, (low_row, high_row), (low_col, high_col), height, width)
    order = {int(state): at for at, state in enumerate(ORDER)}
    for row in range(shown.ranks.shape[0]):
        for col in range(shown.ranks.shape[1]):
            top, left = shown.row + row * shown.by_rows, shown.col + col * shown.by_cols
            part = board[top : min(high_row, top + shown.by_rows), left : min(high_col, left + shown.by_cols)]
            best = max(part.ravel().tolist(), key=order.__getitem__)
            assert shown.ranks[row, col] == RANKS[BlockState(best)]
    assert shown.row <= low_row
    assert shown.row + shown.ranks.shape[0] * shown.by_rows >= high_row
    assert shown.ranks.shape[0] <= height + 1
    assert shown.ranks.shape[1] <= width + 1


def test_the_picture_of_a_large_board_keeps_one_block_of_the_path() -> None:
    board = np.full((4096, 4096), DONE, np.uint8)
    board[1234, 3210] = PATH
    shown = picture(board, (0, 4096), (0, 4096), 500, 330)
    assert (shown.ranks == RANKS[PATH]).sum() == 1


def test_the_front_is_where_done_meets_what_comes_not_the_edge_of_the_band() -> None:
    board = np.zeros((4, 6), np.uint8)
    board[0, 1:5] = DONE
    board[1, 1:3] = DONE
    board[1, 3] = RUNNING
    board[2:, 4:] = OUTSIDE_BAND
    board[0, 5] = OUTSIDE_BAND
    shown: Picture = picture(board, (0, 4), (0, 6), 10, 10)
    right, below = front(shown)
    assert np.argwhere(right).tolist() == [[1, 2]]
    assert np.argwhere(below).tolist() == [[0, 3], [0, 4], [1, 1], [1, 2]]
    mark_front(shown)
    marked = {(0, 3), (0, 4), (1, 3), (1, 4), (1, 1), (1, 2), (2, 1), (2, 2)}
    assert {tuple(at) for at in np.argwhere(shown.ranks == FRONT).tolist()} == marked


def test_what_is_outside_the_band_is_hatched() -> None:
    board = np.zeros((4, 6), np.uint8)
    board[2:, 4:] = OUTSIDE_BAND
    shown: Picture = picture(board, (0, 4), (0, 6), 10, 10)
    hatch(shown, 2)
    assert shown.ranks[2:, 4:].tolist() == [[HATCHED, OUTSIDE], [OUTSIDE, HATCHED]]
    assert not shown.ranks[:2].any()


def test_a_large_board_is_looked_at_in_turns_and_wholly_at_the_end() -> None:
    live = np.zeros((3000, 40), np.uint8)
    watch = BoardWatch(live)
    assert watch.look() is None
    live[0, :3] = DONE
    live[1, 0] = RUNNING
    assert watch.look() == (0, 2, 0, 3)
    live[5, 7] = DONE  # near the last change: seen at once
    assert watch.look() == (5, 6, 7, 8)
    live[2900, 39] = PATH  # far away: seen when its turn comes
    looks = [watch.look() for _ in range(TURNS)]
    assert [box for box in looks if box] == [(2900, 2901, 39, 40)]
    assert watch.has(PATH)
    assert not watch.has(OUTSIDE_BAND)
    live[1500, 0] = OUTSIDE_BAND
    watch.finish()
    live[:] = RUNNING  # the kernel's last strokes no longer matter
    assert watch.look() is None
    assert watch.board[1500, 0] == OUTSIDE_BAND
    assert watch.has(OUTSIDE_BAND)
    assert (watch.board[3:5] == 0).all()


@given(st.integers(1, 9), st.integers(1, 40), st.randoms(use_true_random=False))
def test_every_change_is_found_whatever_the_shape(rows: int, cols: int, random: Random) -> None:
    """Rows are compared in words of eight blocks, which neither begin nor end with a row."""
    live = np.zeros((rows, cols), np.uint8)
    watch = BoardWatch(live)
    for _ in range(6):
        row, col, state = random.randrange(rows), random.randrange(cols), random.randrange(len(BlockState))
        new = live[row, col] != state
        live[row, col] = state
        box = watch.look()
        assert (box is not None) == new
        if box is not None:
            assert box[0] <= row < box[1] <= rows
            assert box[2:] == (col, col + 1)
        assert (watch.board == live).all()
