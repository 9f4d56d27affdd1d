"""Bounds on wall-clock time, for tests marked ``timed``: asserted where ``WAVEDIFF_TIMED`` is set."""

from __future__ import annotations

import os


def check_within(seconds: float, limit_seconds: float, told: str = "") -> None:
    """Fail where ``seconds`` is more than the limit, unless the machine may be busy with other tests."""
    if os.environ.get("WAVEDIFF_TIMED"):
        assert seconds < limit_seconds, told
