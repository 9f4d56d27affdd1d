"""GenBank, EMBL and UniProt text: keyword lines, feature table, grouped letters.

Letters are read here in chunks; Biopython reads the locations and qualifiers of features.
"""

from __future__ import annotations

import re
import warnings
from array import array
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count, number
from wavediff.core.reading.features import FeatureProblems, FeatureTable, feature_name
from wavediff.core.reading.formats import Reading
from wavediff.core.reading.letters import GAPS, IS_SEQUENCE, LetterBuffer, freeze_base
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.load import Load, Loading
from wavediff.core.sequences.sequence import Alphabet
from wavediff.core.sequences.spans import CODING, OPEN_START

MAX_LINE = 1 << 20  # bytes; those of the formats have some 80
_BEGIN = re.compile(rb"\s*(?:GB\w+\.SEQ [^>]*?\n)?(?:LOCUS {2,}\S|ID {3}\S[^\n]*(?:;|\Z))")
_WORD = re.compile(rb"(\S+)(?: +(.*))?")
_LENGTH = re.compile(rb"\b(\d{1,15}) *(bp|rc|aa|BP|AA)\b")
_UNIPROT_ID = re.compile(rb"ID {3}\S+ +(?i:(?:un)?reviewed|standard|preliminary); +(?:PRT; +)?\d+ AA\.")
_OLD_UNIPROT = re.compile(r"([<>?]?\d+|\?) +([<>?]?\d+|\?)(?: +(.*))?")  # before 2019: from, to, description
_SEQUENCE = IS_SEQUENCE.nonzero()[0].astype(np.uint8).tobytes()
_DIGITS, _COMPLETE = 15, "a record ends with a line '//'"


def is_flat_file(head: bytes) -> bool:
    return _BEGIN.match(head) is not None


def read_flat_file(texts: Iterator[bytes], lines: TextPieces, how: Reading, notices: list[Notice]) -> Loading:
    """Return the ``Load``; yield after each chunk.

    Raises:
        InputError: a truncated record, an invalid letter or line number, or no letters.
    """
    records, rest = _Records(how.source, how.size), b""
    for piece in chain(texts, (b"\n",)):
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            records.feed(line)
        if len(rest) > MAX_LINE:
            raise records.refusal(f"a line of over {number(MAX_LINE)} bytes", "lines have some 80 letters")
        yield
    return records.load([*notices, *lines.notices], how)


class _Records:
    def __init__(self, source: str, size: int) -> None:
        from Bio.GenBank.Scanner import InsdcScanner
        from Bio.SeqFeature import AfterPosition, BeforePosition, Location

        self._scan: Any = InsdcScanner().parse_feature
        self._location: Any = Location.fromstring
        self._open_edges = AfterPosition, BeforePosition  # <1 and >206
        self._source, self._letters, self._at = source, LetterBuffer(size), 0
        self._headers, self._starts, self._header_starts = bytearray(), array("q", [0]), array("q", [0])
        self._spans: dict[int, Any] = {}
        self._circular, self._proteins, self._contigs = set[int](), 0, 0
        self._problems, self._lengths = FeatureProblems(), list[str]()
        self._open, self.format = False, ""

    @property
    def _n(self) -> int:
        return len(self._starts) - 1

    def feed(self, line: bytes) -> None:
        """Parse a line without its end; raise InputError if it is invalid."""
        self._at += 1
        if not line or line.isspace():
            return
        if line.startswith(b"//"):
            if self._open:
                self._end_record()
        elif self._in_letters and line[:1] in b" \t0123456789":
            self._add_letters(line)
        elif self._in_table and line[:1] == b" ":
            self._add_to_table(line[5:])
        else:
            self._add_header(line)

    _in_letters = _in_table = False
    _word = b""
    _names: dict[bytes, bytes]

    def _add_header(self, line: bytes) -> None:
        match = _WORD.match(line)  # a line without a word goes on with the one before
        word, text = (self._word, line.strip()) if match is None else (match[1], (match[2] or b"").strip())
        if word in (b"LOCUS", b"ID"):
            if self._open:
                raise self.refusal("another record begins in this one", _COMPLETE)
            self._begin_record(line, text)
        elif not self._open:
            return  # what the files of a release begin with
        elif word == b"FT":
            self._add_to_table(line[5:])
        elif word in (b"DEFINITION", b"DE"):
            self._title.append(text)
        elif word in (b"ACCESSION", b"AC", b"VERSION", b"SV"):
            self._names.setdefault(word, (text.replace(b";", b" ").split() or [b""])[0])
        elif word in (b"CONTIG", b"CO"):
            self._contig = True
        self._in_table = word == b"FEATURES"
        self._in_letters = word in (b"ORIGIN", b"SQ")
        self._word = word

    def _begin_record(self, line: bytes, text: bytes) -> None:
        self._open, self._title, self._contig, self._feature = True, list[bytes](), False, list[str]()
        fields, length = text.replace(b";", b" ; ").split(), _LENGTH.search(text)
        self._names = {b"ID": fields[0] if fields else b""}
        if line.startswith(b"LOCUS"):
            self.format = "GenBank"
        else:
            self.format = "UniProt" if _UNIPROT_ID.match(line) else "EMBL"
            if fields[2:3] == [b"SV"]:
                self._names[b"SV"] = self._names[b"ID"] + b"." + fields[3] if len(fields) > 3 else b""
        self._is_circular = b"circular" in fields[2:]
        self._declared = int(length[1]) if length else None
        self._is_protein = length is not None and length[2].lower() == b"aa"
        self._table = FeatureTable(self._attributes)

    def _add_letters(self, line: bytes) -> None:
        fields, before = line.split(), self._letters.size - self._starts[-1]
        at_begin = fields[0].isdigit()
        if at_begin and len(fields) == 1:
            return
        said = int(fields.pop(0 if at_begin else -1)[:_DIGITS]) if at_begin or fields[-1].isdigit() else None
        letters = b"".join(fields)
        if odd := letters.translate(None, _SEQUENCE):
            column = line.index(odd[:1]) + 1
            problem = f"the byte 0x{odd[0]:02X}" if odd[0] > 126 else f"the character '{odd[:1].decode()}'"
            raise self.refusal(f"{problem} among letters", "letters, '*', '-' and '.' are expected", column)
        right = before + 1 if at_begin else before + len(letters)
        if said is not None and said != right:
            which = "first" if at_begin else "last"
            raise self.refusal(
                f"the line has the number {number(said)}", f"its {which} letter is number {number(right)}"
            )
        self._letters.append(letters.translate(None, GAPS).upper() if said is None else letters.upper())

    def _add_to_table(self, content: bytes) -> None:
        """Parse a line of the feature table without its first five characters."""
        text = content.decode("utf-8", "backslashreplace")
        if text[:1].strip():
            self._end_feature()
            self._line = self._at
        if self._feature or text[:1].strip():
            self._feature.append(text)

    def _end_feature(self) -> None:
        if not self._feature:
            return
        (key, _, first), rest = self._feature[0].partition(" "), [line.strip() for line in self._feature[1:]]
        old = _OLD_UNIPROT.fullmatch(first.strip())
        texts = [first.strip(), *rest]
        if old is not None:
            note, _, number_of_it = " ".join([old[3] or "", *rest]).strip().partition("/FTId=")
            texts = [f"{old[1]}..{old[2]}", f'/note="{note.strip()}"', f'/id="{number_of_it.rstrip(".")}"']
        self._feature = []
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Biopython warns of what it mends
                _, place, qualifiers = self._scan(key, texts)
                location = self._location(place, self._declared, self._is_circular, not self._is_protein)
            named = _joined(qualifiers)
            parts = [(int(one.start), int(one.end), one.strand or 0) for one in location.parts if one.ref is None]
            edge = location.parts[0].end if parts and parts[0][2] < 0 else location.parts[0].start
            texts += [f"/{OPEN_START}"] * (key == CODING and isinstance(edge, self._open_edges))
        except Exception as error:  # of any kind, as hostile texts have it
            reason = printable(str(error).splitlines()[0] if str(error) else type(error).__name__, 80)
            first = f"{printable(key, 40)} in line {number(self._line)} ({reason})"
            self._problems.add("left out that cannot be read", first)
            return
        self._table.add(key, feature_name(key, named), parts, "\n".join(texts), self._line)

    def _attributes(self, text: str) -> Mapping[str, str]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _joined(self._scan("", text.split("\n"))[2])

    def _end_record(self) -> None:
        self._end_feature()
        n, k = self._letters.size - self._starts[-1], self._n
        name = self._name()
        if self._declared not in (None, n) and n:
            said = f"record {k + 1:,} '{printable(name.decode('utf-8', 'backslashreplace'), 40)}'"
            self._lengths.append(f"{said} names {count(self._declared or 0, 'letter', 'letters')} and has {number(n)}")
        if spans := self._table.spans(n, circular=self._is_circular, problems=self._problems):
            self._spans[k] = spans
        if self._is_circular:
            self._circular.add(k)
        self._proteins += self._is_protein
        self._contigs += self._contig and not n
        self._headers += b"%b %b" % (name or b"record_%d" % (k + 1), b" ".join(self._title).rstrip(b".")) + b"\n"
        self._header_starts.append(len(self._headers))
        self._starts.append(self._letters.size)
        self._open = self._in_letters = self._in_table = False

    def _name(self) -> bytes:
        named = self._names.get
        name = named(b"VERSION") or named(b"SV") or named(b"ACCESSION") or named(b"AC") or self._names[b"ID"]
        return name if name.strip(b".") else self._names[b"ID"]

    def load(self, notices: list[Notice], how: Reading) -> Load:
        """Return the records; raise InputError if the last one is truncated or has no letters."""
        if self._open:
            n = self._letters.size - self._starts[-1]
            if self._declared != n or not n:
                of = f" of {number(self._declared)}" if self._declared is not None else ""
                raise self.refusal(f"the file is cut off: the record has {number(n)}{of} letters", _COMPLETE)
            self._end_record()
        if not self._letters.size:
            right = "download the whole record, with its letters" if self._contigs else "letters follow ORIGIN or SQ"
            raise InputError(
                self._source, f"no sequence in the file: {count(self._n, 'record', 'records')}, no letters", right
            )
        if self._lengths:
            more = f" (and {number(len(self._lengths) - 1)} more)" if len(self._lengths) > 1 else ""
            notices.append(Notice(NoticeKind.HEADERS, self._lengths[0] + more))
        return Load(
            source=self._source,
            format=self.format,
            letters=freeze_base(self._letters.assemble()),
            starts=np.frombuffer(self._starts, np.int64),
            headers=bytes(self._headers),
            header_starts=np.frombuffer(self._header_starts, np.int64),
            notices=(*notices, *self._problems.notices()),
            alphabet=how.alphabet or (Alphabet.PROTEIN if self._proteins == self._n else None),
            fallback=how.fallback,
            spans=self._spans,
            circular=frozenset(self._circular),
        )

    def refusal(self, problem: str, right: str, column: int | None = None) -> InputError:
        name = self._name().decode("utf-8", "backslashreplace") if self._open else ""
        record = (self._n + 1, name) if self._open else None
        return InputError(self._source, problem, right, record=record, line=self._at, column=column)


def _joined(qualifiers: list[tuple[str, str | None]]) -> dict[str, str]:
    """Return qualifiers by name, unquoted; repeated ones are joined by commas."""
    by_key = dict[str, str]()
    for key, raw in qualifiers:
        value = (raw or "").replace("\n", "" if key == "translation" else " ")
        value = (value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value).replace('""', '"')
        by_key[key] = f"{by_key[key]}, {value}" if by_key.get(key) and value else by_key.get(key) or value
    return by_key
