"""LCS and edit distance on a graphics card, beside the CPU twin and the kernel of Kawanami 2011 on the same machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, LcsKernel, Strategy
from wavediff.core.run.dispatch import gpu_obstacle, graphics_card
from wavediff.core.run.runner import run_job

CPU_CELLS = 1 << 36  # up to here the twin is timed too
PAPER_CELLS = 1 << 36


@dataclass(slots=True)
class Row:
    """One job: seconds of its ``blocks`` and of all of it, and what others took; None where not run."""

    what: str
    cells: int
    blocks: float
    wall: float
    cpu: float | None = None
    paper: float | None = None
    agrees: bool | None = None


def table(quick: bool, unit: Callable[[float], str]) -> bool:
    """Print the table, or why there is none; returns whether all answers were equal."""
    lack, card = gpu_obstacle(LcsJob), graphics_card()
    if lack is not None or card is None:
        print(f"\ngraphics card: {lack}")
        return True
    heads = f"{'blocks':>11} {'TCUPS':>7} {'whole job':>11}"
    heads += f"   {'CPU twin':>11} {'ratio':>7}   {'Kawanami':>11} {'ratio':>7}"
    print(f"\n{card.name:44} {heads}  answers")
    fine = True
    for row in rows(quick):
        speed = row.cells / max(row.blocks, 1e-9) / 1e12
        line = f"{row.what:44} {unit(row.blocks):>11} {speed:7.1f} {unit(row.wall):>11}"
        for other in (row.cpu, row.paper):
            line += f"   {unit(other):>11} {other / row.wall:7.1f}" if other is not None else " " * 22
        verdict = "" if row.agrees is None else "equal" if row.agrees else "DIFFERENT"
        print(f"{line}  {verdict}".rstrip(), flush=True)
        fine &= row.agrees is not False
    return fine


def rows(quick: bool) -> Iterator[Row]:
    """Yield a row for each job, largest inputs last; ``quick`` leaves out what takes over a second."""
    rng = np.random.default_rng(20)
    sizes = [1 << 17, 1 << 20, 1 << 22] + ([] if quick else [1 << 24])
    for method in ("LCS", "edit"):
        for n in sizes:
            a, b = (rng.integers(0, 4, n, np.uint8) for _ in range(2))
            yield _row(f"{method} length, random DNA 2^{n.bit_length() - 1}", _job(method, a, b, TracebackMethod.NONE))
            yield _row(
                f"{method} with path, random DNA 2^{n.bit_length() - 1}",
                _job(method, a, b, TracebackMethod.BLOCKS),
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
    repeats = 3 if n_cells <= 1 << 42 else 1
    run_job(_small(job), device=Device.GPU)
    answer, blocks, wall = min((_timed(job, Device.GPU) for _ in range(repeats)), key=lambda one: one[2])
    row = Row(what, n_cells, blocks, wall)
    if n_cells <= CPU_CELLS:
        run_job(_small(job), device=Device.CPU)
        other, _, row.cpu = _timed(job, Device.CPU)
        row.agrees = other == answer
    if isinstance(job, LcsJob) and n_cells <= PAPER_CELLS:
        path = TracebackMethod.NONE if job.path is TracebackMethod.NONE else TracebackMethod.HIRSCHBERG
        paper = LcsJob(a=job.a, b=job.b, path=path, kernel=LcsKernel.KAWANAMI)
        _timed(paper, Device.GPU)
        other, _, row.paper = _timed(paper, Device.GPU)
        row.agrees = row.agrees is not False and other == answer
    return row


def _small(job: Any) -> Any:
    """Return a job that compiles what ``job`` needs, of the same kind."""
    return job if job.a.size <= 1 << 20 else type(job)(**{**_fields(job), "a": job.a[: 1 << 17], "b": job.b[: 1 << 17]})


def _fields(job: Any) -> dict[str, Any]:
    return {name: getattr(job, name) for name in type(job).__dataclass_fields__ if name != "id"}


def _timed(job: Any, device: Device) -> tuple[int, float, float]:
    """Return the answer, the seconds of the blocks, and those of the whole job without compiling."""
    seconds: list[float] = []

    def listen(event: object) -> None:
        if isinstance(event, KernelTiming) and event.kernel == "blocks":
            seconds.append(event.seconds)

    start = perf_counter()
    result = run_job(job, device=device, report=listen)
    wall = min(perf_counter() - start, result.wall_seconds)
    assert device is not Device.GPU or result.device == "gpu", "the card was not used"
    return result.length if isinstance(job, LcsJob) else result.distance, sum(seconds), wall
