"""The transform and its inverse on a graphics card, beside Yamanaka's quicksort there and the CPU twin.

Times are from host to host: both transfers are in them. The paper's kernels are as published, a letter a level, and
compared without the check that follows all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import Cancelled
from wavediff.core.jobs.bwt import BwtJob, InverseBwtJob
from wavediff.core.jobs.bwt_result import BwtResult, InverseBwtResult
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.bwt_texts import dna, repeats, sources, words
from wavediff.tests.bench.letters import fibonacci, frozen
from wavediff.tests.bench.on_card import card_for
from wavediff.tests.bench.table import Row, once, show

QUICK, LONG = 10_000_000, 100_000_000  # letters
ROUNDS = 3
MAX_PAPER_SECONDS = 3  # seconds for the paper's kernels, which long repeats take for ever


def table(quick: bool) -> bool:
    card = card_for(BwtJob)
    return card is None or show(f"{card.name}, host to host", rows(quick), ("Yamanaka", "CPU twin"), "GB/s")


def rows(quick: bool) -> Iterator[Row]:
    """Yield two rows for each text, sorting alone and with its check, and one for the inverse of some."""
    size = QUICK if quick else LONG
    texts: list[tuple[str, Callable[[int], Letters], int]] = [
        ("random DNA", dna, size),
        ("repeats with changes", repeats, size),
        ("words", words, size),
        ("Python sources", sources, size),
        ("Fibonacci", lambda n: frozen(fibonacci(n)), size // 10),
    ]
    for name, make, n in texts:
        text = make(n)
        best = _best(BwtJob(text=text))
        paper = _patiently(BwtJob(text=text, method=BwtMethod.YAMANAKA))
        cpu: BwtResult = run_job(BwtJob(text=text), device=Device.CPU)
        same = [np.array_equal(one.last, cpu.last) and one.primary == cpu.primary for one in (best, paper or best)]
        what = f"{name}, {text.size / 1e6:,.0f} MB"
        peers = {} if paper is None else {"Yamanaka": once(_sorting(paper), same[1])}
        stopped = "" if peers else f"Yamanaka stopped after {MAX_PAPER_SECONDS} s"
        yield Row(f"sorting, {what}", text.size, once(_sorting(best)), peers, stopped)
        yield Row(
            f"transform, {what}", text.size, once(best.wall_seconds), {"CPU twin": once(cpu.wall_seconds, same[0])}
        )
        if name in ("random DNA", "Python sources"):
            job = InverseBwtJob(last=cpu.last, primary=cpu.primary)
            back = _best(job)
            twin: InverseBwtResult = run_job(job, device=Device.CPU)
            agrees = np.array_equal(back.text, text) and np.array_equal(twin.text, text)
            twins = {"CPU twin": once(twin.wall_seconds, agrees)}
            yield Row(f"inverse, {what}", text.size, once(back.wall_seconds), twins)


def _sorting(result: BwtResult) -> float:
    return float(result.wall_seconds - result.check_seconds)


def _patiently(job: BwtJob) -> BwtResult | None:
    """Return the best of some runs, None where one takes longer than ``MAX_PAPER_SECONDS``."""
    best: BwtResult | None = None
    for _ in range(ROUNDS):
        cancel = CancelToken()
        timer = threading.Timer(MAX_PAPER_SECONDS, cancel.cancel)
        timer.start()
        try:
            result: BwtResult = run_job(job, device=Device.GPU, cancel=cancel)
        except Cancelled:
            return None
        finally:
            timer.cancel()
        best = result if best is None or result.wall_seconds < best.wall_seconds else best
    return best


def _best(job: BwtJob | InverseBwtJob) -> BwtResult | InverseBwtResult:
    results = [run_job(job, device=Device.GPU) for _ in range(ROUNDS)]
    return min(results, key=lambda one: float(one.wall_seconds))
