"""Patterns with their source; errors name file and line.

A list of patterns is FASTA if its first non-blank line starts with ``>``; else every line is a pattern, optionally with
a name before a tab. Such a pattern may have the escapes ``\\t``, ``\\n``, ``\\r``, ``\\xHH`` (a byte) and ``\\\\``,
e.g. for a tab, a line end, or a ``>`` or blank at its start. Lines end with LF, CRLF or CR. Blank lines are skipped; a
name without a pattern is refused as a probable mistake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from wavediff.core.base.errors import NAMES, InputError, printable
from wavediff.core.sequences.characters import encoded

MAX_LETTERS = 4096  # letters of a pattern
BETWEEN = b".."  # the two primers of a pair, each from its 5' end
_NAME_LETTERS = 40  # letters of a pattern that serve as its name
_BOM = b"\xef\xbb\xbf"  # UTF-8 byte-order mark
_ESCAPE = re.compile(rb"\\(x[0-9A-Fa-f]{2}|.?)", re.DOTALL)
_ESCAPED = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"\\": b"\\"}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern.

    Attributes:
        letters: as given; a ``LetterRule`` interprets them.
        name: first word of its FASTA header, the text before the tab, or the letters themselves.
        source: file as the user named it, ``<typed>``, ``<pasted>``.
        line: 1-based line of its source, or 0.
        cuts: for an enzyme, letters from the start of a hit to the cut on each strand; empty: unknown; None: no enzyme.
        is_pair: whether the pattern is a pair of primers, whose hits are PCR products.
    """

    letters: bytes
    name: str
    source: str = "<typed>"
    line: int = 0
    cuts: tuple[int, ...] | None = None
    is_pair: bool = False

    @property
    def n_letters(self) -> int:
        """Number of letters; of a pair those of both primers."""
        return len(self.letters.replace(BETWEEN, b"") if self.is_pair else self.letters)

    @property
    def has_both_strands(self) -> bool:
        """True for enzyme sites and primer pairs, which are searched on both strands."""
        return self.cuts is not None or self.is_pair

    def in_codes(self, characters: str, *, fold_case: bool) -> Pattern:
        """Return the pattern in the codes of a text with ``characters`` from 128 on, as bytes."""
        if not characters:
            return self
        return replace(self, letters=encoded(self.text, characters, fold_case=fold_case).tobytes())

    @property
    def text(self) -> str:
        return _text(self.letters)

    def refused(self, found: str, expected: str = "") -> InputError:
        """Return the error for this pattern with its location."""
        name = f"'{printable(self.name, _NAME_LETTERS)}' " if self.name else ""
        name = name if name and "pattern" in NAMES.get(self.source, self.source).lower() else f"pattern {name}"
        return InputError(self.source, name + found, expected, line=self.line or None)


def literal(letters: bytes, source: str) -> Pattern:
    """Return a literal pattern.

    Raises:
        InputError: no letters.
    """
    return _pattern(letters, "", source, 0)


def read_list(data: bytes, source: str = "<typed>") -> tuple[Pattern, ...]:
    """Parse a list of patterns, in order.

    Raises:
        InputError: no pattern, an empty pattern, or an unknown escape.
    """
    lines = [(number, line) for number, line in enumerate(data.removeprefix(_BOM).splitlines(), 1) if line.strip()]
    if not lines:
        raise InputError(source, "no pattern in it", "one pattern a line, or FASTA")
    return _fasta(lines, source) if lines[0][1].startswith(b">") else _one_a_line(lines, source)


def _one_a_line(lines: list[tuple[int, bytes]], source: str) -> tuple[Pattern, ...]:
    patterns = []
    for number, line in lines:
        name, tab, letters = line.partition(b"\t")
        if not tab:
            name, letters = b"", line
        called = _text(name.strip())
        if not letters.strip():
            letters = b""
        patterns.append(_pattern(_unescaped(letters, called, source, number), called, source, number))
    return tuple(patterns)


def _unescaped(letters: bytes, name: str, source: str, line: int) -> bytes:
    def meant(escape: re.Match[bytes]) -> bytes:
        code = escape[1]
        if code[:1] == b"x" and len(code) == 3:
            return bytes([int(code[1:], 16)])
        if code not in _ESCAPED:
            problem = f"has the unknown escape '{printable(_text(escape[0]))}'"
            raise Pattern(letters, name, source, line).refused(problem, r"\t, \n, \r, \xHH and \\ are known")
        return _ESCAPED[code]

    return _ESCAPE.sub(meant, letters)


def _fasta(lines: list[tuple[int, bytes]], source: str) -> tuple[Pattern, ...]:
    patterns: list[Pattern] = []
    name, at, parts = "", 0, list[bytes]()
    for number, line in [*lines, (0, b">")]:
        if line.startswith(b">"):
            if at:
                patterns.append(_pattern(b"".join(parts), name or f"pattern {len(patterns) + 1}", source, at))
            words = line[1:].split(None, 1)
            name, at, parts = _text(words[0]) if words else "", number, []
        else:
            parts.append(line)
    return tuple(patterns)


def _pattern(letters: bytes, name: str, source: str, line: int) -> Pattern:
    text = _text(letters[: 4 * _NAME_LETTERS])
    start = text[:_NAME_LETTERS] + "…" if len(text) > _NAME_LETTERS else text
    made = Pattern(letters, name or start, source, line)
    if not letters:
        raise made.refused("is empty", "at least one letter is needed")
    return made


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")
