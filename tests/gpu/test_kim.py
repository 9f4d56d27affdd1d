"""Kim's kernels agree with rapidfuzz, whatever fits in shared memory and however the cycles are sliced."""

import numpy as np
import pytest
from rapidfuzz.distance import DamerauLevenshtein

from tests.core.pairs import random_letters
from tests.core.running import watched
from tests.core.swaps import peer, swapped
from wavediff.core.base.errors import DeviceOutOfMemory, NotEnoughMemory
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import Planned, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods import SWAP
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.swap import SwapEditJob, SwapKernel
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.batch.run import run_on as run_batch
from wavediff.gpu.swap_edit import kim
from wavediff.gpu.swap_edit.run import run_on

PAPER = [SwapKernel.KIM, SwapKernel.KIM_GLOBAL]
every_kernel = pytest.mark.parametrize("kernel", PAPER)


def _job(a, b, kernel):
    return SwapEditJob(a=a, b=b, kernel=kernel, path=TracebackMethod.NONE)


def _known(a, b, how):
    pairs = zip(a, b, strict=True) if how is Pairing.ONE_TO_ONE else ((x, y) for x in a for y in b)
    found = np.array([DamerauLevenshtein.distance(x.tobytes(), y.tobytes()) for x, y in pairs])
    return found.tolist() if how is Pairing.ONE_TO_ONE else found.reshape(len(a), len(b)).tolist()


@every_kernel
@pytest.mark.parametrize("n_letters", [1, 4, 256])
def test_batches_of_unequal_pairs(card, kernel, n_letters):
    rng = np.random.default_rng(n_letters)
    a = [random_letters(rng, n, n_letters) for n in (0, 1, 31, 32, 33, 70, 5)]
    b = [random_letters(rng, n, n_letters) for n in (4, 0, 33, 1)] + [swapped(rng, a[5], 20, n_letters), a[4], a[0]]
    for how in Pairing:
        job = BatchJob(a=SequencePool.of(a), b=SequencePool.of(b), pairs=how, method=SWAP, options={"kernel": kernel})
        events, result = watched(run_batch(card, job))
        assert result.values.tolist() == _known(a, b, how)
        done = [e for e in events if isinstance(e, StepDone) and e.kernel == "pairs"]
        assert sum(e.cells for e in done) == result.n_cells
        assert sum(e.calls for e in done) == result.n_pairs
    own = BatchJob(a=SequencePool.of(a), b=None, method=SWAP, options={"kernel": kernel})
    assert run_to_end(run_batch(card, own)).values.tolist() == _known(a, a, Pairing.ALL_TO_ALL)


@every_kernel
@pytest.mark.parametrize("shared", [1 << 10, 1300, 1700, 1 << 16])
def test_one_pair_whatever_fits_in_shared_memory(card, kernel, shared, monkeypatch):
    """Three anti-diagonals, then the strings, then DX, then both."""
    monkeypatch.setattr(card, "shared_bytes", min(shared, card.shared_bytes))
    rng = np.random.default_rng(3)
    a = random_letters(rng, 150, 4)
    for b in (random_letters(rng, 200, 4), swapped(rng, a, 40, 4)):
        assert run_to_end(run_on(card, _job(a, b, kernel))).distance == peer(a, b)


@every_kernel
def test_more_rows_than_threads_and_slices_of_cycles(card, kernel, monkeypatch):
    monkeypatch.setattr(kim, "MAX_THREADS", 32)
    monkeypatch.setattr(kim, "FIRST_CYCLES", 50)
    monkeypatch.setattr(kim, "LAUNCH_SECONDS", 0.0)
    rng = np.random.default_rng(4)
    a, b = random_letters(rng, 100, 4), random_letters(rng, 60, 4)
    events = list(run_on(card, _job(a, b, kernel)))
    blocks = [e for e in events if isinstance(e, StepDone) and e.kernel == "blocks"]
    assert len(blocks) > 100
    assert sum(e.cells for e in blocks) == a.size * b.size
    assert (next(e for e in events if isinstance(e, Planned)).block_map == BlockState.DONE).all()
    assert run_to_end(run_on(card, _job(a, b, kernel))).distance == peer(a, b)


@every_kernel
@pytest.mark.parametrize(("a", "b"), [(b"", b""), (b"", b"ab"), (b"abc", b""), (b"aaa", b"bbbb"), (b"ab", b"ba")])
def test_nothing_and_nothing_in_common(card, kernel, a, b):
    first, second = (np.frombuffer(x, np.uint8) for x in (a, b))
    found = run_to_end(run_on(card, _job(first, second, kernel)))
    assert (found.distance, found.device) == (peer(first, second), "gpu")


@every_kernel
def test_equal_ends_are_computed_like_all_letters(card, kernel):
    a = random_letters(np.random.default_rng(5), 80, 4)
    found = run_to_end(run_on(card, _job(a, a, kernel)))
    assert found.cells == 80 * 80
    assert found.reason == "the kernel of Kim 2015" + " with global memory only" * (kernel is SwapKernel.KIM_GLOBAL)


def test_numbers_of_four_bytes_from_65536_letters_on(card):
    a, b = np.full(65_536, 1, np.uint8), np.full(1, 2, np.uint8)
    for one, other in ((a, b), (b, a)):
        assert run_to_end(run_on(card, _job(one, other, SwapKernel.KIM_GLOBAL))).distance == 65_536


def test_too_little_memory_of_either_kind_is_told(card, monkeypatch):
    a = random_letters(np.random.default_rng(6), 2_000, 4)
    with monkeypatch.context() as patch:
        patch.setattr(card, "shared_bytes", 4000)
        with pytest.raises(NotEnoughMemory, match=r"2,000 rows take 12 KB.* has 4 KB; "):
            list(run_on(card, _job(a, a, SwapKernel.KIM)))
    monkeypatch.setattr(card, "free", lambda: 1 << 20)
    with pytest.raises(DeviceOutOfMemory, match=r"0\.02 GB, 0\.00 GB are free"):
        list(run_on(card, _job(a, a, SwapKernel.KIM_GLOBAL)))


def test_pairs_take_turns_where_their_tables_do_not_fit_together(card, monkeypatch):
    rng = np.random.default_rng(7)
    a, b = ([random_letters(rng, 60, 4) for _ in range(5)] for _ in range(2))
    monkeypatch.setattr(card, "free", lambda: 40_000)
    job = BatchJob(
        a=SequencePool.of(a), b=SequencePool.of(b), pairs=Pairing.ONE_TO_ONE, method=SWAP,
        options={"kernel": SwapKernel.KIM},
    )  # fmt: skip
    assert run_to_end(run_batch(card, job)).values.tolist() == _known(a, b, Pairing.ONE_TO_ONE)


def test_the_paper_gives_distances_with_swaps_and_nothing_else():
    letters = np.zeros(3, np.uint8)
    for choices in ({"path": TracebackMethod.BLOCKS}, {"path": TracebackMethod.NONE, "swaps": False}):
        with pytest.raises(ValueError, match="nothing else"):
            SwapEditJob(a=letters, b=letters, kernel=SwapKernel.KIM, **choices)
    with pytest.raises(ValueError, match="batches of edit distance have no option kernel"):
        BatchJob(a=SequencePool.of([letters]), b=None, options={"kernel": SwapKernel.KIM})
