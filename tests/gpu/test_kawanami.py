"""Kawanami's kernel agrees with the plain table and with rapidfuzz, and runs its blocks as Fig. 1 numbers them."""

import json
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq

from tests.oracles import lcs as oracle
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.events import Step, StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.gpu.pairwise.lcs import kawanami
from wavediff.gpu.pairwise.lcs.kawanami import KawanamiMatrix, Strings

GOLDEN = Path(__file__).parents[1] / "golden" / "kawanami_fig1.json"


def strings(card, a, b):
    """Letters are their own codes here: all 256 may occur, and those of one sequence only."""
    return Strings(card, a, b, 1 + int(max(a.max(), b.max())))


def random_pair(n, m, n_letters=4):
    rng = np.random.default_rng(1000 * n + m)
    return rng.integers(0, n_letters, n).astype(np.uint8), rng.integers(0, n_letters, m).astype(np.uint8)


def computed(matrix):
    return [event for event in matrix.compute(Step(1)) if isinstance(event, StepDone)]


@pytest.mark.parametrize(
    ("n", "m"),
    [
        *((1, 1), (1, 33), (31, 31), (32, 32), (33, 33), (33, 1), (31, 65), (64, 1023), (1023, 40), (1024, 33)),
        *((1025, 64), (40, 1024), (33, 1025), (1025, 1025), (1024, 2049), (2049, 1023)),
    ],
)
def test_sizes_round_words_and_blocks(card, n, m):
    a, b = random_pair(n, m)
    matrix = KawanamiMatrix(strings(card, a, b))
    steps = computed(matrix)
    assert matrix.length() == LCSseq.similarity(a.tobytes(), b.tobytes())
    assert [one.kernel for one in steps[:3]] == ["upload", "pack", "blocks"]
    assert sum(one.cells for one in steps) == matrix.n_cells == n * m
    assert sum(one.calls for one in steps if one.kernel == "blocks") == -(-n // 1024) - (-m // 1024) - 1
    assert (matrix.block_map == BlockState.DONE).all()


@pytest.mark.parametrize("n_letters", [1, 2, 256])
def test_any_alphabet(card, n_letters):
    a, b = random_pair(1030, 1040, n_letters)
    matrix = KawanamiMatrix(strings(card, a, b))
    list(matrix.compute(Step(1)))
    assert matrix.length() == LCSseq.similarity(a.tobytes(), b.tobytes())


def test_a_carry_goes_through_all_words_and_into_the_next_block(card):
    """Rows of one letter are all ones to be added to: the sum of every column carries from end to end."""
    a = np.zeros(2048, np.uint8)
    b = np.zeros(40, np.uint8)
    matrix = KawanamiMatrix(strings(card, a, b))
    list(matrix.compute(Step(1)))
    assert matrix.profile().tolist() == [min(i, 40) for i in range(2049)]


def test_a_carry_goes_through_a_block_in_which_nothing_matches(card):
    b = random_pair(1, 1100, 2)[1]
    a = np.concatenate([b[:1024], np.full(1024, 2, np.uint8), b[1000:]])
    matrix = KawanamiMatrix(strings(card, a, b))
    list(matrix.compute(Step(1)))
    assert matrix.length() == LCSseq.similarity(a.tobytes(), b.tobytes())


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("rows", "cols"), [(None, None), ((3, 70), (5, 41)), ((0, 33), (30, 90)), ((64, 65), (0, 1))])
def test_the_profile_of_a_stretch_in_either_direction(card, rows, cols, backwards):
    a, b = random_pair(80, 90)
    matrix = KawanamiMatrix(strings(card, a, b), rows, cols, backwards=backwards)
    list(matrix.compute(Step(1)))
    part_a, part_b = (x[slice(*ends or (None,))] for x, ends in ((a, rows), (b, cols)))
    if backwards:
        part_a, part_b = part_a[::-1], part_b[::-1]
    expected = [oracle.length(part_a[:i].tobytes(), part_b.tobytes()) for i in range(part_a.size + 1)]
    assert matrix.profile().tolist() == expected


def test_blocks_run_in_the_calls_of_figure_1(card):
    golden = json.loads(GOLDEN.read_text())
    a, b = random_pair(golden["m"], golden["n"])
    matrix = KawanamiMatrix(strings(card, a, b), event_seconds=0)  # so that every launch is told of
    calls = np.zeros(matrix.block_map.shape, np.int64)
    n_calls = 0
    for event in matrix.compute(Step(1)):
        if isinstance(event, StepDone) and event.kernel == "blocks":
            assert event.calls == 1
            n_calls += 1
            now = (matrix.block_map == BlockState.DONE) & (calls == 0)
            assert event.cells == 1024 * 1024 * now.sum()
            calls[now] = n_calls
    # The figure draws the least significant block, which is computed first, at the bottom.
    assert calls[::-1].tolist() == golden["calls"]
    assert n_calls == golden["n_calls"]
    assert matrix.length() == LCSseq.similarity(a.tobytes(), b.tobytes())


def test_an_anti_diagonal_may_take_several_launches_and_an_event_tell_of_many(card, monkeypatch):
    monkeypatch.setattr(kawanami, "BLOCKS_PER_PROCESSOR", 1)
    monkeypatch.setattr(card, "processors", 2)
    monkeypatch.setattr(kawanami.BlockSampler, "begin", lambda *_: False)  # a sample has a launch of its own
    a, b = random_pair(4 * 1024, 100)
    matrix = KawanamiMatrix(strings(card, a, b), event_seconds=1e9)
    steps = [one for one in computed(matrix) if one.kernel == "blocks"]
    assert matrix.length() == LCSseq.similarity(a.tobytes(), b.tobytes())
    assert [one.calls for one in steps] == [1, 2, 1]
    a, b = random_pair(3 * 1024, 3 * 1024 - 1000)
    matrix = KawanamiMatrix(strings(card, a, b), event_seconds=0)
    steps = [one for one in computed(matrix) if one.kernel == "blocks"]
    assert [one.calls for one in steps] == [1, 1, 2, 1, 1]
    assert matrix.length() == LCSseq.similarity(a.tobytes(), b.tobytes())


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_a_board_smaller_than_the_grid_fills_when_its_blocks_are_done(card, monkeypatch, most):
    monkeypatch.setattr(kawanami, "MAX_BOARD", most)
    a, b = random_pair(3 * 1024 + 5, 1024 + 9)
    matrix = KawanamiMatrix(strings(card, a, b), event_seconds=0)
    each = [-(-n // most) for n in matrix.grid.shape]
    assert matrix.block_map.shape == tuple(-(-n // k) for n, k in zip(matrix.grid.shape, each, strict=True))
    calls = matrix.grid.calls()
    needed = np.array(
        [[calls[r : r + each[0], c : c + each[1]].max() for c in range(0, 2, each[1])] for r in range(0, 4, each[0])]
    )
    done = 0
    for event in matrix.compute(Step(1)):
        if isinstance(event, StepDone) and event.kernel == "blocks":
            done += 1
            assert ((matrix.block_map == BlockState.DONE) == (needed <= done)).all()
            assert not (matrix.block_map == BlockState.RUNNING).any()
    assert done == matrix.grid.n_diagonals


def test_too_little_memory_is_told_with_both_numbers(card, monkeypatch):
    a, b = random_pair(2000, 2000)
    monkeypatch.setattr(card, "free", lambda: 5000)
    with pytest.raises(NotEnoughMemory, match=r"needs 0\.\d+ GB .* 0\.00 GB are free"):
        list(KawanamiMatrix(strings(card, a, b)).compute(Step(1)))
