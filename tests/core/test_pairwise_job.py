"""How jobs of LCS and edit distance behave while they run: what they report, how they stop, what they never return."""

import numpy as np
import pytest

from tests.core.edits import planned_events
from tests.core.methods import EDIT, every_method
from tests.core.pairs import aligned_as, letters, random_letters
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.kernels.pairwise import compare, cpu, estimate
from wavediff.core.methods.base import TracebackMethod


@every_method
@pytest.mark.parametrize(
    "wrong",
    [
        Alignment(np.array([0], np.uint8), np.array([5], np.int64)),
        Alignment(np.array([0, 3, 0], np.uint8), np.array([2, 1, 2], np.int64)),
        Alignment(np.array([3, 2], np.uint8), np.array([5, 4], np.int64)),
        Alignment(np.array([1, 0], np.uint8), np.array([4, 1], np.int64)),
    ],
    ids=["unequal letters", "wrong letters left over", "dearer than claimed", "equal letters called different"],
)
def test_a_result_that_contradicts_itself_is_never_returned(method, wrong, monkeypatch):
    monkeypatch.setattr(compare, "align", aligned_as(wrong))
    with pytest.raises(SelfCheckFailed, match="discarded"):
        method.run(letters(b"abcde"), letters(b"abxe"))


@every_method
@pytest.mark.parametrize("unlike", ["random", "a third", "unequal", "many letters"])
def test_pairs_that_share_no_seed_take_one_attempt(method, unlike, monkeypatch):
    """Their prefixes tell how wide a band must be, or that none is worth it."""
    monkeypatch.setattr(cpu, "NO_BAND_CELLS", 0)
    monkeypatch.setattr(estimate, "PREFIX_LETTERS", 1024)
    rng = np.random.default_rng(3)
    n, n_letters = 6_000, 200 if unlike == "many letters" else 4
    a = random_letters(rng, n, n_letters)
    b = random_letters(rng, n // 2 if unlike == "unequal" else n, n_letters)
    if unlike == "a third":
        b = np.where(rng.random(n) < 0.45, b, a).astype(np.uint8)
    events = []
    asked = {"path": TracebackMethod.NONE, "block_rows": 512, "block_cols": 128, "threads": 1}
    result = method.run(a, b, report=events.append, **asked)
    assert getattr(result, method.score) == method.peer(a, b)
    attempts = [plan.strategy for plan in planned_events(events)]
    assert attempts == [result.strategy] == ["full" if unlike == "many letters" else "band"]
    if method is EDIT:
        assert [attempt.proven for attempt in result.bands] == ([] if unlike == "many letters" else [True])
        assert unlike == "many letters" or "tell how much is changed" in result.reason


@every_method
def test_a_small_matrix_is_computed_in_a_band_if_few_edits_are_expected(method):
    """Requested blocks, and letters that are not alike, have the whole one."""
    rng = np.random.default_rng(60)
    a = random_letters(rng, 16_000, 4)
    b = np.where(rng.random(a.size) < 0.055, random_letters(rng, a.size, 4), a)
    few, blocks = method.run(a, b), method.run(a, b, block_rows=1024, block_cols=1024)
    many = method.run(a, random_letters(rng, a.size, 4))
    assert few.cells < few.n_cells / 2 < min(blocks.cells, many.cells)
    assert getattr(few, method.score) == method.peer(a, b)
    for name in ("ops", "lengths"):
        assert np.array_equal(getattr(few.alignment, name), getattr(blocks.alignment, name))
