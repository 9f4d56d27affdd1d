"""The Burrows-Wheeler transform on the card: sort, verify by the inverse."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from wavediff.core.jobs.bwt import BwtJob
from wavediff.core.jobs.bwt_result import BwtResult
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.jobs.events import Event, EventTotals
from wavediff.core.kernels.bwt.inverse.invert import InvalidTransform
from wavediff.core.kernels.bwt.run import CHECK, SortResult, result_of, single_letter_transform, tiny, wrong
from wavediff.gpu.bwt.bwt_launches import LaunchQueue
from wavediff.gpu.bwt.inverse import invert_on_card
from wavediff.gpu.bwt.sync_set_sort import SyncSetSorter
from wavediff.gpu.bwt.yamanaka import YamanakaSort, last_column
from wavediff.gpu.card.cuda import Card


def run_on(card: Card, job: BwtJob) -> Generator[Event, None, BwtResult]:
    """Compute ``job`` on this card; see ``wavediff.core.jobs.bwt_result.BwtResult``.

    Raises:
        DeviceOutOfMemory: the sorting or the check exceeds the card's memory.
        SelfCheckFailed: the inverse is not the text.
    """
    work = EventTotals()
    sorting, n_runs = yield from work.watch(transformed(card, job))
    return result_of(job, sorting, n_runs, "gpu", work)


def transformed(card: Card, job: BwtJob) -> Generator[Event, None, tuple[SortResult, int]]:
    """Return the verified transform, and its number of runs."""
    steps = LaunchQueue(card, job.step, "upload")
    if job.text.size < 2:
        return tiny(job), int(job.text.size)
    text = yield from steps.upload(job.text)
    steps.kernel = "pack"
    letters = yield from steps.letters(text)
    if letters.size == 1 and job.method is BwtMethod.AUTO:
        return single_letter_transform(job), 1
    sorting = yield from sort(steps, job, text, letters)
    n_runs = yield from check(steps, text, sorting)
    last = yield from steps.download(sorting.last)
    suffixes = None
    if sorting.suffixes is not None:
        suffixes = yield from steps.download(sorting.suffixes)
    return SortResult(last, sorting.primary, sorting.strategy, sorting.reason, suffixes), n_runs


def sort(steps: LaunchQueue, job: BwtJob, text: Any, letters: Any) -> Generator[Event, None, SortResult]:
    """Return the transform; its arrays are on the card."""
    if job.method is BwtMethod.YAMANAKA:
        steps.kernel = "yamanaka"
        paper = YamanakaSort(steps, text)
        order = yield from paper.sort()
        last, primary = yield from last_column(steps, text, order)
        reason = (
            f"asked for: the kernels of Yamanaka, Ino and Hagihara as published, {paper.levels:,} levels of one letter"
        )
        return SortResult(last, primary, "yamanaka", reason, order if job.suffixes else None)
    last, primary, suffixes = yield from SyncSetSorter(steps, text, letters).last_column(job.suffixes)
    reason = "on a card: samples by doubling, all others by them"
    return SortResult(last, primary, "sampled", reason, suffixes)


def check(steps: LaunchQueue, text: Any, sorting: SortResult) -> Generator[Event, None, int]:
    """Verify the inverse against the text, on the card; return the number of runs of the last column.

    Raises:
        SelfCheckFailed: the inverse is not the text.
    """
    card = steps.card
    steps.kernel = CHECK
    totals = card.zeros(2, np.uint32)
    try:
        back = yield from invert_on_card(steps, sorting.last, sorting.primary)
    except InvalidTransform:
        raise wrong(text.size, sorting.strategy) from None
    yield from steps.run("bwt_text.cu", "count_differences", text.size, back, text, totals[:1])
    yield from steps.run("bwt_text.cu", "count_runs", text.size, sorting.last, totals[1:])
    n_wrong, n_runs = card.download(totals)
    if n_wrong:
        raise wrong(text.size, sorting.strategy)
    return int(n_runs)
