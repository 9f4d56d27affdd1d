"""How an LCS job behaves while it runs: what it reports, how it stops, what it refuses to return."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq

from core.arrays import freeze
from core.errors import Cancelled, SelfCheckFailed
from core.jobs.cancel import CancelToken
from core.jobs.events import Event, KernelTiming, Planned, StepDone
from core.jobs.grid import BlockGrid, BlockState
from core.kernels.pairwise import prefix_estimate
from core.kernels.pairwise.blocks import block_shape, block_worker
from core.kernels.pairwise.lcs import hirschberg, lcs_matrix, run
from core.methods.base import TracebackMethod
from core.methods.lcs import LcsJob, Strategy
from core.results.alignment import Alignment
from core.run import dispatch
from core.run.runner import run_job
from tests.core.pairs import aligned_as, mutate, random_letters
from tests.core.threads import of_jobs as threads_of_jobs

GOLDEN = Path(__file__).parents[1] / "golden"


def random_job(n: int, **choices: object) -> LcsJob:
    rng = np.random.default_rng(n)
    return LcsJob(a=random_letters(rng, n, 4), b=random_letters(rng, n - 7, 4), **choices)  # type: ignore[arg-type]


def events_of(job: LcsJob) -> list[Event]:
    seen: list[Event] = []
    run_job(job, report=seen.append)
    return seen


def test_blocks_are_numbered_as_in_figure_1_of_paper_1():
    golden = json.loads((GOLDEN / "paper1_fig1.json").read_text())
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


@pytest.mark.parametrize(
    "choices",
    [
        {"strategy": Strategy.FULL},
        {"strategy": Strategy.FULL, "threads": 2, "block_rows": 512, "block_cols": 256},
        {"strategy": Strategy.BAND},
        {"strategy": Strategy.PROBE},
        {"path": TracebackMethod.NONE},
        {"path": TracebackMethod.HIRSCHBERG},
    ],
)
def test_what_is_reported_adds_up(choices):
    rng = np.random.default_rng(3)
    a = random_letters(rng, 12_000, 4)
    b = mutate(rng, a, 2000, 4)
    seen: list[Event] = []
    result = run_job(LcsJob(a=a, b=b, **choices), report=seen.append)
    plans = [e for e in seen if isinstance(e, Planned)]
    assert plans
    assert result.strategy == plans[-1].strategy
    if choices.get("path") is not TracebackMethod.HIRSCHBERG:
        computed = sum(e.cells for e in seen if isinstance(e, StepDone) and e.kernel == "blocks")
        assert computed == sum(p.cells for p in plans)
    assert result.cells == sum(e.cells for e in seen if isinstance(e, StepDone))
    for plan in plans:
        assert not plan.block_map.flags.writeable
        rows, cols = plan.grid.shape
        assert plan.block_map.shape == (rows, cols)
        assert not np.isin(plan.block_map, [BlockState.WAITING, BlockState.RUNNING, BlockState.FAILED]).any()
    timings = [e for e in seen if isinstance(e, KernelTiming)]
    assert seen[-len(timings) :] == timings
    assert sum(t.seconds for t in timings) == pytest.approx(result.kernel_seconds)


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


@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.HIRSCHBERG])
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_the_job_and_its_threads(threads, path):
    token, seen = CancelToken(), []

    def report(event: Event) -> None:
        seen.append(event)
        if isinstance(event, StepDone) and event.kernel == "blocks":
            token.cancel()

    with pytest.raises(Cancelled):
        run_job(random_job(400_000, threads=threads, path=path, strategy=Strategy.FULL), report=report, cancel=token)
    assert not threads_of_jobs()
    assert [e for e in seen if isinstance(e, KernelTiming) and e.kernel == "blocks"]
    block_map = next(e for e in reversed(seen) if isinstance(e, Planned)).block_map
    assert (block_map == BlockState.DONE).any(), "the partial map stays"
    assert (block_map == BlockState.WAITING).any()


def test_an_error_in_a_thread_reaches_the_caller(monkeypatch):
    def broken(*_: object) -> int:
        raise ValueError("broken on purpose")

    next(iter(events_of(random_job(3000, strategy=Strategy.FULL))))  # compiled before the kernel is replaced
    monkeypatch.setattr(block_worker, "advance", broken)
    with pytest.raises(ValueError, match="broken on purpose"):
        run_job(random_job(3000, strategy=Strategy.FULL, threads=2, block_rows=512))
    assert not threads_of_jobs()


@pytest.mark.parametrize(
    "wrong",
    [
        Alignment(np.array([0], np.uint8), np.array([5], np.int64)),
        Alignment(np.array([0, 3, 0], np.uint8), np.array([2, 1, 2], np.int64)),
        Alignment(np.array([3, 2], np.uint8), np.array([5, 4], np.int64)),
    ],
    ids=["unequal letters", "wrong letters left over", "shorter than claimed"],
)
def test_a_result_that_contradicts_itself_is_never_returned(monkeypatch, wrong):
    monkeypatch.setattr(run, "align", aligned_as(wrong))
    with pytest.raises(SelfCheckFailed, match="thrown away"):
        run_job(LcsJob(a=np.frombuffer(b"abcde", np.uint8), b=np.frombuffer(b"abxe", np.uint8)))


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


def test_a_job_cannot_be_changed_from_outside():
    letters = np.zeros(10, np.uint8)
    job = LcsJob(a=letters, b=letters)
    with pytest.raises(ValueError, match="read-only"):
        job.a[0] = 1
    letters[0] = 1
    assert job.a[0] == 0
    frozen = freeze(letters)
    assert freeze(frozen) is frozen, "what is frozen is not copied again"


def test_the_table_of_kernels_names_modules_that_exist():
    for job_type, kernel in dispatch.KERNELS.items():
        choice = dispatch.resolve(job_type.__new__(job_type), dispatch.Device.CPU)
        assert (choice.device, choice.run.__module__) == (dispatch.Device.CPU, kernel.cpu)


@pytest.mark.parametrize("unlike", ["random", "a third", "unequal", "many letters"])
def test_pairs_that_share_no_seed_take_one_attempt(unlike, monkeypatch):
    """Their fronts tell how wide a band must be, or that none is worth it."""
    monkeypatch.setattr(lcs_matrix, "NO_BAND_CELLS", 0)
    monkeypatch.setattr(prefix_estimate, "PREFIX_LETTERS", 1024)
    rng = np.random.default_rng(3)
    n, letters = 6_000, 200 if unlike == "many letters" else 4
    a = random_letters(rng, n, letters)
    b = random_letters(rng, n // 2 if unlike == "unequal" else n, letters)
    if unlike == "a third":
        b = np.where(rng.random(n) < 0.45, b, a).astype(np.uint8)
    events: list[Event] = []
    job = LcsJob(a=a, b=b, path=TracebackMethod.NONE, block_rows=512, block_cols=128, threads=1)
    result = run_job(job, report=events.append)
    assert result.length == LCSseq.similarity(a.tobytes(), b.tobytes())
    ways = [event.strategy for event in events if isinstance(event, Planned)]
    assert ways == [result.strategy] == ["full" if unlike == "many letters" else "band"]
