"""Time one call after another, fairly: both sides in turn, best of as many rounds as the time allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from time import perf_counter, process_time
from typing import Any

MIN_ROUNDS_SECONDS = 1.0  # seconds of rounds a side
SHORT_CALL_SECONDS = 2e-5  # seconds; shorter calls are timed several at once

_clock = perf_counter


def use_processor_time() -> None:
    """Count the time of the processor from now on: for one thread, on a machine that others use."""
    global _clock
    _clock = process_time


def now() -> float:
    """Return the seconds of the clock that is measured by."""
    return _clock()


@dataclass(frozen=True, slots=True)
class Timing:
    """Best and worst of ``rounds`` calls, in seconds, and what the last one answered."""

    best: float
    worst: float
    rounds: int
    answer: Any


def in_turn(calls: Sequence[Callable[[], Any]], at_least: int = 3, *, warm: bool = True) -> list[Timing]:
    """Call each once to ``warm`` up, then in turn until each has run ``at_least`` times or for long enough."""
    answers = [call() if warm else 0 for call in calls]
    repeats = [_repeats(call) if warm else 1 for call in calls]
    times: list[list[float]] = [[] for _ in calls]
    while any(_wants_more(seconds, at_least) for seconds in times):
        for k, call in enumerate(calls):
            if _wants_more(times[k], at_least):
                start = now()
                for _ in range(repeats[k]):
                    answers[k] = call()
                times[k].append((now() - start) / repeats[k])
    return [Timing(min(t), max(t), len(t), answer) for t, answer in zip(times, answers, strict=True)]


def _repeats(call: Callable[[], Any]) -> int:
    """Return how many calls are timed at once, as to look at the clock takes as long as some do."""
    start = now()
    call()
    return max(1, int(SHORT_CALL_SECONDS / max(1e-6, now() - start)))


def _wants_more(seconds: list[float], at_least: int) -> bool:
    spent = sum(seconds)
    if spent > 5 * MIN_ROUNDS_SECONDS:
        return False
    return len(seconds) < at_least or (spent < MIN_ROUNDS_SECONDS and len(seconds) < 1000)


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return bounds that hold the true median in at least 95 of 100 such series, whatever its distribution.

    Of fewer than six values there are none, and the least and the largest are returned.
    """
    ranked, n = sorted(values), len(values)
    beyond, rank = 0, 0  # of the 2^n ways to lie below or above the median, those with at most ``rank`` below
    while beyond + comb(n, rank) <= 0.025 * 2**n:
        beyond += comb(n, rank)
        rank += 1
    return ranked[max(0, rank - 1)], ranked[min(n - 1, n - rank)]
