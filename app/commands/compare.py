"""``compare``: two files in, figures and alignments out; the same jobs as in the window."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from app.commands.inputs import read_pair
from app.commands.outputs import Outputs
from app.commands.progress import Reporter
from core import compile_cache
from core.cancel import CancelToken
from core.dispatch import Device
from core.errors import ExportError
from core.events import Event, KernelTiming
from core.jobs import LcsJob, PathMethod, Way
from core.machine import cores
from core.results.lcs import LcsResult
from core.runner import run_job
from core.sequence import Sequence


def run(arguments: argparse.Namespace) -> int:
    """Return 0 when both have the same letters under the case rule, else 1.

    Raises:
        Cancelled: Ctrl+C or a request to end.
        WavediffError: whatever stands in the way, in one line.
    """
    outputs = Outputs.of(arguments)
    if arguments.path == PathMethod.NONE and outputs.need_alignment():
        raise ExportError(f"{outputs.need_alignment()} needs the alignment, which '--path none' leaves out")
    compile_cache.prepare()
    reporter = Reporter(None if arguments.quiet else sys.stderr)
    timings: list[KernelTiming] = []

    def report(event: Event) -> None:
        if isinstance(event, KernelTiming):
            timings.append(event)
        reporter(event)

    with _interruptible() as cancel:
        a, b = read_pair(arguments, reporter, cancel)
        job = _job(a, b, arguments)
        try:
            result: LcsResult = run_job(job, device=Device(arguments.device), report=report, cancel=cancel)
        finally:
            compile_cache.seal()
            reporter.close()
        outputs.write(a, b, job, result, timings, cancel)
    if not arguments.quiet:
        _summary(a, b, job, result, sys.stderr if outputs.on_stdout else sys.stdout)
    return 0 if result.length == len(a) == len(b) else 1


def _job(a: Sequence, b: Sequence, arguments: argparse.Namespace) -> LcsJob:
    fold = {"fold": True, "exact": False, "auto": a.alphabet.folds_case and b.alphabet.folds_case}[arguments.case]
    return LcsJob(
        a=a.letters,
        b=b.letters,
        fold_case=fold,
        path=PathMethod(arguments.path),
        way=Way(arguments.way),
        threads=arguments.threads or cores(),
    )


@contextmanager
def _interruptible() -> Iterator[CancelToken]:
    """Turn the first Ctrl+C into a request that the job hears between two pieces; the second one ends at once."""
    token = CancelToken()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if token.cancelled:
            raise KeyboardInterrupt
        token.cancel()

    old: dict[signal.Signals, Any] = {}
    # Elsewhere than in the main thread whoever embeds this handles signals.
    if threading.current_thread() is threading.main_thread():
        old = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield token
        token.raise_if_cancelled()
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def _summary(a: Sequence, b: Sequence, job: LcsJob, result: LcsResult, stream: Any) -> None:
    lines = []
    for label, one in (("A", a), ("B", b)):
        lines.append(f"{label}  {one.name}: {len(one):,} letters, {one.alphabet}")
    total = len(a) + len(b)
    share = f", {2 * result.length / total:.2%} of both" if total else ""
    lines.append(f"longest common subsequence: {result.length:,} letters{share}")
    lines.append(f"way: {result.way} ({result.reason})" if result.reason else f"way: {result.way}")
    speed = f", {result.n_cells / result.wall_seconds / 1e9:,.1f} GCUPS" if result.wall_seconds > 0 else ""
    cells = f"{result.n_cells:,} cells, {result.cells:,} computed"
    lines.append(f"time: {result.wall_seconds:.3f} s on {result.device}, {cells}{speed}")
    same = len(a) == len(b) == result.length
    rule = "case ignored" if job.fold_case else "case counts"
    lines.append(f"{'the same' if same else 'different'} ({rule})")
    stream.write("\n".join(lines) + "\n")
    stream.flush()
