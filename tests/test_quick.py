"""The choice of tests for a change: by imports, by names in strings, by what fits into the time."""

from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("grimp")
from tests import quick, speeds

ROOT = Path(__file__).parents[1]
USERS = {
    "core/a.py": {"core/b.py", "tests/test_a.py"},
    "core/b.py": {"tests/test_b.py", "tests/test_other.py"},
    "core/c.py": {"tests/test_c.py"},
}
checkout = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="asks git for files")
dependents = cache(quick.dependents)


@pytest.fixture
def known(monkeypatch):
    """Files that import each other as in ``USERS``, and what their tests are known to take."""
    found = {quick.ALWAYS: 1.0}
    monkeypatch.setattr(quick, "dependents", lambda: USERS)
    monkeypatch.setattr(speeds, "recorded", lambda: found)
    monkeypatch.setattr(Path, "exists", lambda _: True)
    return found


def test_the_nearest_come_first_and_what_is_not_reached_does_not(known):
    known["tests/test_other.py"] = 0.5
    fits, left_out = quick.chosen(["core/a.py"])
    assert fits == [quick.ALWAYS, "tests/test_a.py", "tests/test_other.py", "tests/test_b.py"]
    assert left_out == []


def test_what_takes_too_long_is_left_out_and_what_fits_after_it_is_not(known):
    known |= {"tests/test_b.py": quick.BUDGET_SECONDS, "tests/test_a.py": 2.0, "tests/test_other.py": 50.0}
    assert quick.chosen(["core/a.py"]) == (
        [quick.ALWAYS, "tests/test_a.py"],
        ["tests/test_b.py", "tests/test_other.py"],
    )


def test_a_test_that_was_changed_runs_whatever_it_takes(known):
    known["tests/test_c.py"] = 1000.0
    assert quick.chosen(["tests/test_c.py"])[0] == [quick.ALWAYS, "tests/test_c.py"]


def test_a_test_named_after_the_module_is_near(known):
    assert quick.chosen(["core/a.py", "x/b.py"])[0][1:] == ["tests/test_a.py", "tests/test_b.py", "tests/test_other.py"]


@checkout
@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("core/jit/simd.py", "tests/core/test_bits.py"),  # is imported
        ("core/kernels/pairwise/lcs/run.py", "tests/core/test_lcs_job.py"),  # is named in the table of kernels
        ("gpu/cuda/search.cu", "tests/gpu/test_compile.py"),
        (".ci/environment.py", "tests/test_environment.py"),
        ("tests/app/conftest.py", "tests/app/test_window.py"),
        ("tests/core/test_bits.py", "tests/core/test_bits.py"),
    ],
)
def test_a_change_reaches_its_tests(changed, test):
    assert (ROOT / changed).exists()
    assert quick.distances([changed], dependents())[test] < 4


@checkout
def test_a_page_reaches_no_test_but_that_which_reads_it():
    reached = quick.distances(["README.md"], dependents())
    assert "tests/test_documents.py" in reached
    assert "tests/core/test_bits.py" not in reached
