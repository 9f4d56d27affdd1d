"""One matrix on several cards: the answer, the path, the blocks and the record are those of one card."""

import gc
from weakref import ref

import numpy as np
import pytest

from tests.gpu.host_card import HostCard
from tests.gpu.spot_checking import letters
from wavediff.core.base.errors import DeviceLost, DeviceOutOfMemory, SelfCheckFailed
from wavediff.core.jobs import card_limits
from wavediff.core.jobs.events import NoticeRaised, Step, StepDone, pass_on, run_to_end
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.kernels.pairwise.lcs.run import run as run_lcs
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.record.playback import Playback
from wavediff.gpu.pairwise.edit.run import GpuEdit
from wavediff.gpu.pairwise.lcs.run import GpuLcs
from wavediff.gpu.pairwise.strips.shared_matrix import SharedMatrix
from wavediff.gpu.pairwise.strips.sliced import BitSlicedRows
from wavediff.gpu.pairwise.strips.spot_check import SpotChecker
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix
from wavediff.gpu.pairwise.traceback import overlapped_traceback, part_borders

LCS, EDIT = DeltaBits
FORMS = [(LCS, StaggeredRows(4, 1)), (EDIT, StaggeredRows(4, 1)), (EDIT, BitSlicedRows(4, 1, 2))]


def answer(matrix):
    return matrix.length() if matrix.delta_bits is LCS else matrix.distance()


def one_and_shared(cards, delta_bits, form, n, m, tiles=None, slice_seconds=1e-3):
    """Return the same matrix on one card and on all, computed, and the events of the latter."""
    pair = letters(n, n), letters(m, m)
    one = StripMatrix(cards[0], [pair], form, delta_bits, tiles=tiles)
    list(one.compute(Step(1)))
    shared = SharedMatrix(cards, pair, form, delta_bits, tiles, slice_seconds)
    return one, shared, list(shared.compute(Step(1)))


@pytest.mark.parametrize(("delta_bits", "form"), FORMS, ids=["lcs", "edit", "sliced"])
@pytest.mark.parametrize("n_cards", [2, 3])
@pytest.mark.parametrize(("n", "m"), [(2049, 700), (5000, 1501), (6144, 2700)])
def test_several_cards_find_what_one_does(cards, delta_bits, form, n_cards, n, m):
    one, shared, events = one_and_shared(cards[:n_cards], delta_bits, form, n, m)
    assert answer(shared) == answer(one)
    steps = [event for event in events if isinstance(event, StepDone)]
    assert sum(step.cells for step in steps) == shared.n_cells == one.n_cells
    assert (shared.block_map == BlockState.DONE).all()
    assert {span.lane for step in steps for span in step.parts} == {f"launches of GPU {k}" for k in range(n_cards)}


@pytest.mark.parametrize("most", [3, 1024])
def test_each_card_is_a_lane_of_the_record(cards, monkeypatch, most):
    monkeypatch.setattr("wavediff.gpu.pairwise.strips.card_strips.MAX_BOARD", most)
    _, shared, _ = one_and_shared(cards[:2], LCS, StaggeredRows(4, 1), 8000, 3000)
    record, half = shared.record, shared.parts[1].link.first_strip // shared.board.strips
    assert record.names == ("GPU 0", "GPU 1")
    assert record.is_complete
    assert (record.by[:half] == 0).all()
    assert (record.by[half:] == 1).all()
    assert (record.ended >= record.began).all()
    assert (record.began > 0).all()
    # A row of places begins after the one above it, also where that is on another card.
    assert (np.diff(record.began[:, 0].astype(np.int64)) >= 0).all()
    assert sum(lane.n_places for lane in Playback(record).lanes) == record.began.size
    assert np.array_equal(Playback(record).at(1.01 * record.seconds, shared.block_map), shared.block_map)


@pytest.mark.usefixtures("always_sampled")
@pytest.mark.parametrize(("delta_bits", "form"), FORMS, ids=["lcs", "edit", "sliced"])
def test_what_cards_hand_to_each_other_is_sampled(cards, delta_bits, form, monkeypatch):
    seen, compare = set(), SpotChecker._compare

    def compared(self, strip, *what):
        seen.add(self._memory.link.first_strip + strip)
        compare(self, strip, *what)

    monkeypatch.setattr(SpotChecker, "_compare", compared)
    for _ in range(8):  # chance chooses
        one_and_shared(cards[:2], delta_bits, form, 3072, 2000, TileSpacing(16, 4))
    assert seen == {0, 1, 2}


@pytest.mark.usefixtures("always_sampled")
def test_what_is_wrong_below_the_edge_of_a_card_is_found(host_card):
    """The lower of two cards computes from something else than what it keeps."""
    pair = letters(1, 2048), letters(2, 2000)
    cards = host_card, HostCard(host_card._folder)
    shared = SharedMatrix(cards, pair, StaggeredRows(4, 1), EDIT, TileSpacing(16, 4), 1e-3)
    lower = shared.parts[1]
    list(shared.compute(Step(1)))
    with SpotChecker(lower) as sampler:
        lower.link.entering[:] ^= 0xFF
        sampler._over.set()
        for _ in range(1000):  # chance chooses
            try:
                sampler._check_tile()
            except SelfCheckFailed as found:
                assert "rows 1,025 to" in str(found)  # noqa: PT017 - only those of the topmost tiles
                return
    pytest.fail("not found")


@pytest.fixture
def shares(monkeypatch):
    """Let small pairs have several cards."""
    monkeypatch.setattr(card_limits, "MIN_PAIR_CELLS", 1)
    monkeypatch.setattr("wavediff.gpu.pairwise.strips.shared_matrix.LAUNCH_SECONDS", 1e-3)


@pytest.mark.usefixtures("shares")
@pytest.mark.parametrize("refined", [False, True])
@pytest.mark.parametrize("backend", [GpuLcs, GpuEdit])
def test_the_path_is_that_of_one_card(cards, backend, refined, monkeypatch):
    monkeypatch.setattr(overlapped_traceback, "MIN_MEETING_ROWS", 64)
    monkeypatch.setattr(overlapped_traceback, "MIN_PARALLEL_ROWS", 0)
    monkeypatch.setattr(overlapped_traceback, "MIN_TRACE_ROWS", 0)
    monkeypatch.setattr(overlapped_traceback, "MIN_TILE_SIDE", 1024 if refined else 64)
    if refined:
        monkeypatch.setattr(part_borders, "MIN_REFINED_CELLS", 1)
    a, b = letters(5, 7000), letters(6, 3000)
    run, job = (run_lcs, LcsJob(a=a, b=b)) if backend is GpuLcs else (run_edit, EditJob(a=a, b=b, band=BandMode.NONE))
    events = run(job, backend(cards[0], lambda: cards[1:]))
    found, expected = run_to_end(events), run_to_end(run(job))
    assert found.device == "gpu"
    assert np.array_equal(found.alignment.ops, expected.alignment.ops)
    assert np.array_equal(found.alignment.lengths, expected.alignment.lengths)


@pytest.mark.usefixtures("shares")
def test_a_number_alone_is_that_of_one_card(cards):
    a, b = letters(5, 5000), letters(6, 3000)
    lcs = LcsJob(a=a, b=b, path=TracebackMethod.NONE, strategy=Strategy.FULL)
    edit = EditJob(a=a, b=b, path=TracebackMethod.NONE, band=BandMode.NONE)
    found = run_to_end(run_lcs(lcs, GpuLcs(cards[0], lambda: cards[1:])))
    assert (found.length, found.device) == (run_to_end(run_lcs(lcs)).length, "gpu")
    found = run_to_end(run_edit(edit, GpuEdit(cards[0], lambda: cards[1:])))
    assert (found.distance, found.device) == (run_to_end(run_edit(edit)).distance, "gpu")


@pytest.mark.usefixtures("shares")
@pytest.mark.parametrize("error", [DeviceOutOfMemory("no room"), DeviceLost("gone")])
def test_a_card_that_fails_ends_what_the_others_do(cards, error, monkeypatch):
    """Where it has no room, all keep less; whatever else it says is what the job ends with."""
    compute, failing = StripMatrix.compute, [True]

    def fails(self, *what):
        if self.link.first_strip and failing.pop():
            failing.append(False)
            raise error
        return (yield from compute(self, *what))

    monkeypatch.setattr(StripMatrix, "compute", fails)
    a, b = letters(5, 5000), letters(6, 3000)
    job, told = LcsJob(a=a, b=b, strategy=Strategy.FULL), []
    steps = run_lcs(job, GpuLcs(cards[0], lambda: cards[1:2]))
    found = run_to_end(pass_on(steps, told.append)) if isinstance(error, DeviceOutOfMemory) else None
    if found is None:
        with pytest.raises(DeviceLost, match="gone"):
            run_to_end(steps)
    else:
        assert found.length == run_to_end(run_lcs(job)).length
        assert any(isinstance(event, NoticeRaised) and "fewer borders are kept" in event.text for event in told)


@pytest.fixture
def no_cycles_are_looked_for():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("shares", "no_cycles_are_looked_for")
@pytest.mark.parametrize("n_cards", [1, 2])
def test_the_memory_of_a_matrix_is_free_with_its_last_use(cards, n_cards, monkeypatch):
    """A card knows nothing of Python's memory, so that nobody looks for cycles when it is the card that is full."""
    allocate, allocated, alive = StripMatrix.allocate, [], []

    def fails_once(self, *what):
        first = not allocated
        allocated.append(ref(self))
        alive.append(sum(one() is not None for one in allocated))
        allocate(self, *what)
        if first:
            raise DeviceOutOfMemory("no room")

    monkeypatch.setattr(StripMatrix, "allocate", fails_once)
    job = LcsJob(a=letters(5, 5000), b=letters(6, 3000), strategy=Strategy.FULL)
    run_to_end(run_lcs(job, GpuLcs(cards[0], lambda: cards[1:n_cards])))
    assert len(allocated) > n_cards
    assert max(alive) <= n_cards
    assert not any(one() for one in allocated)
