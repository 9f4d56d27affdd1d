"""Letters in numbered lines, as in GenBank below ORIGIN; numbers are checked and removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import numpy as np

from wavediff.core.base.errors import InputError
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.base.numbers import count, number
from wavediff.core.reading.alphabet import guess_raw
from wavediff.core.reading.formats import Reading
from wavediff.core.reading.letters import Counter, LetterBuffer, freeze_base
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.load import Load, Loading
from wavediff.core.sequences.read_as import ReadAs

_LINE = re.compile(rb"[ \t]*(\d{1,15})((?:[ \t]+[A-Za-z*-]+)+)[ \t]*")
_END = b"//"
_BEGIN = re.compile(rb"\s*(>[^\n]*\n\s*)?(ORIGIN\b[^\n]*\n\s*)?(\d{1,15})((?:[ \t]+[A-Za-z*-]{1,60})+)[ \t]*(?:\n|$)")
_LEAST_GROUPED = 2  # groups of letters in the first line of a block without its ORIGIN: "1 apple" is a list


def is_numbered(head: bytes) -> bool:
    """Return whether text starts with numbered lines: ORIGIN, or 1, 11, ... and groups of ten letters.

    A FASTA header may precede.

    >>> [is_numbered(text) for text in (b"ORIGIN\\n  1 gatc\\n", b"1 gatcctccat atacaacggt\\n", b"1 apple\\n")]
    [True, True, False]
    """
    match = _BEGIN.match(head)
    if match is None:
        return False
    groups = match[4].split()
    grouped = len(groups) >= _LEAST_GROUPED and all(len(group) == 10 for group in groups[:-1])
    return int(match[3]) % 10 == 1 and (match[2] is not None or grouped)


def read_numbered(texts: Iterator[bytes], lines: TextPieces, how: Reading, notices: list[Notice]) -> Loading:
    """Return the ``Load``; yield after each chunk.

    Raises:
        InputError: a line without a number, or with the wrong number.
    """
    letters, counter, counts = LetterBuffer(how.size), Counter(), np.zeros(256, np.int64)
    at, n_lines, rest, ended, header, before = 0, 0, b"", False, b"", 0
    for piece in chain(texts, (b"\n",)):
        *whole, rest = (rest + piece).split(b"\n")
        numbers = list[bytes]()
        for line in whole:
            at += 1
            text = line.strip()
            if not text or (not n_lines and text.startswith(b"ORIGIN")):
                continue
            if not n_lines and text.startswith(b">"):
                header = text[1:]
                continue
            if ended:
                raise _unfit(how.source, at, f"text behind '{_END.decode()}'", "one block of letters is read")
            if text == _END:
                ended = True
                continue
            fields = _LINE.fullmatch(line)
            if fields is None:
                raise _unfit(how.source, at, "no number and groups of letters", "as in the lines before")
            before = before if n_lines else int(fields[1]) - 1
            n = before + letters.size + sum(map(len, numbers)) + 1
            if int(fields[1]) != n:
                said = f"the line has the number {number(int(fields[1]))}"
                raise _unfit(how.source, at, said, f"its first letter is number {number(n)}")
            numbers.append(fields[2].translate(None, b" \t"))
            n_lines += 1
        letters.append(b"".join(numbers))
        counts += counter.count(b"".join(numbers))
        yield
    whole_letters = letters.assemble()
    alphabet = how.alphabet or guess_raw(counts)
    read = f"lines numbered as below ORIGIN in GenBank: read as one raw {alphabet} sequence"
    dropped = f"{read}, {count(n_lines, 'number', 'numbers')} and the blanks dropped"
    notices = [*notices, *lines.notices, Notice(NoticeKind.DROPPED, dropped)]
    if before:
        begin = f"the numbers begin at {number(before + 1)}: places here count from 1"
        notices.append(Notice(NoticeKind.FORMAT, begin))
    return Load(
        source=how.source,
        format="plain",
        letters=freeze_base(whole_letters),
        starts=np.array([0, whole_letters.size]),
        headers=header + b"\n",
        header_starts=np.array([0, len(header) + 1]),
        notices=tuple(notices),
        counts={0: counts},
        alphabet=alphabet,
        fallback=how.fallback,
    )


def _unfit(source: str, line: int, problem: str, right: str) -> InputError:
    return InputError(source, problem, right, line=line, instead=ReadAs.TEXT)
