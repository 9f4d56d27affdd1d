"""Feature files (GFF3, GTF, BED) that annotate the records of a FASTA file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from urllib.parse import unquote

from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count, number
from wavediff.core.reading.decompress import opened
from wavediff.core.reading.features import MAX_NAME, FeatureProblems, FeatureTable, feature_name
from wavediff.core.reading.files import RegularFile
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.load import Load, Loading
from wavediff.core.sequences.spans import CODING, OPEN_START, SpanKind

ENDINGS = (".gff3", ".gff", ".gtf", ".bed")
MAX_LINE = 1 << 20  # bytes
_SKIPPED = ("#", "track ", "browser ")
_STRANDS, _SIGNS = {"+": 1, "-": -1}, ("+", "-", ".", "?")
_GTF = re.compile(r'(\w+) (?:"([^"]*)"|(\S+?))\s*(?:;|$)')
_RIGHT = "nine columns of GFF3 or GTF, or three or more of BED, with tabs between them, are expected"


def annotations_beside(path: Path, stem: str) -> Path | None:
    """Return the feature file next to ``path`` with the same ``stem``, or None."""
    candidates = (path.with_name(f"{stem}{ending}{packed}") for ending in ENDINGS for packed in ("", ".gz"))
    return next((one for one in candidates if one != path and os.path.isfile(one)), None)


def is_annotation(path: Path) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(ENDINGS)


def require_annotated(path: str | os.PathLike[str] | None, loads: Iterable[Load]) -> None:
    """Raise an error for a feature file that names no record of ``loads``.

    Raises:
        InputError: the feature file names no record of ``loads``.
    """
    if path is not None and not any(load.annotated for load in loads):
        names = ", ".join(printable(load.name(0), MAX_NAME) for load in loads)
        raise InputError(os.fspath(path), "no feature of the records that were read", f"its lines name them: {names}")


def annotated(load: Load, path: str | os.PathLike[str]) -> Loading:
    """Return ``load`` with the features of a file; yield after each chunk.

    Raises:
        InputError: the file does not exist or is unreadable; the message names the first invalid line.
        NotEnoughMemory: larger than free memory.
    """
    with RegularFile(path) as file:
        notices, rest, found = list[Notice](), b"", _Found(load, file.source)
        _, pieces = opened(file.pieces(), file.raw, file.source, file.size, notices)
        for piece in chain(TextPieces(pieces, file.source), (b"\n",)):
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                if not found.feed(line.decode("utf-8", "backslashreplace")):
                    break
            if len(rest) > MAX_LINE:
                raise InputError(file.source, f"a line of over {number(MAX_LINE)} bytes", _RIGHT, line=found.line + 1)
            yield
        file.require_unchanged()
    return found.load(notices)


class _Found:
    """Features collected while reading; ``line``: number of the line read last."""

    def __init__(self, load: Load, source: str) -> None:
        self._load, self._source, self.line = load, source, 0
        self._records = {load.name(k): k for k in reversed(range(load.n_records))}
        self._tables = dict[int, FeatureTable]()
        self._ids = dict[tuple[int, str], tuple[int, int]]()  # of features of several lines: number, first place
        self._problems, self._circular, self._ended = FeatureProblems(), set(load.circular), False
        self._n, self._fits = 0, False

    def feed(self, line: str) -> bool:
        """Parse a line; return whether features may follow.

        Raises:
            InputError: the first line with columns is neither GFF nor BED.
        """
        self.line += 1
        self._ended = self._ended or line.startswith("##FASTA")
        if self._ended or not line.strip() or line.startswith(_SKIPPED):
            return not self._ended
        columns = line.split("\t")
        is_gff = len(columns) == 9 and columns[6] in _SIGNS
        try:
            (self._add_gff if is_gff else self._add_bed)(columns)
            self._fits = True
        except (ValueError, IndexError) as error:
            if not self._fits:
                raise InputError(self._source, "no line of features", _RIGHT, line=self.line) from error
            self._problems.add("left out that cannot be read", f"in line {number(self.line)} of {self._source}")
        return True

    def _table(self, record: str) -> tuple[int, FeatureTable] | None:
        k = self._records.get(record)
        if k is None:
            first = f"in line {number(self.line)} of {self._source}, of '{printable(record, MAX_NAME)}'"
            self._problems.add("left out of records that are not here", first)
            return None
        self._n += 1
        return k, self._tables.setdefault(k, FeatureTable(attributes))

    def _add_gff(self, columns: list[str]) -> None:
        record, _, kind, first, last, _, sign, phase, text = columns
        start, end, strand = int(first) - 1, int(last), _STRANDS.get(sign, 0)
        if start >= end:
            raise ValueError
        there = self._table(unquote(record))
        if there is None:
            return
        k, table = there
        named = attributes(text)
        if named.get("Is_circular") == "true":
            self._circular.add(k)
        at = -end if strand < 0 else start  # its letters are read from the least place on
        if kind == CODING and phase in ("1", "2"):
            sign = ' "{}"; ' if '"' in text else "={};"
            text = "codon_start" + sign.format(int(phase) + 1) + text
        if kind == CODING and ("end_range" if strand < 0 else "start_range") in named:  # as NCBI has partial ones
            text = f"{OPEN_START}=1;{text}"
        transcript = "" if kind == "transcript" else named.get("transcript_id", "")  # which GTF has on each line
        id_ = named.get("ID") or (f"{kind} {transcript}" if transcript else "")
        known = self._ids.get((k, id_)) if id_ else None
        if known is None:
            known = table.add(kind, feature_name(kind, named), ((start, end, strand),), text, self.line), at
        else:
            self._n -= 1
            table.extend(known[0], (start, end, strand), text if at < known[1] else None)
            known = known[0], min(at, known[1])
        if id_:
            self._ids[k, id_] = known

    def _add_bed(self, columns: list[str]) -> None:
        start, end = int(columns[1]), int(columns[2])
        strand = _STRANDS.get(columns[5], 0) if len(columns) > 5 else 0
        parts = [(start, end, strand)]
        if len(columns) > 11 and int(columns[9]) > 1:
            sizes, places = ([int(one) for one in column.split(",") if one] for column in columns[10:12])
            parts = [(start + at, start + at + n, strand) for at, n in zip(places, sizes, strict=True)][:: strand or 1]
        if not 0 <= start < end:
            raise ValueError
        there = self._table(columns[0])
        if there is not None:
            name = printable(columns[3], MAX_NAME) if len(columns) > 3 else ""
            score = f"score={columns[4]}" if len(columns) > 4 else ""
            there[1].add("region", name or "region", parts, score, self.line)

    def load(self, notices: list[Notice]) -> Load:
        spans = dict(self._load.spans)
        for k, table in self._tables.items():
            n, circular = int(self._load.lengths[k]), k in self._circular
            others = (one for one in spans.get(k, ()) if one.kind is not SpanKind.FEATURE)
            spans[k] = (*others, *table.spans(n, circular=circular, problems=self._problems))
        summary = Notice(NoticeKind.FEATURES, f"{count(self._n, 'feature', 'features')} of {self._source}")
        all_notices = *self._load.notices, *notices, summary, *self._problems.notices()
        circles = frozenset(self._circular)
        return replace(
            self._load, spans=spans, circular=circles, notices=all_notices, annotated=self._source if self._n else ""
        )


def attributes(text: str) -> Mapping[str, str]:
    """Parse the attributes of a GFF3 or GTF line by name, unescaped.

    >>> attributes("ID=a;Note=x%3By"), attributes('gene_id "a"; exon 2;')
    ({'ID': 'a', 'Note': 'x;y'}, {'gene_id': 'a', 'exon': '2'})
    """
    if '"' in text:
        return {key: quoted or plain for key, quoted, plain in _GTF.findall(text)}
    pairs = (one.partition("=") for one in text.split(";"))
    return {unquote(key.strip()): unquote(value.strip()).replace(",", ", ") for key, _, value in pairs if value}
