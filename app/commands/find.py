"""``find``: count and locate patterns by backward search."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from app.commands.files import Files
from app.commands.inputs import pick, read_files
from app.commands.interrupts import interruptible
from app.commands.kernels import prepare_kernels
from app.commands.progress import Reporter
from core.base.errors import printable
from core.base.translate import tr
from core.export.bwt import FindAnswer
from core.export.registry import FIND, TIMINGS
from core.jobs.bwt import FindJob, IndexJob, LoadBwtJob
from core.jobs.bwt_index import BwtIndex, FindResult
from core.jobs.cancel import CancelToken
from core.jobs.choices import Device
from core.reading.bwt import is_bwt
from core.run.runner import run_job
from core.sequences.common_characters import as_bytes
from core.sequences.concatenation import upper_cased
from core.sequences.letter_rules import CaseRule
from core.sequences.read_as import ReadAs

FOUND, NOTHING = 0, 1
_TOLD = 8  # positions in the summary


def run(arguments: argparse.Namespace) -> int:
    """Return 0 when a pattern was found, else 1.

    Raises:
        Cancelled: Ctrl+C or a request to end.
        WavediffError: whatever stands in the way, in one line.
    """
    files = Files.of(arguments, (*FIND, TIMINGS), (arguments.file,))
    prepare_kernels(quiet=arguments.quiet, device=arguments.device)
    reporter = Reporter(None if arguments.quiet else sys.stderr)
    patterns = tuple(os.fsencode(one) for one in arguments.patterns)
    locate = not arguments.count_only
    with interruptible() as cancel:
        try:
            job = _index_job(arguments, reporter, cancel)
            index = run_job(job, device=Device(arguments.device), report=reporter, cancel=cancel)
            asked = FindJob(index=index, patterns=patterns, locate=locate, limit=arguments.limit)
            result = run_job(asked, report=reporter, cancel=cancel)  # the device is for the index
        finally:
            reporter.close()
        files.write(FindAnswer(index, patterns, result, locate, tuple(reporter.timings)), cancel)
    if not arguments.quiet:
        files.tell(_summary(index, patterns, result))
    return FOUND if result.counts.any() else NOTHING


def _index_job(arguments: argparse.Namespace, reporter: Reporter, cancel: CancelToken) -> IndexJob:
    if arguments.format != ReadAs.BYTES and is_bwt(arguments.file):
        saved = run_job(LoadBwtJob(path=Path(arguments.file)), report=reporter, cancel=cancel)
        return IndexJob(saved=saved, every=arguments.sample_interval, threads=arguments.threads)
    (load,) = read_files(arguments, (arguments.file,), reporter, cancel)
    sequence = as_bytes(pick(load, arguments.record, "--record"), tr("positions are those of bytes, as in a file"))
    fold_case = CaseRule(arguments.case).folds(sequence.alphabet.folds_case)
    return IndexJob(
        text=upper_cased(sequence.letters) if fold_case else sequence.letters,
        name=sequence.name,
        fold_case=fold_case,
        every=arguments.sample_interval,
        threads=arguments.threads,
    )


def _shown(pattern: bytes) -> str:
    return printable(os.fsdecode(pattern))


def _summary(index: BwtIndex, patterns: tuple[bytes, ...], result: FindResult) -> list[str]:
    rule = "case ignored" if index.fold_case else "case counts"
    lines = [f"{printable(index.name)}: {index.length:,} letters ({rule})"]
    for number, (pattern, count) in enumerate(zip(patterns, result.counts, strict=True)):
        places = result.positions_of(number)
        told = ", ".join(f"{p + 1:,}" for p in places[:_TOLD].tolist())
        more = ", …" if count > min(places.size, _TOLD) else ""
        lines.append(f"{_shown(pattern)}: {count:,}" + (f" at {told}{more}" if places.size else ""))
    return lines
