"""Patterns as a person gives them, and the refusal of one with its file and line.

A list of patterns is FASTA when its first line that is not blank starts with ``>``; else every line is a pattern,
and where it has a tab its name stands before the tab. Lines end with LF, CRLF or CR. Blank lines after the last
pattern are ignored; an empty pattern anywhere else is refused, because a search for nothing is a slip.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wavediff.core.base.errors import InputError, printable
from wavediff.core.sequences.characters import encoded

MAX_LETTERS = 4096  # letters of a pattern
_NAME_LETTERS = 40  # letters of a pattern that serve as its name
_BOM = b"\xef\xbb\xbf"  # UTF-8 byte-order mark


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern.

    Attributes:
        letters: as given; what they match is for a ``LetterRule`` to say.
        name: first word of its FASTA header, what stood before the tab, or the letters themselves.
        source: file as the user named it, ``<typed>``, ``<pasted>``.
        line: 1-based line of its source, 0 where there is none.
    """

    letters: bytes
    name: str
    source: str = "<typed>"
    line: int = 0

    def in_codes(self, characters: str) -> Pattern:
        """Return the pattern in the codes of a text whose codes from 128 on stand for ``characters``."""
        if not characters:
            return self
        return replace(self, letters=encoded(self.letters.decode("utf-8", "backslashreplace"), characters))

    def refused(self, found: str, expected: str = "") -> InputError:
        """Return the error that names this pattern and its place."""
        name = f"'{printable(self.name, _NAME_LETTERS)}' " if self.name else ""
        name = name if "pattern" in self.source else f"pattern {name}"
        return InputError(self.source, name + found, expected, line=self.line or None)


def read_list(data: bytes, source: str = "<typed>") -> tuple[Pattern, ...]:
    """Return the patterns of a list, in its order.

    Raises:
        InputError: there is none, or one of them is empty.
    """
    lines = data.removeprefix(_BOM).splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise InputError(source, "no pattern in it", "one pattern a line, or FASTA")
    first = next(line for line in lines if line.strip())
    return _fasta(lines, source) if first.startswith(b">") else _one_a_line(lines, source)


def _one_a_line(lines: list[bytes], source: str) -> tuple[Pattern, ...]:
    found = []
    for number, line in enumerate(lines, 1):
        name, tab, letters = line.partition(b"\t")
        if not tab:
            name, letters = b"", line
        found.append(_pattern(letters, _text(name.strip()), source, number))
    return tuple(found)


def _fasta(lines: list[bytes], source: str) -> tuple[Pattern, ...]:
    found: list[Pattern] = []
    name, at, parts = "", 0, list[bytes]()
    for number, line in enumerate([*lines, b">"], 1):
        if line.startswith(b">"):
            if at:
                found.append(_pattern(b"".join(parts), name or f"pattern {len(found) + 1}", source, at))
            words = line[1:].split(None, 1)
            name, at, parts = _text(words[0]) if words else "", number, []
        else:
            parts.append(b"".join(line.split()))
    return tuple(found)


def _pattern(letters: bytes, name: str, source: str, line: int) -> Pattern:
    made = Pattern(
        letters, name or _text(letters[:_NAME_LETTERS]) + ("…" if len(letters) > _NAME_LETTERS else ""), source, line
    )
    if not letters.strip():
        raise Pattern(letters, name, source, line).refused("is empty", "at least one letter is needed")
    return made


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")
