"""Jobs that read files, pasted text and lists of patterns."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import unquote

from wavediff.core.base.file_names import TYPED
from wavediff.core.jobs import Job, KernelModules
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

PASTED = "<pasted>"  # source of a text that has no file


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadJob(Job):
    """Read one file into records, in the same runner and worker as computations.

    Attributes:
        path: as the person named it, which a ``Path`` would change in ``http://x`` and in the empty name; also with a
            part of the file behind it, see ``wavediff.core.reading.run``.
        alphabet: what the letters are, regardless of their form; None = guessed.
        encoding: of the text, a name that Python knows; empty: UTF-8, or UTF-16 and UTF-32 that can be recognised.
        counted: count how often each letter of a text occurs, which takes longer than all else; of sequences it is
            always counted.
        features: file of features of these records, GFF3, GTF or BED; None: one beside ``path`` under the same name.
            Where it names none of them, they are read without.
        or_text: what ``read_as`` *auto* refuses, and a text can be, is read as one; see ``Sequence.refusal``.
    """

    modules = KernelModules("wavediff.core.reading.run")

    path: str | os.PathLike[str]
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None
    encoding: str = ""
    counted: bool = True
    features: str | os.PathLike[str] | None = None
    or_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseJob(Job):
    """Read pasted or dropped text as if it were a file."""

    modules = KernelModules("wavediff.core.reading.paste")

    text: str | bytes
    source: str = PASTED
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None
    encoding: str = ""
    or_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPatternsJob(Job):
    """Read a list of patterns: FASTA or one per line, optionally compressed."""

    modules = KernelModules("wavediff.core.reading.patterns")

    path: str | os.PathLike[str]


def typed_letters(name: str) -> str | None:
    """Return the letters of ``data:,LETTERS``, which replaces a file name, or None."""
    return unquote(name.removeprefix(TYPED), errors="surrogatepass") if name.startswith(TYPED) else None
