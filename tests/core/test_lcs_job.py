"""What an LCS job reports and draws; what it shares with edit distance: test_pairwise_job."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.core.pairs import random_letters
from tests.core.threads import of_jobs as threads_of_jobs
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.kernels.pairwise.blocks import block_shape, block_worker
from wavediff.core.kernels.pairwise.lcs import hirschberg
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.run.runner import run_job

GOLDEN = Path(__file__).parents[1] / "golden"


def random_job(n, **choices):
    rng = np.random.default_rng(n)
    return LcsJob(a=random_letters(rng, n, 4), b=random_letters(rng, n - 7, 4), **choices)


def events_of(job):
    seen = []
    run_job(job, report=seen.append)
    return seen


def test_blocks_are_numbered_as_in_figure_1_of_kawanami():
    golden = json.loads((GOLDEN / "kawanami_fig1.json").read_text())
    grid = BlockGrid(golden["m"], golden["n"], 1024, 1024)
    # The figure draws the least significant block, which is computed first, at the bottom.
    assert grid.calls()[::-1].tolist() == golden["calls"]
    assert grid.n_diagonals == golden["n_calls"] == grid.calls().max()
    for call in range(golden["n_calls"]):
        assert {tuple(b) for b in grid.diagonal(call)} == set(zip(*np.nonzero(grid.calls() == call + 1), strict=True))


def test_the_paper_blocks_can_be_chosen():
    job = LcsJob(
        a=random_letters(np.random.default_rng(0), 3072, 4),
        b=random_letters(np.random.default_rng(1), 4096, 4),
        block_rows=1024,
        block_cols=1024,
        strategy=Strategy.FULL,
    )
    (planned,) = [e for e in events_of(job) if isinstance(e, Planned)]
    assert (planned.grid.block_rows, planned.grid.block_cols) == (1024, 1024)
    assert planned.block_map.shape == planned.grid.shape == (3, 4)
    assert planned.grid.n_diagonals == 6


def test_the_path_is_drawn_on_the_board_from_corner_to_corner():
    (plan,) = [
        e
        for e in events_of(random_job(9_000, strategy=Strategy.FULL, block_rows=512, block_cols=512))
        if isinstance(e, Planned)
    ]
    on_path = plan.block_map == BlockState.PATH
    assert on_path[0, 0]
    assert on_path[-1, -1]
    assert on_path.any(axis=0).all()
    assert on_path.any(axis=1).all()
    assert on_path.mean() < 0.5


def test_a_grid_of_stripped_ends_says_where_it_lies():
    problem = random_job(8000, strategy=Strategy.FULL)
    end = np.full(500, 65, np.uint8)
    plans = [
        e
        for e in events_of(
            LcsJob(a=np.concatenate([end, problem.a]), b=np.concatenate([end, problem.b]), strategy=Strategy.FULL)
        )
        if isinstance(e, Planned)
    ]
    assert plans[0].grid.row0 == plans[0].grid.col0 >= 500


def test_an_error_in_a_thread_reaches_the_caller(monkeypatch):

    def broken(*_):
        raise ValueError("broken on purpose")

    next(iter(events_of(random_job(3000, strategy=Strategy.FULL))))  # compiled before the kernel is replaced
    monkeypatch.setattr(block_worker, "advance", broken)
    with pytest.raises(ValueError, match="broken on purpose"):
        run_job(random_job(3000, strategy=Strategy.FULL, threads=2, block_rows=512))
    assert not threads_of_jobs()


def test_hirschberg_takes_over_when_the_borders_do_not_fit(monkeypatch):
    monkeypatch.setattr(block_shape, "UNCHECKED_BYTES", 0)
    monkeypatch.setattr(block_shape, "available_memory", lambda: 900)
    monkeypatch.setattr(hirschberg, "SMALL_CELLS", 1 << 16)
    job = random_job(6000, strategy=Strategy.FULL)
    result = run_job(job)
    assert result.strategy == "hirschberg"
    assert "memory" in result.reason
    monkeypatch.undo()
    assert result.length == run_job(job).length
