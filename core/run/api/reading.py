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
from wavediff.core.jobs.event_streams import run_to_end
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

    A file that is none of a sequence and can be a text is read as one: mail, HTML, what begins with ``@``. ``compare``
    compares it with texts alone.

    Args:
        record: its name, its whole header or its number from 1 on; None: the only one.
        format: ``auto``, ``fasta``, ``fastq``, ``text`` or ``bytes``.
        encoding: of a text, a name that Python knows; empty: UTF-8.
        features: file of features in GFF3, GTF or BED; None: one beside ``path`` under the same name, if there is one.

    Raises:
        InputError: the file cannot be used, or which record is meant is not clear.

    Warns:
        UserWarning: the file was read as a text for what the warning names, perhaps damage.
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
        as_texts: whether both are texts, whatever they look like.

    Raises:
        InputError: one is none of these, or is no sequence beside one.
    """

    def one(letters: Any, name: str) -> Sequence:
        if isinstance(letters, Path):
            load = load_of(letters, format=ReadAs.TEXT if as_texts else ReadAs.AUTO, or_text=True)
            return load.with_notices(pick(load, None, "record="))
        sequence = sequence_of(letters, name, 6)
        return replace(sequence, alphabet=Alphabet.TEXT) if as_texts and isinstance(letters, str) else sequence

    pair = one(a, "A"), one(b, "B")
    if refusal := refused(*pair):
        raise refusal
    return pair


def sequence_of(letters: Any, name: str, depth: int = 4) -> Sequence:
    """Convert ``letters`` to a sequence.

    Args:
        letters: str, bytes, uint8 of shape (n,), Biopython's ``Seq`` or ``SeqRecord``, a ``Sequence``; the file of a
            ``Path`` is read. Bytes are a letter each.
        name: of what has none. depth: calls from here to the script, for the warning.

    Raises:
        InputError: it is none of these.

    Warns:
        UserWarning: a str is the name of a file.
    """
    if isinstance(letters, Sequence):
        return letters
    if isinstance(letters, Path):
        load = load_of(letters)
        return load.with_notices(pick(load, None, "record="))
    if hasattr(letters, "seq"):
        return sequence_of(letters.seq, str(getattr(letters, "id", name)))
    characters = ""
    if isinstance(letters, str):
        if names_file(letters):
            text = f"{letters!r} is taken for letters, and there is a file of that name; Path({letters!r}) reads it"
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
