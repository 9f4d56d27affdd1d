"""``search``: find all occurrences of patterns in one file, by the same job as the window."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_files, read_record, report_notices
from wavediff.app.commands.options import cluster_of
from wavediff.app.commands.search_query import (
    ERRORS,
    FOUND,
    NOT_FOUND,
    check,
    hit_lines,
    pattern_lines,
    patterns_of,
    query_of,
)
from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import count_noun, printable
from wavediff.core.base.numbers import count, rate
from wavediff.core.export.hits import SearchAnswer, has_sizes, hits_tsv
from wavediff.core.export.registry import SEARCH, TIMINGS
from wavediff.core.jobs.search import MAX_HITS, SearchedRecords, SearchJob, SearchResult
from wavediff.core.run.search_file import all_records, search_job
from wavediff.core.sequences.sequence import Alphabet

if TYPE_CHECKING:
    from wavediff.core.reading import Load


def run(arguments: argparse.Namespace) -> int:
    """Return the exit code: 0 if there are hits, else 1."""
    check(arguments)
    if len(arguments.files) > 1 or os.path.isdir(arguments.files[0]) or arguments.scheduler is not None:
        from wavediff.app.commands import search_files

        return search_files.run(arguments)
    cluster_of(arguments)  # refuses files for TLS without one
    (file,) = arguments.files
    inputs = (file, *([] if arguments.patterns is None else [arguments.patterns]))
    command = Command(arguments, (*SEARCH, TIMINGS), inputs)
    with command.working():
        patterns = patterns_of(command)
        (load,) = read_files(command, file, counted=False)
        text, records, alphabet = _records(command, load, arguments.record)
        if arguments.record is None and load.n_records > 1 and not arguments.quiet:
            report_notices(command, load.with_record_notices(), load)
        query, limit = query_of(command, patterns), arguments.limit or MAX_HITS
        plan = search_job(text, records, alphabet, query, limit, arguments.threads)
        result: SearchResult = plan.found(command.run(plan.job, command.device))
        timings = tuple(command.reporter.timings)
        job = replace(plan.job, patterns=plan.patterns, starts=plan.starts)
        answer = SearchAnswer(result.hits, plan.patterns, records, arguments.edits, job, result, timings)
        command.write(answer)
    if result.message:
        command.reporter.notice(f"{result.message}; try a larger --limit")
    rows = islice(hits_tsv(answer), 1, None)  # without the header
    lines = hit_lines(rows, query, len(result.hits), sizes=has_sizes(plan.patterns))
    command.tell(chain(lines, _summary(job, result, load, verbose=arguments.verbose)))
    return FOUND if len(result.hits) else NOT_FOUND


def _records(command: Command, load: Load, wanted: str | None) -> tuple[Letters, SearchedRecords, Alphabet]:
    if wanted is None and (load.n_records > 1 or load.alphabet is Alphabet.TEXT):
        return all_records(load)
    one = read_record(command, load, wanted, "--record ")
    return one.letters, SearchedRecords.of_sequences(one), one.alphabet


def _summary(job: SearchJob, result: SearchResult, load: Load, *, verbose: bool) -> list[str]:
    hits = f"{count_noun(len(result.hits), 'hit')} of {count_noun(len(job.patterns), 'pattern')}"
    speed = f", {rate(8 * result.n_letters / result.wall_seconds / 1e9)} Gbit/s" if result.wall_seconds > 0 else ""
    errors = f", up to {count(job.errors, *ERRORS[job.edits])}" if job.errors else ""
    rule = "case ignored" if job.fold_case else "case counts"
    n_records = job.starts.size - 1 if job.starts is not None else 1
    records = count_noun(n_records, "record")
    lines = [f"{printable(load.source)}: {count_noun(result.n_letters, 'letter')} in {records}"]
    lines += pattern_lines(job.patterns, result.counts)
    lines.append(f"{hits} ({job.rule} letters, {rule}{errors})")
    if verbose:
        lines.append(f"strategy: {result.strategy} ({result.reason})")
        lines.append(f"time: {result.wall_seconds:.3f} s on {result.device}{speed}")
    return lines
