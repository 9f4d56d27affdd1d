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
    with pytest.raises(SelfCheckFailed, match="thrown away"):
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
