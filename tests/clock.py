"""Bounds on time, for tests marked ``timed``: asserted where ``WAVEDIFF_TIMED`` is set."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from subprocess import Popen
from time import perf_counter, process_time

import psutil

WAIT_SHARE = 20  # a process gets this part of a core at least, on the busiest machine that a test is run on
Moment = tuple[float, float]  # seconds of the clock, and of all cores in a process


def check_within(seconds: float, limit_seconds: float, told: str = "") -> None:
    """Fail where ``seconds`` is more than the limit, unless the machine may be busy with other tests."""
    if os.environ.get("WAVEDIFF_TIMED"):
        assert seconds < limit_seconds, told or f"{seconds:.3f} s, and not {limit_seconds}"


def moment(child: Popen[str] | None = None) -> Moment:
    """Return the time, and what this process has computed, or ``child``: it may have ended."""
    if child is None:
        return perf_counter(), process_time()
    runs = child.poll() is None
    own = sum(psutil.Process(child.pid).cpu_times()[:2]) if runs else 0.0
    return perf_counter(), own + sum(os.times()[2:4])  # of all children that have ended


def longest(moments: Sequence[Moment]) -> float:
    """Return the longest time between two moments that follow each other, in seconds that a process of its own takes.

    It is at most what the process computed in that time: what other programs take of the cores does not count. A wait
    that computes nothing counts by a share of its time, so that it fails a bound, too.
    """
    gaps = [(now[0] - before[0], now[1] - before[1]) for before, now in pairwise(moments)]
    return max(max(min(clock, computed), clock / WAIT_SHARE) for clock, computed in gaps)
