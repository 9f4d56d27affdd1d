"""``compare --method edit``."""

from __future__ import annotations

import argparse

from core.jobs.pair import BandMode, EditJob, TracebackMethod
from core.results.edit import EditResult
from core.results.identity import DEFINITIONS
from core.results.statistics import measures
from core.sequences.sequence import Sequence
from core.system.machine import cores


def job(a: Sequence, b: Sequence, fold_case: bool, arguments: argparse.Namespace) -> EditJob:
    rows, cols = arguments.blocks
    band, threshold = _band(arguments.band or BandMode.AUTO)
    return EditJob(
        a=a.letters,
        b=b.letters,
        fold_case=fold_case,
        path=TracebackMethod(arguments.path),
        band=band,
        threshold=threshold,
        block_rows=rows,
        block_cols=cols,
        threads=arguments.threads or cores(),
    )


def _band(text: str) -> tuple[BandMode, int | None]:
    return (BandMode.FIXED, int(text)) if text.isdigit() else (BandMode(text), None)


def same(a: Sequence, b: Sequence, result: EditResult) -> bool:
    return len(a) == len(b) and result.distance == 0


def answer(a: Sequence, b: Sequence, result: EditResult) -> list[str]:
    figures = {one.key: one for one in measures(result, len(a), len(b))}
    if result.exact:
        lines = [f"edit distance: {result.distance:,}, exact"]
    else:
        lines = [f"edit distance: at most {result.distance:,}, an upper bound: the band is too narrow to prove it"]
    if result.alignment is not None:
        counts = {key: figures[key].value for key in ("mismatches", "insertions", "deletions", "gap_opens")}
        lines.append(
            "edits: {mismatches:,} exchanged, {insertions:,} inserted, {deletions:,} deleted"
            " in {gap_opens:,} gaps".format(**counts)
        )
    for key in DEFINITIONS:
        one = figures[key]
        if one.value is not None:
            lines.append(f"identity: {one.value:.2%} = {one.definition}")
    if result.skips:
        lines.append(f"skipped: {_ledger(result)}")
    return lines


def _ledger(result: EditResult) -> str:
    parts = [f"{_share(one.cells / result.n_cells)} {one.reason}" for one in result.skips if result.n_cells]
    return f"{', '.join(parts)}; about {1000 * sum(one.seconds for one in result.skips):,.1f} ms saved"


def _share(part: float) -> str:
    return f"{part:.1%}" if part >= 0.001 else "under 0.1%"
