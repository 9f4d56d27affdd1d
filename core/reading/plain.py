"""A file without a ``>`` line: one record, either a raw sequence or a text (I3, I4, I11)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.errors import InputError
from core.reading.alphabet import guess_raw
from core.reading.files import PIECE
from core.reading.letters import IS_WHITE, WHITE, Counter, LetterBuffer
from core.reading.lines import Lines
from core.reading.load import Load
from core.sequence import Alphabet

_LONGEST_PRELUDE = 1 << 20


class Plain:
    """Takes the pieces of a file in order until a line starts with ``>``; ``finish`` returns the record.

    Args:
        source: shown in errors.
        lines: gives the place of each piece.
        capacity: bytes expected at most.
    """

    def __init__(self, source: str, lines: Lines, capacity: int) -> None:
        self._source, self._lines = source, lines
        self._letters = LetterBuffer(capacity)
        self._counter = Counter()
        self._counts = np.zeros(256, np.int64)

    def feed(self, piece: bytes) -> int | None:
        """Take ``piece``; return where in it the first ``>`` line starts, if there is one.

        Raises:
            InputError: text before a ``>`` line that is no comment.
        """
        starts_here = self._lines.column == 1 and piece.startswith(b">")
        at = 0 if starts_here else piece.find(b"\n>") + 1
        if at or starts_here:
            self._require_comments(piece[:at])
            return at
        self._letters.append(piece)
        self._counts += self._counter.count(piece)
        return None

    @property
    def comments(self) -> str:
        """What to say of the lines before the first ``>``."""
        return "comment lines before the first '>' (from line 1 on) ignored"

    def _require_comments(self, last: bytes) -> None:
        size = self._letters.size
        text = self._letters.take(0, size) + last if size < _LONGEST_PRELUDE else b"long text"
        for number, line in enumerate(text.split(b"\n"), 1):
            words = line.strip()
            if words and not words.startswith((b";", b"#")):
                raise InputError(
                    self._source,
                    "text before the first '>' line",
                    "FASTA starts with '>'; comments start with '#' or ';'",
                    line=number,
                )

    def finish(self, notices: list[str], fallback: str) -> Iterator[Load | None]:
        """Yield None now and then while white space is dropped, and the ``Load`` at the end.

        Raises:
            InputError: nothing but white space.
        """
        counts = self._counts
        if int(counts[~IS_WHITE].sum()) == 0:
            raise InputError(self._source, "no sequence in the file: it is empty")
        alphabet = guess_raw(counts)
        if alphabet is Alphabet.TEXT:
            notices = [*notices, *self._text_notices()]
            if self._letters.take(self._letters.size - 1, self._letters.size) == b"\n":
                self._letters.truncate(self._letters.size - 1)
                counts[10] -= 1
        else:
            yield from self._drop_white()
            dropped = int(counts[IS_WHITE].sum()) - int(counts[10])
            notices = [*notices, f"no '>' line: read as one raw {alphabet} sequence, line ends dropped"]
            if dropped:
                notices.append(f"{dropped:,} blanks and tabs inside the sequence dropped")
            counts[IS_WHITE] = 0
        size = self._letters.size
        yield Load(
            source=self._source,
            format="plain",
            letters=self._letters.finish(),
            starts=np.array([0, size]),
            headers=b"\n",
            header_starts=np.array([0, 1]),
            notices=tuple(notices),
            counts={0: counts},
            alphabet=alphabet,
            fallback=fallback,
        )

    def _text_notices(self) -> Iterator[str]:
        yield "no '>' line: read as plain text, each byte a letter; the last line end is no part of it"
        if self._lines.crlf + self._lines.cr:
            yield f"{self._lines.crlf + self._lines.cr:,} line ends (CRLF or CR) read as LF"
        if wide := int(self._counts[128:].sum()):
            yield f"{wide:,} bytes are not ASCII: a character outside ASCII counts as its 2 to 4 bytes"

    def _drop_white(self) -> Iterator[None]:
        """Move the letters together, inside the buffer."""
        to = 0
        for start in range(0, self._letters.size, PIECE):
            clean = self._letters.take(start, min(start + PIECE, self._letters.size)).translate(None, WHITE)
            self._letters.replace(to, clean)
            to += len(clean)
            yield None
        self._letters.truncate(to)
