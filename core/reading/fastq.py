"""FASTQ parser: four-line records, and wrapped ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import NoReturn

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import InputError
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count
from wavediff.core.reading.formats import Reading
from wavediff.core.reading.letters import LetterBuffer, freeze_base
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.load import Load, Loading
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.spans import SpanKind, Spans

_RECORDS_AT_ONCE = 1000
_SEQUENCE = re.compile(rb"[A-Za-z*.\-]*\n?")
_QUALITY = re.compile(rb"[!-~]*\n?")


class FourLines:
    """FASTQ chunks of four-line records, without blank lines at both ends, up to the first damaged record.

    Attributes:
        blank: blank lines before the first record.
        damaged: up to four lines of the first damaged record, or empty.
        n_joined: wrapped records, which are joined to four lines.
        n_renamed: records with another name after ``+``, which is ignored.
        n_saved: number of lines removed by joining.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = self._trimmed(pieces)
        self.blank = self.n_joined = self.n_renamed = self.n_saved = 0
        self.damaged: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        held, n_ends = list[bytes](), 0
        for piece in self._pieces:
            held.append(piece)
            n_ends += piece.count(b"\n")
            if n_ends < 4:
                continue
            data = b"".join(held)
            size = _bytes_of_four_lines(data)
            yield data[:size]
            rest = data[size:]
            held, n_ends = [rest], rest.count(b"\n")
            if n_ends >= 4:
                yield from self._joined(_lines(chain(held, self._pieces)))
                return
        yield from self._joined(_lines(iter(held)))

    def _trimmed(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        held = ends = 0
        started = False
        for piece in pieces:
            if not started:
                rest = piece.lstrip(b"\n")
                self.blank += len(piece) - len(rest)
                piece = rest
                started = bool(piece)
            body = piece.rstrip(b"\n")
            if body:
                yield b"\n" * held + body
                ends += held + body.count(b"\n")
                held = 0
            held += len(piece) - len(body)
        # A last record whose sequence is empty ends in LF LF: give as many as complete its four lines.
        yield b"\n" * min(held, 4 - ends % 4)

    def _joined(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        out = list[bytes]()
        for head in lines:
            read = [head]
            record = self._record(read, lines)
            if record is None:
                self.damaged = [line.rstrip(b"\n") for line in islice(chain(read, lines), 4)]
                break
            out.append(record)
            if len(out) >= _RECORDS_AT_ONCE:
                yield b"".join(out)
                out.clear()
        yield b"".join(out)

    def _record(self, read: list[bytes], lines: Iterator[bytes]) -> bytes | None:
        """Return a four-line record, or None; its lines are appended to ``read``."""
        letters, qualities, name = list[bytes](), list[bytes](), read[0][1:].rstrip(b"\n")
        if not read[0].startswith(b"@"):
            return None
        for line in lines:
            read.append(line)
            if line.startswith(b"+"):
                break
            if _SEQUENCE.fullmatch(line) is None:
                return None
            letters.append(line.rstrip(b"\n"))
        again = read[-1][1:].rstrip(b"\n")
        if not letters or (len(letters) > 1 and not all(letters)):
            return None
        left = sum(map(len, letters))
        for line in lines:
            read.append(line)
            text = line.rstrip(b"\n")
            if _QUALITY.fullmatch(line) is None or len(text) > left or (left and not text):
                return None
            qualities.append(text)
            left -= len(text)
            if not left:
                break
        if left:  # a last record without letters may lack its last line
            return None
        self.n_joined += len(read) > 4
        self.n_renamed += again not in (b"", name)
        self.n_saved += max(0, len(read) - 4)
        return b"@%s\n%s\n+\n%s\n" % (name, b"".join(letters), b"".join(qualities))


def _bytes_of_four_lines(data: bytes) -> int:
    """Return the size in bytes of the complete four-line records at the start of ``data``."""
    codes = np.frombuffer(data, np.uint8)
    at = np.flatnonzero(codes == ord("\n"))
    at = at[: at.size // 4 * 4]
    starts, ends = np.concatenate([[0], at[:-1] + 1]).reshape(-1, 4), at.reshape(-1, 4)
    size = ends - starts
    fit = (codes[starts[:, 0]] == ord("@")) & (codes[starts[:, 2]] == ord("+")) & (size[:, 1] == size[:, 3])
    for k in np.flatnonzero(fit & (size[:, 2] > 1)).tolist():
        fit[k] = data[starts[k, 0] + 1 : ends[k, 0]] == data[starts[k, 2] + 1 : ends[k, 2]]
    n = int(np.argmin(fit)) if not fit.all() else len(fit)
    return int(ends[n - 1, 3]) + 1 if n else 0


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    held = list[bytes]()
    for piece in pieces:
        first, end, rest = piece.partition(b"\n")
        held.append(first + end)
        if not end:
            continue
        yield b"".join(held)
        lines = rest.splitlines(keepends=True)
        held = [lines.pop()] if lines and not lines[-1].endswith(b"\n") else []
        yield from lines
    if last := b"".join(held):
        yield last


LOW_QUALITY = 20  # Phred: below it more than 1 letter in 100 is wrong
_FIRST_SIGN = ord("!")  # quality 0


def low_stretches(qualities: Letters, lengths: Counts, before: int) -> Counts:
    """Return start, end, minimum and maximum quality of each stretch below ``LOW_QUALITY``; int64, shape (4, n).

    Args:
        qualities: characters (Phred + 33) of some records. lengths: letters of each. before: letters before them.
    """
    values = np.append(qualities, _FIRST_SIGN) - np.uint8(_FIRST_SIGN)
    low = np.concatenate(([False], values[:-1] < LOW_QUALITY, [False]))
    begins = np.zeros(values.size, np.bool_)
    begins[np.append(0, np.cumsum(lengths))] = True
    starts = np.flatnonzero(low[1:-1] & (~low[:-2] | begins[:-1]))
    ends = np.flatnonzero(low[1:-1] & (~low[2:] | begins[1:])) + 1
    edges = np.stack([starts, ends], axis=1).ravel()
    least, most = (one.reduceat(values, edges)[::2] if edges.size else edges for one in (np.minimum, np.maximum))
    return np.stack([starts + before, ends + before, least, most]).astype(np.int64)


class Qualities(Mapping[int, tuple[Spans, ...]]):
    """Quality spans of each record (0-based), computed on demand.

    Args:
        stretches: of all records, see ``low_stretches``. starts: int64, shape (n_records + 1,).
    """

    def __init__(self, stretches: Counts, starts: Counts) -> None:
        self._stretches, self._starts = stretches, starts

    def __getitem__(self, k: int) -> tuple[Spans, ...]:
        if not 0 <= k < len(self):
            raise KeyError(k)
        start, end = self._starts[k : k + 2].tolist()
        low, high = np.searchsorted(self._stretches[0], (start, end))
        starts, ends, *values = self._stretches[:, low:high]
        names = [
            f"Q{least}" if least == most else f"Q{least} to Q{most}" for least, most in np.transpose(values).tolist()
        ]
        spans = Spans(
            kind=SpanKind.QUALITY, n_letters=end - start, starts=starts - start, ends=ends - start, names=names
        )
        return (spans,) if names else ()

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def __len__(self) -> int:
        return self._starts.size - 1


_LEGAL = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*.-"
_ILLEGAL = re.compile(rb"[^A-Za-z*.\-]")
_NO_QUALITY = re.compile(rb"[^!-~]")


def read_fastq(pieces: Iterator[bytes], lines: TextPieces, how: Reading, notices: list[Notice]) -> Loading:
    """Return the ``Load``; yield after some thousand records.

    Raises:
        InputError: not FASTQ, truncated, different lengths, or an invalid byte.
    """
    records = FourLines(pieces)
    letters = LetterBuffer(how.size)
    headers = bytearray()
    lengths: list[Counts] = []
    stretches: list[Counts] = []
    header_lengths: list[Counts] = []
    n = 0
    for piece in filter(None, records):
        lines_of = piece.split(b"\n")
        names, batch = [name[1:] + b"\n" for name in lines_of[:-1:4]], lines_of[1::4]
        content, qualities = b"".join(batch), np.frombuffer(b"".join(lines_of[3::4]), np.uint8)
        if content.translate(None, _LEGAL) or (
            qualities.size and not ord("!") <= qualities.min() <= qualities.max() <= ord("~")
        ):
            _refuse(how.source, lines_of, n, records)
        sizes = np.fromiter(map(len, batch), np.int64, len(batch))
        stretches.append(low_stretches(qualities, sizes, letters.size))
        letters.append(content)
        headers += b"".join(names)
        lengths.append(sizes)
        header_lengths.append(np.fromiter(map(len, names), np.int64, len(names)))
        n += len(batch)
        yield
    if records.damaged:
        _refuse(how.source, records.damaged, n, records)
    if not letters.size:
        raise InputError(how.source, "no sequence in the file: no record has a letter", instead=ReadAs.TEXT)
    notices = [*notices, *lines.notices, Notice(NoticeKind.FORMAT, "FASTQ: base qualities are not compared")]
    if joined := records.n_joined:
        text = f"FASTQ: {count(joined, 'record has', 'records have')} more than four lines, which were joined"
        notices.append(Notice(NoticeKind.FORMAT, text))
    if renamed := records.n_renamed:
        text = f"FASTQ: {count(renamed, 'record has', 'records have')} another name after '+', which is ignored"
        notices.append(Notice(NoticeKind.HEADERS, text))
    starts = np.concatenate(([0], np.cumsum(np.concatenate(lengths))))
    if empty := int(np.count_nonzero(np.diff(starts) == 0)):
        notices.append(Notice(NoticeKind.EMPTY, f"{count(empty, 'record has', 'records have')} no letters"))
    return Load(
        source=how.source,
        format="FASTQ",
        letters=freeze_base(letters.assemble()),
        starts=starts,
        headers=bytes(headers),
        header_starts=np.concatenate(([0], np.cumsum(np.concatenate(header_lengths)))),
        notices=tuple(notices),
        spans=Qualities(np.concatenate(stretches, axis=1), starts),
        alphabet=how.alphabet,
        fallback=how.fallback,
    )


def _refuse(source: str, lines: list[bytes], before: int, records: FourLines) -> NoReturn:
    """Raise an error for the first damaged record in ``lines``; ``before``: number of preceding records."""
    for k, (name, *rest) in enumerate((lines[at : at + 4] for at in range(0, len(lines), 4)), before):
        line, expected = 1 + len(rest), "nothing of it is kept"
        column: int | None = None
        if not name.startswith(b"@") or (len(rest) > 1 and not rest[1].startswith(b"+")):
            line, mark = (3, "+") if name.startswith(b"@") else (1, "@")
            found = f"not the four lines of a FASTQ record: line {line} has no {mark!r} at its start"
        elif len(rest) < 3:
            found = "cut off: the last FASTQ record is not complete"
        elif len(rest[0]) != len(rest[2]):
            found = "sequence and qualities of a FASTQ record differ in length"
        elif match := _ILLEGAL.search(rest[0]):
            found, expected = (
                f"the character {chr(match[0][0])!r} in a FASTQ sequence",
                "a sequence has letters, '-', '.' and '*' only",
            )
            line, column = 2, match.start() + 1
        elif match := _NO_QUALITY.search(rest[2]):
            found, expected = (
                f"the byte 0x{match[0][0]:02X} in the qualities of a FASTQ record",
                "a quality is a character from '!' to '~'",
            )
            column = match.start() + 1
        else:
            continue
        first = (name[1:].split(None, 1) or [b""])[0].decode("utf-8", "replace")
        line += records.blank + records.n_saved + 4 * k
        raise InputError(source, found, expected, record=(k + 1, first), line=line, column=column, instead=ReadAs.TEXT)
    raise AssertionError("no record is damaged")
