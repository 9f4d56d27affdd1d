"""Decoding of bytes to text with LF line ends, with positions in the file."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

import numpy as np

from wavediff.core.base.errors import InputError
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count
from wavediff.core.reading.decompress import peek
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import LineEnds

_BOM = codecs.BOM_UTF8
_BOM_AT_LINE_START = re.compile(rb"(?:(?<=\n)|\A)" + _BOM + rb"|" + _BOM + rb"(?=>)")
_BOM_BEFORE_MARK = re.compile(_BOM + rb"(?=>)")
_WIDE = (
    (codecs.BOM_UTF32_LE, "UTF-32-LE"),
    (codecs.BOM_UTF32_BE, "UTF-32-BE"),
    (codecs.BOM_UTF16_LE, "UTF-16-LE"),
    (codecs.BOM_UTF16_BE, "UTF-16-BE"),
)
# Which of four bytes are zero in plain Latin text of each encoding.
_ZEROS = {(0, 1, 1, 1): "UTF-32-LE", (1, 1, 1, 0): "UTF-32-BE", (0, 1, 0, 1): "UTF-16-LE", (1, 0, 1, 0): "UTF-16-BE"}


class TextPieces:
    """Iterator over ``pieces`` as text (UTF-8 or bytes) with LF line ends and without byte-order marks.

    A piece never ends between the bytes of a character. All readers get LF only, so CR, CRLF and mixed files give the
    same letters.

    Attributes:
        line, column: 1-based position of the first byte of the last yielded piece.
        crlf, cr, lf: number of line ends of each kind so far.
        blank: number of blank lines so far.
        notices: notices about skipped or decoded content.

    Raises:
        InputError: the text cannot be decoded, or has a zero byte.

    Args:
        encoding: encoding of the text, a Python codec name; empty: UTF-8, or UTF-16 and UTF-32 if recognised.
        expected: what is valid, for the error about a zero byte.
    """

    def __init__(self, pieces: Iterator[bytes], source: str, encoding: str = "", expected: str = "") -> None:
        self.line = self.column = 1
        self.crlf = self.cr = self.lf = self.blank = 0
        self.notices: list[Notice] = []
        self._source, self._encoding, self._expected = source, encoding, expected or "FASTA or plain text expected"
        self._boms = 0
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        head, pieces = peek(self._pieces, 4)
        name, skip = (self._encoding, 0) if self._encoding else _encoding(head)
        if name is not None:
            self.notices.append(Notice(NoticeKind.DECODED, f"decoded from {name}"))
            pieces = self._decoded(pieces, name, skip)
        held = b""
        for raw in pieces:
            piece = held + raw if held else raw
            piece, held = _cut(piece)
            if piece:
                yield from self._one(piece)
            else:
                yield b""
        if held:
            yield from self._one(held)
        if self._boms:
            marks = count(self._boms, "UTF-8 byte-order mark", "UTF-8 byte-order marks")
            self.notices.append(Notice(NoticeKind.DECODED, f"{marks} skipped"))

    def line_ends(self, at_end: bool) -> LineEnds | None:
        """Return the original line ends; None if mixed or if more than line ends was changed."""
        kinds = [sign for sign, n in (("\r\n", self.crlf), ("\r", self.cr), ("\n", self.lf)) if n]
        return None if self.notices or len(kinds) > 1 else LineEnds(kinds[0] if kinds else "\n", at_end)

    def place(self, piece: bytes, index: int) -> tuple[int, int]:
        """Return 1-based line and column of ``piece[index]``; ``piece`` is the last piece yielded."""
        before = piece.rfind(b"\n", 0, index)
        line = self.line + piece.count(b"\n", 0, index)
        if before < 0:
            return line, self.column + _characters(piece[:index])
        return line, 1 + _characters(piece[before + 1 : index])

    def _one(self, piece: bytes) -> Iterator[bytes]:
        if b"\r" in piece:
            piece = self._with_lf(piece)
        if b"\xef" in piece:
            pattern = _BOM_AT_LINE_START if self.column == 1 else _BOM_BEFORE_MARK
            piece, boms = pattern.subn(b"", piece)
            if self.column != 1:
                piece, more = re.subn(rb"(?<=\n)" + _BOM, b"", piece)
                boms += more
            self._boms += boms
        if 0 in piece:
            line, column = self.place(piece, piece.index(0))
            raise InputError(
                self._source, "a zero byte: not a text file", self._expected, line=line,
                column=column, instead=ReadAs.BYTES,
            )  # fmt: skip
        yield piece
        is_end = np.frombuffer(piece, np.uint8) == 10
        ends = int(np.count_nonzero(is_end))
        if ends:
            self.blank += int(np.count_nonzero(is_end[1:] & is_end[:-1])) + (self.column == 1 and bool(is_end[0]))
            self.column = 1 + len(piece) - 1 - piece.rfind(b"\n")
        else:
            self.column += len(piece)
        self.line += ends
        self.lf = self.line - 1 - self.crlf - self.cr

    def _with_lf(self, piece: bytes) -> bytes:
        array = np.frombuffer(piece, np.uint8)
        is_cr = array == 13
        n = int(np.count_nonzero(is_cr))
        crlf = int(np.count_nonzero(is_cr[:-1] & (array[1:] == 10)))
        self.crlf += crlf
        self.cr += n - crlf
        # Replacing one byte is several times faster than replacing two; mixed pieces are rare.
        if crlf == n:
            return piece.replace(b"\r", b"")
        return (piece.replace(b"\r\n", b"\n") if crlf else piece).replace(b"\r", b"\n")

    def _decoded(self, pieces: Iterator[bytes], name: str, skip: int) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(name)("strict")
        done = 0
        try:
            for piece in pieces:
                yield decoder.decode(piece[skip:]).encode()
                done += len(piece)
                skip = 0
            yield decoder.decode(b"", True).encode()
        except UnicodeError as error:
            looks = f"{name} was named" if self._encoding else f"looks like {name}"
            problem = f"{looks} but cannot be decoded after byte {done:,}"
            raise InputError(self._source, problem, "save it as UTF-8", instead=ReadAs.BYTES) from error


def _encoding(head: bytes) -> tuple[str | None, int]:
    for mark, name in _WIDE:
        if head.startswith(mark):
            return name, len(mark)
    # Without a mark: the pattern of zero bytes must hold for the whole start.
    start = np.frombuffer(head[: min(len(head), 64) & ~3], np.uint8).reshape(-1, 4)
    if start.size:
        zero = start == 0
        for pattern, name in _ZEROS.items():
            if bool((zero == np.array(pattern, np.bool_)).all()):
                return name, 0
    return None, 0


def _cut(piece: bytes) -> tuple[bytes, bytes]:
    """Split off a final CR (its LF may follow) or an incomplete character."""
    if piece.endswith(b"\r"):
        return piece[:-1], piece[-1:]
    if piece and piece[-1] >= 0x80:
        for back in range(1, min(4, len(piece)) + 1):
            lead = piece[-back]
            if lead >= 0xC0:
                length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
                return (piece[:-back], piece[-back:]) if length > back else (piece, b"")
            if lead < 0x80:
                break
    return piece, b""


def _characters(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))
