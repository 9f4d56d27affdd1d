"""The LCS by the kernel of Kawanami 2011, length and path, against rapidfuzz; and what is told on the way."""

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq

from tests.core.pairs import mutate, random_letters
from tests.core.running import watched
from tests.depth import one_of
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Planned, StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise.lcs import hirschberg
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import LcsJob, LcsKernel, Strategy
from wavediff.gpu.pairwise.lcs import run
from wavediff.gpu.pairwise.lcs.run import run_on


@pytest.fixture
def small_parts(monkeypatch):
    """Halves of 20 rows go to the card, parts of 300 cells are solved at once."""
    monkeypatch.setattr(run, "CPU_ROWS", 20)
    monkeypatch.setattr(hirschberg, "SMALL_CELLS", 300)


def solved(card, a, b, **choices):
    return watched(run_on(card, LcsJob(a=a, b=b, kernel=LcsKernel.KAWANAMI, **choices)))[::-1]


@pytest.mark.parametrize(
    ("size", "n_letters", "path"), one_of(5, [(33, 31), (65, 120), (200, 64), (90, 1030)], [1, 4, 256], TracebackMethod)
)
def test_every_path_has_the_length_of_rapidfuzz(card, small_parts, size, n_letters, path):
    n, m = size
    rng = np.random.default_rng(n * m)
    a, b = random_letters(rng, n, n_letters), random_letters(rng, m, n_letters)
    for second in (b, mutate(rng, a, 12, n_letters)):
        result, _ = solved(card, a, second, path=path)
        assert result.length == LCSseq.similarity(a.tobytes(), second.tobytes())
        assert (result.alignment is None) == (path is TracebackMethod.NONE)
        assert result.device == "gpu"
        assert result.strategy == (
            "common-ends" if not second.size else "full" if path is TracebackMethod.NONE else "hirschberg"
        )


@pytest.mark.parametrize("path", TracebackMethod)
@pytest.mark.parametrize(("a", "b"), [(b"", b""), (b"", b"ab"), (b"abc", b""), (b"aaa", b"bbbb"), (b"abc", b"abc")])
def test_nothing_and_nothing_in_common(card, a, b, path):
    first, second = (np.frombuffer(x, np.uint8) for x in (a, b))
    result, seen = solved(card, first, second, path=path)
    assert result.length == LCSseq.similarity(a, b)
    assert [event for event in seen if isinstance(event, Planned)]
    if result.alignment is not None:
        assert result.alignment.count(Op.EQUAL) == result.length


def test_letters_are_folded_where_asked(card):
    a, b = np.frombuffer(b"acgtACGT" * 5, np.uint8), np.frombuffer(b"ACGTacgt" * 5, np.uint8)
    assert solved(card, a, b, fold_case=True, path=TracebackMethod.NONE)[0].length == 40
    exact, _ = solved(card, a, b, path=TracebackMethod.NONE)
    assert exact.length == LCSseq.similarity(a.tobytes(), b.tobytes()) < 40


def test_equal_ends_are_computed_like_all_letters(card):
    """Nothing of the paper's work is spared, or its times would not be its own."""
    a = random_letters(np.random.default_rng(8), 100, 4)
    result, seen = solved(card, a, a, path=TracebackMethod.NONE)
    assert result.length == 100
    assert result.cells == sum(plan.cells for plan in seen if isinstance(plan, Planned)) == 100 * 100


def test_large_halves_are_the_cards_and_small_ones_the_cpus(card, small_parts):
    rng = np.random.default_rng(5)
    a, b = random_letters(rng, 130, 4), random_letters(rng, 140, 4)
    result, seen = solved(card, a, b, path=TracebackMethod.HIRSCHBERG)
    (plan,) = (event for event in seen if isinstance(event, Planned))
    assert plan.strategy == "hirschberg"
    assert (plan.block_map == BlockState.PATH).any()
    assert not np.isin(plan.block_map, [BlockState.RUNNING, BlockState.WAITING]).any()
    cells = dict.fromkeys(("blocks", "small"), 0)
    for event in seen:
        if isinstance(event, StepDone) and event.kernel in cells:
            cells[event.kernel] += event.cells
    assert cells["blocks"] >= a.size * b.size
    assert cells["small"] > 0
    assert sum(cells.values()) <= 3 * a.size * b.size
    assert sum(isinstance(event, StepDone) and event.kernel == "upload" for event in seen) == 1
    assert result.length == LCSseq.similarity(a.tobytes(), b.tobytes())


@pytest.mark.gpu
def test_real_sizes_with_the_papers_threshold(cuda_card):
    rng = np.random.default_rng(7)
    a, b = random_letters(rng, 50_001, 4), random_letters(rng, 33_000, 4)
    for second in (b, mutate(rng, a, 900, 4)):
        expected = LCSseq.similarity(a.tobytes(), second.tobytes())
        assert solved(cuda_card, a, second, path=TracebackMethod.NONE)[0].length == expected
        assert solved(cuda_card, a, second, path=TracebackMethod.HIRSCHBERG)[0].length == expected


def test_a_path_by_blocks_is_found_by_halving_and_the_reason_says_so(card):
    a = random_letters(np.random.default_rng(6), 50, 4)
    plans = [e for e in solved(card, a, a[::-1].copy())[1] if isinstance(e, Planned)]
    assert [plan.strategy for plan in plans] == ["hirschberg"]
    assert "keeps no borders" in plans[0].reason


@pytest.mark.parametrize("strategy", [Strategy.BAND, Strategy.DIAGONALS])
def test_there_is_no_band(strategy):
    letters = np.zeros(3, np.uint8)
    with pytest.raises(ValueError, match=f"whole matrix, got {strategy}"):
        LcsJob(a=letters, b=letters, kernel=LcsKernel.KAWANAMI, strategy=strategy)
