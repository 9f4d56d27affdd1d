"""``compare --method lcs``."""

from __future__ import annotations

import argparse

from core.export import json
from core.jobs import LcsJob, PathMethod, Way
from core.machine import cores
from core.results.lcs import LcsResult
from core.sequence import Sequence

document = json.lcs


def job(a: Sequence, b: Sequence, fold_case: bool, arguments: argparse.Namespace) -> LcsJob:
    rows, cols = arguments.blocks
    return LcsJob(
        a=a.letters,
        b=b.letters,
        fold_case=fold_case,
        path=PathMethod(arguments.path),
        way=Way(arguments.way or Way.AUTO),
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
