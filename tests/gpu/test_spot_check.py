"""Samples of a run on a card agree where it is right, whatever its shape."""

import threading
from copy import copy

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

from tests.depth import one_of
from tests.gpu.host_card import HostCard
from tests.gpu.spot_checking import letters, samples
from tests.oracles import edit as edit_oracle
from tests.oracles import lcs as lcs_oracle
from wavediff.core.jobs.events import run_to_end
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.kernels.pairwise.lcs.run import run as run_lcs
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.gpu.pairwise.edit.run import GpuEdit
from wavediff.gpu.pairwise.lcs.kawanami import KawanamiMatrix, Strings
from wavediff.gpu.pairwise.lcs.run import GpuLcs
from wavediff.gpu.pairwise.strips import spot_check
from wavediff.gpu.pairwise.strips.reference_steps import fresh, replay
from wavediff.gpu.pairwise.strips.sliced import BitSlicedRows
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("padding", [0, 30])
def test_the_replay_is_the_textbook(delta_bits, padding):
    a, b = letters(1, 90), letters(2, 70, 6)
    height = a.size + padding
    above = np.zeros((int(delta_bits), b.size), np.uint8)
    above[0] = delta_bits is DeltaBits.EDIT
    n_shared = 4
    found = replay(delta_bits, height, a, b, n_shared, fresh(delta_bits, height), above)
    grows = [one >> i & 1 for one in found.rows for i in range(a.size)]
    if delta_bits is DeltaBits.LCS:
        assert a.size - sum(grows) == lcs_oracle.length(a.tobytes(), b.tobytes())
        assert found.below.sum() == lcs_oracle.length(a.tobytes(), b.tobytes())
    else:
        down = sum(grows[: a.size]) - sum(grows[a.size :])
        assert b.size + down == edit_oracle.distance(a.tobytes(), b.tobytes())
        if not padding:
            across = int(found.below[0].sum()) - int(found.below[1].sum())
            assert a.size + across == edit_oracle.distance(a.tobytes(), b.tobytes())


SHAPES = [(1, 1), (33, 9), (1024, 300), (1025, 256), (3000, 1700), (5000, 517)]


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("sigma", [4, 20])
def test_mailboxes_of_words_in_a_row(card, always_sampled, delta_bits, shape, sigma):
    a, b = letters(3, shape[0], sigma), letters(4, shape[1], sigma)
    for panel, seconds in ((1 << 17, 0.04), (40, 0.0)):
        matrix = StripMatrix(card, [(a, b)], StaggeredRows(sigma, 1), delta_bits, panel=panel, slice_seconds=seconds)
        assert samples(matrix) > 0


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_mailboxes_of_bit_slices(card, always_sampled, shape):
    a, b = letters(5, shape[0]), letters(6, shape[1])
    for panel, seconds in ((1 << 17, 0.04), (64, 0.0)):
        matrix = StripMatrix(card, [(a, b)], BitSlicedRows(4, 2, 2), DeltaBits.EDIT, panel=panel, slice_seconds=seconds)
        assert (samples(matrix) > 0) is (shape[0] >= 2048)


@pytest.mark.parametrize("delta_bits", DeltaBits)
def test_rows_between_two_panels_are_remembered_and_used(card, always_sampled, delta_bits, monkeypatch):
    """Otherwise only the first columns of each strip would ever be looked at."""
    used = []
    compare = spot_check.SpotChecker._compare

    def note(self, strip, row, height, first, *more):
        used.append(first)
        compare(self, strip, row, height, first, *more)

    monkeypatch.setattr(spot_check.SpotChecker, "_compare", note)
    matrix = StripMatrix(
        card,
        [(letters(7, 9000), letters(8, 3000))],
        StaggeredRows(4, 1),
        delta_bits,
        panel=40,
        slice_seconds=0.0,
        warps=4,
    )
    samples(matrix)
    if card.name == "the host":  # whose launches all end at the same steps
        assert max(used) >= 40


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("tiles", [TileSpacing(16, 8), TileSpacing(64, 32)])
@pytest.mark.parametrize("band", [None, (-700, 500)])
def test_kept_tiles(card, always_sampled, delta_bits, tiles, band):
    a = letters(9, 5000)
    b = np.delete(a, range(100, 130))
    b[::40] ^= 1
    for form in [StaggeredRows(4, 1)] + [BitSlicedRows(4, 2, 2)] * (delta_bits is DeltaBits.EDIT):
        matrix = StripMatrix(card, [(a, b)], form, delta_bits, tiles=tiles, band=band)
        assert samples(matrix) > 1


def test_several_rectangles_and_letters_of_one_only(card, always_sampled):
    pairs = [
        (letters(k, n, 6), letters(k + 50, m, 6) + np.uint8(2)) for k, (n, m) in enumerate([(2500, 90), (40, 700)])
    ]
    pairs = [(a, np.minimum(b, 7)) for a, b in pairs]
    for delta_bits in DeltaBits:
        matrix = StripMatrix(card, pairs, StaggeredRows(4, 1), delta_bits, slice_seconds=0.0)
        assert samples(matrix) > 0


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("tiles", [None, TileSpacing(16, 8)])
@pytest.mark.parametrize("shape", [(1, 1), (1500, 40), (3000, 900)], ids=str)
def test_each_run_has_a_sample_however_short_it_is(card, no_samples, delta_bits, tiles, shape):
    pair = letters(1, shape[0]), letters(2, shape[1])
    assert samples(StripMatrix(card, [pair], StaggeredRows(4, 1), delta_bits, tiles=tiles)) == 1
    assert samples(StripMatrix(card, [pair, pair], StaggeredRows(4, 2), delta_bits)) == 1


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("n", "m"), [(1023, 900), (2049, 2049), (3072, 1025)])
def test_blocks_of_kawanami(card, always_sampled, backwards, n, m):
    strings = Strings(card, letters(1, n, 5), letters(2, m, 5), 5)
    assert (samples(KawanamiMatrix(strings, backwards=backwards)) > 0) is (n >= 1024)
    stretch = KawanamiMatrix(strings, (7, n), (3, m), backwards=backwards)
    assert (samples(stretch) > 0) is (n - 7 >= 1024)


def test_each_run_of_kawanami_has_a_sample(card, no_samples):
    for seed in range(3):
        assert samples(KawanamiMatrix(Strings(card, letters(seed, 2500), letters(9, 2100), 4))) <= 1
    assert samples(KawanamiMatrix(Strings(card, letters(1, 2048), letters(2, 900), 4))) == 1


class Lagging(HostCard):
    """Wipes memory when its own stream is waited for, no sooner; other streams see what lay there before."""

    def __init__(self, folder):
        super().__init__(folder)
        self._to_wipe, self._seen, self._own = [], threading.Event(), True

    def zeros(self, shape, dtype):
        out = super().zeros(shape, dtype)
        if out.ndim == 1 and out.dtype == np.uint32:
            out.fill(1 << 16 | 0xA5)  # as a strip of an earlier run could have sent it
            self._to_wipe.append(out)
        return out

    def _wait(self):
        while self._to_wipe:
            self._to_wipe.pop().fill(0)

    def download(self, array):
        if self._own:
            self._wait()
        else:
            self._seen.set()
        return super().download(array)

    def launch(self, *arguments, **watched):
        self._seen.wait(0.5)
        self._wait()
        return super().launch(*arguments, **watched)

    def sibling(self):
        other = copy(self)
        other._own = False
        return other


@pytest.mark.parametrize("delta_bits", one_of(2, list(DeltaBits)))
def test_what_lay_in_the_mailboxes_before_is_no_fault(host_card, delta_bits):
    matrix = StripMatrix(
        Lagging(host_card._folder), [(letters(1, 2000), letters(2, 1500))], StaggeredRows(4, 1), delta_bits
    )
    assert samples(matrix) > 0


@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.NONE])
def test_whole_jobs_pass_their_samples(card, always_sampled, path):
    a = letters(11, 3000)
    b = np.delete(np.where(np.arange(3000) % 50, a, a ^ 1), slice(9, 80)).astype(np.uint8)
    found = run_to_end(run_lcs(LcsJob(a=a, b=b, path=path, strategy=Strategy.FULL), GpuLcs(card)))
    assert found.length == LCSseq.similarity(a.tobytes(), b.tobytes())
    for band in (BandMode.NONE, BandMode.SUDO):
        edit = run_to_end(run_edit(EditJob(a=a, b=b, path=path, band=band), GpuEdit(card)))
        assert edit.distance == Levenshtein.distance(a.tobytes(), b.tobytes())


def test_who_asks_often_gets_no_more_samples():
    """They take the share of the run's time that is theirs, in the mean over many short runs."""
    spent = 0
    for seed in range(400):
        allowance = spot_check.TimeBudget()
        allowance.rng = np.random.default_rng(seed)
        allowance.spend(spot_check.EXPECTED_SECONDS)
        allowance.earn(1.2 * spot_check.EXPECTED_SECONDS / spot_check.CHECK_TIME_SHARE)
        for _ in range(16):
            if allowance.is_due:
                allowance.spend(spot_check.EXPECTED_SECONDS)
                spent += 1
    assert 0.1 * 400 < spent < 0.3 * 400
