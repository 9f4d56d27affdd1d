"""``compare --method lcs``."""

from __future__ import annotations

import argparse

from core.errors import WavediffError
from core.jobs.pair import LcsJob, LcsKernel, Strategy, SwapKernel, TracebackMethod
from core.results.lcs import LcsResult
from core.sequences.sequence import Sequence
from core.system.machine import cores

PAPER_BLOCKS = (1024, 1024)


def job(a: Sequence, b: Sequence, fold_case: bool, arguments: argparse.Namespace) -> LcsJob:
    """See ``WindowActions``.

    Raises:
        WavediffError: what was asked for does not go with the kernel asked for.
    """
    rows, cols = arguments.blocks
    if arguments.kernel == SwapKernel.PAPER_GLOBAL:
        raise WavediffError(f"--kernel {arguments.kernel} goes with --method swap, not with lcs")
    strategy, kernel = Strategy(arguments.strategy or Strategy.AUTO), LcsKernel(arguments.kernel or LcsKernel.DEFAULT)
    if kernel is LcsKernel.PAPER and strategy not in (Strategy.AUTO, Strategy.FULL):
        raise WavediffError(f"--strategy {strategy}: --kernel paper computes every cell, that is --strategy full")
    if kernel is LcsKernel.PAPER and arguments.blocks not in ((0, 0), PAPER_BLOCKS):
        raise WavediffError(f"--blocks {rows}x{cols}: the blocks of --kernel paper are 1024x1024")
    return LcsJob(
        a=a.letters,
        b=b.letters,
        fold_case=fold_case,
        path=TracebackMethod(arguments.path),
        strategy=strategy,
        kernel=kernel,
        block_rows=rows,
        block_cols=cols,
        threads=arguments.threads or cores(),
    )


def same(a: Sequence, b: Sequence, result: LcsResult) -> bool:
    return result.length == len(a) == len(b)


def answer(a: Sequence, b: Sequence, result: LcsResult) -> list[str]:
    total = len(a) + len(b)
    share = f", {2 * result.length / total:.2%} of both" if total else ""
    return [f"longest common subsequence: {result.length:,} letters{share}"]
