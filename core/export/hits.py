"""Hits of a search as a table and as BED, one line per hit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.numbers import count
from wavediff.core.export.letter_fields import guarded, letters_text, word
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchedRecords, SearchJob, SearchResult
from wavediff.core.sequences.letter_text import glyph
from wavediff.core.sequences.pattern_list import Pattern

CONTEXT = 10  # letters shown on each side
STRAND = {1: "+", -1: "-", 0: "."}
_CHUNK_LINES = 1 << 12  # in a piece: some ms of work
_MAX_SHOWN_LETTERS = 200  # letters of an occurrence that are shown whole
_ESCAPE = re.compile(r"\\(?:\\|x([0-9A-F]{2}))")
_EXACT_SCORE, _ERROR_PENALTY = 1000, 100  # BED's score: of an exact hit, and less for each error, of which 8 are most


@dataclass(frozen=True, slots=True)
class FoundHits:
    """Hits with their patterns and text.

    Attributes:
        edits: whether errors include insertions and deletions.
        source: searched file, the first column in tables of several files.
    """

    hits: Hits
    patterns: tuple[Pattern, ...]
    records: SearchedRecords
    edits: bool
    source: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class SearchAnswer(FoundHits):
    """Search by one job, with its statistics."""

    job: SearchJob
    result: SearchResult
    timings: tuple[KernelTiming, ...]


def header(edits: bool, sizes: bool) -> tuple[str, ...]:
    errors = "edits" if edits else "mismatches"
    return "pattern", "strand", "record", "start", "end", errors, *(["length", "cut_after"] if sizes else []), "context"


def hits_tsv(search: FoundHits) -> Iterator[bytes]:
    """Yield a header and one line per hit, in order.

    Positions are 1-based and closed, in the record, on its forward strand. A hit across the origin of a circle ends
    before it starts; an enzyme cuts this strand after the letter ``cut_after``. The strand is ``.`` for a pattern that
    equals its reverse complement. The context has the hit in square brackets; a hit of more than 200 letters has only
    its first and last 100, with ``...`` between. Letters are written as in ``tsv``.
    """
    hits, records = search.hits, search.records
    sizes = has_sizes(search.patterns)
    yield ("\t".join(header(search.edits, sizes)) + "\n").encode("ascii")
    names = [guarded(word(one.name).encode("utf-8", "backslashreplace")) for one in search.patterns]
    strands = {strand: text.encode() for strand, text in STRAND.items()}
    file = guarded(word(search.source).encode("utf-8", "backslashreplace")) + b"\t" if search.source else b""
    for first in range(0, len(hits), _CHUNK_LINES):
        some = hits.take(slice(first, first + _CHUNK_LINES))
        record = records.of(some.start)
        columns = (some.pattern, some.strand, record, records.starts[record], some.start, some.end, some.cost)
        letters = {k: records.letters(k) for k in set(record.tolist())}
        called = {k: guarded(word(records.name(k)).encode("utf-8", "backslashreplace")) for k in letters}
        lines = []
        for pattern, strand, k, begin, start, end, cost in zip(*(column.tolist() for column in columns), strict=True):
            n, cut = letters[k].size, search.patterns[pattern].cuts
            after = start - begin + cut[strand < 0] if cut else -1
            whole = 0 < after < n or (end - begin > n and cut)  # else it cuts outside of the record
            more = b"%d\t%s\t" % (end - start, b"%d" % last_of(after, n) if whole else b"") if sizes else b""
            around = letters[k] if end - begin <= n else np.resize(letters[k], 2 * n)
            lines.append(b"%s%s\t%s\t%s\t%d\t%d\t%d\t%s%s\n" % (
                file, names[pattern], strands[strand], called[k], start - begin + 1, last_of(end - begin, n),
                cost, more, context(around, start - begin, end - begin, records.characters),
            ))  # fmt: skip
        yield b"".join(lines)


def hit_text(row: bytes, *, several: bool, errors: tuple[str, str] | None, sizes: bool = False) -> str:
    """Return a display row of the table of hits.

    Args:
        several: whether to name the pattern. errors: singular and plural noun of the errors; empty if none are allowed.
    """
    *file, pattern, strand, record, start, end, cost, around = fields = row.decode("utf-8", "replace").split("\t")
    if sizes:
        *file, pattern, strand, record, start, end, cost, length, cut, around = fields
    more = [pattern] if several else []
    more += [count(int(cost), *errors)] if errors else []
    if sizes:
        more.append(f"cut after {cut}" if cut else count(int(length), "letter", "letters"))
    shown = _ESCAPE.sub(_unescaped, around.removeprefix("'"))
    return "  ".join([f"{':'.join([*file, record])}:{start}-{end}", strand, shown, *more])


def has_sizes(patterns: Iterable[Pattern]) -> bool:
    """Return whether any pattern is a restriction site or a pair of primers."""
    return any(one.has_both_strands for one in patterns)


def last_of(end: int, n: int) -> int:
    """Return the 1-based last position of a hit; ``end`` (0-based, exclusive) is above ``n`` if it spans the origin."""
    return (end - 1) % n + 1 if end > n else end


def parts_of(start: int, end: int, n: int) -> list[tuple[int, int]]:
    """Return a hit as ranges of its record: two if it spans the origin."""
    return [(start, end)] if end <= n else [(start, n), (0, end - n)]


def _unescaped(match: re.Match[str]) -> str:
    return glyph(int(match[1], 16), "") if match[1] else "\\"


def context_letters(letters: Letters, start: int, end: int) -> tuple[tuple[Letters, ...], ...]:
    """Return the letters before, in and after a hit; a long hit is reduced to both ends."""
    hit: tuple[Letters, ...] = (letters[start:end],)
    if end - start > _MAX_SHOWN_LETTERS:
        half = _MAX_SHOWN_LETTERS // 2
        hit = letters[start : start + half], letters[end - half : end]
    return (letters[max(0, start - CONTEXT) : start],), hit, (letters[end : end + CONTEXT],)


def context(letters: Letters, start: int, end: int, characters: str = "") -> bytes:
    """Return ``before[hit]after`` as one field; the hit is ``letters[start:end]`` of its record."""
    low = max(0, start - CONTEXT)
    if end - start <= _MAX_SHOWN_LETTERS and letters.itemsize == 1:  # one look at all of it is enough for nearly all
        all_ = letters[low : end + CONTEXT].tobytes()
        if all_.isalnum():
            return b"%s[%s]%s" % (all_[: start - low], all_[start - low : end - low], all_[end - low :])
    before, hit, after = (
        b"...".join(letters_text(each, characters) for each in part) for part in context_letters(letters, start, end)
    )
    return guarded(b"%s[%s]%s" % (before, hit, after))


def hits_bed(search: FoundHits) -> Iterator[bytes]:
    """Yield BED6 lines: record, start (0-based), end, pattern, score, strand.

    The score is 1000 for an exact hit and 100 less for each error. A hit across the origin of a circle has two lines.
    """
    hits, records = search.hits, search.records
    names = [word(one.name).encode("utf-8", "backslashreplace") for one in search.patterns]
    for first in range(0, len(hits), _CHUNK_LINES):
        some = hits.take(slice(first, first + _CHUNK_LINES))
        record = records.of(some.start)
        low = records.starts[record]
        columns = (record, some.start - low, some.end - low, some.pattern, some.cost, some.strand)
        called = {k: word(records.name(k)).encode("utf-8", "backslashreplace") for k in set(record.tolist())}
        yield b"".join(
            b"%s\t%d\t%d\t%s\t%d\t%s\n" % (
                called[k], start, end, names[pattern],
                _EXACT_SCORE - _ERROR_PENALTY * cost, STRAND[strand].encode()
            )
            for k, first_, last, pattern, cost, strand in zip(*(column.tolist() for column in columns), strict=True)
            for start, end in parts_of(first_, last, int(records.starts[k + 1] - records.starts[k]))
        )  # fmt: skip
