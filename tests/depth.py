"""How much tests draw that could go on for ever: in `make check` all, in `make test` one case of seven, or a quarter of
what Hypothesis generates. Both run the test, so that what it says is checked either way.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import product

import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, settings

DEEP = os.environ.get("WAVEDIFF_DEEP") == "1"
DEFAULT_EXAMPLES = 100  # as Hypothesis has it
deeper = pytest.mark.deeper
_STRIDE = 7  # shares no factor with the small numbers by which cases take turns
_SHARE = 4
_LEAST_EXAMPLES = 20


def some(n: int, first: int = 0, stride: int = _STRIDE) -> range:
    """Return numbers of cases below ``n``, every ``stride``-th from ``first`` on; who uses it is marked ``deeper``."""
    return range(n) if DEEP else range(first, n, stride)


def one_of(n: int, *axes: Iterable[object]) -> list[ParameterSet]:
    """Return what a test is parametrized with: one of ``n`` cases in `make test`, all of them in `make check`.

    With several axes the cases are all combinations; an axis whose size shares no factor with ``n`` has all its values
    in `make test` too.
    """
    thorough = pytest.mark.thorough
    return [pytest.param(*case, marks=thorough if at % n else ()) for at, case in enumerate(product(*axes))]


def drawn(n: int) -> int:
    """Return how many examples of ``n`` are generated."""
    return n if DEEP else min(n, max(n // _SHARE, _LEAST_EXAMPLES))


def examples(n: int, *unchecked: HealthCheck) -> settings:
    """Return settings of Hypothesis: ``n`` examples in `make check`, where all that generate some are run again."""
    return settings(max_examples=drawn(n), suppress_health_check=[HealthCheck.too_slow, *unchecked])


def mark(items: list[pytest.Item]) -> None:
    """Mark what Hypothesis generates examples for."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(deeper)
