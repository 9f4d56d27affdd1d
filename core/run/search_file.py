"""Search of one file of many: read, searched, and its lines written, so that nothing of its letters need be kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import InputError, printable
from wavediff.core.export.hits import FoundHits, has_sizes, hits_tsv
from wavediff.core.export.registry import HITS, of_id
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.read import ReadJob
from wavediff.core.jobs.search import SearchedRecords, SearchJob, SearchResult
from wavediff.core.jobs.search_files import FileFound, FileQuery
from wavediff.core.reading.load import Load
from wavediff.core.run.planned_search import PlannedSearch, planned
from wavediff.core.run.runner import Report, ignore_event, run_job
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.searched_text import searched_characters, searched_letters
from wavediff.core.sequences.sequence import Alphabet

SHOWN = "shown"  # id of the lines of hits that are shown


def all_records(load: Load) -> tuple[Letters, SearchedRecords, Alphabet]:
    """Return what is searched in a file, and what its letters are: those of the longest record speak for all."""
    alphabet = load.alphabet or load.sequence(int(load.lengths.argmax())).alphabet
    starts = np.asarray(load.starts)
    records = SearchedRecords(
        starts, load.name, lambda k: load.letters[starts[k] : starts[k + 1]], load.characters, load.circular
    )
    return load.letters, records, alphabet


def search_job(
    text: Letters, records: SearchedRecords, alphabet: Alphabet, query: FileQuery, limit: int, threads: int
) -> PlannedSearch:
    """Return the search of ``text`` for what ``query`` asks, its patterns in the codes of the text."""
    fold_case = query.case.folds(alphabet.folds_case)
    characters = searched_characters(records.characters, query.patterns)
    circles = np.full(records.starts.size - 1, query.topology is Topology.CIRCULAR)
    circles[[*records.circular]] |= query.topology is Topology.AUTO
    job = SearchJob(
        text=searched_letters(text, records.characters, characters, fold_case),
        starts=records.starts,
        patterns=tuple(pattern.in_codes(characters or "", fold_case=fold_case) for pattern in query.patterns),
        rule=LetterRule.of(alphabet) if query.alphabet == "auto" else LetterRule(query.alphabet),
        fold_case=fold_case,
        characters=records.characters if characters is None else characters,
        both_strands=query.both_strands,
        errors=query.errors,
        edits=query.edits,
        limit=limit,
        layout=query.layout,
        threads=threads,
    )
    return planned(job, circles)


def search_file(
    path: str,
    source: str,
    query: FileQuery,
    limit: int,
    threads: int,
    report: Report = ignore_event,
    cancel: CancelToken | None = None,
) -> FileFound:
    """Search the file at ``path``, which is told of as ``source``; of one that cannot be searched it is told why.

    Raises:
        Cancelled: asked to stop.
    """
    nothing = np.zeros(len(query.patterns), np.int64)
    try:
        read = ReadJob(path=path, read_as=query.read_as, encoding=query.encoding, counted=False)
        load: Load = run_job(read, report=report, cancel=cancel)
    except InputError as error:
        told = InputError(
            source, error.found, error.expected, record=error.record, line=error.line, column=error.column
        )
        return FileFound(source=source, counts=nothing, error=str(told))
    letters, records, alphabet = all_records(load)
    try:
        plan = search_job(letters, records, alphabet, query, limit, threads)
        result: SearchResult = plan.found(run_job(plan.job, device=Device(query.device), report=report, cancel=cancel))
    except InputError as error:  # a pattern that is none in such letters
        return FileFound(source=source, counts=nothing, error=f"{printable(source)}: {error}")
    patterns = plan.patterns  # a table of many files has columns of cuts where enzymes were asked for
    if not has_sizes(query.patterns):
        patterns = tuple(replace(one, cuts=None, is_pair=False) for one in patterns)
    hits = FoundHits(result.hits, patterns, records, query.edits, source=source)
    lines = {id_: list(of_id(HITS, id_).chunks(hits)) for id_ in query.outputs}
    if query.shown:
        lines[SHOWN] = list(hits_tsv(replace(hits, hits=result.hits.take(slice(0, query.shown)))))
    for table in {"tsv", SHOWN} & {*lines}:
        del lines[table][0]  # its header
    return FileFound(
        source=source,
        counts=result.counts,
        notices=load.notices,
        n_letters=result.n_letters,
        n_records=load.n_records,
        n_hits=len(result.hits),
        complete=result.complete,
        lines=lines,
        device=result.device,
        seconds=result.wall_seconds,
    )
