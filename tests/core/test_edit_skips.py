"""What was skipped could be skipped: whole small matrices, forwards and backwards, tell where best paths go."""

from functools import cache

import numpy as np
import pytest

from tests.core.edits import columns, planned_events, run, run_with_events
from tests.core.pairs import mutate, random_letters
from tests.depth import deeper, some
from tests.oracles import edit as oracle
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.events import StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise import cpu, strategy
from wavediff.core.methods.base import Ties, TracebackMethod
from wavediff.core.methods.edit import BandMode

BLOCK = {"block_rows": 64, "block_cols": 128}  # asked for; the kernel rounds
REPORTED = (BlockState.DONE, BlockState.PATH, BlockState.OUTSIDE_BAND, BlockState.MONOTONE)


def medium_pair(seed):
    """A pair of some strips and blocks: like each other, with a gap, moved, or unlike."""
    rng = np.random.default_rng(seed)
    n_letters = (2, 4, 20)[seed % 3]
    a = random_letters(rng, (2600, 700, 1500)[seed // 12 % 3], n_letters)
    kind = ("other", "gap", "many", "moved")[seed % 4]
    if kind == "other":
        return a, random_letters(rng, 600 if seed % 24 > 11 else 2500, n_letters)
    b = mutate(rng, a, 150 if kind == "many" else 8, n_letters)
    if kind == "gap":
        return a, np.concatenate([b[:300], random_letters(rng, 900, n_letters), b[300:]])
    return a, np.concatenate([b[400:], b[:400]]) if kind == "moved" else b


def blocks(plan, state):
    """Letters of A and of B (in the whole sequences) of each block in ``state``."""
    grid = plan.grid
    assert plan.block_map.shape == grid.shape
    for i, j in zip(*np.nonzero(plan.block_map == state), strict=True):
        top, left = int(i) * grid.block_rows, int(j) * grid.block_cols
        bottom, right = min(top + grid.block_rows, grid.n_rows), min(left + grid.block_cols, grid.n_cols)
        yield slice(grid.row0 + top, grid.row0 + bottom), slice(grid.col0 + left, grid.col0 + right)


def check_path(a, b, plan, result):
    """Every letter pair that the path joins inside the grid lies in a block that is marked as crossed."""
    grid = plan.grid
    i, j = np.cumsum([op != "I" for op in columns(result)]) - 1, np.cumsum([op != "D" for op in columns(result)]) - 1
    pairs = np.array([op in "=X" for op in columns(result)], bool)
    row, col = i[pairs] - grid.row0, j[pairs] - grid.col0
    inside = (row >= 0) & (row < grid.n_rows) & (col >= 0) & (col < grid.n_cols)
    crossed = plan.block_map[row[inside] // grid.block_rows, col[inside] // grid.block_cols]
    assert (crossed == BlockState.PATH).all()


@pytest.fixture(scope="module", autouse=True)
def _bands_even_where_the_whole_matrix_takes_no_time():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cpu, "NO_BAND_CELLS", 0)
        patch.setattr(strategy, "PROBE_TIME_SHARE", 0.0)
        yield


@deeper
@pytest.mark.parametrize("band", BandMode)
def test_no_best_path_goes_through_what_was_left_out(band):
    left_out = dict.fromkeys((BlockState.OUTSIDE_BAND, BlockState.MONOTONE), 0)
    for seed in some(24, first=2):
        for state, n in _blocks_left_out(*medium_pair(seed), band).items():
            left_out[state] += n
    assert (left_out[BlockState.OUTSIDE_BAND] > 0) == (band is not BandMode.NONE), "nothing was put to the test"
    # A band that fits as well as those of AUTO may hold none.
    assert band is BandMode.AUTO or (left_out[BlockState.MONOTONE] > 0) == (band is BandMode.SUDO), (
        "nothing was put to the test"
    )


@cache
def _costs(a, b):
    """Return the costs of the best path through each node, and of the best one to it; the same for each band."""
    return oracle.through(a, b), oracle.table(a, b)


def _blocks_left_out(a, b, band):
    cost, forwards = _costs(a.tobytes(), b.tobytes())
    threshold = int(cost[0, 0]) if band is BandMode.FIXED else None
    result, events = run_with_events(a, b, band=band, threshold=threshold, ties=Ties.LEFT_MOST, **BLOCK)
    assert result.exact
    assert cost[0, 0] == cost[-1, -1] == result.distance
    *_, last = planned_events(events)
    for rows, cols in blocks(last, BlockState.OUTSIDE_BAND):
        # Node (i, j) lies behind letters i - 1 and j - 1: a cell is its node at the lower right.
        inner = cost[rows.start + 1 : rows.stop + 1, cols.start + 1 : cols.stop + 1]
        assert inner.min() > result.distance
    for rows, cols in blocks(last, BlockState.MONOTONE):
        # Handed through unchanged: each row rises by one a column and each column falls by one a row (Sudo),
        # or, on the other side of the diagonal, the other way round.
        inner = forwards[rows.start : rows.stop + 1, cols.start : cols.stop + 1]
        rise = np.arange(inner.shape[1]) - np.arange(inner.shape[0])[:, None]
        assert any((inner == inner[0, 0] + strategy * rise).all() for strategy in (1, -1))
    check_path(a, b, last, result)
    return {state: int((last.block_map == state).sum()) for state in (BlockState.OUTSIDE_BAND, BlockState.MONOTONE)}


@pytest.mark.parametrize("band", [BandMode.AUTO, BandMode.SUDO, BandMode.NONE])
@pytest.mark.parametrize("seed", range(24))
def test_every_block_and_every_cell_is_accounted_for(seed, band):
    a, b = medium_pair(seed)
    without, plain = _accounted_for(a, b, band, TracebackMethod.NONE)
    crossed, final = _accounted_for(a, b, band, TracebackMethod.BLOCKS)
    assert (without, plain.shape) == (int((plain == BlockState.MONOTONE).sum()), final.shape)
    on_path = final == BlockState.PATH
    assert np.array_equal(final[~on_path], plain[~on_path]), "a path changes only the blocks that it crosses"
    assert crossed == without - int((plain[on_path] == BlockState.MONOTONE).sum()), "the traceback computes these"


def _accounted_for(a, b, band, path):
    """Check the sums of a run; return the blocks handed through that its ledger names, and its last block map."""
    result, events = run_with_events(a, b, band=band, path=path, **BLOCK)
    made = planned_events(events)
    for plan in made:
        assert not plan.block_map.flags.writeable
        assert np.isin(plan.block_map, REPORTED).all(), "no block is left waiting or running"
        if plan.low is not None and plan.high is not None:
            assert plan.low <= 0 <= plan.high
            assert plan.low <= plan.grid.n_cols - plan.grid.n_rows <= plan.high
    by_reason = {one.reason: one for one in result.skips}
    assert len(by_reason) == len(result.skips), "a reason has one line"
    assert (band is not BandMode.NONE) or not result.skips
    through = by_reason[SkipReason.MONOTONE].cells if SkipReason.MONOTONE in by_reason else 0
    # Cells that were planned, and then handed through, stand in the ledger and in the plan.
    assert sum(one.cells for one in result.skips) + made[-1].cells - through == result.n_cells
    if result.bands and result.strategy in ("band", "sudo"):
        assert result.bands[-1].cells == made[-1].cells - through
    for state, reason in ((BlockState.OUTSIDE_BAND, SkipReason.BAND), (BlockState.MONOTONE, SkipReason.MONOTONE)):
        on_board = int((made[-1].block_map == state).sum())
        assert on_board == (by_reason[reason].blocks if reason in by_reason else 0)
    cells = dict.fromkeys(("blocks", "skipped"), 0)
    for event in events:
        if isinstance(event, StepDone):
            cells[event.kernel] = cells.get(event.kernel, 0) + event.cells
    assert cells["blocks"] + cells["skipped"] == sum(plan.cells for plan in made)
    assert result.cells == sum(cells.values()) - cells["skipped"]
    if len(made) == 1 and path is TracebackMethod.NONE:
        assert cells["skipped"] == through
    n_through = by_reason[SkipReason.MONOTONE].blocks if SkipReason.MONOTONE in by_reason else 0
    return n_through, made[-1].block_map.copy()


def test_a_ledger_names_the_reasons_that_there_are():
    rng = np.random.default_rng(1)
    end, problem = random_letters(rng, 500, 4), random_letters(rng, 3_500, 4)
    a = np.concatenate([end, problem, end])
    b = np.concatenate([end, mutate(rng, problem, 100, 4), end])
    auto = run(a, b)
    assert SkipReason.ENDS in {one.reason for one in auto.skips}
    fixed, events = run_with_events(a, b, band=BandMode.FIXED, threshold=700, block_rows=512, block_cols=512)
    by_reason = {one.reason: one for one in fixed.skips}
    assert by_reason[SkipReason.BAND].cells > by_reason[SkipReason.BAND].blocks > 0
    steps = [one for one in events if isinstance(one, StepDone) and one.kernel == "blocks"]
    pace = sum(one.seconds for one in steps) / sum(one.cells for one in steps)
    told = "at the speed of this run, which is a short one"
    assert [one.seconds for one in fixed.skips] == pytest.approx([one.cells * pace for one in fixed.skips]), told
    assert run(problem, problem[::-1].copy(), band=BandMode.NONE).skips == ()


def test_no_time_is_said_to_be_saved_where_no_cell_was_timed():
    rng = np.random.default_rng(1)
    a = random_letters(rng, 60_000, 4)
    result, events = run_with_events(a, mutate(rng, a, 20, 4))
    assert not any(one.cells for one in events if isinstance(one, StepDone) and one.kernel == "blocks")
    assert SkipReason.DIAGONALS in {one.reason for one in result.skips}
    assert {one.seconds for one in result.skips} == {None}


@pytest.mark.parametrize("threshold", [10, 300, 5_000])
def test_a_try_says_what_it_was_wide_enough_for(threshold):
    rng = np.random.default_rng(2)
    a = random_letters(rng, 6_000, 4)
    result, events = run_with_events(a, mutate(rng, a, 300, 4), band=BandMode.FIXED, threshold=threshold)
    (tried,) = result.bands
    (plan,) = planned_events(events)
    assert (tried.low, tried.high, tried.threshold) == (plan.low, plan.high, plan.threshold)
    assert tried.proven == result.exact
    assert tried.distance == result.distance
