"""FASTA parser in chunks, without a Python object per record or line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import InputError
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count, number
from wavediff.core.reading.letters import (
    GAPS,
    IS_GAP,
    IS_SEQUENCE,
    IS_WHITE,
    WHITE,
    Counter,
    LetterBuffer,
    freeze_base,
    gaps_dropped,
)
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.load import Load, Loading
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

ILLEGAL = re.compile(rb"[^A-Za-z*.\-\s]")
EXPECTED = "a sequence has letters, '-', '.' and '*' only"


def refuse(source: str, lines: TextPieces, piece: bytes, index: int, record: tuple[int, str]) -> InputError:
    """Return the error for ``piece[index]``, the (first) byte of an invalid character."""
    line, column = lines.place(piece, index)
    return InputError(
        source, _found(piece, index), EXPECTED, record=record, line=line, column=column, instead=ReadAs.TEXT
    )


def _found(piece: bytes, index: int) -> str:
    code = piece[index]
    if 0x30 <= code <= 0x39:
        end = piece.find(b"\n", index)
        text = piece[piece.rfind(b"\n", 0, index) + 1 : end if end >= 0 else len(piece)]
        return f"the digit {chr(code)!r}: digits are not letters{_why_digits(text)}"
    if code < 0x80:
        letter = chr(code) if code > 0x20 and code != 0x7F else f"\\x{code:02x}"
        return f"the character '{letter}'"
    for length in (2, 3, 4):
        try:
            character = piece[index : index + length].decode()
        except UnicodeDecodeError:
            continue
        name = unicodedata.name(character, "")
        return f"the character U+{ord(character):04X}{' ' + name if name else ''}"
    return f"the byte 0x{code:02X}, which is no UTF-8"


def _why_digits(line: bytes) -> str:
    if re.fullmatch(rb"[-\d\s]+", line):
        return " (a QUAL file of base qualities?)"
    if re.match(rb"\s*\d+\s", line):
        return " (lines numbered as in GenBank?)"
    return ""


LONGEST_RECORD = (1 << 31) - 1
"""Letters; positions inside a record must fit 32 bits."""

KEEP_COUNTS_FROM = 1 << 20
"""Letters; shorter records are counted again when asked for, in under 2 ms."""

_BATCH_RECORDS = 40_000
"""Records whose names are looked at in one piece of work, some 10 ms. numpy lets go of the interpreter and takes it
back in each of them: were they shorter than the interpreter's 5 ms, other threads would starve all the while."""

_MARK = ord(">")


class Fasta:
    """Incremental FASTA parser; ``finish`` returns the records.

    A piece is cut at its header lines. The sequence parts are joined with ``>`` between them, so one deletion of white
    space and one count serve all records of the piece, and the marks show their starts.

    Args:
        source: file name for errors.
        lines: source of the pieces; it returns line and column of a byte.
        capacity: expected maximum number of letters, e.g. the size of the file.
    """

    def __init__(self, source: str, lines: TextPieces, capacity: int) -> None:
        self._source, self._lines = source, lines
        self._letters = LetterBuffer(capacity)
        self._counter = Counter()
        self._headers = bytearray()
        self._starts: list[Counts] = []
        self._header_starts: list[Counts] = []
        self._n = 0
        self._open_start = 0
        self._open_counts = np.zeros(256, np.int64)
        self._counts: dict[int, Counts] = {}
        self._in_header = False
        self._blanks = 0
        self._gaps = np.zeros(256, np.int64)
        self._inside = 0
        self._inside_line = 0

    def feed(self, piece: bytes, at: int = 0) -> None:
        """Parse ``piece[at:]``; the first fed piece starts with ``>`` at ``at`` (after white space).

        Raises:
            InputError: an invalid byte, or a record too long.
        """
        cuts, ends, at = self._cut(piece, at)
        if cuts.size:
            firsts = np.concatenate(([at], ends)).tolist()
            lasts = np.concatenate((cuts, [len(piece)])).tolist()
            body = b">".join([piece[i:j] for i, j in zip(firsts, lasts, strict=True)])
        else:
            body = piece[at:] if at else piece
        clean = body.replace(b"\n", b"")
        counts = self._counter.count(clean)
        if counts[WHITE[0]] or counts[IS_WHITE].any():
            clean = clean.translate(None, WHITE)
            self._blanks += int(counts[IS_WHITE].sum())
            counts[IS_WHITE] = 0
        if counts[IS_GAP].any():
            clean = clean.translate(None, GAPS)
            self._gaps += np.where(IS_GAP, counts, 0)
            counts[IS_GAP] = 0
        counts[_MARK] -= cuts.size
        if int(counts[IS_SEQUENCE].sum()) != int(counts.sum()):
            raise self._refusal(piece, at, cuts, ends)
        self._keep(clean, counts, int(cuts.size))
        self._require_short()

    def _cut(self, piece: bytes, at: int) -> tuple[Counts, Counts, int]:
        """Return starts and ends (their LF) of headers, and where the sequence continues from ``at``."""
        none = np.empty(0, np.int64)
        if self._in_header:
            end = piece.find(b"\n", at)
            self._in_header = end < 0
            stop = len(piece) if end < 0 else end + 1
            self._headers += piece[at:stop]
            at = stop
        if piece.find(b">", at) < 0:
            return none, none, at
        array = np.frombuffer(piece, np.uint8)
        marks = np.flatnonzero(array[at:] == _MARK) + at
        line_ends = np.append(np.flatnonzero(array == 10), len(piece))
        ends = line_ends[np.searchsorted(line_ends, marks)]
        # Of several marks on one line the first opens the header, the others are part of it.
        first = np.concatenate(([True], ends[1:] != ends[:-1]))
        marks, ends = marks[first], ends[first]
        self._in_header = bool(ends[-1] == len(piece))
        self._note_inside(piece, array, marks)
        self._header_starts.append(len(self._headers) + np.cumsum(np.concatenate(([0], ends - marks)))[:-1])
        slices = zip((marks + 1).tolist(), (ends + 1).tolist(), strict=True)
        self._headers += b"".join([piece[i:j] for i, j in slices])
        return marks, ends, at

    def _note_inside(self, piece: bytes, array: Letters, marks: Counts) -> None:
        at_start = array[marks - 1] == 10
        if marks[0] == 0:
            at_start[0] = self._lines.column == 1
        for mark in marks[~at_start].tolist():
            if piece[piece.rfind(b"\n", 0, mark) + 1 : mark].strip():  # an indented header is none of these
                if not self._inside:
                    self._inside_line = self._lines.place(piece, mark)[0]
                self._inside += 1

    def _keep(self, clean: bytes, counts: Counts, n_marks: int) -> None:
        if not n_marks:
            self._letters.append(clean)
            self._open_counts += counts
            return
        marks = np.flatnonzero(np.frombuffer(clean, np.uint8) == _MARK)
        begin = self._letters.size
        self._letters.append(clean.replace(b">", b""))
        starts = begin + marks - np.arange(n_marks)
        self._open_counts += self._counter.count(clean[: int(marks[0])])
        self._close(int(starts[0]))
        self._starts.append(starts)
        self._n += n_marks
        self._open_start = int(starts[-1])
        self._open_counts = self._counter.count(clean[int(marks[-1]) + 1 :])

    def _close(self, end: int) -> None:
        if end - self._open_start >= KEEP_COUNTS_FROM and self._n:
            self._counts[self._n - 1] = self._open_counts

    def _require_short(self) -> None:
        length = self._letters.size - self._open_start
        if length > LONGEST_RECORD:
            problem = f"more than {LONGEST_RECORD:,} letters in one record"
            raise InputError(self._source, problem, "split it", record=(self._n, self._name(self._n - 1)))

    def _refusal(self, piece: bytes, at: int, cuts: Counts, ends: Counts) -> InputError:
        firsts = np.concatenate(([at], ends)).tolist()
        lasts = np.concatenate((cuts, [len(piece)])).tolist()
        for k, (i, j) in enumerate(zip(firsts, lasts, strict=True)):
            if match := ILLEGAL.search(piece, i, j):
                before = self._n + k  # headers of this piece are known already, its records are not counted yet
                return refuse(self._source, self._lines, piece, match.start(), (before, self._name(before - 1)))
        raise AssertionError("the count found a byte that the search did not")

    def _name(self, k: int) -> str:
        starts = np.concatenate(self._header_starts)
        words = bytes(self._headers[int(starts[k]) : self._headers.find(b"\n", int(starts[k]))]).split(None, 1)
        return words[0].decode("utf-8", "backslashreplace") if words else ""

    def finish(self, notices: list[Notice], fallback: str, alphabet: Alphabet | None = None) -> Loading:
        """Return the ``Load``; yield while the records are checked.

        Raises:
            InputError: no record has a letter.
        """
        if self._in_header:
            self._headers += b"\n"
        if not self._letters.size:
            problem = "no sequence in the file: there are headers, but no letter follows"
            raise InputError(self._source, problem, instead=ReadAs.TEXT)
        self._close(self._letters.size)
        starts = np.concatenate([*self._starts, [self._letters.size]])
        header_starts = np.concatenate([*self._header_starts, [len(self._headers)]])
        starts.setflags(write=False)
        header_starts.setflags(write=False)
        headers = bytes(self._headers)
        unnamed = 0
        hashes = []
        for k in range(0, self._n, _BATCH_RECORDS):
            end = min(k + _BATCH_RECORDS, self._n)
            text = headers[int(header_starts[k]) : int(header_starts[end])]
            names = [line.split(None, 1)[0] for line in text.split(b"\n") if line and not line.isspace()]
            unnamed += end - k - len(names)
            hashes.append(np.array([hash(name) for name in names], np.int64))
            yield
        # Sorting hashes, other than a set of a million names or np.unique, lets the other threads run.
        ordered = np.sort(np.concatenate(hashes))
        twice = int(np.count_nonzero(ordered[1:] == ordered[:-1]))
        report = [*notices, *self._doubts(unnamed, twice, int(np.count_nonzero(np.diff(starts) == 0)))]
        return Load(
            source=self._source,
            format="FASTA",
            letters=freeze_base(self._letters.assemble()),
            starts=starts,
            headers=headers,
            header_starts=header_starts,
            notices=tuple(report),
            counts=self._counts,
            alphabet=alphabet,
            fallback=fallback,
        )

    def _doubts(self, unnamed: int, twice: int, empty: int) -> Iterator[Notice]:
        if self._inside:
            places = "" if self._inside == 1 else f" ({number(self._inside)} such places)"
            text = f"'>' inside line {number(self._inside_line)} taken as the start of a record{places}"
            yield Notice(NoticeKind.HEADERS, f"{text}: were two files joined without a line end?")
        if self._blanks:
            blanks = count(self._blanks, "blank or tab", "blanks and tabs")
            yield Notice(NoticeKind.DROPPED, f"{blanks} inside the sequences dropped")
        yield from gaps_dropped(self._gaps)
        if self._lines.blank:
            yield Notice(NoticeKind.DROPPED, f"{count(self._lines.blank, 'blank line', 'blank lines')} dropped")
        if empty:
            yield Notice(NoticeKind.EMPTY, f"{count(empty, 'record has', 'records have')} no letters")
        if unnamed:
            yield Notice(NoticeKind.HEADERS, f"{count(unnamed, 'record has', 'records have')} no name")
        if twice:
            text = f"{count(twice, 'record has', 'records have')} a name that occurred before"
            yield Notice(NoticeKind.HEADERS, text)
