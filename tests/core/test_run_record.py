"""Record of a run: every computed place has its times, in an order that the recurrence allows, and can be replayed."""

from itertools import pairwise

import numpy as np
import pytest

from tests.core.running import record_of
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.bwt import BwtJob
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.jobs.events import Recorded, Step, StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.run_record import STAGES, RunRecord, thread_lanes
from wavediff.core.jobs.search import SearchJob
from wavediff.core.jobs.time_left import PLANNED
from wavediff.core.kernels.bwt.sort.ternary_sort import LEVELS, PASSES
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition import cpu_band
from wavediff.core.kernels.pairwise.diagonal_transition.cpu_band import CpuDiagonalBand
from wavediff.core.kernels.pairwise.estimate import DivergenceRange
from wavediff.core.kernels.pairwise.lcs.hirschberg import PARTS
from wavediff.core.methods.affine import AFFINE, AffineJob
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.edit import EDIT, BandMode, EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.record.playback import Playback
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.core.sequences.scoring.scheme import default_scheme
from wavediff.core.sequences.sequence import SequencePool

N = 30_000  # letters of a side: several strips


def letters(seed, n=N):
    return np.random.default_rng(seed).integers(0, 4, n).astype(np.uint8)


def dna(seed, n=N):
    return np.frombuffer(b"ACGT", np.uint8)[letters(seed, n)]


def changed():
    """The first sequence with every fifth letter another one."""
    b = letters(1)
    b[::5] = (b[::5] + 1) % 4
    return b


def last_attempt(job, cancel_after=0):
    """Run a job and return its last attempt."""
    plan = record_of(job, cancel_after).attempts[-1]
    assert plan.record is not None
    return plan, plan.record


DNA = default_scheme(proteins=False)
JOBS = {
    "lcs": lambda: LcsJob(a=letters(1), b=letters(2), strategy=Strategy.FULL, threads=2),
    "edit": lambda: EditJob(a=letters(1), b=letters(2), band=BandMode.NONE, threads=2),
    "one thread": lambda: EditJob(a=letters(1), b=letters(2), band=BandMode.NONE, threads=1),
    "banded": lambda: EditJob(a=letters(1), b=changed(), band=BandMode.FIXED, threshold=9000, threads=2),
    "swaps": lambda: SwapEditJob(a=letters(1), b=letters(2), threads=2),
    "affine": lambda: AffineJob(a=dna(1), b=dna(2, N // 2), scoring=DNA, threads=2),
    "hirschberg": lambda: LcsJob(a=letters(1), b=letters(2), path=TracebackMethod.HIRSCHBERG, threads=2),
    "free ends": lambda: EditJob(a=letters(1, 2 * N), b=letters(2), ends=Ends.A, threads=2),
    "free ends of the other": lambda: EditJob(a=letters(1), b=letters(2, 2 * N), ends=Ends.B, threads=2),
    "number only": lambda: LcsJob(a=letters(1), b=letters(2), strategy=Strategy.FULL, path=TracebackMethod.NONE),
}


@pytest.mark.parametrize("name", JOBS)
def test_every_block_has_its_times_and_its_thread(name):
    job = JOBS[name]()
    plan, record = last_attempt(job)
    computed = np.isin(plan.block_map, (BlockState.DONE, BlockState.PATH))
    assert computed.any()
    assert record.is_complete
    assert (record.began[computed] > 0).all()
    assert (record.ended[computed] >= record.began[computed]).all()
    assert (record.by < len(record.names)).all()
    assert record.interpolated == (name == "hirschberg")
    assert not record.began[plan.block_map == BlockState.OUTSIDE_BAND].any()
    assert 0 < record.seconds < 60
    assert sum(lane.n_places for lane in Playback(record).lanes) == np.count_nonzero(record.ended)
    assert all(0 <= lane.busy <= 1 for lane in Playback(record).lanes)


@pytest.mark.parametrize("name", ["lcs", "edit", "banded", "affine", "swaps"])
def test_no_block_begins_before_what_it_needs_has_ended(name):
    plan, record = last_attempt(JOBS[name]())
    began, ended = record.began.astype(np.int64), record.ended.astype(np.int64)
    assert plan.block_map.shape[0] > 1
    if name == "swaps":  # what is left of a strip in its last columns is told with the block before
        began, ended = began[:, :-1], ended[:, :-1]
    for row, col in np.argwhere(began > 0).tolist():
        if col and began[row, col - 1]:
            assert began[row, col] >= ended[row, col - 1]
        if row and began[row - 1, col]:
            assert began[row, col] >= ended[row - 1, col]


@pytest.mark.parametrize("name", ["edit", "one thread", "affine", "swaps"])
def test_a_thread_is_at_one_block_at_a_time(name):
    _, record = last_attempt(JOBS[name]())
    for thread in range(len(record.names)):
        mine = np.argwhere((record.by == thread) & (record.ended > 0))
        times = sorted((int(record.began[tuple(at)]), int(record.ended[tuple(at)])) for at in mine)
        # A block at the end of a row of blocks may be of several parts, which other threads go on with.
        overlaps = sum(begin < before for (_, before), (begin, _) in pairwise(times))
        assert overlaps <= len(times) // 20


def test_a_replay_begins_with_nothing_and_ends_with_the_map_without_its_path():
    plan, record = last_attempt(JOBS["edit"]())
    final, playback = plan.block_map, Playback(record)
    assert (playback.at(0.0, final) == BlockState.WAITING).all()
    at_end = playback.at(record.seconds * 1.01, final)
    assert (at_end == np.where(final == BlockState.PATH, BlockState.DONE, final)).all()
    done = [np.count_nonzero(playback.at(record.seconds * k / 20, final) == BlockState.DONE) for k in range(21)]
    assert done == sorted(done)
    assert np.count_nonzero(playback.at(record.seconds / 2, final) == BlockState.RUNNING) <= 2


@pytest.mark.parametrize("name", [one for one in JOBS if one != "hirschberg"])
def test_the_cells_of_its_spans_are_those_that_were_planned(name):
    told = record_of(JOBS[name]())
    (plan,) = told.attempts
    assert sum(one.cells for one in told.spans if one.lane == STAGES and one.name in PLANNED) == plan.cells


@pytest.mark.parametrize("name", JOBS)
def test_times_of_places_lie_within_the_stages_that_computed_them(name):
    told = record_of(JOBS[name]())
    record = told.attempts[-1].record
    begins = record.start - told.start
    computing = [one for one in told.spans if one.lane == STAGES and one.name in ("blocks", "small", "split")]
    assert computing[0].began - 0.05 <= begins
    assert begins + record.seconds <= computing[-1].ended + 0.05


def test_the_parts_of_a_recursion_are_spans_with_their_rectangles():
    told = record_of(JOBS["hirschberg"]())
    grid = told.attempts[0].grid  # without equal ends
    bottom, right = grid.row0 + grid.n_rows, grid.col0 + grid.n_cols
    parts = [one for one in told.spans if one.lane == PARTS]
    boxes = [one.box for one in parts]
    assert all(box is not None for box in boxes)
    cells = [(box.bottom - box.top) * (box.right - box.left) for box in boxes if box is not None]
    assert cells == [one.cells for one in parts]
    halves = [one.box for one in parts if one.name != "small"]
    assert halves[1] is not None
    assert halves[0].around(halves[1]) == (grid.row0, grid.col0, bottom, right)
    # What is solved at once fills up a way from corner to corner.
    small = sorted(one.box for one in parts if one.name == "small" and one.box is not None)
    assert small[0][:2] == (grid.row0, grid.col0)
    assert small[-1][2:] == (bottom, right)
    assert all(before[2:] == after[:2] for before, after in pairwise(small))


def test_rows_of_a_band_of_diagonals_are_timed_as_they_are_reached(monkeypatch):
    monkeypatch.setattr(cpu_band, "SLICE_SECONDS", 0.0)
    b = letters(1)
    b[::300] = (b[::300] + 1) % 4
    matrix = CpuDiagonalBand(letters(1), b, EDIT_SIGNS, (-500, 500), path=False, most=200)
    assert sum(one.cells for one in matrix.solve(Step(1), None) if isinstance(one, StepDone)) == matrix.n_cells
    record, inside = matrix.record, matrix.block_map != BlockState.OUTSIDE_BAND
    assert record.is_complete
    assert record.interpolated
    assert ((record.began > 0) == inside).all()
    assert ((record.ended > 0) == inside).all()
    began, ended = record.began.max(axis=1).astype(np.int64), record.ended.max(axis=1).astype(np.int64)
    assert (ended[:-1] == began[1:]).all()
    assert (np.diff(began) >= 0).all()
    assert ((record.began == began[:, None]) == inside).all()


def test_each_attempt_of_a_band_that_is_widened_has_its_record(monkeypatch):
    def too_few(problem):
        yield from ()
        return DivergenceRange(0.0, 0.01)

    monkeypatch.setattr("wavediff.core.kernels.pairwise.strategy.estimate_divergence", too_few)
    told = record_of(LcsJob(a=letters(1), b=changed(), strategy=Strategy.BAND, threads=2))
    assert len(told.attempts) > 1
    ends = 0.0
    for plan in told.attempts:
        record = plan.record
        assert record.is_complete
        assert ends <= record.start
        ends = record.start + record.seconds


def test_a_run_that_fails_has_a_record_too(monkeypatch):
    def fail(matrix):
        raise SelfCheckFailed("on purpose")

    monkeypatch.setattr("wavediff.core.kernels.pairwise.lcs.lcs_matrix.LcsMatrix.value", fail)
    told = []
    with pytest.raises(SelfCheckFailed, match="on purpose"):
        run_job(
            LcsJob(a=letters(1), b=letters(2), strategy=Strategy.FULL, path=TracebackMethod.NONE),
            device=Device.CPU,
            report=told.append,
        )
    (recorded,) = (event for event in told if isinstance(event, Recorded))
    record = recorded.attempts[0].record
    assert record.is_complete


@pytest.mark.parametrize("method", [EDIT, AFFINE])
def test_threads_that_share_pairs_are_lanes(method):
    pool = SequencePool.of([dna(k, 1000) for k in range(60)])
    told = record_of(BatchJob(a=pool, b=None, method=method, threads=2))
    lanes = {lane: [one for one in told.spans if one.lane == lane] for lane in thread_lanes(2)}
    assert sum(len(spans) for spans in lanes.values()) > 0
    for spans in lanes.values():
        assert all(one.name == "pairs" and one.calls > 0 for one in spans)
        assert all(before.ended <= after.began for before, after in pairwise(spans))


def test_threads_of_a_search_and_levels_of_a_sort_are_lanes():
    search = record_of(SearchJob(text=dna(1, 3_000_000), patterns=(Pattern(b"ACGTACGT", "p"),), threads=2))
    assert {one.name for one in search.spans if one.lane in thread_lanes(2)} == {"scan"}
    sort = record_of(BwtJob(text=dna(1, 50_000), method=BwtMethod.TERNARY))
    levels = [one for one in sort.spans if one.lane == LEVELS]
    assert [one.name for one in levels] == [f"level {k + 1}" for k in range(len(levels))]
    passes = [one for one in sort.spans if one.lane == PASSES]
    assert {one.name for one in passes} == {"count", "place"}
    # Each pass belongs to a level.
    assert all(any(level.began <= one.began <= one.ended <= level.ended for level in levels) for one in passes)


def test_a_stopped_run_has_a_record_too():
    a, b = letters(3, 300_000), letters(4, 300_000)
    plan, record = last_attempt(EditJob(a=a, b=b, band=BandMode.NONE, threads=2), cancel_after=3)
    assert record.is_complete
    assert 0 < np.count_nonzero(record.ended) < record.ended.size
    assert np.count_nonzero(Playback(record).at(record.seconds, plan.block_map) == BlockState.WAITING)


def test_what_is_not_computed_by_blocks_has_none():
    told = record_of(EditJob(a=letters(1, 500), b=letters(2, 500)))
    assert [each.record for each in told.attempts] == [None]
    assert "blocks" in {one.name for one in told.spans}
    nothing = np.zeros((2, 2), np.uint32)
    assert not RunRecord(nothing, nothing, nothing.astype(np.uint8), ("1",), seconds_per_tick=1.0).is_complete
