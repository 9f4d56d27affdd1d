"""How many of their cases tests draw that could go on for ever: in `make check` all, in `make test` one of seven."""

from __future__ import annotations

import os

import pytest

DEEP = os.environ.get("WAVEDIFF_DEEP") == "1"
deeper = pytest.mark.deeper
_STRIDE = 7  # shares no factor with the small numbers by which cases take turns


def some(n: int, first: int = 0) -> range:
    """Return numbers of cases below ``n``, one of seven from ``first`` on; a test that uses it is marked ``deeper``."""
    return range(n) if DEEP else range(first, n, _STRIDE)
