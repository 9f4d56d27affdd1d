"""A card that is full: less is kept, then the path is found by halving, then the CPU is asked."""

import numpy as np
import pytest

from tests.core.running import watched
from tests.gpu.spot_checking import letters
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.events import NoticeRaised, StepDone, run_to_end
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.kernels.pairwise.lcs.run import run as run_lcs
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.gpu.pairwise.edit.run import GpuEdit
from wavediff.gpu.pairwise.lcs.run import GpuLcs, run_on
from wavediff.gpu.pairwise.strips import strip_matrix
from wavediff.gpu.pairwise.strips.strip_layout import TileSpacing
from wavediff.gpu.pairwise.traceback import overlapped_traceback


class Full:
    """A card that refuses arrays of more than ``most`` bytes, whatever it says is free.

    Args:
        keeps: False: it has no room for borders either, whatever their size.
    """

    def __init__(self, card, most, keeps=True):
        self._card, self.most, self.keeps, self.refused = card, most, keeps, 0

    def __getattr__(self, name):
        return getattr(self._card, name)

    def zeros(self, shape, dtype):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        border = np.ndim(shape) and len(shape) == 4
        if size > self.most or (border and size and not self.keeps):
            self.refused += 1
            raise DeviceOutOfMemory("Out of memory")
        return self._card.zeros(shape, dtype)


def told(steps):
    seen, found = watched(steps)
    return found, [event.text for event in seen if isinstance(event, NoticeRaised)]


def same(found, expected):
    one, other = found.alignment, expected.alignment
    return np.array_equal(one.ops, other.ops) and np.array_equal(one.lengths, other.lengths)


def test_tiles_become_coarser_until_there_is_one():
    tiles = TileSpacing(64, 4)
    seen = []
    while tiles is not None:
        seen.append((tiles.groups, tiles.lanes))
        tiles = tiles.coarser(1000)
    assert seen == [(64, 4), (256, 16), (1024, 32)]


@pytest.mark.parametrize("band", [BandMode.NONE, BandMode.SUDO])
def test_fewer_borders_are_kept_and_the_path_is_the_same(card, monkeypatch, band):
    monkeypatch.setattr(overlapped_traceback, "MIN_TILE_SIDE", 64)
    a = letters(1, 3000)
    b = np.where(np.arange(3000) % 20, a, a ^ 1).astype(np.uint8)
    full = Full(card, 12_000)
    edit = EditJob(a=a, b=b, band=band)
    found, notices = told(run_edit(edit, GpuEdit(full)))
    assert full.refused > 0
    assert any("fewer borders are kept" in text for text in notices)
    assert found.device == "gpu"
    assert same(found, run_to_end(run_edit(edit)))


def test_a_path_of_the_lcs_is_found_by_halving_at_last(card):
    a, b = letters(3, 3000), letters(4, 2800)
    full = Full(card, 1 << 40, keeps=False)
    found, notices = told(run_on(full, LcsJob(a=a, b=b, strategy=Strategy.FULL)))
    assert full.refused > 0
    assert any("found by halving" in text for text in notices)
    assert (found.strategy, found.device) == ("hirschberg", "gpu")
    assert found.length == run_to_end(run_lcs(LcsJob(a=a, b=b, path=TracebackMethod.NONE))).length


def test_where_nothing_helps_the_runner_is_told(card, monkeypatch):
    a, b = letters(3, 3000), letters(4, 2800)
    with pytest.raises(DeviceOutOfMemory):
        told(run_on(Full(card, 100), LcsJob(a=a, b=b, strategy=Strategy.FULL, path=TracebackMethod.NONE)))
    with pytest.raises(DeviceOutOfMemory):
        told(run_edit(EditJob(a=a, b=b, band=BandMode.NONE), GpuEdit(Full(card, 100))))
    monkeypatch.setattr(overlapped_traceback, "BORDER_MEMORY_SHARE", 0)
    with pytest.raises(DeviceOutOfMemory, match="3,000 and 2,800 letters needs more memory"):
        told(run_edit(EditJob(a=a, b=b, band=BandMode.NONE), GpuEdit(card)))


@pytest.mark.parametrize("method", ["lcs", "edit"])
def test_a_stop_lets_no_launch_follow(card, method, monkeypatch):
    """A launch ends after ``SLICE`` of the card's own clock: what is asserted is that none comes after the stop."""
    assert strip_matrix.LAUNCH_SECONDS <= 0.05
    monkeypatch.setitem(strip_matrix.StripMatrix.__init__.__kwdefaults__, "slice_seconds", 0.0)
    launches = []

    class Counting(Full):
        def launch(self, kernel, blocks, threads, shared, *arguments, **watched):
            launches.append(isinstance(arguments[0], np.void))  # of strips, which take one struct
            return self._card.launch(kernel, blocks, threads, shared, *arguments, **watched)

    counting, (a, b) = Counting(card, 1 << 40), (letters(5, 9000), letters(6, 9000))
    if method == "lcs":
        steps = run_lcs(LcsJob(a=a, b=b, strategy=Strategy.FULL), GpuLcs(counting))
    else:
        steps = run_edit(EditJob(a=a, b=b, band=BandMode.NONE), GpuEdit(counting))
    blocks = []
    for event in steps:
        if isinstance(event, StepDone) and event.kernel == "blocks":
            blocks.append(event.calls)
            if len(blocks) == 3:
                break
    steps.close()
    assert blocks == [1, 1, 1], "each launch is told of, so that a stop is looked for after it"
    assert sum(launches) == 3


@pytest.mark.gpu
@pytest.mark.parametrize("left", [600_000_000, 150_000_000, 40_000_000])
def test_a_card_that_is_really_full(cuda_card, left, monkeypatch):
    """Somebody else has most of the memory, and what is free is told as it was before."""
    a, b = letters(7, 1 << 19), letters(8, 1 << 19)
    lcs, edit = LcsJob(a=a, b=b, strategy=Strategy.FULL), EditJob(a=a, b=b, band=BandMode.NONE)
    length = run_to_end(run_lcs(LcsJob(a=a, b=b, strategy=Strategy.FULL, path=TracebackMethod.NONE))).length
    distance = run_to_end(run_edit(EditJob(a=a, b=b, path=TracebackMethod.NONE))).distance
    cuda_card.release()
    before = cuda_card.free()
    held = [cuda_card.zeros(before - left, np.uint8)]
    monkeypatch.setattr(
        overlapped_traceback, "MIN_TILE_SIDE", 64
    )  # borders of a gigabyte, of two for the edit distance
    monkeypatch.setattr(cuda_card, "free", lambda: before)
    try:
        # Where not even what a halving needs has room, the runner asks the CPU.
        for steps, answer, expected, least in (
            (run_on(cuda_card, lcs), "length", length, 100_000_000),
            (run_edit(edit, GpuEdit(cuda_card)), "distance", distance, 500_000_000),
        ):
            try:
                found, notices = told(steps)
            except DeviceOutOfMemory:
                assert left < least
                continue
            assert (getattr(found, answer), found.device) == (expected, "gpu")
            assert notices
    finally:
        held.clear()
        cuda_card.release()
    assert run_to_end(run_edit(edit, GpuEdit(cuda_card))).distance == distance, "the card is as good as before"
