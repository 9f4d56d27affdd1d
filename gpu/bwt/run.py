"""The Burrows-Wheeler transform on the card: sort, invert what was found, compare, all of it there."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from core.bwt_jobs import BwtJob, BwtMethod
from core.events import Event
from core.kernels.bwt.invert import NoTransform
from core.kernels.bwt.run import CHECK, Found, one_letter, result_of, tiny, wrong
from core.kernels.bwt.work import Work
from core.results.bwt import BwtResult
from gpu.bwt.paper4 import Paper4
from gpu.bwt.sampled import Sampled
from gpu.bwt.steps import Steps
from gpu.bwt.ternary import Ternary, last_column
from gpu.bwt.walk import walk
from gpu.card.interface import Card


def run(job: BwtJob) -> Generator[Event, None, BwtResult]:
    """Compute ``job``; see ``core.results.bwt.BwtResult``.

    Raises:
        DeviceOutOfMemory: the sorting or the check needs more than the card has.
        SelfCheckFailed: the inverse is not the text.
    """
    from gpu.device import card

    return (yield from run_on(card(), job))


def run_on(card: Card, job: BwtJob) -> Generator[Event, None, BwtResult]:
    """Compute ``job`` on this card."""
    work = Work()
    found, n_runs = yield from work.watch(transformed(card, job))
    return result_of(job, found, n_runs, "gpu", work)


def transformed(card: Card, job: BwtJob) -> Generator[Event, None, tuple[Found, int]]:
    """Return the transform, which was checked, and its runs."""
    steps = Steps(card, job.id, "upload")
    if job.text.size < 2:
        return tiny(job), int(job.text.size)
    text = yield from steps.upload(job.text)
    steps.kernel = "pack"
    letters = yield from steps.letters(text)
    if letters.size == 1 and job.method is BwtMethod.DEFAULT:
        return one_letter(job), 1
    found = yield from sort(steps, job, text, letters)
    n_runs = yield from check(steps, text, found)
    last = yield from steps.download(found.last)
    suffixes = None
    if found.suffixes is not None:
        suffixes = yield from steps.download(found.suffixes)
    return Found(last, found.primary, found.way, found.reason, suffixes, found.levels), n_runs


def sort(steps: Steps, job: BwtJob, text: Any, letters: Any) -> Generator[Event, None, Found]:
    """Return the transform with its arrays on the card."""
    if job.method is BwtMethod.TERNARY:
        steps.kernel = "ternary"
        order, levels = yield from Ternary(steps, text, job.levels).sort()
        last, primary = yield from last_column(steps, text, order)
        kept = order if job.suffixes else None
        reason = "asked for: ternary quicksort level by level, as in paper 4"
        return Found(last, primary, "ternary", reason, kept, levels)
    if job.method is BwtMethod.PAPER:
        steps.kernel = "paper"
        paper = Paper4(steps, text)
        order = yield from paper.sort()
        last, primary = yield from last_column(steps, text, order)
        reason = f"asked for: paper 4's kernels as published, {paper.levels:,} levels of one letter"
        return Found(last, primary, "paper", reason, order if job.suffixes else None)
    last, primary, suffixes = yield from Sampled(steps, text, letters).last_column(job.suffixes)
    return Found(last, primary, "sampled", "on a card: samples by doubling, all others by them", suffixes)


def check(steps: Steps, text: Any, found: Found) -> Generator[Event, None, int]:
    """Compare the inverse with the text and return the number of runs; ``found.last`` is on the card.

    Raises:
        SelfCheckFailed: they differ.
    """
    card = steps.card
    steps.kernel = CHECK
    totals = card.zeros(2, np.uint32)
    try:
        back = yield from walk(steps, found.last, found.primary)
    except NoTransform:
        raise wrong(text.size, found.way) from None
    yield from steps.run("bwt_text.cu", "count_differences", text.size, back, text, totals[:1])
    yield from steps.run("bwt_text.cu", "count_runs", text.size, found.last, totals[1:])
    n_wrong, n_runs = card.download(totals)
    if n_wrong:
        raise wrong(text.size, found.way)
    return int(n_runs)
