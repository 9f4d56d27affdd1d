"""``search``: patterns and a file in, every occurrence out; the same job as in the window."""

from __future__ import annotations

import argparse
import os
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from wavediff.app.commands.cluster import cluster_of
from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import pick, read_files
from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import InputError, WavediffError, count_noun, printable
from wavediff.core.export.hits import SearchAnswer
from wavediff.core.export.registry import SEARCH, TIMINGS
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.read import ReadPatternsJob
from wavediff.core.jobs.search import MAX_ERRORS, MAX_HITS, SearchedRecords, SearchJob, SearchResult
from wavediff.core.jobs.search_files import FileQuery
from wavediff.core.run.search_file import all_records, search_job
from wavediff.core.sequences.letter_rules import CaseRule
from wavediff.core.sequences.pattern_list import Pattern, read_list
from wavediff.core.sequences.sequence import Alphabet

if TYPE_CHECKING:
    from wavediff.core.reading import Load

FOUND, NOT_FOUND = 0, 1
SHOWN = 20  # patterns counted in the summary


def run(arguments: argparse.Namespace) -> int:
    """Return 0 when anything was found, else 1.

    Raises:
        Cancelled: Ctrl+C or a request to end.
        WavediffError: whatever stands in the way, in one line.
    """
    _check(arguments)
    if len(arguments.files) > 1 or os.path.isdir(arguments.files[0]) or arguments.scheduler is not None:
        many: int = import_module("wavediff.app.commands.search_files").run(arguments)
        return many
    cluster_of(arguments)  # refuses files for TLS without one
    (file,) = arguments.files
    inputs = (file, *([] if arguments.patterns is None else [arguments.patterns]))
    command = Command(arguments, (*SEARCH, TIMINGS), inputs)
    with command.working():
        patterns = patterns_of(command)
        (load,) = read_files(command, file, counted=False)
        text, records, alphabet = _records(load, arguments.record)
        query, limit = query_of(command, patterns), arguments.limit or MAX_HITS
        job = search_job(text, records, alphabet, query, limit, arguments.threads)
        result: SearchResult = command.run(job, command.device)
        timings = tuple(command.reporter.timings)
        command.write(SearchAnswer(result.hits, job.patterns, records, arguments.edits, job, result, timings))
    if result.message:
        command.reporter.note(result.message)
    command.tell(_summary(job, result, load))
    return FOUND if len(result.hits) else NOT_FOUND


def _check(arguments: argparse.Namespace) -> None:
    if arguments.patterns is None and not arguments.pattern:
        raise WavediffError("nothing to search for: give --patterns FILE or --pattern LETTERS (see search --help)")
    if arguments.k > MAX_ERRORS:
        raise WavediffError(f"-k {arguments.k}: at most {MAX_ERRORS} errors can be allowed")
    if (arguments.edits or arguments.mismatches) and not arguments.k:
        raise WavediffError("--edits and --mismatches go with -k N, the number of errors allowed")


def patterns_of(command: Command) -> tuple[Pattern, ...]:
    arguments = command.arguments
    found: tuple[Pattern, ...] = ()
    if arguments.patterns is not None:
        command.reporter.reading(arguments.patterns)
        found = command.run(ReadPatternsJob(path=arguments.patterns))
    for number, one in enumerate(arguments.pattern or [], 1):
        source = f"--pattern {number}"
        letters = one.encode("utf-8", "surrogateescape")
        if not letters.strip():
            raise InputError(source, "the pattern is empty", "at least one letter is needed")
        found += tuple(Pattern(each.letters, each.name, source) for each in read_list(letters, source))
    return found


def _records(load: Load, wanted: str | None) -> tuple[Letters, SearchedRecords, Alphabet]:
    """Return what is searched, and what its letters are."""
    if wanted is None:
        return all_records(load)
    one = pick(load, wanted, "--record")
    whole = SearchedRecords(np.array([0, len(one)]), lambda _: one.name, lambda _: one.letters, one.characters)
    return one.letters, whole, one.alphabet


def query_of(command: Command, patterns: tuple[Pattern, ...], outputs: tuple[str, ...] = ()) -> FileQuery:
    """Return what is looked for, and how."""
    arguments = command.arguments
    return FileQuery(
        patterns=patterns,
        alphabet=arguments.alphabet,
        case=CaseRule(arguments.case),
        both_strands=arguments.both_strands,
        errors=arguments.k,
        edits=arguments.edits,
        layout=SearchLayout(arguments.layout),
        read_as=command.read_as[0],
        outputs=outputs,
        device=command.device,
    )


def _summary(job: SearchJob, result: SearchResult, load: Load) -> list[str]:
    found = f"{count_noun(len(result.hits), 'hit')} of {count_noun(len(job.patterns), 'pattern')}"
    speed = f", {8 * result.n_letters / result.wall_seconds / 1e9:,.2f} Gbit/s" if result.wall_seconds > 0 else ""
    errors = f", up to {job.errors} {'edits' if job.edits else 'mismatches'}" if job.errors else ""
    rule = "case ignored" if job.fold_case else "case counts"
    n_records = job.starts.size - 1 if job.starts is not None else 1
    records = f"{n_records:,} record{'s' if n_records != 1 else ''}"
    lines = [f"{printable(load.source)}: {result.n_letters:,} letters in {records}"]
    most = np.argsort(-result.counts, kind="stable")[:SHOWN].tolist()
    lines += [f"{result.counts[k]:>12,}  {printable(job.patterns[k].name, 60)}" for k in most]
    if len(job.patterns) > SHOWN:
        lines.append(f"         ...  {len(job.patterns) - SHOWN:,} more patterns")
    lines.append(f"{found} ({job.rule} letters, {rule}{errors})")
    lines.append(f"strategy: {result.strategy} ({result.reason})")
    lines.append(f"time: {result.wall_seconds:.3f} s on {result.device}{speed}")
    return lines
