"""``compare --method swap``."""

from __future__ import annotations

import argparse

from core.errors import WavediffError
from core.jobs.pair import SwapEditJob, SwapKernel, TracebackMethod
from core.results.identity import DEFINITIONS
from core.results.statistics import measures
from core.results.swap_edit import SwapEditResult
from core.sequences.sequence import Sequence
from core.system.machine import cores


def job(a: Sequence, b: Sequence, fold_case: bool, arguments: argparse.Namespace) -> SwapEditJob:
    """See ``WindowActions``.

    Raises:
        WavediffError: what was asked for does not go together.
    """
    if arguments.blocks != (0, 0):
        raise WavediffError("--blocks goes with --method lcs or edit, not with swap")
    kernel = SwapKernel(arguments.kernel or SwapKernel.DEFAULT)
    if kernel is not SwapKernel.DEFAULT and arguments.path != TracebackMethod.NONE:
        raise WavediffError(f"--kernel {kernel} gives the distance only: '--path none' goes with it")
    if kernel is not SwapKernel.DEFAULT and arguments.swaps == "no":
        raise WavediffError(f"--swaps no: --kernel {kernel} computes with swaps only")
    return SwapEditJob(
        a=a.letters,
        b=b.letters,
        fold_case=fold_case,
        path=TracebackMethod(arguments.path),
        swaps=arguments.swaps != "no",
        kernel=kernel,
        threads=arguments.threads or cores(),
    )


def same(a: Sequence, b: Sequence, result: SwapEditResult) -> bool:
    return len(a) == len(b) and result.distance == 0


def answer(a: Sequence, b: Sequence, result: SwapEditResult) -> list[str]:
    left_out = " (swaps left out)" if result.distance_with_swaps != result.distance else ""
    lines = [f"edit distance{left_out or ' with swaps'}: {result.distance:,}"]
    if (
        result.swaps is not None
        and result.distance_without_swaps is not None
        and result.distance_with_swaps is not None
    ):
        saved = result.distance_without_swaps - result.distance_with_swaps
        lines.append(
            f"without swaps: {result.distance_without_swaps:,}; with swaps: {result.distance_with_swaps:,} "
            f"({saved:,} fewer); swaps in this alignment: {len(result.swaps):,}, letters inside them: "
            f"{int(result.swaps.between.sum()):,}"
        )
    figures = {one.key: one for one in measures(result, len(a), len(b))}
    known = [figures[key] for key in DEFINITIONS]
    return lines + [f"identity: {one.value:.2%} = {one.definition}" for one in known if one.value is not None]
