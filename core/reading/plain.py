"""Files without a ``>`` line, or read as text: one record, a raw sequence or a text."""

from __future__ import annotations

import codecs
from collections.abc import Generator

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import InputError
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count
from wavediff.core.reading.alphabet import guess_raw, is_text
from wavediff.core.reading.files import READ_BYTES
from wavediff.core.reading.letters import (
    GAPS,
    IS_GAP,
    IS_WHITE,
    WHITE,
    Counter,
    LetterBuffer,
    freeze_base,
    gaps_dropped,
)
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.load import Load, Loading
from wavediff.core.sequences.characters import (
    CONTINUATION,
    CONTINUATION_BITS,
    FIRST_CODE,
    NO_UTF8,
    bytes_notice,
    code_type,
    codes_of_text,
    n_codes,
)
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet


def distinct_characters(data: Letters) -> Generator[None, None, str | None]:
    """Return the distinct non-ASCII characters in ``data`` in code point order; None if it is not UTF-8. Yields after
    each piece."""
    decoder, characters = codecs.getincrementaldecoder("utf-8")(), set[str]()
    try:
        for start in range(0, data.size, READ_BYTES):
            piece = data[start : start + READ_BYTES].tobytes()
            characters.update(decoder.decode(piece, start + READ_BYTES >= data.size))
            yield None
    except UnicodeDecodeError:
        return None
    return "".join(sorted(each for each in characters if not each.isascii()))


def codes_of_utf8(data: Letters, characters: str) -> Generator[None, None, Letters]:
    """Return the codes of the UTF-8 text ``data``, in place if they are bytes; yields after each chunk."""
    decoder, size = codecs.getincrementaldecoder("utf-8")(), 0
    out = data
    if code_type(characters) is not np.uint8:
        n_letters = np.count_nonzero(data & CONTINUATION_BITS != CONTINUATION)
        out = np.empty(n_letters, code_type(characters))
    for start in range(0, data.size, READ_BYTES):
        codes = codes_of_text(decoder.decode(data[start : start + READ_BYTES].tobytes()), characters)
        out[size : size + codes.size] = codes
        size += codes.size
        yield None
    return out[:size]


_MAX_PRELUDE_BYTES = 1 << 20


class Plain:
    """Incremental parser of plain files, until a line starts with ``>``; ``finish`` returns the record.

    If the file is declared a text (``as_text``), ``>`` is an ordinary letter, and the text may be empty.

    Args:
        source: file name for errors.
        lines: source of the pieces; it returns line and column of a byte.
        capacity: expected maximum number of bytes.
        counted: whether to count the letters of a text.
    """

    def __init__(
        self, source: str, lines: TextPieces, capacity: int, as_text: bool = False, counted: bool = True
    ) -> None:
        self._source, self._lines, self._as_text, self._counted = source, lines, as_text, counted
        self._is_ascii, self._all_counted = True, True
        self._letters = LetterBuffer(capacity)
        self._counter = Counter()
        self._counts = np.zeros(256, np.int64)

    def feed(self, piece: bytes) -> int | None:
        """Parse ``piece``; return the position of the first ``>`` line, or None.

        Raises:
            InputError: text other than comments before a ``>`` line.
        """
        if not self._as_text:
            starts_here = self._lines.column == 1 and piece.startswith(b">")
            # Searching one letter is ten times as fast as two, and most texts lack it.
            at = 0 if starts_here or b">" not in piece else piece.find(b"\n>") + 1
            if at or starts_here:
                self._require_comments(piece[:at])
                return at
        self._letters.append(piece)
        self._is_ascii = self._is_ascii and piece.isascii()
        if self._counted or not is_text(self._counts):
            self._counts += self._counter.count(piece)
        else:
            self._all_counted = False
        return None

    @property
    def comments(self) -> str:
        """Notice about the lines before the first ``>``."""
        return "comment lines before the first '>' (from line 1 on) ignored"

    def _require_comments(self, last: bytes) -> None:
        before = self._letters.assemble()
        if not self._counts[~IS_WHITE].any():
            before = before[:0]  # blank lines, perhaps very many
        text = before.tobytes() + last if before.size < _MAX_PRELUDE_BYTES else b"long text"
        for place, line in enumerate(text.split(b"\n"), 1):
            words = line.strip()
            if words and not words.startswith((b";", b"#")):
                raise InputError(
                    self._source,
                    "text before the first '>' line",
                    "FASTA starts with '>'; comments start with '#' or ';'",
                    line=place,
                    instead=ReadAs.TEXT,
                )

    def finish(self, notices: list[Notice], fallback: str, alphabet: Alphabet | None = None) -> Loading:
        """Return the ``Load``; yield while white space is removed.

        Args:
            alphabet: of the letters; None: guessed, or text if the user chose that.

        Raises:
            InputError: nothing but white space.
        """
        counts = self._counts
        if not counts.any():
            notices = [*notices, Notice(NoticeKind.EMPTY, "empty, read as a text of 0 letters")]
        is_empty = not counts[~IS_WHITE].any()
        alphabet = alphabet or (Alphabet.TEXT if self._as_text or is_empty else guess_raw(counts))
        letters, characters, at_end = self._letters.assemble(), "", False
        if alphabet is Alphabet.TEXT or self._as_text or is_empty:
            if ends := self._lines.crlf + self._lines.cr:
                text = f"{count(ends, 'line end', 'line ends')} (CRLF or CR) read as LF"
                notices = [*notices, Notice(NoticeKind.DECODED, text)]
            if letters.size and letters[-1] == 10:
                letters, at_end = letters[:-1], True
                counts[10] -= 1
            if alphabet is Alphabet.TEXT and not self._is_ascii:
                distinct = yield from distinct_characters(letters)
                if distinct is None:
                    letters_beyond = int(np.count_nonzero(letters >= FIRST_CODE))
                    notices.append(Notice(NoticeKind.NOT_UTF8, bytes_notice(letters_beyond, NO_UTF8)))
                else:
                    characters = distinct
                    letters = yield from codes_of_utf8(letters, characters)
                    if self._all_counted:
                        counts = self._counter.count_in_pieces(letters, n_codes(characters))
        else:
            size = 0
            for start in range(0, letters.size, READ_BYTES):  # moved together where they lie
                clean = letters[start : start + READ_BYTES].tobytes().translate(None, WHITE + GAPS)
                letters[size : size + len(clean)] = np.frombuffer(clean, np.uint8)
                size += len(clean)
                yield
            if not size:
                raise InputError(self._source, "no sequence in the file: gap characters only", instead=ReadAs.TEXT)
            letters = letters[:size]
            raw = f"no '>' line: read as one raw {alphabet} sequence, line ends dropped"
            notices = [*notices, Notice(NoticeKind.FORMAT, raw)]
            if dropped := int(counts[IS_WHITE].sum()) - int(counts[10]):
                dropping = f"{count(dropped, 'blank or tab', 'blanks and tabs')} inside the sequence dropped"
                notices.append(Notice(NoticeKind.DROPPED, dropping))
            notices += gaps_dropped(counts)
            counts[IS_WHITE | IS_GAP] = 0
        return Load(
            source=self._source,
            format="plain",
            letters=freeze_base(letters),
            starts=np.array([0, letters.size]),
            headers=b"\n",
            header_starts=np.array([0, 1]),
            notices=tuple(notices),
            counts={0: counts} if self._all_counted else {},
            alphabet=alphabet,
            fallback=fallback,
            characters=characters,
            line_ends=self._lines.line_ends(at_end),
        )
