"""Lookup of a substitution matrix by name or file.

Files are in NCBI's text format: comments with ``#``, a line of letters, then one line per letter.
"""

from __future__ import annotations

import os
import re
import stat
from functools import cache
from pathlib import Path

import numpy as np

from wavediff.core.base.errors import InputError, printable
from wavediff.core.sequences.scoring.matrix import MAX_LETTERS, MAX_SCORE, SubstitutionMatrix
from wavediff.core.system.program import ROOT

MAX_BYTES = 1 << 20
_SHOWN = 20  # characters of a word in a message
FOLDER = ROOT / "resources" / "matrices"
BUILT_IN = ("BLOSUM45", "BLOSUM62", "BLOSUM80", "PAM250", "DNAfull")
MATCH_NAME = "match 1, mismatch -1"
_ALIASES = {"ednafull": "DNAfull", "nuc.4.4": "DNAfull", **{name.lower(): name for name in BUILT_IN}}


@cache
def built_in(name: str) -> SubstitutionMatrix:
    """Return the shipped matrix ``name``, one of ``BUILT_IN``."""
    matrix = parse_matrix((FOLDER / name).read_bytes(), name)
    return SubstitutionMatrix(name, matrix.letters, matrix.scores)


def match_matrix(letters: str) -> SubstitutionMatrix:
    """Return the matrix for the ``letters`` of a text: 1 for equal, -1 for different."""
    scores = 2 * np.identity(len(letters), np.int16) - 1
    return SubstitutionMatrix(MATCH_NAME, letters, scores)


def find_matrix(name: str) -> SubstitutionMatrix:
    """Return the built-in matrix of that name (any case), else read the file ``name``.

    Raises:
        InputError: no such file, or no matrix in it.
    """
    if (known := _ALIASES.get(name.lower())) is not None:
        return built_in(known)
    try:
        return read_matrix(name)
    except InputError as error:
        if error.line is None:  # nothing of a matrix was met
            names = ", ".join(BUILT_IN)
            raise InputError(error.source, error.found, f"a file in NCBI's format, or one of {names}") from error
        raise


def read_matrix(path: str | os.PathLike[str]) -> SubstitutionMatrix:
    """Read a matrix file.

    Raises:
        InputError: the file is unreadable, or not a matrix; the message names the line.
    """
    source = os.fspath(path)
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise InputError(source, "this is no regular file", "a substitution matrix is expected")
        if status.st_size > MAX_BYTES:
            raise InputError(
                source, f"{status.st_size:,} bytes are no substitution matrix", f"at most {MAX_BYTES:,} bytes"
            )
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(source, "no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(source, f"cannot be read ({getattr(error, 'strerror', None) or error})") from error
    return parse_matrix(data, source)


def parse_matrix(data: bytes, source: str) -> SubstitutionMatrix:
    """Parse a matrix; its name is ``source``.

    Raises:
        InputError: not a matrix; the message names the line.
    """
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as error:
        at = data.count(b"\n", 0, error.start) + 1
        raise InputError(source, f"the byte 0x{data[error.start]:02X}", "a matrix is ASCII text", line=at) from error
    letters, rows, number = "", dict[str, list[int]](), 0
    for number, line in enumerate(text.splitlines(), 1):
        words = [] if line.lstrip().startswith("#") else line.split()
        if not words:
            continue
        if not letters:
            letters = _header(words, source, number)
        else:
            _add_row(words, letters, rows, source, number)
    if not letters:
        raise InputError(source, "no substitution matrix in it", "a line of letters, then a line of scores a letter")
    if missing := [letter for letter in letters if letter not in rows]:
        raise InputError(
            source, f"no row of '{missing[0]}'", f"each of {' '.join(letters)} needs a row", line=number
        )  # fmt: skip
    return SubstitutionMatrix(source, letters, np.array([rows[letter] for letter in letters], np.int16))


def _header(words: list[str], source: str, line: int) -> str:
    for k, word in enumerate(words):
        if len(word) != 1 or not word.isprintable():
            found = f"'{printable(word, _SHOWN)}' where a letter is expected"
            raise InputError(source, found, "the first line has the letters, one a column", line=line)
        if word in words[:k]:
            raise InputError(source, f"the letter '{word}' has two columns", "each has one", line=line)
    if len(words) > MAX_LETTERS:
        raise InputError(source, f"{len(words)} letters", f"at most {MAX_LETTERS}", line=line)
    return "".join(words)


def _add_row(words: list[str], letters: str, rows: dict[str, list[int]], source: str, line: int) -> None:
    letter, *scores = words
    if letter not in letters or len(letter) != 1:
        found = f"a row of '{printable(letter, _SHOWN)}', which has no column"
        raise InputError(source, found, f"a row begins with one of {' '.join(letters)}", line=line)
    if letter in rows:
        raise InputError(source, f"a second row of '{letter}'", "each letter has one", line=line)
    if len(scores) != len(letters):
        raise InputError(
            source, f"{len(scores)} scores in the row of '{letter}'", f"{len(letters)} are needed", line=line
        )
    for word in scores:
        if re.fullmatch(r"[+-]?\d{1,9}", word) is None or abs(int(word)) > MAX_SCORE:
            found = f"'{printable(word, _SHOWN)}' in the row of '{letter}'"
            expected = f"scores are whole numbers from -{MAX_SCORE:,} to {MAX_SCORE:,}"
            raise InputError(source, found, expected, line=line)
    rows[letter] = [int(word) for word in scores]
