"""``search`` in many files or folders, sequentially here or by the workers of a cluster."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from wavediff.app.commands.command import Command
from wavediff.app.commands.options import cluster_of
from wavediff.app.commands.search_query import (
    ERRORS,
    FOUND,
    NOT_FOUND,
    SHOWN,
    hit_lines,
    pattern_lines,
    patterns_of,
    query_of,
)
from wavediff.core.base.errors import InputError, WavediffError, count_noun, printable
from wavediff.core.base.numbers import count
from wavediff.core.export.files_hits import FilesHits
from wavediff.core.export.hits import has_sizes
from wavediff.core.export.registry import FILES_SEARCH, HITS
from wavediff.core.jobs.events import DeviceChosen, Event
from wavediff.core.jobs.search import MAX_HITS
from wavediff.core.jobs.search_files import FileFound, SearchFilesJob, SearchFilesResult
from wavediff.core.reading.files import is_pipe, why_not_opened
from wavediff.core.run.search_file import SHOWN as SHOWN_HITS
from wavediff.core.run.search_file import search_file

TROUBLE = 2
TOLD_FILES = 5  # of a folder, that cannot be searched; JSON has all of them, and what else is to be said of each file


def run(arguments: argparse.Namespace) -> int:
    """Return the exit code: 0 if there are hits, else 1; 2 if a named file could not be searched."""
    for option, value in (("--record", arguments.record), ("--timings", arguments.timings)):
        if value is not None:
            raise WavediffError(f"{option} goes with a single file, searched on this computer")
    cluster = cluster_of(arguments)
    named = set(arguments.files)
    closed = dict[str, str]()
    folders = {name: tuple(_below(name, closed)) for name in arguments.files if os.path.isdir(name)}
    closed = {name: "no files in this folder" for name, found in folders.items() if not found} | closed
    empty = [str(InputError(*one)) for one in closed.items()]
    paths = tuple(chain.from_iterable(folders.get(name, (name,)) for name in arguments.files))
    if not paths:
        raise WavediffError("; ".join(empty))
    pipe = next(filter(is_pipe, paths if cluster is not None else ()), None)
    if pipe is not None:
        raise InputError(pipe, "this is a pipe", "the workers of a cluster read regular files")
    inputs = (*paths, *([] if arguments.patterns is None else [arguments.patterns]))
    command = Command(arguments, FILES_SEARCH, inputs)
    reporter = command.reporter
    with command.working():
        patterns = patterns_of(command)
        outputs = tuple(hit.id for hit in HITS if getattr(arguments, hit.dest) is not None)
        query, limit = query_of(command, patterns, outputs), arguments.limit or MAX_HITS
        hits = FilesHits(query, np.zeros(len(patterns), np.int64), limit, len(paths))
        trouble, left_out = bool(empty), list[str]()
        for error in empty:
            reporter.error(error)

        def take(file: FileFound) -> None:
            nonlocal trouble
            hits.take(file)
            if file.error and file.source in named:
                trouble = True
                reporter.error(file.error)
            elif file.error:
                left_out.append(file.error)
                if len(left_out) <= TOLD_FILES:
                    reporter.notice(file.error)

        start = time.perf_counter()
        try:
            if cluster is None:
                _search_here(hits, paths, take, command)
            else:
                job = SearchFilesJob(paths=paths, query=query, take=take, limit=limit, cluster=cluster)
                reporter.reading(count_noun(len(paths), "file"))
                result: SearchFilesResult = command.run(job)
                hits.device = result.device
            hits.wall_seconds = time.perf_counter() - start
            reporter.close()
            command.write(hits)
            if not hits.complete:
                more = "there may be more further on; try a larger --limit"
                reporter.notice(f"stopped at the limit of {limit:,} hits: {more}")
            lines = hit_lines(hits.lines(SHOWN_HITS), query, hits.n_hits, sizes=has_sizes(query.patterns))
            command.tell(chain(lines, _summary(hits, verbose=arguments.verbose)))
        finally:
            hits.close()
    if trouble:
        return TROUBLE
    return FOUND if hits.n_hits else NOT_FOUND


def _search_here(hits: FilesHits, paths: tuple[str, ...], take: Any, command: Command) -> None:
    def report(event: Event) -> None:
        if not isinstance(event, DeviceChosen):  # of each file
            command.reporter(event)

    for path in paths:
        left = hits.limit - hits.n_hits
        if not left:
            return
        command.reporter.reading(path)
        outcome = search_file(path, path, hits.query, left, command.arguments.threads, report, command.cancel)
        hits.device = outcome.device
        take(outcome)
        if not outcome.complete:
            return


def _below(name: str, closed: dict[str, str]) -> Iterator[str]:
    """Yield the visible files below a folder; ``closed`` collects folders that cannot be opened, with the reason."""
    for folder, below, files in os.walk(name, onerror=lambda one: closed.update({one.filename: why_not_opened(one)})):
        below[:] = sorted(one for one in below if not one.startswith("."))
        paths = (os.path.join(folder, file) for file in sorted(files) if not file.startswith("."))
        yield from (path for path in paths if not is_pipe(path))


def _summary(hits: FilesHits, *, verbose: bool) -> list[str]:
    query, searched = hits.query, [file for file in hits.files if not file.error]
    letters, records = (sum(getattr(one, name) for one in searched) for name in ("n_letters", "n_records"))
    lines = [f"{count_noun(len(searched), 'file')}: {count_noun(letters, 'letter')} in {count_noun(records, 'record')}"]
    left_out = len(hits.files) - len(searched)
    if left_out:
        lines.append(f"{count_noun(left_out, 'file')} left out")
    lines += pattern_lines(query.patterns, hits.counts)
    with_hits = sorted((one for one in searched if one.n_hits), key=lambda one: -one.n_hits)
    lines += [f"in {count_noun(len(with_hits), 'file')}:"] if with_hits else []
    lines += [f"{with_hit.n_hits:>12,}  {printable(with_hit.source)}" for with_hit in with_hits[:SHOWN]]
    if len(with_hits) > SHOWN:
        lines.append(f"         ...  {len(with_hits) - SHOWN:,} more files")
    errors = f", up to {count(query.errors, *ERRORS[query.edits])}" if query.errors else ""
    lines.append(f"{count_noun(hits.n_hits, 'hit')} of {count_noun(len(query.patterns), 'pattern')}{errors}")
    if verbose:
        lines.append(f"time: {hits.wall_seconds:.3f} s on {hits.device}")
    return lines
