"""How a job with swaps behaves while it runs: what it reports, how it stops, what it refuses."""

import numpy as np
import psutil
import pytest

from tests.core.pairs import aligned_as, letters, mutate, random_letters
from tests.core.swaps import check_script
from wavediff.core.base.errors import NotEnoughMemory, SelfCheckFailed
from wavediff.core.jobs.alignment import Alignment, Swaps
from wavediff.core.jobs.events import Step
from wavediff.core.kernels.swap_edit import run as kernel
from wavediff.core.kernels.swap_edit import swap_matrix
from wavediff.core.kernels.swap_edit.swap_matrix import FINEST, NOTHING, KeptEvery
from wavediff.core.methods.base import Ties
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job


def job(n, m, **choices):
    rng = np.random.default_rng(n)
    return SwapEditJob(a=random_letters(rng, n, 4), b=random_letters(rng, m, 4), **choices)


def test_memory_is_estimated_before_anything_is_allocated(monkeypatch):
    """The figures hold for vectors of any width."""
    monkeypatch.setattr(swap_matrix, "available_memory", lambda: 1 << 28)
    with pytest.raises(NotEnoughMemory, match=r"2.* GB .*--traceback none"):
        swap_matrix.SwapMatrix(
            np.zeros(10**6, np.uint8), np.zeros(10**6, np.uint8), 4, kept=FINEST, swaps=True, threads=1
        )  # fmt: skip
    assert 1.9e9 < swap_matrix.memory(10**6, 10**6, kept=FINEST, threads=1) < 2.8e9
    assert swap_matrix.memory(100_000, 100_000, kept=FINEST, threads=2) < 64 << 20
    assert swap_matrix.memory(100_000, 100_000, kept=NOTHING, threads=2) < 2 << 20


@pytest.mark.parametrize(
    "wrong",
    [
        Alignment(np.array([0], np.uint8), np.array([5], np.int64)),
        Alignment(np.array([1, 0], np.uint8), np.array([4, 1], np.int64)),
        Alignment(np.array([3, 2], np.uint8), np.array([5, 5], np.int64)),
    ],
    ids=["unequal letters", "equal letters called different", "dearer than claimed"],
)
def test_a_result_that_contradicts_itself_is_never_returned(monkeypatch, wrong):
    monkeypatch.setattr(kernel, "align", aligned_as(wrong))
    with pytest.raises(SelfCheckFailed, match="discarded"):
        run_job(SwapEditJob(a=letters(b"abcde"), b=letters(b"acbdx")))


@pytest.mark.parametrize(
    "wrong", [(0, 1, 0, 1), (1, 3, 1, 3)], ids=["letters that are not crosswise equal", "letters of both between"]
)
def test_a_swap_that_is_none_is_never_returned(monkeypatch, wrong):
    monkeypatch.setattr(kernel, "_swaps", lambda *_: Swaps(*([k] for k in wrong)))
    with pytest.raises(SelfCheckFailed, match="joins others"):
        run_job(SwapEditJob(a=letters(b"abcb"), b=letters(b"acbc")))


def _letters_of(seed, n):
    return np.random.default_rng(seed).integers(0, 4, n, np.uint8)


@pytest.mark.parametrize("kept", [NOTHING, FINEST, KeptEvery(2, 1), KeptEvery(3, 2)])
def test_a_matrix_reads_nothing_that_it_did_not_write(kept):
    a, b = _letters_of(1, 1700), _letters_of(2, 2300)
    found = []
    for filled in (0x00, 0xA5, 0xFF):
        made = swap_matrix.SwapMatrix(a, b, 4, kept=kept, swaps=True, threads=2)
        for array in (made.state.border, made.state.saved, made.state.masks, made.state.planes):
            array.view(np.uint8).fill(filled)
        list(made.compute(Step(1)))
        pieces = []
        if kept != NOTHING:
            list(made.trace(Step(1), pieces, []))
        found.append((made.distance(), [(ops.tolist(), lengths.tolist()) for ops, lengths in pieces]))
    assert found[1:] == found[:1] * 2


def test_a_walk_back_between_what_is_kept_is_the_same(monkeypatch):
    rng = np.random.default_rng(5)
    a = random_letters(rng, 3_000, 3)
    b = np.concatenate([mutate(rng, a, 300, 3), random_letters(rng, 900, 3)])
    found = []
    for kept in (FINEST, KeptEvery(1, 1), KeptEvery(2, 1), KeptEvery(1, 3), KeptEvery(4, 2), KeptEvery(8, 8)):
        monkeypatch.setattr(kernel, "what_fits", lambda *_, kept=kept: kept)
        result = run_job(SwapEditJob(a=a, b=b, threads=2))
        check_script(a, b, result)
        found.append((result.distance, result.alignment.ops.tolist(), result.alignment.lengths.tolist()))
    assert found[1:] == found[:1] * 5


def test_the_borders_of_a_large_matrix_cost_nothing_before_it_begins():
    """A million letters a side have 2 GB of them, and nobody who stops the job waits for these."""
    a = np.zeros(400_000, np.uint8)
    swap_matrix.SwapMatrix(a[:9], a[:9], 2, kept=FINEST, swaps=True, threads=1)  # compiled
    process = psutil.Process()
    before = process.memory_info().rss
    made = swap_matrix.SwapMatrix(a, a, 2, kept=FINEST, swaps=True, threads=1)
    assert made.state.border.nbytes > 300e6
    assert process.memory_info().rss - before < 50e6


def test_fewer_gaps_leave_every_swap_and_its_cost_alone():
    rng = np.random.default_rng(8)
    fewer = swaps = 0
    for k in range(60):
        a = random_letters(rng, 600, 4)
        b = mutate(rng, a, 20, 4).copy()
        for at in range(10, b.size - 2, 40):
            b[at], b[at + 1] = b[at + 1], b[at]
        left, fewest = (run_job(SwapEditJob(a=a, b=b, ties=ties)) for ties in (Ties.LEFT_MOST, Ties.FEWEST_GAPS))
        assert fewest.distance == left.distance
        assert list(fewest.swaps.rows()) == list(left.swaps.rows())
        swaps += len(left.swaps)
        check_script(a, b, fewest)
        assert fewest.alignment.n_gaps <= left.alignment.n_gaps, k
        fewer += fewest.alignment.n_gaps < left.alignment.n_gaps
        assert fewest.ties.rule == Ties.FEWEST_GAPS
    assert fewer > 10
    assert swaps > 100
