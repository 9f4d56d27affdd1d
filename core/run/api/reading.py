"""Conversion of API arguments (letters, arrays, files) to sequences."""

from __future__ import annotations

import os
from codecs import lookup
from dataclasses import replace
from pathlib import Path
from typing import Any
from warnings import warn

import numpy as np

from wavediff.core.base.errors import InputError
from wavediff.core.jobs.events import run_to_end
from wavediff.core.jobs.read import ReadJob
from wavediff.core.methods.default import refused
from wavediff.core.reading.alphabet import guess_raw
from wavediff.core.reading.annotations import require_annotated
from wavediff.core.reading.load import Load
from wavediff.core.reading.pick import pick
from wavediff.core.reading.run import run
from wavediff.core.run.api.running import require_one_of
from wavediff.core.sequences.characters import BYTE_CODES, codes_of_text, n_codes
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet, Sequence

_NAME_LETTERS = 1 << 10  # a longer text is looked up nowhere


def read(
    path: str | Path,
    *,
    record: str | int | None = None,
    format: str = "auto",
    encoding: str = "",
    features: str | Path | None = None,
) -> Sequence:
    """Read a record of a (compressed) file; its features become ``spans``.

    A file that is not a sequence but a text (mail, HTML) is read as text, which ``compare`` compares with texts only.

    Args:
        record: name, whole header or number (from 1); None: the only record.
        format: ``auto``, ``fasta``, ``fastq``, ``text`` or ``bytes``.
        encoding: of a text, a Python codec name; empty: UTF-8.
        features: file of features in GFF3, GTF or BED; None: a file with the same name in the folder of ``path``, if
            any.

    Raises:
        InputError: the file cannot be used, or the record is ambiguous.

    Warns:
        UserWarning: the file was read as text, with the reason (perhaps damage).
    """
    load = load_of(path, format=format, encoding=encoding, features=features, or_text=True)
    if load.refusal is not None:
        warn(f"{load.refusal}; read as plain text", stacklevel=2)
    return load.with_notices(pick(load, None if record is None else str(record), "record="))


def load_of(
    path: str | Path, *, format: str = "auto", encoding: str = "", features: str | Path | None = None,
    or_text: bool = False,
) -> Load:  # fmt: skip
    """Read all records of a file."""
    require_one_of("format", format, ReadAs)
    try:
        lookup(encoding or "utf-8")
    except LookupError:
        raise InputError(str(path), f"encoding {encoding!r}", "a name that Python knows, such as cp1252, is") from None
    job = ReadJob(path=path, read_as=ReadAs(format), encoding=encoding, features=features, or_text=or_text)
    load = run_to_end(run(job))
    require_annotated(features, [load])
    return load


def has_bytes(letters: Any) -> bool:
    """Return whether ``letters`` are bytes: a 1-d uint8 array or convertible by ``bytes`` (Biopython's ``Seq``)."""
    if isinstance(letters, np.ndarray):
        return letters.dtype == np.uint8 and letters.ndim == 1
    return isinstance(letters, bytearray | memoryview) or (
        hasattr(letters, "__bytes__") and not isinstance(letters, Path)
    )


def has_letters(letters: Any) -> bool:
    """Return whether ``letters`` are one sequence, not a file name or a list."""
    return isinstance(letters, str | Sequence) or hasattr(letters, "seq") or has_bytes(letters)


def names_file(text: str) -> bool:
    """Return whether ``text`` is a file name rather than letters."""
    return ("." in text or os.sep in text) and len(text) < _NAME_LETTERS and os.path.isfile(text)


def pair_of(a: Any, b: Any, *, as_texts: bool) -> tuple[Sequence, Sequence]:
    """Convert both with ``sequence_of``; two files without sequences are read as texts, as in the window.

    Args:
        as_texts: read both as texts.

    Raises:
        InputError: an input has an unsupported type, or only one of them is a sequence.
    """

    def one(letters: Any, name: str) -> Sequence:
        if isinstance(letters, Path):
            load = load_of(letters, format=ReadAs.TEXT if as_texts else ReadAs.AUTO, or_text=True)
            return load.with_notices(pick(load, None, "wavediff.read and its record="))
        sequence = sequence_of(letters, name, 6)
        return replace(sequence, alphabet=Alphabet.TEXT) if as_texts and isinstance(letters, str) else sequence

    pair = one(a, "A"), one(b, "B")
    if refusal := refused(*pair):
        raise refusal
    return pair


def sequence_of(letters: Any, name: str, depth: int = 4) -> Sequence:
    """Convert ``letters`` to a sequence.

    Args:
        letters: str, bytes, uint8 of shape (n,), Biopython's ``Seq`` or ``SeqRecord``, a ``Sequence``; a ``Path`` is
            read. Each byte is a letter.
        name: name of letters without one. depth: call levels between this function and the script, for the warning.

    Raises:
        InputError: unsupported type.

    Warns:
        UserWarning: a str is the name of a file.
    """
    if isinstance(letters, Sequence):
        return letters
    if isinstance(letters, Path):
        load = load_of(letters)
        return load.with_notices(pick(load, None, "wavediff.read and its record="))
    if hasattr(letters, "seq"):
        return sequence_of(letters.seq, str(getattr(letters, "id", name)))
    characters = ""
    if isinstance(letters, str):
        if names_file(letters):
            text = f"{letters!r} is used as letters, but a file has that name; Path({letters!r}) reads the file"
            warn(text, stacklevel=depth)
        characters = "".join(sorted(character for character in set(letters) if not character.isascii()))
        try:
            codes = codes_of_text(letters, characters)
        except UnicodeEncodeError as error:
            raise InputError(name, f"position {error.start + 1:,}: {letters[error.start]!r} is no character") from None
    elif has_bytes(letters):
        try:
            codes = letters if isinstance(letters, np.ndarray) else np.frombuffer(bytes(letters), np.uint8)
        except (TypeError, ValueError) as error:  # Biopython's UndefinedSequenceError
            raise InputError(name, str(error)) from None
    else:
        right = "str, bytes, uint8 of one dimension, Seq or a Path is"
        raise InputError(name, f"{type(letters).__name__} is no sequence", right)
    counts = np.bincount(codes, minlength=n_codes(characters))
    alphabet = Alphabet.TEXT if characters else guess_raw(counts[:BYTE_CODES])
    return Sequence(letters=codes, name=name, alphabet=alphabet, counts=counts, characters=characters)
