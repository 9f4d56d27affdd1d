"""Planning of a search, and the search of one file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import InputError, printable
from wavediff.core.export.hits import FoundHits, has_sizes, hits_tsv
from wavediff.core.export.registry import HITS, of_id
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.read import ReadJob
from wavediff.core.jobs.search import SearchedRecords, SearchJob, SearchResult
from wavediff.core.jobs.search_files import FileFound, FileQuery
from wavediff.core.reading.load import Load
from wavediff.core.run.runner import Report, ignore_event, run_job
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.pattern_list import BETWEEN, Pattern
from wavediff.core.sequences.searched_text import searched_characters, searched_letters
from wavediff.core.sequences.sequence import Alphabet

MAX_PRODUCT = 10_000  # letters of the product of two primers


@dataclass(frozen=True, slots=True, eq=False)
class PlannedSearch:
    """Search with patterns and text changed for the kernels; maps its hits to the given patterns and text.

    Attributes:
        job: the job to run.
        patterns: patterns to which the hits of ``found`` refer.
        pairs: by number of the primer pair, the numbers of its two primers in ``job``.
        starts, circles: start of each record, int64; whether each is circular, bool.
    """

    job: SearchJob
    patterns: tuple[Pattern, ...]
    pairs: dict[int, int]
    starts: Counts
    circles: npt.NDArray[np.bool_]

    def found(self, result: SearchResult) -> SearchResult:
        """Return the result with positions in the given text; a hit across a circle's origin ends past its record."""
        hits = self.placed(result.hits)
        if self.pairs:
            primers = np.isin(hits.pattern, [*self.pairs, *self.pairs.values()])
            products = [self._products(hits, *pair) for pair in self.pairs.items()]
            hits = Hits.joined([hits.take(np.flatnonzero(~primers)), *products])
            hits = hits.take(np.lexsort((hits.strand, hits.pattern, hits.end, hits.start)))
        counts = hits.counts(len(self.patterns))
        return replace(result, hits=hits, counts=counts, n_letters=int(self.starts[-1]))

    def placed(self, hits: Hits) -> Hits:
        """Map hits to coordinates of their records."""
        if not self.circles.any():
            return hits
        assert self.job.starts is not None
        record = self._records(self.job.starts, hits.start)
        at, n = hits.start - self.job.starts[record], np.diff(self.starts)[record]
        there = np.flatnonzero((at < n) & (hits.length <= n))
        return Hits(hits.pattern, hits.strand, self.starts[record] + at, hits.length, hits.cost).take(there)

    def _products(self, hits: Hits, forward: int, reverse: int) -> Hits:
        """Return the PCR products: both primers and the sequence between them."""
        made, lengths = [], np.diff(self.starts)
        for first, second, strand in ((forward, reverse, 1), (reverse, forward, -1)):
            left = hits.take(np.flatnonzero((hits.pattern == first) & (hits.strand >= 0)))
            right = hits.take(np.flatnonzero((hits.pattern == second) & (hits.strand <= 0)))
            of = self._records(self.starts, right.start)
            again = np.flatnonzero(self.circles[of])  # on a circle, also one turn further on
            which = np.concatenate([np.arange(len(right)), again])
            ends = right.end[which] + np.repeat([0, 1], [len(right), again.size]) * lengths[of[which]]
            order = np.argsort(ends, kind="stable")
            which, ends = which[order], ends[order]
            low, high = np.searchsorted(ends, left.end), np.searchsorted(ends, left.start + MAX_PRODUCT, "right")
            i = np.repeat(np.arange(len(left)), np.maximum(high - low, 0))
            j = np.concatenate([np.empty(0, np.int64), *map(np.arange, low, high)])
            sizes, record = ends[j] - left.start[i], self._records(self.starts, left.start[i])
            fits = (record == of[which[j]]) & (sizes <= lengths[record]) & (sizes >= right.length[which[j]])
            i, j, sizes = i[fits], which[j[fits]], sizes[fits]
            pattern, strands = np.full(i.size, forward), np.full(i.size, strand)
            made.append(Hits(*map(np.asarray, (pattern, strands, left.start[i], sizes, left.cost[i] + right.cost[j]))))
        return Hits.joined(made)

    @staticmethod
    def _records(starts: Counts, places: Counts) -> Counts:
        numbers: Counts = np.searchsorted(starts, places, "right") - 1
        return numbers


def planned(job: SearchJob, circles: npt.NDArray[np.bool_]) -> PlannedSearch:
    """Return the planned ``job``: pairs of primers (``FORWARD..REVERSE``) and circular records resolved.

    Raises:
        InputError: a pair lacks a primer.
    """
    assert job.starts is not None
    patterns, pairs, starts, text = job.patterns, dict[int, int](), job.starts, job.text
    searched = [*patterns]
    for k, pattern in enumerate(patterns):
        if pattern.is_pair:
            forward, reverse = pattern.letters.split(BETWEEN, 1)
            if not forward or not reverse:
                raise pattern.refused("lacks a primer", "FORWARD..REVERSE")
            searched[k], pairs[k] = replace(pattern, letters=forward), len(searched)
            searched.append(replace(pattern, letters=reverse))
    if circles.any():
        more = max(len(one.letters) for one in searched) + job.errors - 1
        parts = [text[low:high] for low, high in pairwise(starts)]
        for k in np.flatnonzero(circles).tolist():
            parts[k] = np.resize(parts[k], len(parts[k]) + min(more, len(parts[k])))
        text, starts = np.concatenate(parts), np.cumsum([0, *map(len, parts)])
    planned = replace(job, text=text, starts=starts, patterns=tuple(searched))
    return PlannedSearch(planned, patterns, pairs, job.starts, circles)


SHOWN = "shown"  # id of the lines of hits that are shown


def all_records(load: Load) -> tuple[Letters, SearchedRecords, Alphabet]:
    """Return the text to search in a file, and its alphabet (that of the longest record)."""
    alphabet = load.alphabet or load.sequence(int(load.lengths.argmax())).alphabet
    starts = np.asarray(load.starts)
    records = SearchedRecords(
        starts, load.name, lambda k: load.letters[starts[k] : starts[k + 1]], load.characters, load.circular
    )
    return load.letters, records, alphabet


def search_job(
    text: Letters, records: SearchedRecords, alphabet: Alphabet, query: FileQuery, limit: int, threads: int
) -> PlannedSearch:
    """Return the search of ``text`` for the patterns of ``query``, encoded like the text."""
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
    """Search the file at ``path``, reported as ``source``; return the error if it cannot be searched.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    nothing = np.zeros(len(query.patterns), np.int64)
    try:
        read = ReadJob(path=path, read_as=query.read_as, encoding=query.encoding, counted=False)
        load: Load = run_job(read, report=report, cancel=cancel)
    except InputError as error:
        refusal = InputError(
            source, error.found, error.expected, record=error.record, line=error.line, column=error.column
        )
        return FileFound(source=source, counts=nothing, error=str(refusal))
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
        lengths=tuple(one.n_letters for one in plan.patterns),
        complete=result.complete,
        lines=lines,
        device=result.device,
    )
