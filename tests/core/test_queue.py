"""The queue of ready blocks: whatever turns threads get, each block is done once, and they end together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.pairs import random_letters
from tests.depth import examples
from wavediff.core.jit.simd import BITS
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.pairwise.blocks.block_shape import BlockShapePlan
from wavediff.core.kernels.pairwise.blocks.block_worker import advance
from wavediff.core.kernels.pairwise.blocks.packed_pair import pack
from wavediff.core.kernels.pairwise.edit.edit_matrix import EditMatrix
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix

CODES = 4


def packed(n, m, seed):
    rng = np.random.default_rng(seed)
    return run_to_end(pack(Step(0), random_letters(rng, n, CODES), random_letters(rng, m, CODES), CODES, 2))


def matrix(of, letters, threads, keep=0, band=None):
    shape = BlockShapePlan(depth=1, steps=64, keep=keep, threads=threads)
    return of(letters, shape, band, monotone=of is EditMatrix)


def turn(work, me, budget):
    return int(advance(work.plan, work.state, *work.planes, me, budget))


def is_over(work, me):
    return bool(work.state.strip[me] >= work.plan.lo.size)


def alone(work):
    turn(work, 0, 1 << 40)
    assert is_over(work, 0)
    return work


def ready_strips(work, progress):
    """Strips whose next block has all that it needs of the strip above, whose words are ahead by a vector's bits."""
    plan = work.plan
    behind = -(-(BITS - 1) // plan.steps) + 1
    return [
        s
        for s in range(plan.lo.size)
        if progress[s] < plan.last[s] and (s == 0 or progress[s - 1] >= min(progress[s] + behind, plan.last[s - 1]))
    ]


def ideal_rounds(work, quick):
    """Rounds where any thread may do any ready block: always the one with the longest chain of blocks behind it."""
    plan, progress, rounds = work.plan, work.plan.first.copy(), 0
    behind = -(-(BITS - 1) // plan.steps) + 1
    while (progress < plan.last).any():
        for _ in range(quick + 1):
            if ready := ready_strips(work, progress):
                progress[min(ready, key=lambda s: s * behind + int(progress[s]))] += 1
        rounds += 1
    return rounds


def n_blocks(work):
    return int((work.plan.last - work.plan.first).sum())


@pytest.mark.parametrize("of", [LcsMatrix, EditMatrix])
@pytest.mark.parametrize(("keep", "band"), [(0, None), (1, None), (1, (-600, 900))])
@given(data=st.data(), threads=st.integers(1, 5), strips=st.integers(1, 9), seed=st.integers(0, 999))
@examples(30)
def test_whatever_turns_threads_get_the_matrix_is_the_same(of, keep, band, data, threads, strips, seed):
    turns = data.draw(st.lists(st.tuples(st.integers(0, threads - 1), st.integers(1, 7)), max_size=300))
    n = strips * BITS - seed % 50
    letters = packed(n, n + (seed % 7) * 60, seed)
    one, several = (matrix(of, letters, count, keep, band) for count in (1, threads))
    alone(one)
    done = sum(turn(several, me, budget) for me, budget in turns)
    for _ in range(n_blocks(several) + threads):  # then each in turn
        done += sum(turn(several, me, 1) for me in range(threads))
    assert all(is_over(several, me) for me in range(threads))
    assert done == n_blocks(one)
    assert int(several.state.cells.sum()) + several.n_skipped == one.n_cells
    assert np.array_equal(several.state.final, one.state.final)
    assert np.array_equal(several.block_map, one.block_map)
    if keep:
        assert np.array_equal(several.state.saved, one.state.saved)
        assert np.array_equal(several.state.border, one.state.border)


@pytest.mark.parametrize("quick", [1, 2, 3])
def test_threads_end_together_however_fast_each_is(quick):
    """One does ``quick`` blocks while the other does one: nearly all of the time both have something to do."""
    work = matrix(LcsMatrix, packed(8 * BITS, 60_000, 1), threads=2)
    rounds = 0
    while not (is_over(work, 0) and is_over(work, 1)):
        for me in [0] * quick + [1]:
            if not turn(work, me, 1) and not is_over(work, me):
                idle = [s for s in ready_strips(work, work.state.progress) if not work.state.owner[s]]
                assert not idle, "a thread waits though a strip is ready that nobody is at"
        rounds += 1
    assert rounds <= 1.15 * ideal_rounds(work, quick)


def test_nobody_waits_for_a_thread_that_got_no_turn():
    """It holds a strip, but of those above it and of what is ready below it the other does all."""
    work = matrix(LcsMatrix, packed(8 * BITS, 60_000, 1), threads=2)
    blocks = n_blocks(work) // 8
    while int(work.state.progress[0]) < blocks // 2:
        turn(work, 0, 1)
    for _ in range(blocks // 4):
        turn(work, 1, 1)
    held = int(work.state.strip[1])
    behind = int(work.state.progress[held])
    turn(work, 0, 1 << 40)
    assert held == 1
    assert work.state.progress[0] == blocks
    assert work.state.progress[1] == behind
    assert behind - 12 <= work.state.progress[2] <= behind  # as far as its staggered stripes can go
    assert not is_over(work, 0)


def test_threads_for_which_there_is_no_strip_are_not_kept():
    work = matrix(LcsMatrix, packed(2 * BITS, 5_000, 1), threads=5)
    assert [turn(work, me, 1) for me in (0, 4, 3, 2)] == [1, 0, 0, 0]  # the other strip is not ready yet
    assert [is_over(work, me) for me in range(5)] == [False, False, True, True, True]
