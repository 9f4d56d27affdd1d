"""LCS and edit distance on a graphics card, beside the CPU twin and the kernel of Kawanami 2011 on the same machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, LcsKernel, Strategy
from wavediff.core.run.dispatch import resolve
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.measure import in_turn
from wavediff.tests.bench.on_card import best, card_for, of_kernel, timed
from wavediff.tests.bench.table import Row, show

CPU_CELLS = 1 << 36  # up to here the twin is timed too
PAPER_CELLS = 1 << 36


def table(quick: bool) -> bool:
    card = card_for(LcsJob)
    return card is None or show(card.name, rows(quick), ("CPU twin", "Kawanami"), "TCUPS", 1e12)


def rows(quick: bool) -> Iterator[Row]:
    """Yield a row for each job, largest inputs last; ``quick`` leaves out what takes over a second."""
    rng = np.random.default_rng(20)
    sizes = [1 << 17, 1 << 20, 1 << 22] + ([] if quick else [1 << 24])
    for method in ("LCS", "edit"):
        for n in sizes:
            a, b = (rng.integers(0, 4, n, np.uint8) for _ in range(2))
            yield _row(f"{method} length, random DNA 2^{n.bit_length() - 1}", _job(method, a, b, TracebackMethod.NONE))
            yield _row(
                f"{method} with path, random DNA 2^{n.bit_length() - 1}", _job(method, a, b, TracebackMethod.BLOCKS)
            )
    n = 1 << 22 if quick else 1 << 24
    a, b = (rng.integers(0, 256, n, np.uint8) for _ in range(2))
    yield _row(f"LCS length, random bytes 2^{n.bit_length() - 1}", _job("LCS", a, b, TracebackMethod.NONE))
    for n in (10**6, 10**7):
        a, b = similar(rng, n, 0.01)
        for path in (TracebackMethod.NONE, TracebackMethod.BLOCKS):
            job = EditJob(a=a, b=b, path=path)
            yield _row(f"edit {'distance' if path is TracebackMethod.NONE else 'with path'}, {n:,} at 1 %", job)
    if not quick:
        a, b = similar(rng, 10**8, 0.01)
        yield _row("edit distance, 100,000,000 at 1 %", EditJob(a=a, b=b, path=TracebackMethod.NONE))


def choices(_quick: bool) -> Iterator[Row]:
    """Yield rows of pairs for which the choice of the device matters; the remark is what is chosen."""
    rng = np.random.default_rng(21)
    for n in (31_623, 100_000, 316_228, 1_000_000):
        for share in (0.01, 0.05, 0.15):
            a, b = similar(rng, n, share)
            for path in (TracebackMethod.NONE, TracebackMethod.BLOCKS):
                job = EditJob(a=a, b=b, path=path)
                calls = [partial(run_job, job, device=device) for device in (Device.GPU, Device.CPU)]
                on_card, on_cores = (replace(one, answer=_answer(one.answer)) for one in in_turn(calls))
                what = f"edit {'distance' if path is TracebackMethod.NONE else 'with path'}, {n:,} at {share:.0%}"
                chosen = "card" if resolve(job).device is Device.GPU else "cores"
                both = {"card": on_card.best, "cores": on_cores.best}
                note = f"chosen: {chosen}, {both[chosen] / min(both.values()):.2f} of the best"
                yield Row(what, n * n, on_card, {"cores": on_cores}, note)


def similar(rng: np.random.Generator, n: int, share: float) -> tuple[Letters, Letters]:
    """Return random DNA and the same with that share of it changed: half exchanged, the rest deleted and inserted."""
    a = rng.integers(0, 4, n, np.uint8)
    kind = rng.random(n)
    b = np.where(kind < share / 2, (a + 1) % 4, a).astype(np.uint8)
    kept = np.ones(n, np.int64)
    kept[(kind >= share / 2) & (kind < 3 * share / 4)] = 0
    kept[(kind >= 3 * share / 4) & (kind < share)] = 2
    return a, np.repeat(b, kept)


def _job(method: str, a: Letters, b: Letters, path: TracebackMethod) -> Any:
    if method == "LCS":
        return LcsJob(a=a, b=b, path=path, strategy=Strategy.FULL)
    return EditJob(a=a, b=b, path=path, band=BandMode.NONE)


def _row(what: str, job: Any) -> Row:
    n_cells = int(job.a.size) * int(job.b.size)
    run_job(_small(job), device=Device.GPU)
    ours, blocks = best(3 if n_cells <= 1 << 42 else 1, job, Device.GPU, "blocks", _answer)
    peers = {}
    if n_cells <= CPU_CELLS:
        run_job(_small(job), device=Device.CPU)
        peers["CPU twin"], _ = timed(job, Device.CPU, "blocks", _answer)
    if isinstance(job, LcsJob) and n_cells <= PAPER_CELLS:
        path = TracebackMethod.NONE if job.path is TracebackMethod.NONE else TracebackMethod.HIRSCHBERG
        paper = LcsJob(a=job.a, b=job.b, path=path, kernel=LcsKernel.KAWANAMI)
        peers["Kawanami"] = [timed(paper, Device.GPU, "blocks", _answer)[0] for _ in range(2)][-1]
    return Row(what, n_cells, ours, peers, of_kernel("blocks", blocks, n_cells, 1e12, "TCUPS"))


def _small(job: Any) -> Any:
    """Return a job that compiles what ``job`` needs, of the same kind."""
    return job if job.a.size <= 1 << 20 else replace(job, a=job.a[: 1 << 17], b=job.b[: 1 << 17])


def _answer(result: Any) -> int:
    return int(result.length if isinstance(result, LcsResult) else result.distance)
