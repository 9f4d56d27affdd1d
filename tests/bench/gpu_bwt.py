"""The transform and its inverse on a graphics card, beside Yamanaka's quicksort there and the CPU twin.

Times are from host to host: both transfers are in them. The paper's kernels are as published, a letter a level, and
compared without the check that follows all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import Cancelled
from wavediff.core.jobs.bwt import BwtJob, InverseBwtJob
from wavediff.core.jobs.bwt_result import BwtResult, InverseBwtResult
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.run.dispatch import gpu_obstacle, graphics_card
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.bwt_texts import dna, repeats, sources, words
from wavediff.tests.bench.letters import fibonacci, frozen

QUICK, LONG = 10_000_000, 100_000_000  # letters
ROUNDS = 3
MAX_PAPER_SECONDS = 3  # seconds for the paper's kernels, which long repeats take for ever


@dataclass(frozen=True, slots=True)
class Row:
    """One text: seconds of the transform without its check and with it, and of others.

    Attributes:
        paper: without the check; None where not run, or stopped after ``MAX_PAPER_SECONDS``.
    """

    what: str
    n: int
    sorting: float
    whole: float
    paper: float | None
    cpu: float
    agrees: bool


def table(quick: bool, unit: Callable[[float], str]) -> bool:
    """Print the table, or nothing where there is no card; returns whether all answers were equal."""
    card = graphics_card()
    if gpu_obstacle(BwtJob) is not None or card is None:
        return True
    heads = f"{'sorting':>11} {'GB/s':>6} {'checked too':>11} {'GB/s':>6}"
    heads += "".join(f"   {name:>11} {'ratio':>6}" for name in ("Yamanaka", "CPU twin"))
    print(f"\n{f'transform on {card.name}, host to host':48} {heads}  answers")
    fine = True
    for row in rows(quick):
        line = f"{row.what:48}"
        for seconds in (row.sorting, row.whole):
            line += f" {unit(seconds):>11} {row.n / seconds / 1e9:6.2f}"
        for other, ours in ((row.paper, row.sorting), (row.cpu, row.whole)):
            line += " " * 21 if other is None else f"   {unit(other):>11} {other / ours:6.1f}"
        if row.paper is None and not row.what.startswith("inverse"):
            line += f"  Yamanaka stopped after {MAX_PAPER_SECONDS} s"
        print(f"{line}  {'equal' if row.agrees else 'DIFFERENT'}", flush=True)
        fine &= row.agrees
    return fine


def rows(quick: bool) -> Iterator[Row]:
    """Yield a row for each text, then for the inverse."""
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
        others = (best,) if paper is None else (best, paper)
        agrees = all(np.array_equal(one.last, cpu.last) and one.primary == cpu.primary for one in others)
        what, as_published = f"{name}, {text.size / 1e6:,.0f} MB", None if paper is None else _sorting(paper)
        yield Row(
            what,
            text.size,
            _sorting(best),
            best.wall_seconds,
            as_published,
            cpu.wall_seconds,
            agrees,
        )
        if name in ("random DNA", "Python sources"):
            job = InverseBwtJob(last=cpu.last, primary=cpu.primary)
            back = _best(job)
            twin: InverseBwtResult = run_job(job, device=Device.CPU)
            agrees = np.array_equal(back.text, text) and np.array_equal(twin.text, text)
            whole = back.wall_seconds
            yield Row(f"inverse, {what}", text.size, whole, whole, None, twin.wall_seconds, agrees)


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
